"""Tests of matches that were cut short, of analyses and reports, with the engine: unittest.

A process that is killed leaves a record that ends anywhere, so records are cut at many places.
"""

from __future__ import annotations

import codecs
import contextlib
import csv
import io
import itertools
import json
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any
from unittest import mock

import measure
import openings
from quintet import analyse, analysis, match, records, table
from quintet.analysis import SCHEMA
from quintet.annotate import ANNOTATION, Annotated, Move, summary
from quintet.client import runs
from quintet.command import default_engine
from quintet.errors import EngineError
from quintet.formats import read_file
from quintet.schedule import held
from quintet.standing import Standing

FOLDER = Path(__file__).resolve().parent


def run(main, name: str, *arguments: str, text: str = "") -> tuple[int, str, str]:  # type: ignore[no-untyped-def]
    """Status, output and errors of a command."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.ExitStack() as stack:
        stack.enter_context(mock.patch.object(sys, "argv", [name, *arguments]))
        stack.enter_context(mock.patch.object(sys, "stdin", io.StringIO(text)))
        stack.enter_context(contextlib.redirect_stdout(out))
        stack.enter_context(contextlib.redirect_stderr(err))
        try:
            status = main()
        except SystemExit as left:
            status = int(left.code or 0)
    return status, out.getvalue(), err.getvalue()


# An engine that shakes hands; what it does when it is to move is left open.
STUB = """
for line in sys.stdin:
    if line == "ugi\\n":
        print("ugiok")
    elif line == "isready\\n":
        print("readyok")
    elif line.startswith("go"):
        {go}
    sys.stdout.flush()
"""

# One that ends then, and does not start a second time.
DYING = """
import pathlib, sys
begun = pathlib.Path(__file__ + ".begun")
if begun.exists():
    sys.exit(1)
begun.touch()
""" + STUB.format(go="break")

# One that never moves, whatever it is told and even when nobody is left to tell it.
SILENT = """
import os, pathlib, sys, time
""" + STUB.format(go='pathlib.Path(__file__ + f".{os.getpid()}").touch(); time.sleep(120)')


class Folder(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def file(self, name: str) -> str:
        """The path of a file in it."""
        return str(self.folder / name)


class Matches(Folder):
    """match.py --resume."""

    def play(self, output: str, *more: str) -> tuple[int, str, str]:
        """A short match that is the same every time."""
        arguments = "--games 6 --depth1 1 --nodes2 1 --random-plies 2 --seed 7 --proven".split()
        arguments += ["--newgame", "gomoku size 6 line 4", "--sprt", "0", "100"]
        return run(match.main, "match.py", *arguments, "--output", self.file(output), *more)

    def games(self, output: str) -> dict[int, object]:
        """All that is the same every time of the games in a file, by their numbers."""
        found = {}
        for game in records.read(self.file(output)):
            fields = game.record()
            fields.pop("times", None)
            found[game.other["game"]] = fields
        return found

    def sums(self, text: str) -> list[str]:
        """The report without what time does to it."""
        return [line for line in text.splitlines() if " a move: " not in line]

    def test_a_match_that_was_cut_short_ends_as_if_it_never_was(self) -> None:
        status, due, _ = self.play("whole")
        self.assertEqual(status, 0, due)
        games = self.games("whole")
        self.assertEqual(sorted(games), [1, 2, 3, 4, 5, 6])
        whole = Path(self.file("whole")).read_bytes()
        lines = whole.splitlines(keepends=True)
        cuts = [0, 9, len(b"".join(lines[:3])), len(b"".join(lines[:4])) + 100, len(whole)]
        for cut in cuts:
            with self.subTest(cut=cut):
                Path(self.file("cut")).write_bytes(whole[:cut])
                status, said, errors = self.play("cut", "--resume", "--concurrency", "2")
                self.assertEqual((status, self.sums(said)), (0, self.sums(due)), errors)
                self.assertEqual(self.games("cut"), games)

    def test_a_match_that_died_before_its_first_game_was_over_begins_again(self) -> None:
        Path(self.file("cut")).write_bytes(b"")
        arguments = ["--games", "2", "--nodes", "1", "--newgame", "gomoku size 5 line 4"]
        arguments += ["--output", self.file("cut"), "--resume"]
        status, said, errors = run(match.main, "match.py", *arguments)
        self.assertEqual((status, len(records.read(self.file("cut")))), (0, 2), said + errors)

    @unittest.skipUnless(hasattr(signal, "SIGHUP"), "signals are those of a Unix")
    def test_a_match_that_is_ended_ends_its_engines(self) -> None:
        silent = Path(self.file("silent.py"))
        silent.write_text(SILENT, "utf-8")
        command = [sys.executable, str(FOLDER / "match.py"), "--newgame", "gomoku"]
        command += ["--engine1", f"{shlex.quote(sys.executable)} {shlex.quote(str(silent))}"]
        command += ["--referee", default_engine(), "--movetime", "200000"]
        command += ["--games", "6", "--concurrency", "3"]
        for number in (signal.SIGHUP, signal.SIGINT):
            # Not ignored, as they are where the tests run in the background.
            before = signal.signal(number, signal.SIG_DFL)
            self.addCleanup(signal.signal, number, before)
        # All games are waited for together; who asks again does not wait.
        for signals, most in (([signal.SIGHUP], 11.0), ([signal.SIGINT, signal.SIGINT], 5.0)):
            with self.subTest(signals=signals):
                process = subprocess.Popen(
                    command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
                )
                self.addCleanup(process.wait)
                self.addCleanup(process.kill)
                while len(found := list(self.folder.glob("silent.py.*"))) < 3:
                    self.assertIsNone(process.poll())
                    time.sleep(0.05)
                begun = time.monotonic()
                for number in signals:
                    process.send_signal(number)
                    time.sleep(0.5)
                self.assertEqual(process.wait(60), 130)
                self.assertLess(time.monotonic() - begun, most)
                for file in found:
                    self.assertFalse(runs(int(file.suffix[1:])), file)
                    file.unlink()

    def test_a_file_that_is_no_record_stays_as_it_is(self) -> None:
        for text in ("my only copy\nlast line without end", "one line", '{"a": 1}\n{"gam'):
            Path(self.file("mine")).write_text(text, "utf-8")
            with self.assertRaises(records.RecordError):
                self.play("mine", "--resume")
            self.assertEqual(Path(self.file("mine")).read_text("utf-8"), text)

    def test_games_are_exported_in_the_format_of_the_name(self) -> None:
        exported = self.file("games.sgf")
        status, _, errors = self.play("whole", "--export", exported)
        self.assertEqual(status, 0, errors)
        games = list(read_file(exported))
        due = records.read(self.file("whole"))
        self.assertEqual([g.whole() for g in games], [g.whole() for g in due])
        self.assertEqual([g.result for g in games], [g.result for g in due])
        self.assertEqual([g.players for g in games], [g.players for g in due])
        # A file that is there, and a name that says no format, before any game.
        for name, why in (("games.sgf", "exists"), ("games.xyz", "no format by this name")):
            status, _, errors = self.play("other", "--export", self.file(name))
            self.assertEqual(status, 2)
            self.assertIn(why, errors)
            self.assertFalse(Path(self.file("other")).exists())

    def test_games_are_exported_also_if_nobody_reads_the_report(self) -> None:
        exported = self.file("games.sgf")
        unread = mock.patch.object(Standing, "report", side_effect=BrokenPipeError)
        with unread, self.assertRaises(BrokenPipeError):
            self.play("whole", "--export", exported)
        self.assertEqual(len(list(read_file(exported))), len(self.games("whole")))

    def test_a_format_that_has_no_words_for_the_game_is_refused_before_it(self) -> None:
        for newgame, name in (
            ("teeko", "games.sgf"),
            ("pente size 13", "games.txt"),
            ("gomoku line 4", "games.psq"),
        ):
            arguments = ["--games", "2", "--newgame", newgame, "--export", self.file(name)]
            arguments += ["--output", self.file("output")]
            status, said, errors = run(match.main, "match.py", *arguments)
            self.assertEqual((status, said), (2, ""), errors)
            self.assertRegex(errors, r"--export: game: .* has no ")
            self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_game_that_the_format_cannot_hold_is_told(self) -> None:
        positions = "a1 b1\nstones black c3 turn white\n"
        for text, left, status in ((positions, 2, 1), (positions.split("\n")[1], 4, 1)):
            Path(self.file("book")).write_text(text, "utf-8")
            exported = Path(self.file(f"{left}.psq"))
            arguments = ["--games", "4", "--depth", "1", "--newgame", "gomoku size 5 tie full"]
            arguments += ["--openings", self.file("book"), "--export", str(exported)]
            found, said, errors = run(match.main, "match.py", *arguments)
            self.assertEqual(found, status, said + errors)
            self.assertEqual(errors.count("psq cannot begin with a board set up"), left)
            self.assertIn("psq: game 3: psq cannot begin", errors)
            self.assertEqual(exported.exists(), left < 4)

    def test_each_file_is_one_file(self) -> None:
        there = self.folder / "there"
        there.mkdir()
        other = str(there / ".." / "games.jsonl")
        for first, second in (("output", "log"), ("output", "export"), ("log", "export")):
            arguments = ["--games", "2", f"--{first}", self.file("games.jsonl")]
            status, said, errors = run(match.main, "match.py", *arguments, f"--{second}", other)
            self.assertEqual((status, said), (2, ""))
            self.assertIn("need a file each", errors)
        self.assertEqual(list(self.folder.iterdir()), [there])

    def test_a_name_that_cannot_be_recorded_is_refused(self) -> None:
        for more in (["--name1", "\udcff"], ["--option1", "File=\udcff"], ["--engine2", "\udcff"]):
            status, _, errors = self.play("games", *more, "--log", self.file("log"))
            self.assertEqual(status, 2)
            self.assertIn("have to be UTF-8", errors)
            self.assertEqual(list(self.folder.iterdir()), [])

    def test_the_game_in_which_an_engine_dies_for_good_is_on_record(self) -> None:
        stub = Path(self.file("stub.py"))
        stub.write_text(DYING, "utf-8")
        output = self.file("games")
        arguments = ["--games", "2", "--nodes", "1", "--newgame", "gomoku size 5"]
        arguments += ["--engine2", shlex.join([sys.executable, str(stub)]), "--name2", "stub"]
        with self.assertRaisesRegex(EngineError, "stub does not start again"):
            run(match.main, "match.py", *arguments, "--output", output)
        [game] = records.read(output)
        self.assertEqual((game.result, game.reason), ("p1win", "crash"))

    def test_no_record_is_replaced_and_no_other_match_completed(self) -> None:
        first = [
            '{"game": 1, "pair": 1, "p1": "a", "p2": "b", "newgame": "gomoku", "moves": [], ',
            '"result": "draw"}\n',
        ]
        Path(self.file("games")).write_text("".join(first), "utf-8")
        status, _, errors = self.play("games")
        self.assertEqual(status, 2)
        self.assertIn("exists; --resume would complete it", errors)
        with self.assertRaisesRegex(records.RecordError, "do not play here"):
            self.play("games", "--resume")
        with self.assertRaisesRegex(records.RecordError, "newgame 'gomoku', not"):
            self.play("games", "--resume", "--name1", "a", "--name2", "b")
        self.assertEqual(Path(self.file("games")).read_text("utf-8"), "".join(first))
        more = "".join(first).replace('"game": 1', '"game": 99')
        Path(self.file("more")).write_text(more, "utf-8")
        with self.assertRaisesRegex(records.RecordError, "game 99, of only"):
            self.play("more", "--resume", "--name1", "a", "--name2", "b")

    def test_a_record_that_was_edited_is_refused_in_words(self) -> None:
        self.play("games")
        whole = records.read(self.file("games"))
        for change, why in (
            ({"pair": [1]}, r"pair \[1\], not 1"),
            ({"pair": 7}, "pair 7, not 1"),
            ({"pair": None}, "pair None, not 1"),
            ({"notes": None}, "expected a list of texts as notes, found None"),
            ({"notes": [1]}, r"expected a list of texts as notes, found \[1\]"),
            ({"result": "none"}, "the result is none"),
            ({"seed": [7]}, r"expected a whole number as seed, found \[7\]"),
        ):
            fields = {**whole[0].record(), **change}
            lines = [json.dumps(fields), *(game.line() for game in whole[1:])]
            text = "".join(f"{line}\n" for line in lines)
            Path(self.file("games")).write_text(text, "utf-8")
            with self.subTest(change=change), self.assertRaisesRegex(records.RecordError, why):
                self.play("games", "--resume")
            self.assertEqual(Path(self.file("games")).read_text("utf-8"), text)

    def test_a_game_that_lacks_only_the_end_of_its_line_counts(self) -> None:
        self.play("whole")
        whole = Path(self.file("whole")).read_bytes()
        for kept in (whole[:-1], codecs.BOM_UTF8 + whole[:-1], codecs.BOM_UTF8 + whole):
            Path(self.file("cut")).write_bytes(kept)
            status, _, errors = self.play("cut", "--resume")
            self.assertEqual(status, 0, errors)
            self.assertIn("6 games of 6 are there", errors)
            due = kept if kept.endswith(b"\n") else kept + b"\n"
            self.assertEqual(Path(self.file("cut")).read_bytes(), due)
        Path(self.file("cut")).write_bytes(codecs.BOM_UTF8 + whole[:9])
        status, _, errors = self.play("cut", "--resume")
        self.assertEqual((status, len(self.games("cut"))), (0, 6), errors)

    def test_a_line_that_is_no_game_leaves_the_others_to_be_replayed(self) -> None:
        self.play("games", "--max-plies", "3")
        good = Path(self.file("games")).read_text("utf-8").splitlines()[0]
        for text, status, due in (
            (f"{good}\n{{\n{good}\n", 1, "2 games replayed, 0 differ, 1 refused\n"),
            ("{\n", 2, "0 games replayed, 0 differ, 1 refused\n"),
        ):
            Path(self.file("games")).write_text(text, "utf-8")
            found, said, errors = run(match.main, "match.py", "--replay", self.file("games"))
            self.assertEqual((found, said), (status, due))
            self.assertIn(f"line {1 if status == 2 else 2}: not a game", errors)

    def test_a_record_need_not_say_how_its_game_ended(self) -> None:
        won = "h8 a1 h9 b1 h10 c1 h11 e1 h12"
        games = [
            {"newgame": "gomoku size 15", "moves": won.split(), **said}
            for said in ({}, {"result": "p1win"}, {"result": "p2win"})
        ] + [{"newgame": "gomoku size 15", "moves": won.split()[:-1]}]
        text = "".join(json.dumps(game) + "\n" for game in games)
        Path(self.file("games")).write_text(text, "utf-8")
        found, said, _ = run(match.main, "match.py", "--replay", self.file("games"))
        self.assertEqual(found, 1)
        self.assertIn("game 3: the result is p1win, not none", said)
        self.assertTrue(said.endswith("4 games replayed, 1 differ\n"), said)

    def test_a_match_goes_on_as_it_began(self) -> None:
        named = ["--name1", "a", "--name2", "b", "--max-plies", "9"]
        self.play("games", *named)
        whole = Path(self.file("games")).read_bytes()
        for other, text in (
            (["--engine2", f"env {default_engine()}"], "commands"),
            (["--option1", "Level=random"], "options"),
            (["--max-plies", "3"], "ending 'max-plies 9 proven', not 'max-plies 3 proven'"),
            (["--resign", "1", "5", "--draw", "1", "2", "3"], "resign 1 5 draw 1 2 3 proven'"),
            (["--margin", "7"], "margin 100, not 7"),
        ):
            with self.assertRaisesRegex(records.RecordError, f"another match: .*{text}"):
                self.play("games", *named, *other, "--resume")
            self.assertEqual(Path(self.file("games")).read_bytes(), whole)
        more = ["--games", "8", "--patience", "50", "--log", self.file("log"), "--resume"]
        status, said, errors = self.play("games", *named, *more)
        self.assertEqual((status, len(self.games("games"))), (0, 8), said + errors)

    def test_a_command_in_a_record_is_not_run(self) -> None:
        self.play("games", "--max-plies", "3")
        made = self.file("made")
        game = records.read(self.file("games"))[0]
        game.other["referee"] = f"touch {made}"
        Path(self.file("games")).write_text(game.line() + "\n", "utf-8")
        status, said, errors = run(match.main, "match.py", "--replay", self.file("games"))
        self.assertEqual((status, said), (0, "1 games replayed, 0 differ\n"))
        self.assertIn(f"the referee was 'touch {made}', now ", errors)
        self.assertFalse(Path(made).exists())

    def test_two_matches_do_not_write_one_record(self) -> None:
        path = self.file("games")
        Path(path).write_text('{"game": 1', "utf-8")
        with held(path), self.assertRaisesRegex(records.RecordError, "still writing it"):
            self.play("games", "--resume")
        self.assertEqual(Path(path).read_text("utf-8"), '{"game": 1')

    def test_an_opened_match_that_was_cut_short_is_completed(self) -> None:
        more = ["--games", "4", "--nodes", "50", "--opening", "swap2"]
        more += ["--newgame", "gomoku size 7 line 4", "--output", self.file("opened"), "--resume"]
        status, said, errors = run(match.main, "match.py", *more)
        self.assertEqual(status, 0, errors)
        self.assertRegex(said, r"(?m)^chosen after 3 stones: first \d, second \d")
        self.assertRegex(said, r"(?m)^who chose a side:  wins \d")
        whole = Path(self.file("opened")).read_bytes()
        # A pair half-played, and a game half-written.
        kept = b"".join(whole.splitlines(keepends=True)[:3])
        Path(self.file("opened")).write_bytes(kept + whole[len(kept) :][:50])
        status, said, errors = run(match.main, "match.py", *more)
        self.assertEqual(status, 0, errors)
        self.assertIn("3 games of 4 are there", errors)
        self.assertEqual(Path(self.file("opened")).read_bytes()[: len(kept)], kept)
        games = records.read(self.file("opened"))
        self.assertEqual([game.other["game"] for game in games], [1, 2, 3, 4])
        proposers = {(g.other["pair"], g.other["protocol"]["proposer"]) for g in games}
        self.assertEqual(len(proposers), 4)
        status, said, _ = run(match.main, "match.py", "--replay", self.file("opened"))
        self.assertEqual((status, said), (0, "4 games replayed, 0 differ\n"))
        first = records.read(self.file("opened"))[0]
        first.other["protocol"]["stones"].reverse()
        Path(self.file("opened")).write_text(first.line() + "\n", "utf-8")
        status, said, _ = run(match.main, "match.py", "--replay", self.file("opened"))
        self.assertEqual(status, 1)
        self.assertIn("game 1: swap2 leads to ", said)
        with self.assertRaisesRegex(records.RecordError, "protocol 'swap2', not None"):
            run(match.main, "match.py", *more[:4], *more[6:])

    def test_games_of_other_programs_are_replayed(self) -> None:
        moves = "".join(f"{x},7,5\n{x},9,5\n" for x in range(3, 7))
        for last, result in (
            ("7,7,5\n", "0 differ"),
            ("7,8,5\n", "0 differ"),
            ("3,7,5\n", "1 differ"),
        ):
            text = f"Piskvorky 15x15, 0:0, 0\n{moves}{last}A\nB\n-1\n1,Freestyle\n"
            Path(self.file("game.psq")).write_text(text, "utf-8")
            _, said, _ = run(match.main, "match.py", "--replay", self.file("game.psq"))
            self.assertIn(f"1 games replayed, {result}", said)

    def test_openings_that_do_not_fit_are_refused(self) -> None:
        for arguments, text in (
            ("--newgame teeko --opening d", "Teeko is not opened by d"),
            ("--newgame dagennacht --opening swap2", "Dag en Nacht is not opened by swap2"),
            ("--newgame pente --opening swap2", "play with tournament off"),
        ):
            with self.assertRaisesRegex(EngineError, text):
                run(match.main, "match.py", *arguments.split())
        for other in (["--openings", "x"], ["--random-plies", "4"]):
            status, _, errors = run(match.main, "match.py", "--opening", "d", *other)
            self.assertEqual(status, 2)
            self.assertIn("not allowed with argument", errors)

    def test_three_engines_and_a_log(self) -> None:
        arguments = "--games 2 --depth 1 --engine3 {} --option3 Level=random --name3 chance"
        words = arguments.format(default_engine()).split()
        newgame = ["--newgame", "gomoku size 5 line 4", "--log", self.file("log")]
        status, said, _ = run(match.main, "match.py", *words, *newgame)
        self.assertEqual(status, 0)
        self.assertRegex(said, r"(?m)^chance +[-+]\d+ +\d+ +[\d.]+ +4$")
        log = Path(self.file("log")).read_text("utf-8")
        self.assertRegex(log, r"(?m)^\d+\.\d{3} chance > go depth 1$")
        self.assertRegex(log, r"(?m)^\d+\.\d{3} referee < readyok$")


class Commands(Folder):
    """What the commands have in common."""

    def test_patience_is_a_time(self) -> None:
        for value in ("nan", "-1", "0", "inf", "1e300", "x"):
            for main, words in (
                (match.main, ["--compliance", "x", "--patience"]),
                (analyse.main, ["--patience"]),
                (measure.main, ["threads", "--seconds"]),
            ):
                status, _, errors = run(main, "script", *words, value)
                self.assertEqual(status, 2)
                self.assertIn(f"{value!r} is no time from 0 to 1000000 seconds", errors)

    def test_openings_end_where_there_are_no_more(self) -> None:
        arguments = "--plies 1 --count 100 --depth 1 --within 1000".split()
        found = itertools.count()
        play = table.Referee.play

        def counted(referee: table.Referee, move: str) -> str:
            next(found)
            return play(referee, move)

        with (
            mock.patch.object(table.Referee, "play", counted),
            self.assertRaisesRegex(EngineError, "only 9 of 100 openings were found"),
        ):
            run(openings.main, "openings.py", "--newgame", "gomoku size 3 line 3", *arguments)
        self.assertLess(next(found), 400)

    def test_a_missing_engine_is_told_in_a_line(self) -> None:
        script = [sys.executable, str(FOLDER / "example.py"), "no-such-engine"]
        ran = subprocess.run(script, capture_output=True, text=True)
        self.assertEqual(ran.returncode, 1)
        self.assertRegex(ran.stderr, r"\Aexample.py: 'no-such-engine' cannot be started: .*\n\Z")

    @unittest.skipIf(shutil.which("sh") is None, "a shell closes the streams")
    def test_closed_streams_are_empty_ones(self) -> None:
        Path(self.file("games.jsonl")).write_text('{"newgame": "teeko", "moves": []}\n', "utf-8")
        for closed, line in (
            ("<&-", ["analyse.py"]),
            (">&-", ["convert.py", self.file("games.jsonl")]),
            ("<&-", ["play.py", "--newgame", "teeko", "--first", "human", "--second", "human"]),
            ("2>&-", ["match.py", "--games", "2", "--nodes", "1", "--max-plies", "2"]),
        ):
            script = [sys.executable, str(FOLDER / line[0]), *line[1:]]
            ran = subprocess.run(
                ["sh", "-c", f'"$@" {closed}', "sh", *script], capture_output=True, text=True
            )
            self.assertEqual((ran.returncode, "Traceback" in ran.stderr), (0, False), ran.stderr)


class Analyses(Folder):
    """analyse.py."""

    POSITIONS = "gomoku size 3 line 3; 3/ww1/bb1 b\nteeko; nothing\n"
    GAME = records.Game(
        "gomoku size 5 line 4",
        moves="c3 a1 c2 b1 c4 e5 c1".split(),
        players=("<A>", "B & C"),
        result="p1win",
    )

    def test_rows_have_named_fields(self) -> None:
        base = ["--depth", "4", "--quiet", "--multipv", "2", "--option", "Teeko.Tablebase=off"]
        rows: dict[str, list[dict[str, str]]] = {}
        for form in ("tsv", "csv", "jsonl"):
            for jobs in ("1", "2"):
                path = self.file(f"{form}{jobs}")
                Path(path).write_text(self.POSITIONS, "utf-8")
                arguments = [*base, "--format", form, "--jobs", jobs, path]
                status, out, _ = run(analyse.main, "analyse.py", *arguments)
                self.assertEqual(status, 1)
                if form == "jsonl":
                    rows[form + jobs] = [json.loads(line) for line in out.splitlines()]
                else:
                    dialect = "excel" if form == "csv" else "excel-tab"
                    rows[form + jobs] = list(csv.DictReader(io.StringIO(out), dialect=dialect))
        for found in rows.values():
            self.assertEqual([list(row) for row in found], [list(SCHEMA)] * 3)
            self.assertEqual([row["move"] for row in found], ["c1", "c2", found[2]["move"]])
            self.assertIn("nothing", found[2]["position"])
            self.assertTrue(found[2]["error"])
        best = rows["jsonl1"][0]
        self.assertEqual((best["kind"], best["value"], best["proven"]), ("mate", 1, True))
        self.assertEqual((best["wdl"], best["pv"], best["rank"]), ([1000, 0, 0], ["c1"], 1))
        self.assertEqual(rows["tsv1"][0]["wdl"], "1000 0 0")

    def test_every_move_of_a_game(self) -> None:
        path, page = self.file("games.jsonl"), self.file("page.html")
        Path(path).write_text(self.GAME.line() + "\n", "utf-8")
        arguments = ["--every-move", "--depth", "6", "--quiet", path]
        status, out, _ = run(analyse.main, "analyse.py", *arguments, "--format", "jsonl")
        self.assertEqual(status, 0)
        rows = [json.loads(line) for line in out.splitlines()]
        self.assertEqual([list(row) for row in rows], [[*SCHEMA, *ANNOTATION]] * 7)
        self.assertEqual([row["played"] for row in rows], self.GAME.moves)
        # The winning move gives nothing away; one before it gave away the game.
        self.assertEqual(rows[6]["loss"], 0.0)
        self.assertEqual(rows[6]["value"], 1)
        self.assertGreater(max(row["loss"] for row in rows), 0.0)
        status, out, _ = run(analyse.main, "analyse.py", *arguments, "--report", page)
        self.assertEqual(status, 0)
        self.assertTrue(out.splitlines()[-1].startswith("# <A>: "), out)
        self.check_page(Path(page).read_text("utf-8"))
        with self.assertRaises(FileExistsError):
            run(analyse.main, "analyse.py", *arguments, "--report", page)

    def test_an_annotated_game_is_exported(self) -> None:
        path, exported = self.file("games.jsonl"), self.file("told.sgf")
        Path(path).write_text(self.GAME.line() + "\n", "utf-8")
        arguments = ["--every-move", "--depth", "6", "--quiet", path, "--export", exported]
        status, _, errors = run(analyse.main, "analyse.py", *arguments)
        self.assertEqual(status, 0, errors)
        [game] = read_file(exported)
        self.assertEqual((game.whole(), game.result), (self.GAME.whole(), self.GAME.result))
        self.assertEqual(game.comments[-1].score, "mate 1 proven")
        self.assertTrue(all(comment.score for comment in game.comments))
        status, _, errors = run(analyse.main, "analyse.py", path, "--export", self.file("a.sgf"))
        self.assertEqual(status, 2)
        self.assertIn("--export is about every move", errors)

    def test_a_game_that_cannot_be_exported_is_refused_and_not_analysed(self) -> None:
        path, exported = self.file("games.jsonl"), self.file("told.psq")
        for other in ([], [records.Game("gomoku size 5 tie full", moves=["c3"])]):
            games = [self.GAME, *other]
            Path(path).write_text("".join(f"{game.line()}\n" for game in games), "utf-8")
            arguments = ["--every-move", "--nodes", "9", path, "--export", exported]
            status, out, errors = run(analyse.main, "analyse.py", *arguments)
            self.assertEqual(status, 1)
            self.assertIn("game: psq has no words for rows of 4", out)
            self.assertIn(f"{2 * len(other)} analysed, 1 errors", errors)
            self.assertEqual(Path(exported).exists(), bool(other))

    def test_what_is_analysed_is_kept_when_the_rest_is_interrupted(self) -> None:
        path, exported, page = self.file("games.jsonl"), self.file("a.sgf"), self.file("a.html")
        Path(path).write_text(f"{self.GAME.line()}\n" * 2, "utf-8")
        arguments = ["--every-move", "--nodes", "9", "--quiet", path]
        asked, searches = analysis.ask, itertools.count()

        def ask(*told: Any) -> analysis.Reply:
            if next(searches) == len(self.GAME.moves) + 3:
                raise KeyboardInterrupt
            return asked(*told)

        with mock.patch.object(analysis, "ask", ask), self.assertRaises(KeyboardInterrupt):
            run(analyse.main, "", *arguments, "--export", exported, "--report", page)
        [game] = read_file(exported)
        self.assertEqual(game.moves, self.GAME.moves)
        self.check_page(Path(page).read_text("utf-8"))
        same = ["--report", self.file("b.sgf"), "--export", self.file("b.sgf")]
        status, _, errors = run(analyse.main, "", *arguments, *same)
        self.assertEqual(status, 2)
        self.assertIn("need a file each", errors)

    def test_marks_and_summary_agree(self) -> None:
        # 0.6 less 0.4 is a little less than 0.2.
        before = mock.Mock(expected=0.6, answer=None)
        moves = [Move(1, "a1", before, 0.4), Move(2, "b1", before, 0.5)]
        found = Annotated(self.GAME, moves)
        self.assertEqual([move.mark for move in moves], ["??", "?"])
        told = summary(found).split("; ")
        self.assertTrue(told[0].endswith("20.0 % a move, 1 ??, 0 ?, 0 ?!"), told)
        self.assertTrue(told[1].endswith("10.0 % a move, 0 ??, 1 ?, 0 ?!"), told)

    def check_page(self, text: str) -> None:
        """It has a board for each position and a curve, and names are no markup."""
        self.assertIn("&lt;A&gt; (black) – B &amp; C (white): black wins", text)
        self.assertNotIn("<A>", text)
        pictures = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
        self.assertEqual(len(pictures), len(self.GAME.moves) + 2)
        for picture in pictures:
            ElementTree.fromstring(picture)
        curve = next(picture for picture in pictures if 'class="curve"' in picture)
        self.assertEqual(len(re.findall(r"\d,", curve)), len(self.GAME.moves) + 1)
        self.assertNotRegex(text, r"(src|href)=")

    def test_a_bad_game_leaves_the_others(self) -> None:
        path = self.file("games.txt")
        good = "Pente|1|2|1-0|K10 A1 L12\n"
        Path(path).write_text(f"{good}Pente|1\n{good}Pente|1|2|1-0|K10 K10\n", "utf-8")
        arguments = ["--nodes", "20", "--quiet", "--format", "jsonl", path]
        status, out, _ = run(analyse.main, "analyse.py", *arguments)
        rows = [json.loads(line) for line in out.splitlines()]
        self.assertEqual((status, [bool(row["error"]) for row in rows]), (1, [0, 1, 0, 1]))
        self.assertIn("games.txt, line 2: expected five fields", rows[1]["error"])
        self.assertIn("games.txt, line 4, move 2 'k10'", rows[3]["error"])

    def test_games_and_refusals_keep_their_order(self) -> None:
        path = self.file("games.jsonl")
        good, bad = self.GAME.line(), records.Game("teeko", moves=["c3", "c3"]).line()
        Path(path).write_text(f"{good}\nteeko; nothing\n{bad}\n{good}\n", "utf-8")
        arguments = ["--every-move", "--nodes", "9", "--quiet", path, "--jobs"]
        for jobs in ("1", "2"):
            status, out, _ = run(analyse.main, "analyse.py", *arguments, jobs)
            words = [line.split()[0] for line in out.splitlines()]
            moves = [*map(str, range(1, 8)), "#"]
            self.assertEqual((status, words), (1, [*moves, "error", "error", *moves]))

    def test_lost_characters_are_told_once_a_file(self) -> None:
        line = '{"newgame": "teeko", "moves": ["c3"], "p1": "Ren\u00e9"}\n'
        for name, text in (
            ("a.jsonl", line * 2),
            ("a.psq", "Piskvorky 15x15, 0:0, 0\n8,8,1\nRen\u00e9\nB\n-1\n"),
        ):
            Path(self.file(name)).write_text(text, "latin-1")
            arguments = ["--nodes", "9", "--quiet", self.file(name)]
            status, out, errors = run(analyse.main, "analyse.py", *arguments)
            self.assertEqual((status, out.count("error")), (1, 0), out)
            self.assertEqual(errors.count(f"{name}: characters were lost"), 1)

    def test_only_games_have_moves(self) -> None:
        path = self.file("positions.txt")
        Path(path).write_text(self.POSITIONS, "utf-8")
        status, out, _ = run(analyse.main, "analyse.py", "--every-move", "--quiet", path)
        self.assertEqual((status, out.count("a position, not a game")), (1, 2))
        with self.assertRaises(EngineError):
            run(analyse.main, "analyse.py", "--engine", "no-such-engine", "--jobs", "2", path)


if __name__ == "__main__":
    unittest.main()
