"""Tests of rules.py against recorded games: python3 -m unittest, in this folder."""

from __future__ import annotations

import json
import unittest
from pathlib import Path

import rules

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


if __name__ == "__main__":
    unittest.main()
