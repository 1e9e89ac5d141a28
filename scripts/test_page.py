"""Tests of page.py over HTTP, in every game of the engine, without a word of any: unittest."""

from __future__ import annotations

import contextlib
import http.client
import itertools
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any
from unittest import mock

import page
from quintet import Engine, Refused, Silent
from quintet.command import default_engine

FOLDER = Path(__file__).resolve().parent
FILES = [FOLDER / "page.py", FOLDER / "page.html"]
PATIENCE = 300.0
"""Seconds for what takes a moment on a machine that is not busy."""
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))
"""Asks the server itself, not a proxy that the environment names."""


def clicks(move: dict[str, Any]) -> list[str]:
    """What a person clicks to enter a move, as the page has it."""
    turn = move.get("rotate")
    path = [move.get("from"), move["to"], turn and f"{turn['block']} {turn['direction']}"]
    return [click for click in path if click]


def click_through(moves: list[dict[str, Any]], chance: random.Random) -> dict[str, Any]:
    """The move that clicks at random lead to, each on a place that the page offers."""
    done = 0
    while len(moves) > 1:
        click = chance.choice([clicks(move)[done] for move in moves])
        moves = [move for move in moves if clicks(move)[done] == click]
        done += 1
    return moves[0]


class Page(unittest.TestCase):
    """A server and whoever asks it."""

    @classmethod
    def setUpClass(cls) -> None:
        command = [sys.executable, str(FILES[0]), "--port", "0", "--nodes", "3000"]
        cls.server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        cls.addClassCleanup(cls.end)
        assert cls.server.stdout is not None
        cls.url = cls.server.stdout.readline().split()[0]

    @classmethod
    def end(cls) -> None:
        """Ends the server."""
        cls.server.terminate()
        cls.server.wait()
        cls.server.stdout.close()

    def ask(self, path: str, text: str | None = None, **headers: str) -> tuple[int, str]:
        """The status and the text of an answer; with a text, by POST."""
        body = None if text is None else text.encode()
        request = urllib.request.Request(self.url + path, body, headers)
        try:
            with OPENER.open(request, timeout=PATIENCE) as reply:
                return reply.status, reply.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()

    def say(self, line: str) -> dict[str, Any]:
        """The state after a line that the engine accepts."""
        status, text = self.ask("", json.dumps(line), **{"Content-Type": "application/json"})
        self.assertEqual(status, 200, f"{line}: {text}")
        return json.loads(text)

    def state(self) -> dict[str, Any]:
        """The state when the search has ended."""
        end = time.monotonic() + PATIENCE
        while (state := json.loads(self.ask("state")[1]))["searching"]:
            self.assertLess(time.monotonic(), end, "the search does not end")
            time.sleep(0.02)
        return state

    def check(self, state: dict[str, Any]) -> None:
        """What is shown can be drawn, and fits together."""
        facts = state["facts"]
        board = facts["board"]
        cells = board["cells"]
        self.assertEqual(len(set(cells)), board["columns"] * board["rows"])
        blocks = {f"{block['name']} {way}" for block in board["blocks"] for way in ("cw", "ccw")}
        for move in facts["moves"]:
            self.assertLessEqual(set(clicks(move)), blocks.union(cells), move)
        stones = [cell for side in facts["sides"] for cell in side["stones"]]
        self.assertLessEqual(set(stones), set(cells))
        self.assertEqual(len(stones), len(set(stones)))
        legal = [move["move"] for move in facts["moves"]]
        self.assertIn(len(state["lines"]), (1, 2, 3))
        for line in state["lines"]:
            self.assertIn(line["pv"][0], legal)
            self.assertTrue(line["worth"])
        self.assertTrue(0 <= state["bar"] <= 1, state["bar"])

    def play(self, game: str) -> None:
        """A game: the first player by the lines, the other by clicks at random."""
        chance = random.Random(7)
        self.say(f"newgame {game}")
        ranks = 0
        for _ in range(200):
            state = self.state()
            facts = state["facts"]
            if facts["gameover"]:
                break
            self.check(state)
            ranks = max(ranks, len(state["lines"]))
            winning = facts["sides"][0 if facts["p1turn"] else 1]["wins"]
            move = click_through(facts["moves"], chance)
            if facts["p1turn"]:
                name = winning[0] if winning else state["lines"][0]["pv"][0]
                move = next(move for move in facts["moves"] if move["move"] == name)
            after = self.say(f"moves {move['move']}")["facts"]
            last = after["last"]
            self.assertEqual({**last, "at": ""}, {**move, "at": ""})
            mover = after["sides"][0 if facts["p1turn"] else 1]
            self.assertEqual(mover["name"], last["player"])
            self.assertEqual(after["gameover"], "end" in move)
            self.assertIn(last["at"], mover["stones"])
        self.assertEqual(ranks, 3)
        self.assertEqual(facts["result"], "p1win", facts["history"])
        self.assertEqual(state["bar"], 1.0)
        self.assertEqual(state["lines"], [])
        # A row, or stones taken.
        self.assertTrue(facts["winning"] or "remove" in facts["last"], facts)
        self.assertLessEqual(set(facts["winning"]), set(facts["sides"][0]["stones"]))
        # Taken back and set up again.
        back = self.say("undo")["facts"]
        self.assertEqual((back["gameover"], back["winning"]), (False, []))
        history = " ".join([facts["history"]["base"], "moves", *facts["history"]["moves"]])
        self.assertEqual(self.say(f"position {history}")["facts"], facts)

    def test_every_game_is_played_to_a_row(self) -> None:
        facts = self.state()["facts"]
        games = next(spec for spec in facts["optionspec"] if spec["name"] == "Game")["var"]
        self.assertGreater(len(games), 4)
        for game in games:
            with self.subTest(game):
                self.play(game)

    def test_facts_are_sent_once(self) -> None:
        state = self.state()
        seen = json.loads(self.ask(f"state?seen={state['version']}")[1])
        self.assertEqual(seen, {**state, "facts": None})

    def test_what_is_wrong_is_refused_and_changes_nothing(self) -> None:
        before = self.say(f"newgame {self.state()['facts']['game']}")["facts"]
        kind = {"Content-Type": "application/json"}
        for line, why in [
            ("moves nowhere", "expected"),
            ("undo 999", "cannot take back"),
            ("setoption name Hash value 1", "expected one of newgame"),
            ("undo\nsetoption name Hash value 1", "expected one of newgame"),
            ("", "expected one of newgame"),
            (["undo"], "expected a line"),
        ]:
            status, text = self.ask("", json.dumps(line), **kind)
            self.assertEqual(status, 400, line)
            self.assertIn(why, json.loads(text)["error"])
        self.assertEqual(self.ask("", "{", **kind)[0], 400)
        self.assertEqual(self.ask("", "[" * 5000, **kind)[0], 400)
        self.assertEqual(self.ask("", '"undo"')[0], 400)
        self.assertEqual(self.ask("elsewhere")[0], 404)
        # A name that another site makes lead here.
        self.assertEqual(self.ask("state", Host="example.org:80")[0], 403)
        self.assertEqual(self.ask("", '"undo"', Host="example.org", **kind)[0], 403)
        self.assertEqual(self.state()["facts"], before)

    def test_a_move_for_another_position_is_refused(self) -> None:
        state = self.say(f"newgame {self.state()['facts']['game']}")
        kind = {"Content-Type": "application/json"}
        moves = [json.dumps(f"moves {move['move']}") for move in state["facts"]["moves"][:2]]
        path = f"?seen={state['version']}"
        status, text = self.ask(path, moves[0], **kind)
        self.assertEqual(status, 200, text)
        # Another tab has not seen that yet: it is shown what is there.
        status, text = self.ask(path, moves[1], **kind)
        other = json.loads(text)
        self.assertEqual((status, other["error"]), (409, "the position has changed since"))
        self.assertEqual(other["facts"]["ply"], 1)
        status, text = self.ask(f"?seen={other['version']}", moves[1], **kind)
        self.assertEqual((status, json.loads(text)["facts"]["ply"]), (200, 2))

    def test_a_body_of_another_length_is_refused(self) -> None:
        before = self.state()["facts"]
        for length, status in (("1000000000000000", 413), ("-1", 413), ("many", 400), ("", 400)):
            connection = http.client.HTTPConnection(self.url.split("/")[2], timeout=PATIENCE)
            with contextlib.closing(connection):
                connection.putrequest("POST", "/")
                connection.putheader("Content-Type", "application/json")
                connection.putheader("Content-Length", length)
                connection.endheaders()
                self.assertEqual(connection.getresponse().status, status, length)
        self.assertEqual(self.state()["facts"], before)

    def test_it_is_short_and_names_no_game(self) -> None:
        texts = [file.read_text("utf-8") for file in FILES]
        self.assertLessEqual(sum(text.count("\n") for text in texts), 300)
        facts = self.state()["facts"]
        games = next(spec for spec in facts["optionspec"] if spec["name"] == "Game")["var"]
        for text, game in itertools.product(texts, games):
            self.assertNotIn(game, text.lower())
        self.assertEqual(self.ask(""), (200, texts[1]))

    def test_the_script_of_the_page_can_be_read(self) -> None:
        if shutil.which("node") is None:
            self.skipTest("node is not installed")
        script = FILES[1].read_text("utf-8").split("<script>")[1].split("</script>")[0]
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "page.js"
            file.write_text(script, "utf-8")
            subprocess.run(["node", "--check", str(file)], check=True)


class Closed(unittest.TestCase):
    """A page that is closed before its answer comes."""

    def test_who_has_left_gets_no_answer(self) -> None:
        handler = page.Handler.__new__(page.Handler)
        handler.request_version, handler.requestline = "HTTP/1.0", "GET /state HTTP/1.0"
        for error in (BrokenPipeError, ConnectionResetError):
            handler.wfile = mock.Mock(write=mock.Mock(side_effect=error))
            handler.reply(200, "{}")
            handler.wfile.write.assert_called()


class Restarts(unittest.TestCase):
    """A server that begins again while tabs are open."""

    def test_an_old_tab_sees_the_new_game_and_plays_in_no_other(self) -> None:
        with Engine(default_engine()) as engine:
            desk = page.Desk(engine, "nodes 10")
            desk.do(f"moves {desk.view[1]['moves'][0]['move']}")
            old = desk.view[0]
        with Engine(default_engine()) as engine:
            desk = page.Desk(engine, "nodes 10")
            move = f"moves {desk.view[1]['moves'][0]['move']}"
            for _ in range(3):
                self.assertGreater(desk.view[0], old)
                self.assertFalse(desk.do(move, seen=str(old)))
                desk.do(f"moves {desk.view[1]['moves'][0]['move']}")


class Crashes(unittest.TestCase):
    """An engine that is gone while somebody plays."""

    def test_a_new_one_goes_on_with_the_game(self) -> None:
        for limits in ("nodes 100", "infinite"):
            with self.subTest(limits), Engine(default_engine()) as engine:
                desk = page.Desk(engine, limits)
                games = next(s for s in desk.view[1]["optionspec"] if s["name"] == "Game")["var"]
                desk.do(f"newgame {games[-1]}")
                for _ in range(3):
                    desk.do(f"moves {desk.view[1]['moves'][0]['move']}")
                before = desk.view[1]
                if limits != "infinite":
                    desk.view[3].join()
                os.kill(engine.pid, signal.SIGKILL)
                desk.do(f"moves {before['moves'][0]['move']}")
                after = desk.view[1]
                moves = [*before["history"]["moves"], before["moves"][0]["move"]]
                self.assertEqual((after["game"], after["history"]["moves"]), (games[-1], moves))
                # A mistake stays one, and the game is there all the same.
                os.kill(engine.pid, signal.SIGKILL)
                self.assertRaises(Refused, desk.do, "moves nowhere")
                self.assertEqual(desk.view[1], after)
                self.assertEqual(json.loads(desk.state(""))["error"], "")

    def test_a_line_that_is_not_answered_is_not_done_later(self) -> None:
        with Engine(default_engine()) as engine:
            desk = page.Desk(engine, "nodes 10")
            move, pid, do = desk.view[1]["moves"][0]["move"], engine.pid, engine.do
            answers = iter([Silent("no answer")])

            def mute(*lines: str) -> list[str]:
                for error in answers:
                    raise error
                return do(*lines)

            with mock.patch.object(engine, "do", mute):
                desk.do(f"moves {move}")
            self.assertNotEqual(engine.pid, pid)
            self.assertEqual(desk.view[1]["history"]["moves"], [move])


if __name__ == "__main__":
    unittest.main()
