"""Tests of match.py's statistics and of what it reads: python3 -m unittest, in this folder."""

from __future__ import annotations

import math
import unittest

import elo
from engine import Info, expected_score
from match import Standing
from table import Clock, Game, position_line


class Elo(unittest.TestCase):
    """Scores, Elo and their intervals."""

    def test_elo_and_score_are_inverse(self) -> None:
        for difference in (-800, -35.2, 0, 1, 400):
            self.assertAlmostEqual(elo.elo_of(elo.score_of(difference)), difference)
        self.assertAlmostEqual(elo.score_of(400), 10 / 11)
        self.assertEqual(elo.elo_of(1.0), math.inf)
        self.assertEqual(elo.elo_of(0.0), -math.inf)

    def test_an_even_match(self) -> None:
        even = elo.estimate([10, 20, 40, 20, 10])
        self.assertAlmostEqual(even.elo, 0.0)
        self.assertAlmostEqual(even.los, 0.5)
        # Variance of a pair's mean score: (20 * 1/4 + 40 * 1/16) / 100 = 0.075.
        half = elo.Z95 * math.sqrt(0.075 / 100)
        self.assertAlmostEqual(even.high, elo.elo_of(0.5 + half))
        self.assertAlmostEqual(even.low, -even.high)

    def test_pairs_that_cancel_out_leave_no_error(self) -> None:
        # The first player always wins: single games would claim a large error.
        self.assertEqual(elo.estimate([0, 0, 50, 0, 0]).los, 0.5)
        self.assertLess(elo.estimate([1, 0, 98, 0, 1]).high, elo.estimate([25, 0, 50, 0, 25]).high)

    def test_sides_mirror(self) -> None:
        pairs = [3, 9, 20, 14, 11]
        one, other = elo.estimate(pairs), elo.estimate(pairs[::-1])
        self.assertAlmostEqual(one.elo, -other.elo)
        self.assertAlmostEqual(one.los, 1 - other.los)
        self.assertAlmostEqual(one.low, -other.high)

    def test_a_clean_sweep_has_a_bound(self) -> None:
        sweep = elo.estimate([0, 0, 0, 0, 10])
        self.assertEqual(sweep.elo, math.inf)
        # Ten of ten happen in 2.5 % of the cases at this score.
        self.assertAlmostEqual(elo.score_of(sweep.low) ** 10, 0.025)
        self.assertIn("> +", str(sweep))

    def test_nothing_played(self) -> None:
        self.assertEqual(elo.estimate([0] * 5).elo, 0.0)
        self.assertEqual(elo.llr([0] * 5, 0, 5), 0.0)


class Sprt(unittest.TestCase):
    """The sequential test."""

    def test_bounds(self) -> None:
        low, high = elo.bounds(0.05, 0.05)
        self.assertAlmostEqual(high, math.log(19))
        self.assertAlmostEqual(low, -math.log(19))

    def test_agrees_with_fastchess(self) -> None:
        # The pentanomials and ratios of fastchess's own tests (sprt_test.cpp).
        pairs = [365, 16618, 36029 + 200, 16974, 390]
        self.assertAlmostEqual(elo.llr(pairs, 0, 2), 2.25, delta=0.01)
        pairs = [127, 4883, 10311 + 401, 5150, 104]
        self.assertAlmostEqual(elo.llr(pairs, -1.75, 0.25), 3.01, delta=0.01)

    def test_a_sweep_in_closed_form(self) -> None:
        # Two classes remain, 0 and 2 points: H0 gives them 1/2 each, and H1 gives p with
        # (p - 1/2) / sqrt(p (1 - p)) = t.
        t = math.sqrt(2) * 5 / elo.ELO_UNIT
        p = 0.5 + 0.5 * t / math.sqrt(1 + t * t)
        self.assertAlmostEqual(elo.llr([0, 0, 0, 0, 104], 0, 5), 104 * math.log(2 * p), delta=0.01)

    def test_direction_and_symmetry(self) -> None:
        self.assertGreater(elo.llr([1, 2, 20, 30, 20], 0, 10), 0)
        self.assertLess(elo.llr([20, 30, 20, 2, 1], 0, 10), 0)
        pairs = [4, 11, 30, 17, 9]
        self.assertAlmostEqual(elo.llr(pairs, -5, 5), -elo.llr(pairs[::-1], -5, 5), places=6)

    def test_all_that_is_allowed_can_be_computed(self) -> None:
        for pairs in ([1, 0, 0, 0, 0], [0, 0, 7, 0, 0], [0, 0, 0, 0, 300], [5, 0, 0, 0, 5]):
            for elo0, elo1 in ((-200, 200), (0, 0.5), (199, 200)):
                self.assertTrue(math.isfinite(elo.llr(pairs, elo0, elo1)))


class Reading(unittest.TestCase):
    """Lines, clocks and the count of a match."""

    def test_info(self) -> None:
        info = Info.parse(
            "info depth 5 seldepth 9 multipv 1 score mate -4 upperbound proven wdl 0 0 1000 "
            "nodes 123 nps 4 hashfull 0 tbhits 0 time 30 pv a1 depth b2"
        )
        self.assertEqual((info.depth, info.mate, info.cp, info.nodes), (5, -4, None, 123))
        self.assertEqual(info.value, "mate -4 proven")
        self.assertEqual((info.wdl, info.expected), ((0, 0, 1000), 0.0))
        self.assertEqual(info.pv, ["a1", "depth", "b2"])
        self.assertFalse(Info.parse("info string score cp 3").scored)
        info = Info.parse("info depth 1 score cp 12 wdl 400 300 300 pv a1")
        self.assertEqual((info.wdl, info.expected), ((400, 300, 300), 0.55))
        for line, score in (("cp 100", 0.75), ("cp -200 wdl 1 2", 0.1), ("mate 3", 1.0)):
            self.assertAlmostEqual(Info.parse(f"info score {line}").expected, score)
        self.assertEqual(expected_score(-1e6), 0.0)

    def test_positions(self) -> None:
        self.assertEqual(position_line("startpos"), "position startpos")
        self.assertEqual(position_line("fen 3/3/3 b", ["a1"]), "position fen 3/3/3 b moves a1")
        self.assertEqual(
            position_line("startpos moves a1", ["b1"]), "position startpos moves a1 b1"
        )

    def test_clock(self) -> None:
        self.assertEqual(Clock.parse("1000+10"), Clock(1000, 10))
        self.assertEqual(Clock.parse("1000"), Clock(1000, 0))

    def test_standing(self) -> None:
        standing = Standing(("A", "B"))

        def played(number: int, swapped: bool, result: str, reason: str = "rules") -> None:
            names = ("B", "A") if swapped else ("A", "B")
            game = Game(number, (number + 1) // 2, names, swapped, "gomoku", "startpos")
            game.result, game.reason = result, reason
            standing.add(game)

        played(1, False, "p1win")
        played(4, True, "p1win", "time")
        played(2, True, "p2win")
        played(3, False, "draw")
        self.assertEqual(standing.wdl, [[1, 1, 0], [1, 0, 1]])
        self.assertEqual(standing.pairs, [0, 1, 0, 0, 1])
        self.assertEqual(standing.forfeits, {(0, "time"): 1})
        self.assertFalse(standing.clean())


if __name__ == "__main__":
    unittest.main()
