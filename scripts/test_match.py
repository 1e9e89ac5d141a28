"""Tests of match.py's statistics and of what it reads: python3 -m unittest, in this folder."""

from __future__ import annotations

import math
import unittest

from quintet import Info, expected_score, position_line, ratings
from quintet.records import Game
from quintet.schedule import Schedule, encounters
from quintet.standing import Crosstable, Standing
from quintet.table import Adjudication, Clock, opening_of


class Elo(unittest.TestCase):
    """Scores, Elo and their intervals."""

    def test_elo_and_score_are_inverse(self) -> None:
        for difference in (-800, -35.2, 0, 1, 400):
            self.assertAlmostEqual(ratings.elo_of(ratings.score_of(difference)), difference)
        self.assertAlmostEqual(ratings.score_of(400), 10 / 11)
        self.assertEqual(ratings.elo_of(1.0), math.inf)
        self.assertEqual(ratings.elo_of(0.0), -math.inf)

    def test_an_even_match(self) -> None:
        even = ratings.estimate([10, 20, 40, 20, 10])
        self.assertAlmostEqual(even.elo, 0.0)
        self.assertAlmostEqual(even.los, 0.5)
        # Variance of a pair's mean score: (20 * 1/4 + 40 * 1/16) / 100 = 0.075.
        half = ratings.Z95 * math.sqrt(0.075 / 100)
        self.assertAlmostEqual(even.high, ratings.elo_of(0.5 + half))
        self.assertAlmostEqual(even.low, -even.high)

    def test_pairs_that_cancel_out_leave_no_error(self) -> None:
        # The first player always wins: single games would claim a large error.
        self.assertEqual(ratings.estimate([0, 0, 50, 0, 0]).los, 0.5)
        self.assertLess(
            ratings.estimate([1, 0, 98, 0, 1]).high, ratings.estimate([25, 0, 50, 0, 25]).high
        )

    def test_sides_mirror(self) -> None:
        pairs = [3, 9, 20, 14, 11]
        one, other = ratings.estimate(pairs), ratings.estimate(pairs[::-1])
        self.assertAlmostEqual(one.elo, -other.elo)
        self.assertAlmostEqual(one.los, 1 - other.los)
        self.assertAlmostEqual(one.low, -other.high)

    def test_a_clean_sweep_has_a_bound(self) -> None:
        sweep = ratings.estimate([0, 0, 0, 0, 10])
        self.assertEqual(sweep.elo, math.inf)
        # Ten of ten happen in 2.5 % of the cases at this score.
        self.assertAlmostEqual(ratings.score_of(sweep.low) ** 10, 0.025)
        self.assertIn("> +", str(sweep))

    def test_nothing_played(self) -> None:
        self.assertEqual(ratings.estimate([0] * 5).elo, 0.0)
        self.assertEqual(ratings.llr([0] * 5, 0, 5), 0.0)


class Sprt(unittest.TestCase):
    """The sequential test."""

    def test_bounds(self) -> None:
        low, high = ratings.bounds(0.05, 0.05)
        self.assertAlmostEqual(high, math.log(19))
        self.assertAlmostEqual(low, -math.log(19))

    def test_agrees_with_fastchess(self) -> None:
        # The pentanomials and ratios of fastchess's own tests (sprt_test.cpp).
        pairs = [365, 16618, 36029 + 200, 16974, 390]
        self.assertAlmostEqual(ratings.llr(pairs, 0, 2), 2.25, delta=0.01)
        pairs = [127, 4883, 10311 + 401, 5150, 104]
        self.assertAlmostEqual(ratings.llr(pairs, -1.75, 0.25), 3.01, delta=0.01)

    def test_a_sweep_in_closed_form(self) -> None:
        # Two classes remain, 0 and 2 points: H0 gives them 1/2 each, and H1 gives p with
        # (p - 1/2) / sqrt(p (1 - p)) = t.
        t = math.sqrt(2) * 5 / ratings.ELO_UNIT
        p = 0.5 + 0.5 * t / math.sqrt(1 + t * t)
        self.assertAlmostEqual(
            ratings.llr([0, 0, 0, 0, 104], 0, 5), 104 * math.log(2 * p), delta=0.01
        )

    def test_direction_and_symmetry(self) -> None:
        self.assertGreater(ratings.llr([1, 2, 20, 30, 20], 0, 10), 0)
        self.assertLess(ratings.llr([20, 30, 20, 2, 1], 0, 10), 0)
        pairs = [4, 11, 30, 17, 9]
        self.assertAlmostEqual(
            ratings.llr(pairs, -5, 5), -ratings.llr(pairs[::-1], -5, 5), places=6
        )

    def test_all_that_is_allowed_can_be_computed(self) -> None:
        for pairs in ([1, 0, 0, 0, 0], [0, 0, 7, 0, 0], [0, 0, 0, 0, 300], [5, 0, 0, 0, 5]):
            for elo0, elo1 in ((-200, 200), (0, 0.5), (199, 200)):
                self.assertTrue(math.isfinite(ratings.llr(pairs, elo0, elo1)))


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
            pair = (number + 1) // 2
            standing.add(
                Game("gomoku", players=names, result=result, reason=reason, other={"pair": pair})
            )

        played(1, False, "p1win")
        played(4, True, "p1win", "time")
        played(2, True, "p2win")
        played(3, False, "draw")
        self.assertEqual(standing.wdl, [[1, 1, 0], [1, 0, 1]])
        self.assertEqual(standing.pairs, [0, 1, 0, 0, 1])
        self.assertEqual(standing.forfeits, {(0, "time"): 1})
        self.assertFalse(standing.clean())


class Several(unittest.TestCase):
    """More than two players."""

    def test_who_meets_whom(self) -> None:
        self.assertEqual(encounters(3, "round-robin"), [(0, 1), (0, 2), (1, 2)])
        self.assertEqual(encounters(3, "gauntlet"), [(0, 1), (0, 2)])

    def test_every_opening_is_played_by_all_with_both_colours(self) -> None:
        schedule = Schedule("ABC", encounters(3, "round-robin"), 4, "teeko")
        games = [game for pair in schedule.pairs(iter(["startpos", "fen x"])) for game in pair]
        self.assertEqual(len(games), schedule.total)
        self.assertEqual([game.other["game"] for game in games], list(range(1, 13)))
        seen = {(game.opening, *game.players) for game in games}
        due = {(o, a, b) for o in ("startpos", "fen x") for a in "ABC" for b in "ABC" if a != b}
        self.assertEqual(seen, due)

    def test_two_players_are_rated_as_a_match(self) -> None:
        pairs = [3, 9, 20, 14, 11]
        first, second = ratings.ratings(2, {(0, 1): pairs})
        guess = ratings.estimate([3, 9, 21, 14, 11])
        self.assertAlmostEqual(first.elo - second.elo, guess.elo, places=3)
        self.assertAlmostEqual(first.error * 2, (guess.high - guess.low) / 2, delta=0.5)

    def test_a_chain_adds_up(self) -> None:
        even, better = [0, 0, 99, 0, 0], [0, 0, 50, 0, 49]
        rated = ratings.ratings(3, {(0, 1): better, (1, 2): even})
        self.assertAlmostEqual(rated[1].elo, rated[2].elo, places=3)
        self.assertAlmostEqual(rated[0].elo - rated[1].elo, ratings.elo_of(0.745), places=3)
        self.assertAlmostEqual(sum(r.elo for r in rated), 0.0)
        # Who won all of the games is rated all the same.
        self.assertLess(ratings.ratings(2, {(0, 1): [0, 0, 0, 0, 50]})[0].elo, 600)

    def test_a_table(self) -> None:
        table = Crosstable("ABC", encounters(3, "round-robin"))
        for number, (names, result) in enumerate(
            [("AB", "p1win"), ("BA", "draw"), ("CA", "p2win")]
        ):
            table.add(Game("teeko", players=tuple(names), result=result, other={"pair": number}))
        self.assertEqual(table.points(), [(2.5, 3), (0.5, 2), (0.0, 1)])
        self.assertIn("A    ", table.report().splitlines()[1])


class Ending(unittest.TestCase):
    """Games ended by what both players say."""

    def verdict(self, rule: Adjudication, scores: str) -> tuple[str, str] | None:
        """What comes of scores that the first player begins."""
        told = [Info.parse(f"info score {score.strip()}") for score in scores.split(",")]
        return rule.verdict(told, (len(told) - 1) % 2)

    def test_a_resignation_needs_both(self) -> None:
        rule = Adjudication(resign=(2, 300))
        lost = ("p2win", "resign")
        self.assertEqual(self.verdict(rule, "cp -400, cp 400, cp -300, mate 5"), lost)
        self.assertEqual(self.verdict(rule, "cp 9, cp -400, cp 400, cp -300, cp 300")[0], "p1win")
        self.assertIsNone(self.verdict(rule, "cp -400, cp 400, cp -300, cp 299"))
        self.assertIsNone(self.verdict(rule, "cp 400, cp 400, cp -300, cp 400"))
        self.assertIsNone(self.verdict(rule, "cp -300, cp 400"))
        self.assertIsNone(self.verdict(rule, "depth 1, cp 400, cp -400, cp 400"))

    def test_a_draw_comes_from_a_ply_on(self) -> None:
        scores = "cp 0, cp 10, cp -10, cp 3"
        self.assertEqual(
            self.verdict(Adjudication(draw=(2, 10, 4)), scores), ("draw", "draw-score")
        )
        self.assertIsNone(self.verdict(Adjudication(draw=(2, 10, 5)), scores))
        self.assertIsNone(self.verdict(Adjudication(draw=(2, 9, 4)), scores))
        self.assertIsNone(self.verdict(Adjudication(draw=(3, 10, 4)), scores))

    def test_what_both_have_proven(self) -> None:
        rule = Adjudication(proven=True)
        self.assertEqual(self.verdict(rule, "mate 5 proven, mate -4 proven"), ("p1win", "proven"))
        self.assertEqual(self.verdict(rule, "cp 0 proven, cp 0 proven"), ("draw", "proven"))
        self.assertIsNone(self.verdict(rule, "mate 5 proven, mate -4"))
        self.assertIsNone(self.verdict(rule, "mate 5 proven, mate 4 proven"))
        self.assertIsNone(self.verdict(Adjudication(), "mate 5 proven, mate -4 proven"))


class Openings(unittest.TestCase):
    """Lines of a file of openings."""

    def test_all_notations(self) -> None:
        for line in (
            "8,-3, 6,-4",
            "s8q7",
            "s8 q7",
            "startpos moves s8 q7",
            "position startpos moves s8 q7",
        ):
            self.assertEqual(opening_of(line, "gomoku size 20"), "startpos moves s8 q7")
        self.assertEqual(opening_of("fen 5/5/5/5/5 b", "teeko"), "fen 5/5/5/5/5 b")
        self.assertEqual(opening_of("1-cw-tl", "pentago"), "startpos moves 1-cw-tl")
        with self.assertRaisesRegex(ValueError, "outside"):
            opening_of("8,-3", "gomoku")


if __name__ == "__main__":
    unittest.main()
