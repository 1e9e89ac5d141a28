"""Tests of rules.py against recorded games and the engine: python3 -m unittest, in this folder."""

from __future__ import annotations

import json
import unittest
from pathlib import Path

from quintet import Engine, Refused, rules
from quintet.command import default_engine

TRACES = Path(__file__).resolve().parent.parent / "tests" / "data" / "traces.jsonl"


class Traces(unittest.TestCase):
    """Games recorded by another program: positions, numbers of moves, results."""

    def test_every_position_is_the_recorded_one(self) -> None:
        games = 0
        for line in TRACES.read_text(encoding="utf-8").splitlines():
            if line.startswith("#"):
                continue
            trace = json.loads(line)
            newgame = f"{trace['game']} {trace['options']}"
            # Repetition is not judged in the records.
            played = rules.game(newgame)
            played.repeated = lambda: False  # type: ignore[method-assign]
            for ply, move in enumerate(trace["moves"]):
                place = f"{newgame}, ply {ply}, {move}"
                legal = played.legal()
                self.assertIn(move, legal, place)
                self.assertEqual(len(legal), trace["legal"][ply], place)
                played.play(move)
                self.assertEqual(played.fen(), trace["fens"][ply], place)
            if trace["result"] is not None:
                self.assertEqual(played.result(), trace["result"], newgame)
            games += 1
        self.assertGreater(games, 100)

    def test_a_third_time_is_a_draw(self) -> None:
        played = rules.game("teeko")
        for move in "a1 e5 a3 e3 b5 d1 c1 c5".split():
            played.play(move)
        for _ in range(2):
            for move in "a1-b1 e5-d5 b1-a1 d5-e5".split():
                self.assertEqual(played.result(), "none")
                self.assertIn(move, played.legal())
                played.play(move)
        self.assertEqual(played.result(), "draw")

    def test_a_board_with_other_captures_is_another_position(self) -> None:
        played = rules.game("pente size 13 variant poof")
        moves = (
            "g7 g6 k7 f8 j8 h9 l6 f6 f7 j6 h6 j5 h6 j4 j3 e6 d6 d8 c9 c8 b8 e8 j10 d10 a7 "
            "g8 g8 h9 f7 g8 g8 h9 f7"
        )
        for move in moves.split():
            self.assertIn(move, played.legal())
            played.play(move)
        self.assertEqual(played.fen().split()[1:], ["b", "4", "6"])
        self.assertEqual(played.result(), "none")


KNOWN = (
    "gomoku size 07",
    "GOMOKU Size 22 LINE 22",
    "gomoku width 3 height 7 line 7",
    "gomoku width 0 height 0",
    "pente size 7 tournament TRUE variant o",
    "dagennacht size 19 restriction on back false",
    "teeko variant advanced centre off",
)
UNKNOWN = (
    "",
    "chess",
    "gomoku size",
    "gomoku size 7 line",
    "gomoku size 7 size 7",
    "gomoku size 2",
    "gomoku size 23",
    "gomoku size +7",
    "gomoku size \u0667",
    f"gomoku size {'9' * 5000}",
    "gomoku width 2",
    "gomoku width 3 height 4",
    "gomoku size 4",
    "gomoku line 0",
    "gomoku line 30",
    "gomoku rule 5",
    "gomoku tie nix",
    "gomoku weather 3",
    "pente size 18",
    "pente size 21",
    "pente tournament 0",
    "pente variant nix",
    "pentago size 6",
    "dagennacht size 12",
    "dagennacht back maybe",
    "teeko centre 1",
)
"""Games and rules that there are, and that there are not."""

SOUND = (
    ("gomoku", "stones BLACK H8 white j9 black a1 turn White"),
    ("gomoku", "stones turn black"),
    ("gomoku size 3 line 3", "fen B2/3/3 B"),
    ("pentago", "stones black 1 36 turn red"),
    ("pentago", "startpos moves MOVE(34,Anti-clockwise,bottom-right) move(1,clockwise,top-left)"),
    ("pentago", "stones black 1 2 3 4 turn black moves move(5)"),
    ("pentago", "stones black 1 2 3 4 turn black moves move(5,clockwise,top-left)"),
    ("pentago", "stones black 1 2 3 4 turn black moves 5-ccw-br"),
    ("pente size 7", "stones white a1 turn black"),
    ("pente size 7", "stones white a1 turn black captures 3 049"),
    ("pente size 7", "fen 7/7/7/7/7/7/7 w 0 9"),
)
UNSOUND = (
    ("gomoku", "stones black z99 h8 turn white"),
    ("gomoku", "stones black a0 turn white"),
    ("gomoku", "stones black h08 turn white"),
    ("gomoku", "stones black h8 white h8 turn white"),
    ("gomoku", "stones h8 turn white"),
    ("gomoku", "stones black h8"),
    ("gomoku", "stones black h8 turn"),
    ("gomoku", "stones black h8 turn green"),
    ("gomoku", "stones black h8 turn white captures 0 0"),
    ("gomoku size 3 line 3", "fen b02/3/3 b"),
    ("gomoku size 3 line 3", "fen b2/3/3 bw"),
    ("gomoku size 3 line 3", "fen b2/3/3 b 0"),
    ("gomoku size 3 line 3", "fen"),
    ("pentago", "stones black 0 99 turn red"),
    ("pentago", "startpos moves move(34)"),
    ("pentago", "startpos moves move(34,ccw,br)"),
    ("pentago", "startpos moves move(34-cw-tl)"),
    ("pentago", "startpos moves 34-clockwise-top-left"),
    ("pentago", "stones black 1 2 3 4 turn black moves 5-cw-xx"),
    ("pente size 7", "stones white i1 turn black"),
    ("pente size 7", "stones white a1 turn black captures -3 9"),
    ("pente size 7", "stones white a1 turn black captures 3 50"),
    ("pente size 7", "stones white a1 turn black captures 3"),
    ("pente size 7", "stones white a1 turn black 3 4"),
    ("pente size 7", "fen 7/7/7/7/7/7/7 w"),
)
"""Positions that there are, and that there are not."""


class Refusals(unittest.TestCase):
    """The rules accept and refuse what the engine does."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.engine = Engine(default_engine())
        cls.addClassCleanup(cls.engine.quit)

    def test_games_that_there_are(self) -> None:
        for newgame in KNOWN:
            with self.subTest(newgame):
                self.engine.newgame(newgame)
                self.assertEqual(rules.game(newgame).fen(), self.engine.ask("fen"))

    def test_games_that_there_are_not(self) -> None:
        for newgame in UNKNOWN:
            with self.subTest(newgame[:30]):
                self.assertRaises(Refused, self.engine.newgame, newgame)
                self.assertRaises(ValueError, rules.game, newgame)

    def test_positions_that_there_are(self) -> None:
        for newgame, position in SOUND:
            with self.subTest(position):
                self.engine.do(f"newgame {newgame}", f"position {position}")
                played = rules.position(newgame, position)
                self.assertEqual(played.fen(), self.engine.ask("fen"))
                self.assertEqual(played.result(), self.engine.ask("result"))

    def test_positions_that_there_are_not(self) -> None:
        for newgame, position in UNSOUND:
            with self.subTest(position):
                self.engine.newgame(newgame)
                self.assertRaises(Refused, self.engine.do, f"position {position}")
                self.assertRaises(ValueError, rules.position, newgame, position)


if __name__ == "__main__":
    unittest.main()
