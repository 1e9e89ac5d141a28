"""Tests of match.py's statistics and of what it reads: python3 -m unittest, in this folder."""

from __future__ import annotations

import itertools
import math
import tempfile
import threading
import unittest
from collections.abc import Sequence
from pathlib import Path
from typing import Callable

from quintet import Answer, Info, Limit, expected_score, position_line, ratings, rules
from quintet.errors import Crashed, EngineError, Refused, Silent
from quintet.match_options import arguments_parser, players_of
from quintet.records import Comment, Game
from quintet.replay import protocol_fault
from quintet.schedule import Schedule, encounters, same_game
from quintet.standing import Crosstable, Standing
from quintet.table import (
    Abandoned,
    Adjudication,
    Clock,
    Conditions,
    Pace,
    Table,
    opening_of,
    read_openings,
)


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

    def test_a_better_result_never_shows_a_lower_los(self) -> None:
        def los(pairs: Sequence[int]) -> float:
            return ratings.estimate(pairs).los

        def shown(pairs: Sequence[int]) -> float:
            return round(los(pairs) * 100, 1)

        few = [pairs for pairs in itertools.product(range(7), repeat=5) if 0 < sum(pairs) <= 6]
        many = [(0, 0, 0, at, 60 - at) for at in range(61)]
        for pairs in few + many:
            for at in range(4):
                if pairs[at]:
                    better = [*pairs]
                    better[at] -= 1
                    better[at + 1] += 1
                    self.assertGreaterEqual(shown(better), shown(pairs), (pairs, better))
            self.assertAlmostEqual(los(pairs), 1 - los(pairs[::-1]))
        # A few pairs prove little, and many as much as their normal distribution says.
        self.assertTrue(all(0.0 < shown(pairs) < 100.0 for pairs in few))
        self.assertTrue(0.6 < los([0, 0, 0, 0, 1]) < los([0, 0, 0, 0, 2]) < 0.95)
        lead, deviation = 1000 * 0.5 * 0.04, math.sqrt(1000 * 0.25)
        normal = 0.5 + 0.5 * math.erf(lead / deviation / math.sqrt(2))
        self.assertAlmostEqual(los([480, 0, 0, 0, 520]), normal, places=3)

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

    def test_what_is_said_of_engines(self) -> None:
        standing = Standing(("A", "B"))
        notes = ["B does not say how the game stands: not asked again", "A: error internal lost"]
        comments = [Comment(nodes=500, time=10.0), Comment(nodes=9, time=0.0)]
        standing.add(
            Game(
                "teeko",
                comments=comments,
                result="draw",
                players=("A", "B"),
                other={"notes": notes},
            )
        )
        report = standing.report()
        self.assertIn("failures an engine went on from 1", report)
        self.assertIn(
            "A: forfeits none; a move: 10.0 ms (most 10), depth 0.0, 50000 nodes/s", report
        )
        self.assertIn("B: forfeits none; a move: 0.0 ms (most 0), depth 0.0, - nodes/s", report)

    def test_builds_of_one_program_are_told_apart(self) -> None:
        def names(line: str) -> list[str]:
            parser = arguments_parser(None)
            return [player.name for player in players_of(parser, parser.parse_args(line.split()))]

        self.assertEqual(names("--engine1 a/x --engine2 b/x"), ["a/x", "b/x"])
        self.assertEqual(names("--engine1 a/x --engine2 b/y"), ["x", "y"])
        self.assertEqual(names("--engine1 a/x"), ["x (1)", "x (2)"])
        several = "--engine1 a/x --engine2 b/x --engine3 c/x --name3 x --nodes1 5"
        self.assertEqual(names(several), ["x nodes 5", "b/x", "x"])


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


class RulesReferee:
    """A referee that needs no engine: quintet.rules."""

    def __init__(self, newgame: str) -> None:
        self.newgame = newgame
        self.set_up("startpos")

    def set_up(self, opening: str) -> None:
        """Sets up an opening."""
        self.board = rules.position(self.newgame, opening)

    def play(self, move: str) -> str:
        """Plays a move; `Refused` if it is not legal."""
        if not self.board.is_legal(move):
            raise Refused(f"move {move!r} is not legal")
        self.board.play(move)
        return move

    def result(self) -> str:
        """How the game stands."""
        return self.board.result()

    def mover(self) -> int:
        """Whose turn it is."""
        return self.board.side


class Stub:
    """A player that answers each question of an opening as told, and plays the first cell free."""

    def __init__(self, name: str, *answers: str | EngineError) -> None:
        self.name = name
        self.answers = list(answers)
        self.asked: list[str] = []
        self.restarts = 0
        self.refusal: EngineError | None = None
        """Raised instead of saying how the game stands."""
        self.questions = 0
        self.told: list[str] = []
        """The lines that it was told."""
        self.unknown: set[str] = set()
        """Commands that it does not know."""
        self.failure: Callable[[], EngineError] | None = None
        """Makes what is raised in place of a move."""
        self.board = rules.game("gomoku size 5 line 4")

    def do(self, line: str, patience: float) -> None:
        """Takes in a position."""
        word, _, rest = line.partition(" ")
        self.told.append(line)
        if word in self.unknown:
            raise Refused(f"unknown {word!r} is not a command")
        if word == "position":
            self.board = rules.position("gomoku size 5 line 4", rest)

    def ask_line(self, line: str, patience: float) -> str:
        """The next answer."""
        self.asked.append(line)
        answer = self.answers.pop(0)
        if isinstance(answer, EngineError):
            raise answer
        return answer

    def go(self, limit: Limit, patience: float) -> Answer:
        """The first legal move."""
        if self.failure is not None:
            raise self.failure()
        return Answer(self.board.legal()[0], Info(), 1.0, [])

    def ask(self, what: str, patience: float) -> str:
        """How the game stands."""
        self.questions += 1
        if self.refusal is not None:
            raise self.refusal
        result = self.board.result()
        return result if what == "result" else str(result != "none").lower()

    def restart(self) -> None:
        """Counts how often it is called."""
        self.restarts += 1


class Asked(unittest.TestCase):
    """What players say of a game that has ended."""

    def play(self, refusal: EngineError) -> tuple[list[str], Stub]:
        """The notes on a game of two stubs, of which B answers so, and B after a second game."""
        conditions = Conditions("gomoku size 5 line 4", 60000.0, 1.0, 0)
        games = Schedule(["A", "B"], [(0, 1)], 2, conditions.newgame).pair(0, "startpos")
        table = Table(RulesReferee(conditions.newgame), conditions)  # type: ignore[arg-type]
        one, two = Stub("A"), Stub("B")
        two.refusal = refusal
        pace = Pace(Limit(nodes=9))
        for game in games:
            table.play(game, (one, two), (pace, pace), threading.Event())  # type: ignore[arg-type]
        self.assertEqual(one.questions, 4)
        return games[0].other["notes"], two

    def test_who_does_not_know_the_question_is_not_asked_again(self) -> None:
        for refusal in (Refused("syntax unknown command 'query'"), Silent("no answer")):
            notes, player = self.play(refusal)
            self.assertEqual(notes, ["B does not say how the game stands: not asked again"])
            self.assertEqual(player.questions, 1)
            self.assertEqual(player.restarts, int(isinstance(refusal, Silent)))

    def test_a_failure_is_reported(self) -> None:
        notes, player = self.play(Refused("internal lost"))
        self.assertEqual(len(notes), 1)
        self.assertTrue(notes[0].startswith("disagreement: B says gameover error lost"), notes)
        self.assertEqual(player.questions, 2)


class Begun(unittest.TestCase):
    """How players are told of a game, and what ends it."""

    NEWGAME = "gomoku size 5 line 4"

    def play(self, *players: Stub) -> list[Game]:
        """The games of two stubs."""
        self.stop = threading.Event()
        conditions = Conditions(self.NEWGAME, 60000.0, 1.0, 0)
        pair = Schedule(["A", "B"], [(0, 1)], 2, self.NEWGAME).pair(0, "startpos")
        table = Table(RulesReferee(self.NEWGAME), conditions)  # type: ignore[arg-type]
        pace = Pace(Limit(nodes=9))
        for game in pair:
            table.play(game, players, (pace, pace), self.stop)  # type: ignore[arg-type]
        return pair

    def test_who_does_not_know_newgame_plays(self) -> None:
        one, two = Stub("A"), Stub("B")
        two.unknown = {"newgame"}
        first, second = self.play(one, two)
        for player in (one, two):
            begun = [line for line in player.told if "newgame" in line]
            self.assertEqual(begun, [f"newgame {self.NEWGAME}", "uginewgame"] * 2)
        self.assertEqual((first.reason, second.reason), ("rules", "rules"))
        due = ["B does not know `newgame`: it plays the game that it knows"]
        self.assertEqual((first.other["notes"], second.other["notes"]), (due, []))
        standing = Standing(("A", "B"))
        standing.add(first)
        self.assertTrue(standing.clean())

    def test_who_fails_after_the_end_is_not_started_again(self) -> None:
        def killed() -> EngineError:
            self.stop.set()
            return Crashed("the engine's output ended")

        one, two = Stub("A"), Stub("B")
        two.failure = killed
        with self.assertRaises(Abandoned):
            self.play(one, two)
        self.assertEqual(two.restarts, 0)


class Opened(unittest.TestCase):
    """Games that the players open by a protocol."""

    PACE = Pace(Limit(nodes=9))

    def play(
        self, protocol: str, proposer: Stub, other: Stub, pace: Pace = PACE, margin: float = 60000.0
    ) -> Game:
        """A game of two stubs."""
        conditions = Conditions("gomoku size 5 line 4", margin, 1.0, 0)
        schedule = Schedule([proposer.name, other.name], [(0, 1)], 2, conditions.newgame, protocol)
        game = schedule.pair(0, "startpos")[0]
        table = Table(RulesReferee(conditions.newgame), conditions)  # type: ignore[arg-type]
        table.play(game, (proposer, other), (pace, pace), threading.Event())  # type: ignore[arg-type]
        return game

    def test_the_second_player_becomes_the_first(self) -> None:
        one, two = Stub("A", "c3 d4 e1"), Stub("B", "first")
        game = self.play("swap2", one, two)
        self.assertEqual(one.asked, ["opening swap2 propose nodes 9"])
        self.assertEqual(two.asked, ["opening swap2 choose c3 d4 e1 nodes 9"])
        self.assertEqual(game.players, ("B", "A"))
        self.assertEqual(game.opening, "startpos moves c3 d4 e1")
        self.assertEqual((game.other["turn"], game.reason), ("p2", "rules"))
        due = {"name": "swap2", "proposer": "A", "stones": ["c3", "d4", "e1"], "choices": ["first"]}
        self.assertEqual(game.other["protocol"], due)
        self.assertEqual(protocol_fault(Game.parse(game.line())), "")
        self.assertEqual(game.other["notes"], [])

    def test_two_stones_are_put_and_the_proposer_chooses(self) -> None:
        one, two = Stub("A", "c3 d4 e1", "SECOND"), Stub("B", "put a1 b5")
        game = self.play("swap2", one, two)
        self.assertEqual(one.asked[1], "opening swap2 choose c3 d4 e1 a1 b5 nodes 9")
        self.assertEqual(game.players, ("B", "A"))
        self.assertEqual(game.opening, "startpos moves c3 d4 e1 a1 b5")
        self.assertEqual(game.other["protocol"]["choices"], ["put a1 b5", "second"])

    def test_sides_stay_where_they_were(self) -> None:
        game = self.play("d", Stub("A", "c3 d4 e1 e2"), Stub("B", "second"))
        self.assertEqual((game.players, game.other["turn"]), (("A", "B"), "p1"))

    def test_a_wrong_answer_forfeits_the_game(self) -> None:
        for answers, choice, loser, kind, text in (
            ("c3 d4", "", "A", "illegal", "propose: 'c3 d4': expected 3 stones"),
            ("c3 d4 c3", "", "A", "illegal", "'c3' is not legal"),
            (Crashed("gone"), "", "A", "crash", "gone"),
            ("c3 d4 e1", "third", "B", "illegal", "expected first, second or put CELL CELL"),
            ("c3 d4 e1", "put c3 a1", "B", "illegal", "'c3' is not legal"),
            ("c3 d4 e1", Silent("no answer"), "B", "hang", "no answer"),
            ("c3 d4 e1", Refused("state not now"), "B", "refused", "not now"),
            ("c3 d4 e1", Refused("internal out of memory"), "B", "failed", "out of memory"),
        ):
            one, two = Stub("A", answers), Stub("B", choice)
            game = self.play("swap2", one, two)
            self.assertEqual((game.players, game.moves), (("A", "B"), []))
            result = "p2win" if loser == "A" else "p1win"
            self.assertEqual((game.result, game.reason), (result, kind))
            self.assertIn(text, game.other["detail"])
            self.assertEqual((one.restarts, two.restarts), (loser == "A", loser == "B"))
            self.assertEqual(protocol_fault(Game.parse(game.line())), "")
        one = Stub("A", "c3 d4 e1", "put a1 a2")
        game = self.play("swap2", one, Stub("B", "put a5 b5"))
        self.assertEqual((game.result, game.reason), ("p2win", "illegal"))
        self.assertIn("expected first or second, found", game.other["detail"])

    def test_a_clock_gives_each_question_a_time(self) -> None:
        one, two = Stub("A", "c3 d4 e1 e2"), Stub("B", "second")
        self.play("d", one, two, Pace(Limit(nodes=9), Clock(1000, 10)))
        self.assertEqual(one.asked, ["opening d propose nodes 9 movetime 60"])
        self.assertEqual(Pace(Limit(), Clock(1, 0)).for_opening(), Limit(movetime=1))

    def test_a_late_answer_forfeits_the_game(self) -> None:
        one, two = Stub("A", "c3 d4 e1 e2"), Stub("B", "second")
        game = self.play("d", one, two, Pace(Limit(movetime=50)), margin=-51.0)
        self.assertEqual((game.result, game.reason), ("p2win", "time"))
        self.assertRegex(game.other["detail"], r"A: opening d propose: \d+ ms used of 50 ms")
        self.assertEqual(two.asked, [])

    def test_each_player_proposes_once_in_a_pair(self) -> None:
        schedule = Schedule("ABC", encounters(3, "round-robin"), 2, "gomoku", "swap2")
        games = [game for pair in schedule.pairs(itertools.repeat("startpos")) for game in pair]
        proposers = [game.other["protocol"]["proposer"] for game in games]
        self.assertEqual(proposers, [game.players[0] for game in games])
        self.assertEqual("".join(proposers), "ABACBC")

    def test_a_game_on_record_is_that_which_is_due(self) -> None:
        def games() -> tuple[Game, Game]:
            pair = Schedule("AB", [(0, 1)], 2, "gomoku", "swap2").pair(0, "startpos")
            for game in pair:
                game.other["limits"] = [f"nodes {ord(name)}" for name in game.players]
            return pair[0], pair[1]

        due, second = games()
        played = games()[0]
        played.opening = "startpos moves h8 a1 i9"
        self.assertEqual(same_game(played, due), "")
        played.players = ("B", "A")
        self.assertIn("limits", same_game(played, due))
        played.other["limits"] = ["nodes 66", "nodes 65"]
        self.assertEqual(same_game(played, due), "")
        self.assertEqual(same_game(played, second), "proposer 'A', not 'B'")
        self.assertIn(
            "players", same_game(Game("gomoku", players=("A", "C"), other=due.other), due)
        )
        played.other["protocol"]["name"] = "d"
        self.assertEqual(same_game(played, due), "protocol 'd', not 'swap2'")
        del played.other["protocol"]
        self.assertEqual(same_game(played, due), "protocol None, not 'swap2'")

    def test_a_game_under_other_conditions_is_another(self) -> None:
        due = Schedule("AB", [(0, 1)], 2, "gomoku", "swap2").pair(0, "startpos")[0]
        due.other.update(limits=["", ""], commands=["a", "b"], options=[[], ["Hash=1"]])
        due.other.update(ending="resign 1 5", margin=100)
        played = Game.parse(due.line())
        self.assertEqual(same_game(played, due), "")
        played.players = ("B", "A")
        self.assertEqual(same_game(played, due), "commands ['b', 'a'], not ['a', 'b']")
        played.other["commands"].reverse()
        self.assertEqual(same_game(played, due), "options [['Hash=1'], []], not [[], ['Hash=1']]")
        played.other["options"].reverse()
        self.assertEqual(same_game(played, due), "")
        for field, value in (("ending", ""), ("margin", 5)):
            played.other[field] = value
            self.assertIn(f"{field} {value!r}, not", same_game(played, due))
            # Records of earlier versions do not say it.
            del played.other[field]
            self.assertEqual(same_game(played, due), "")

    def test_a_record_is_checked(self) -> None:
        game = self.play("swap2", Stub("A", "c3 d4 e1", "first"), Stub("B", "put a1 b5"))
        for change, text in (
            ({"name": "swap3"}, "no opening protocol 'swap3'"),
            ({"name": "d"}, "expected 4 stones"),
            ({"proposer": "B"}, "makes A the proposer, not B"),
            ({"stones": ["c3", "d4", "e2"]}, "leads to 'startpos moves c3 d4 e2 a1 b5'"),
            ({"stones": 3}, "expected a list"),
            ({"choices": ["put a1 b5", "second"]}, "makes B the proposer"),
            ({"choices": ["put a1 b5"]}, "no side was chosen"),
            ({"choices": ["put a1 b5", "put a2 a3"]}, "expected first or second"),
            ({"choices": ["first", "second"]}, "comes after a side was chosen"),
        ):
            copy = Game.parse(game.line())
            copy.other["protocol"].update(change)
            self.assertIn(text, protocol_fault(copy))
        copy.other["protocol"] = None
        self.assertIn("expected an object", protocol_fault(copy))

    def test_choices_are_counted(self) -> None:
        standing = Standing(("A", "B"))
        for pair, (choices, result) in enumerate(
            [
                (["first"], "p1win"),
                (["second"], "p1win"),
                (["put a1 b5", "second"], "draw"),
                (["put a1 b5", "first"], "p2win"),
                (["put a1 b5"], "p1win"),
                ([], "p2win"),
            ]
        ):
            fields = {"name": "swap2", "stones": ["c3", "d4", "e1"], "choices": choices}
            other = {"pair": pair, "protocol": fields}
            standing.add(Game("gomoku", players=("A", "B"), result=result, other=other))
        report = standing.report()
        self.assertIn("chosen after 3 stones: first 1, second 1, put 3\n", report)
        self.assertIn("chosen after 5 stones: first 1, second 1\n", report)
        self.assertIn("who chose a side:  wins 1  draws 1  losses 2  score 37.5 %\n", report)
        self.assertEqual(Standing(("A", "B")).choices.report(), [])


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
        # As the engine reads them, and then other programs too.
        for line, due in (
            ("STARTPOS MOVES S8 q7", "startpos moves S8 q7"),
            ("position Startpos Moves s8", "startpos moves s8"),
            ("FEN 5/5/5/5/5 b", "fen 5/5/5/5/5 b"),
            ("Stones black c3 turn red", "stones black c3 turn red"),
        ):
            self.assertEqual(opening_of(line, "teeko"), due)
        self.assertEqual(opening_of("1-cw-tl", "pentago"), "startpos moves 1-cw-tl")
        with self.assertRaisesRegex(ValueError, "outside"):
            opening_of("8,-3", "gomoku")

    def test_a_mark_of_the_byte_order_is_no_move(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "openings"
            path.write_text("s8q7\n", "utf-8-sig")
            found = read_openings(str(path), RulesReferee("gomoku size 20"))  # type: ignore[arg-type]
        self.assertEqual(found, ["startpos moves s8 q7"])


if __name__ == "__main__":
    unittest.main()
