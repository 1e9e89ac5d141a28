"""Tests of rules.py against recorded games: python3 -m unittest, in this folder."""

from __future__ import annotations

import json
import unittest
from pathlib import Path

from quintet import rules

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


if __name__ == "__main__":
    unittest.main()
