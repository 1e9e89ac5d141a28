"""Tests of game records and of the formats of other programs: python3 -m unittest.

QUINTET_GAMES=2000 plays so many games for each round trip instead of a few.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from quintet import RecordError, analyse, convert, rules
from quintet.formats import FORMATS, pente_org, recognised
from quintet.formats.pente_org import KINDS
from quintet.records import Comment, Game

FOLDER = Path(__file__).resolve().parent
GAMES = int(os.environ.get("QUINTET_GAMES", "8"))

RULES = {
    "gomoku": ["gomoku size 7", "gomoku width 9 height 6 line 4", "gomoku size 9 rule standard"],
    "pente": ["pente size 9", "pente variant keryo", "pente tournament off variant poof"],
    "pentago": ["pentago"],
    "dagennacht": ["dagennacht size 11"],
    "teeko": ["teeko", "teeko variant advanced"],
}

HELD = {
    "jsonl": list(RULES),
    "sgf": ["gomoku", "pente"],
    "psq": [
        "gomoku size 7 tie full",
        "gomoku width 9 height 6 tie full",
        "gomoku rule standard tie full",
    ],
    "pente.org": [
        "pente",
        "pente variant keryo",
        "pente variant poof tournament off",
        "pente variant g",
    ],
    "pente-table": ["pente tournament off", "pente variant g"],
    "offsets": ["gomoku size 15"],
    "cells": ["gomoku size 15"],
}
"""What each format holds: games, all their rules of above, or rules."""

LONG = "9" * 5000
"""A number of more digits than Python reads."""


def random_game(newgame: str, chance: random.Random, most: int = 40) -> Game:
    """A game of random moves with comments, played to its end or cut off."""
    played = rules.game(newgame)
    game = Game(newgame, players=("A [b]", "C\\d"), tags={"date": "2024-01-31", "event": "x: y"})
    while played.result() == "none" and len(game.moves) < most:
        # Near other stones, so that games end.
        legal = played.legal()
        game.moves.append(chance.choice(legal[:12] if chance.random() < 0.7 else legal))
        played.play(game.moves[-1])
        score = chance.choice([None, "cp 31", "mate -4 proven"])
        game.comments.append(Comment(score, chance.randrange(20), 7, float(chance.randrange(500))))
    game.result = played.result()
    game.reason = "rules" if game.result != "none" else ""
    return game


def read(name: str, text: str, newgame: str = "gomoku") -> list[Game]:
    """The games of a text, checked."""
    games = list(FORMATS[name].read(text, "file", newgame))
    for game in games:
        game.check()
    return games


class RoundTrips(unittest.TestCase):
    """What is written is read again as it was."""

    def test_every_format_holds_its_games(self) -> None:
        for name, held in HELD.items():
            entry = FORMATS[name]
            for rule in [
                rule
                for h in held
                for rule in (RULES.get(h, [h]) if name in ("jsonl", "sgf") else [h])
            ]:
                chance = random.Random(f"{name} {rule}")
                games = [random_game(rule, chance) for _ in range(GAMES)]
                text = entry.between.join(entry.write([game]) for game in games)
                self.assertIs(recognised(text, "file"), entry, rule)
                found = read(name, text, rule)
                self.assertEqual(len(found), len(games))
                for was, now in zip(games, found):
                    with self.subTest(format=name, rules=rule):
                        self.compare(name, was, now)

    def compare(self, name: str, was: Game, now: Game) -> None:
        """What this format keeps is the same."""
        self.assertEqual(now.moves, was.moves)
        self.assertEqual(now.whole(), was.whole())
        a, b = rules.game(was.newgame), rules.game(now.newgame)
        same = {"seen", "shapes", "stones"}
        if name in ("pente.org", "pente-table") and "tournament off" in was.newgame:
            # Such a file does not say so: it shows where the moves break the opening rule.
            same.add("tournament")
        self.assertEqual(
            {k: v for k, v in vars(a).items() if k not in same},
            {k: v for k, v in vars(b).items() if k not in same},
        )
        if name in ("offsets", "cells"):
            return
        self.assertEqual(now.result, was.result)
        if name == "pente-table":
            return
        self.assertEqual(now.players, was.players)
        if name in ("jsonl", "sgf"):
            self.assertEqual(now.comments, was.comments)
            self.assertEqual(now.tags, was.tags)
        if name == "psq":
            times = [comment.time for comment in was.comments]
            self.assertEqual([comment.time for comment in now.comments], times)
        if name == "pente.org":
            self.assertEqual(now.tags, was.tags)

    def test_a_board_that_was_set_up(self) -> None:
        for newgame, opening, moves in (
            ("gomoku size 5", "fen 5/5/2b2/5/5 w", ["a1", "b1"]),
            ("gomoku size 5", "stones black c3 white c2 d1 turn black moves b3", ["a1"]),
            ("pente size 7 tournament off", "fen 7/7/7/2bw3/7/7/7 b 0 0", ["a1", "g7"]),
        ):
            game = Game(newgame, opening, moves)
            game.check()
            (now,) = read("sgf", FORMATS["sgf"].write([game]))
            was_end = rules.position(newgame, game.opening)
            now_end = rules.position(now.newgame, now.opening)
            for moves, end in ((game.moves, was_end), (now.moves, now_end)):
                for move in moves:
                    end.play(move)
            self.assertEqual(now_end.fen(), was_end.fen())
            for name in ("psq", "cells", "pente.org"):
                with self.assertRaises(RecordError):
                    FORMATS[name].write([game])

    def test_a_position_is_read_whatever_its_letters(self) -> None:
        for newgame, opening, due in (
            ("gomoku", "STARTPOS MOVES H8 h9", "startpos moves h8 h9"),
            ("gomoku size 5", "FEN 5/5/2B2/5/5 W", "fen 5/5/2B2/5/5 W"),
            (
                "gomoku size 5",
                "Stones Black C3 Turn White moves A1",
                "stones Black C3 Turn White moves a1",
            ),
            ("gomoku size 5", "startpos", "startpos"),
        ):
            game = Game.parse(json.dumps({"newgame": newgame, "opening": opening, "moves": []}))
            game.check()
            self.assertEqual(game.opening, due)
        psq = FORMATS["psq"].write([Game("gomoku", "Startpos Moves h8", ["h9"])])
        self.assertIn("8,8,0\n8,9,0\n", psq)

    def test_a_record_keeps_fields_that_it_does_not_know(self) -> None:
        line = '{"p1": "a", "newgame": "teeko", "moves": ["c3"], "weather": [1]}'
        game = Game.parse(line)
        self.assertEqual(game.record()["weather"], [1])
        self.assertEqual(Game.parse(game.line()), game)


class Foreign(unittest.TestCase):
    """Files as other programs write them."""

    def test_piskvork(self) -> None:
        lines = "Piskvorky 20x20, 11:11, 1|10,11,230|9,9,31|A.zip|B.zip|-1|2,Standard|"
        text = lines.replace("|", "\r\n")
        (game,) = read("psq", text)
        self.assertEqual(game.newgame, "gomoku size 20 tie full rule standard")
        self.assertEqual((game.moves, game.result), (["j11", "i9"], "p2win"))
        # The second of the two names began.
        self.assertEqual(game.players, ("B.zip", "A.zip"))
        self.assertEqual([c.time for c in game.comments], [230, 31])

    def test_an_answer_at_once_is_no_stone_of_the_opening(self) -> None:
        for plies in (0, 2, 3):
            moves = "h8 a1 h9 a2 h10 a3 h11 a4 h12".split()
            comments = [Comment(time=0.1), *[Comment(time=5.0)] * (8 - plies)]
            opening = "startpos" + " moves" * (plies > 0) + "".join(f" {m}" for m in moves[:plies])
            game = Game("gomoku tie full", opening, moves[plies:], comments, result="p1win")
            text = FORMATS["psq"].write([game])
            # Other programs count the players from the first move after the opening.
            winner = 2 if plies == 3 else 1
            self.assertTrue(text.endswith(f"{winner},Freestyle\n"), text)
            self.assertIn(f"{8 if plies % 2 == 0 else 1},", text)
            (again,) = read("psq", text)
            self.assertEqual((again.result, again.whole()[1]), ("p1win", moves))

    def test_groups_and_winners_of_gomocup(self) -> None:
        """Groups have numbers; 1 is who moves first after the opening, whose stones take 0 ms."""
        header = "Piskvorky 15x15, 11:11, 0\n1,1,0\n5,5,0\n9,9,0\n2,1,31\n"
        for group, result, rule in (
            ("1,Standard1", "p2win", " rule standard"),
            ("2,Freestyle15_1", "p1win", ""),
            ("2,Fastgame", "p1win", ""),
            ("0,Standard2", "draw", " rule standard"),
        ):
            (game,) = read("psq", f"{header}A.zip\nB.zip\n-1\n{group}\n")
            self.assertEqual(game.newgame, f"gomoku tie full{rule}")
            self.assertEqual((game.result, game.players), (result, ("A.zip", "B.zip")))
            (again,) = read("psq", FORMATS["psq"].write([game]))
            self.assertEqual((again.result, again.comments), (result, game.comments))
            # What the file says counts, whatever is told for those that do not say it.
            for told in ("gomoku rule standard", "gomoku rule freestyle"):
                (same,) = read("psq", f"{header}A.zip\nB.zip\n-1\n{group}\n", told)
                self.assertEqual(same.newgame, game.newgame)
        # A five on the board says more than which moves took no time.
        five = "".join(f"{x},7,0\n{x},8,{x - 3}\n" for x in range(3, 7)) + "7,7,5\n"
        for number in "12":
            (game,) = read("psq", f"Piskvorky 15x15, 11:11, 0\n{five}A\nB\n-1\n{number},Fastgame\n")
            self.assertEqual(game.result, "p1win")
        with self.assertRaisesRegex(RecordError, "the result is draw, on the board p1win"):
            read("psq", f"Piskvorky 15x15, 11:11, 0\n{five}A\nB\n-1\n0,Fastgame\n")

    def test_the_rule_of_an_sgf_counts(self) -> None:
        for told in ("gomoku", "gomoku rule standard"):
            for rule, due in (("freestyle", "gomoku"), ("standard", "gomoku rule standard")):
                (game,) = read("sgf", f"(;FF[4]GM[4]SZ[15]RU[{rule}];B[hh];W[ii])", told)
                self.assertEqual(game.newgame, due)
            (game,) = read("sgf", "(;FF[4]GM[4]SZ[15];B[hh];W[ii])", told)
            self.assertEqual(game.newgame, told)

    def test_pente_org(self) -> None:
        text = (
            '[Game "Speed Keryo-Pente"]\n[Site "Pente.org"]\n[Date "01/19/2014"]\n[Round "-"]\n'
            '[Player 1 Name "xena"]\n[Player 2 Rating "1696"]\n[Result "1-0"]\n\n'
            "1. K10 M9 2. N10 M7 \n3. M8 1-0\n\n"
            '[Game "Pente"]\n[Result "0-1"]\n1. A1 B1 0-1\n'
        )
        first, second = read("pente.org", text)
        self.assertEqual(first.newgame, "pente variant keryo")
        self.assertEqual(first.moves, ["k10", "m9", "n10", "m7", "m8"])
        due = {"site": "Pente.org", "date": "2014-01-19", "p2rating": "1696"}
        self.assertEqual((first.tags, first.result), (due, "p1win"))
        # It breaks the opening rule.
        self.assertEqual(second.newgame, "pente tournament off")
        self.assertEqual((second.result, second.lines), ("p2win", [12, 14, 14]))

    def test_sgf_of_pente_org(self) -> None:
        text = (
            "(;FF[4]AP[Unknown:0.1]CA[ISO-8859-1]GM[103]SZ[19]GN[1]\nPW[a]\nWR[1500]\nPB[b]\n"
            "RE[B]\nRU[Rated]TM[-]\n(;W[K10]HASH[1]ROT[0]\n;B[L10]HASH[2]\n))"
        )
        (game,) = read("sgf", text)
        self.assertEqual(game.newgame, "pente variant keryo")
        self.assertEqual((game.players, game.result), (("a", "b"), "p2win"))
        self.assertEqual((game.moves, game.tags), (["k10", "l10"], {"p1rating": "1500"}))

    def test_gomoku_of_pente_org(self) -> None:
        # In all games there the columns are A to H and J to T, and White begins.
        text = '[Game "Gomoku"]\n[Result "?"]\n1. K10 T1 2. J9 H9 ?\n'
        (game,) = read("pente.org", text)
        self.assertEqual((game.moves, game.result), (["j10", "s1", "i9", "h9"], "none"))
        self.assertIn("1. K10 T1 2. J9 H9 *", FORMATS["pente.org"].write([game]))
        line = "Gomoku|||*|K10 T1 J9 H9"
        (again,) = read("pente-table", f"{line}\n")
        self.assertEqual(again.moves, game.moves)
        self.assertEqual(FORMATS["pente-table"].write([again]), f"{line}\n")
        (third,) = read("sgf", "(;GM[105]SZ[19]PW[a]PB[b]RE[W];W[K10];B[T1];W[J9];B[H9])")
        self.assertEqual(third.moves, game.moves)
        self.assertEqual((third.players, third.result), (("a", "b"), "p1win"))

    def test_all_games_of_pente_org_are_written_and_read(self) -> None:
        for kind in KINDS:
            moves = ["k10", "l9", "q14"]
            game = Game(kind.newgame, moves=moves, players=('Bob "B" (1)', "8"), result="p1win")
            for name in ("sgf", "pente.org", "pente-table"):
                (again,) = read(name, FORMATS[name].write([game]), kind.newgame)
                # D and Swap2 are not told apart from the game that follows their opening.
                ruled = kind.newgame.replace(" tournament off", "")
                relaxed = again.newgame.replace(" tournament off", "")
                self.assertEqual((relaxed, again.moves), (ruled, moves), name)

    def test_names_that_look_like_something_else(self) -> None:
        game = Game("gomoku", moves=["h8"], players=("8", "-1\nx"))
        (again,) = read("psq", FORMATS["psq"].write([game]))
        self.assertEqual(again.players, ("8", "-1 x"))
        for name in ("5,5", "1,Freestyle", "9, x", "-1", "Piskvorky 15x15, 0:0, 0"):
            game.players = ("A", name)
            with self.assertRaisesRegex(RecordError, "psq cannot hold the name"):
                FORMATS["psq"].write([game])
        for separator in "\u2028\u0085":
            game.players = (f"a{separator}b", "c")
            (again,) = read("jsonl", FORMATS["jsonl"].write([game]))
            self.assertEqual(again.players, game.players)

    def test_who_has_no_name_has_none_again(self) -> None:
        for name, newgame in (("psq", "gomoku"), ("pente.org", "pente tournament off")):
            for players in (("", ""), ("", "B")):
                game = Game(newgame, moves=["h8"], players=players)
                (again,) = read(name, FORMATS[name].write([game]))
                self.assertEqual(again.players, players, name)

    def test_comments_of_people_say_no_score(self) -> None:
        (game,) = read("sgf", "(;GM[4]SZ[15];B[hh]C[Nice centre];W[hi])")
        self.assertEqual(game.comments, [])
        for comment in (Comment("cp 3", 4, 5, 1234567.8), Comment("mate 5 proven", time=0.1)):
            self.assertEqual(Comment.parse(str(comment)), comment)

    def test_sgf_main_line_escapes_and_points(self) -> None:
        text = (
            "(;GM[4]SZ[15]PB[a\\]\\\\]C[x\\\ny];B[aa](;W[oo];B[bb])(;W[cc]))(;GM[4]SZ[7:6];B[gf])"
        )
        first, second = read("sgf", text)
        self.assertEqual((first.moves, first.players[0]), (["a15", "o1", "b14"], "a]\\"))
        self.assertEqual((second.newgame, second.moves), ("gomoku width 7 height 6", ["g1"]))

    def test_sgf_after_other_text_and_with_rectangles_of_stones(self) -> None:
        text = (
            "A letter (with\nbrackets):\n(;GM[4]SZ[15]CA[latin1]PB[Ren\u00e9]AB[aa:bb]AW[oo];B[ao])"
        )
        self.assertIs(recognised(text, "file"), FORMATS["sgf"])
        (game,) = read("sgf", text)
        self.assertEqual(game.opening, "stones black a14 b14 a15 b15 white o1 turn black")
        self.assertEqual((game.moves, game.lines), (["a1"], [3, 3]))
        for points in ("AB[aa:bb:cc]", "AB[aa:]"):
            with self.assertRaisesRegex(RecordError, "line 1: "):
                read("sgf", f"(;GM[4]SZ[15]{points})")

    def test_openings(self) -> None:
        games = read("offsets", "8,-3, 6,-4\n# none\n-10,9\n", "gomoku size 20")
        self.assertEqual([game.moves for game in games], [["s8", "q7"], ["a20"]])
        (game,) = read("cells", "B7d6e6f7\n")
        self.assertEqual(game.moves, ["b7", "d6", "e6", "f7"])

    def test_sgf_sets_stones_up_in_any_node_before_the_first_move(self) -> None:
        one, two = read(
            "sgf",
            "(;GM[4]SZ[15];AB[hh]AW[ii];B[jj])(;GM[4]SZ[15]AB[hh];AB[gh]PL[W];C[x];W[ii];B[aa])",
        )
        self.assertEqual((one.opening, one.moves), ("stones black h8 white i7 turn black", ["j6"]))
        self.assertEqual(two.opening, "stones black h8 black g8 turn white")
        self.assertEqual(two.moves, ["i7", "a15"])


class BadInput(unittest.TestCase):
    """Each is one error that says where."""

    def test_it_is_named_by_file_line_and_move(self) -> None:
        psq = "Piskvorky 15x15, 0:0, 0\n8,8,0\n"
        for name, text, place in (
            ("jsonl", "\n{", "file, line 2: not a game"),
            ("jsonl", '{"newgame": "teeko"}', "line 1: .*'moves'"),
            ("jsonl", '{"newgame": "teeko", "moves": ["c3"], "scores": [31]}', "expected texts"),
            ("jsonl", '{"newgame": "teeko", "moves": ["c3"], "times": ["a"]}', "expected numbers"),
            ("jsonl", '{"newgame": "gomoku size x", "moves": []}', "line 1: size 'x' is not"),
            ("jsonl", '{"newgame": "teeko", "moves": ["c3", "c3"]}', "line 1, move 2 'c3': it is"),
            ("jsonl", '{"newgame": "chess", "moves": []}', "line 1: no game 'chess'"),
            ("jsonl", '{"newgame": "gomoku weather 3", "moves": []}', "line 1: .*weather"),
            ("jsonl", '{"newgame": "teeko", "moves": [], "result": "p3win"}', "no result"),
            ("jsonl", '{"newgame": "teeko", "moves": [], "reason": "rules"}', "goes on"),
            ("jsonl", '{"newgame": "teeko", "moves": [], "times": [1]}', "1 values of time for 0"),
            ("jsonl", '{"newgame": "teeko", "moves": [], "opening": "fen 5/5 b"}', "5 rows"),
            ("psq", psq + "8,8,0\n", "file, line 3, move 2 'h8': it is not legal"),
            ("psq", psq + "16,1,0\n", "line 3: 16,1,0 is outside"),
            ("psq", psq + "A\nB\n-1\n1,Renju\n", "line 6: the rule Renju"),
            ("psq", psq + "A\nB\n-1\n1,Caro2\n", "line 6: the rule Caro2"),
            ("psq", psq + "A\nB\n-1\n1,Swap\n", "line 6: the rule Swap"),
            ("psq", "8,8,0\n", "line 1: expected a line 'Piskvorky"),
            ("psq", psq + "9,x,0\n1,1,0\nA\nB\n-1\n", "line 3: expected move 2, found '9,x,0'"),
            ("psq", psq + "-1,5,10\nA\nB\n-1\n", "line 3: expected move 2, found '-1,5,10'"),
            ("psq", psq + "9, 9, 10\nA\nB\n-1\n", "line 3: expected move 2, found '9, 9, 10'"),
            ("psq", psq + "A\nB\n9,9,10\n-1\n", "line 5: expected a winner, found '9,9,10'"),
            ("psq", psq + "-1\n9,9,10\n", "line 4: expected a winner, found '9,9,10'"),
            ("psq", psq + "A\nB\nC\n-1\n", "line 5: expected -1 or the winner, found 'C'"),
            ("psq", psq + "A\n-1\n1,Freestyle\n", "line 4: expected the second name, found -1"),
            ("psq", psq + "A\n1,Freestyle\n", "line 4: expected a winner, found '1,Freestyle'"),
            ("psq", psq + "A\n", "the second name is missing"),
            ("sgf", "(;GM[4]SZ[15];B[hh]\n;B[ii])", "line 2, move 2: .*the other's turn"),
            ("sgf", "(;GM[4]SZ[15];B[hh]\n;W[])", "line 2, move 2: '' is no cell"),
            ("sgf", "(;GM[4]SZ[15];B[hh]\n;W[hh])", "file, line 2, move 2 'h8'"),
            ("sgf", "(;GM[1]SZ[19])", r"line 1: the game GM\[1\]"),
            ("sgf", "(;GM[4]RU[Renju])", "renju"),
            ("sgf", "(;GM[4]SZ[15];B[hh]", "'\\)' missing"),
            ("sgf", "(;GM[4]\n!)", "line 2: this is not SGF"),
            ("pente.org", '[Game "Renju-Pente"]\n1. K10\n', "line 1: the game 'Renju-Pente'"),
            ("pente.org", '[Game "Pente"]\n1. K10 10K\n', "line 2: '10K' is not a move"),
            ("pente.org", '[Game "Pente"]\n1. K10\nK10\n', "line 3, move 2 'k10'"),
            ("pente.org", '[Game "Gomoku"]\n1. K10\nI10\n', "line 3, move 2: 'i10' is no cell"),
            ("pente.org", '[Game "Pente"]\n[Result "2-0"]\n1. K10\n', "line 1: no result '2-0'"),
            (
                "pente.org",
                '[Game "Pente"]\n[Result "1-0"]\n1. K10 A1 0-1\n',
                "line 3: the result is 0-1, in the tags 1-0",
            ),
            ("pente-table", "Gomoku|||*|K10 I10\n", "line 1: 'i10' is no cell"),
            ("sgf", "(;GM[105];W[K10]\n;B[I10])", "line 2, move 2: 'i10' is no cell"),
            ("pente-table", "Pente|1|2|1-0\n", "line 1: expected five fields"),
            ("pente-table", "Pente|1|2|0-1|K10 A1 Z99", "move 3 'z99'"),
            ("offsets", "0,0, 9,9\n", "line 1: 9,9 is outside"),
            ("offsets", "0,0\n1,-10, 2\n", "line 2: expected a column and a row .*'1,-10, 2'"),
            ("offsets", "10,10,10\n", "line 1: expected a column and a row .*'10,10,10'"),
            ("sgf", "(;GM[4]RU[line 0];B[hh])", "line 1: line '0' is not .* 3 to 22"),
            ("sgf", "(;GM[4]SZ[40];B[hh];W[GG])", "line 1: size '40' is not"),
            ("sgf", "(;GM[4]SZ[99999999])", r"line 1: no size SZ\[9"),
            ("sgf", f"(;GM[4]SZ[{LONG}])", r"line 1: no size SZ\[9"),
            ("sgf", f"(;GM[{LONG}])", r"line 1: the game GM\[9"),
            ("sgf", "(;GM[4]AB[hh]AW[hh];B[ii])", "line 1: the cell 'h8' is given twice"),
            ("sgf", "(;GM[4];B[hh]\n;AW[ii];B[jj])", r"line 2: AW\[ii\]: .*before the first move"),
            ("sgf", "(;GM[4]\n;AB[hh]\n;AE[hh];B[jj])", r"line 3: AE\[hh\]"),
            ("psq", "Piskvorky 30x30, 0:0, 0\n28,5,10\n", "line 1: size '30' is not"),
            ("psq", f"Piskvorky {LONG}x15, 0:0, 0\n", "line 1: expected a line 'Piskvorky"),
            ("psq", f"{psq}{LONG},1,0\n", "line 3: 9.* is outside"),
            ("psq", f"{psq}1,1,{LONG}\n", "line 3: 1,1,9"),
            ("jsonl", "[" * 5000, "line 1: not a game: .*too deeply"),
            ("jsonl", '{"newgame": "teeko", "moves": ["a1"], "times": [1e999]}', "1e999 is not a"),
            ("jsonl", '{"newgame": "teeko", "moves": [], "weather": NaN}', "NaN is not a finite"),
            ("jsonl", f'{{"newgame": "teeko", "moves": [], "round": {LONG}}}', "9 is not a finite"),
            ("jsonl", r'{"newgame": "teeko\nquit", "moves": []}', "control characters in 'teeko"),
            ("jsonl", r'{"newgame": "teeko", "moves": ["a1\u0085"]}', "control characters in 'a1"),
            (
                "jsonl",
                r'{"newgame": "teeko", "moves": [], "opening": "startpos\rquit"}',
                "control characters in 'startpos",
            ),
            ("cells", "h8h8\n", "line 1, move 2 'h8'"),
        ):
            with self.subTest(text=text), self.assertRaisesRegex(RecordError, place):
                read(name, text)

    def test_no_line_takes_long_to_be_refused(self) -> None:
        many = 30_000
        psq = "Piskvorky 15x15, 0:0, 0\n"
        for name, text in (
            ("offsets", ",".join(["10"] * many) + ",x"),
            ("offsets", "10,10" + " " * many + "x"),
            ("cells", "h8" * many + "-"),
            ("pente.org", "[" + " " * many + "x"),
            ("pente.org", '[Game "Pente"]\n' + "9" * many),
            ("sgf", "(;GM[4]C[" + "\\]" * many),
            ("psq", f"{psq}1,{'a' * many}!"),
        ):
            with self.subTest(text=text[:20]), self.assertRaises(RecordError):
                list(FORMATS[name].read(text, "file", "gomoku"))

    def test_a_comment_without_a_finite_number_says_nothing(self) -> None:
        for comment in ("cp 3 time nan", "cp 3 time 1e999", f"cp 3 depth {LONG}"):
            self.assertEqual(Comment.parse(comment), Comment(), comment)

    def test_a_result_that_the_board_denies(self) -> None:
        row = "a1 a2 b1 b2 c1 c2 d1 d2 e1".split()
        game = Game("gomoku size 5", moves=row, result="p2win")
        with self.assertRaisesRegex(RecordError, "the result is p2win, on the board p1win"):
            game.check()
        game.result = "none"
        game.check()
        self.assertEqual((game.result, game.reason), ("p1win", "rules"))
        game.moves.append("e5")
        with self.assertRaisesRegex(RecordError, "move 10 'e5': the game is over"):
            game.check()

    def test_what_a_format_has_no_words_for(self) -> None:
        for name, newgame in (
            ("sgf", "teeko"),
            ("psq", "pente"),
            ("psq", "gomoku line 4"),
            ("pente.org", "pente size 13"),
            ("cells", "pentago"),
        ):
            game = Game(newgame, moves=["1-cw-tl"] if newgame == "pentago" else [])
            with self.subTest(format=name), self.assertRaises(RecordError):
                FORMATS[name].write([game])


class Command(unittest.TestCase):
    """convert.py."""

    def convert(self, *arguments: str) -> tuple[int, str, str]:
        """Status, output and errors."""
        out, err = io.StringIO(), io.StringIO()
        with (
            mock.patch.object(sys, "argv", ["convert.py", *arguments]),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            status = convert.main()
        return status, out.getvalue(), err.getvalue()

    def test_games_go_from_one_format_into_another(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            source, target = Path(folder, "a.txt"), Path(folder, "b.sgf")
            source.write_text("Pente|1|2|1-0|K10 A1\nPente|1|2|1-0|K10 K10\nPente|||*|K10\n")
            status, out, err = self.convert(str(source), "--output", str(target))
            self.assertEqual((status, out), (1, ""))
            self.assertIn("a.txt, line 2, move 2 'k10': it is not legal", err)
            self.assertIn("2 games written, 1 refused", err)
            status, out, _ = self.convert(str(target), "--to", "pente-table")
            self.assertEqual((status, out), (0, "Pente|1|2|1-0|K10 A1\nPente|||*|K10\n"))
            with self.assertRaises(FileExistsError):
                self.convert(str(source), "--output", str(target))

    def test_no_file_is_made_where_all_games_are_refused(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            source, target = Path(folder, "a.txt"), Path(folder, "b.sgf")
            source.write_text("Pente|1|2|1-0|K10 K10\n")
            status, out, err = self.convert(str(source), "--output", str(target))
            self.assertEqual((status, out, target.exists()), (1, "", False))
            self.assertIn("0 games written, 1 refused", err)

    def test_a_line_that_is_no_game_leaves_the_others(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for name, good, bad in (
                ("jsonl", '{"newgame": "teeko", "moves": ["c3"]}', "{"),
                ("pente-table", "Pente|1|2|1-0|K10 A1", "Pente|1|2"),
                ("offsets", "0,0, 1,1", "8,8"),
                ("cells", "h8i9", "h8-i9"),
            ):
                source = Path(folder, name)
                source.write_text(f"{good}\n{bad}\n\n{good}\n")
                for more in ([], ["--unchecked"]):
                    status, out, err = self.convert(str(source), *more)
                    self.assertEqual((status, out.count("\n")), (1, 2), name)
                    self.assertIn(f"{name}, line 2: ", err)
                    self.assertIn("2 games written, 1 refused", err)

    def test_a_bad_game_of_several_leaves_the_others(self) -> None:
        board = "Piskvorky 15x15, 0:0, 0\n8,8,1\n"
        for suffix, good, bad in (
            ("txt", '[Game "Pente"]\n\n1. K10 A1\n', '[Game "Connect6"]\n\n1. K10 A1\n'),
            ("txt", '[Game "Pente"]\n\n1. K10 A1\n', '[Game "Pente"]\n\n1. K10 what 2. A1\n'),
            ("sgf", "(;GM[4];B[hh])\n", "(;GM[1];B[hh])\n"),
            ("psq", board, board + "99,1,1\n1,1,1\n"),
            ("psq", board, "Piskvorky 30x30, 0:0, 0\n28,5,10\n"),
            ("psq", board, f"Piskvorky {LONG}x15, 0:0, 0\n1,1,1\n"),
        ):
            with tempfile.TemporaryDirectory() as folder:
                source = Path(folder, f"games.{suffix}")
                source.write_text(f"{good}\n{bad}\n{good}")
                status, out, err = self.convert(str(source))
                self.assertEqual((status, out.count("\n")), (1, 2), bad)
                self.assertIn("2 games written, 1 refused", err)

    def test_what_nobody_has_checked_is_refused_in_words(self) -> None:
        for fields, target, why in (
            ('"newgame": "gomoku", "moves": ["zz"]', "psq", "'zz' is no cell of the board"),
            ('"newgame": "gomoku", "moves": [""]', "sgf", "'' is no cell of the board"),
            ('"newgame": "pente", "moves": ["k99"]', "pente.org", "'k99' is no cell of the board"),
            ('"newgame": "", "moves": []', "sgf", "sgf has no words for no game"),
            ('"newgame": "gomoku", "moves": []', "cells", "no words for a game without moves"),
            ('"newgame": "teeko", "moves": [], "p1": "\\ud800"', "jsonl", "half a character"),
        ):
            with tempfile.TemporaryDirectory() as folder:
                source = Path(folder, "a.jsonl")
                source.write_text(f"{{{fields}}}\n", "utf-8")
                status, out, err = self.convert(str(source), "--unchecked", "--to", target)
                self.assertEqual((status, out), (1, ""), fields)
                self.assertIn(f"a.jsonl, line 1: {why}", err.replace("cells has ", ""))
                self.assertIn("0 games written, 1 refused", err)

    def test_sgf_is_read_in_the_encoding_that_it_names(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder, "a.sgf")
            for name, encoding in (("GBK", "gbk"), ("utf-8", "utf-8-sig"), ("latin1", "latin1")):
                player = "Ren\u00e9" if name == "latin1" else "\u4e2d\u56fd"
                source.write_bytes(f"(;GM[4]CA[{name}]PB[{player}])".encode(encoding))
                status, out, _ = self.convert(str(source))
                self.assertEqual((status, json.loads(out)["p1"]), (0, player))
            # The game is there all the same, and what is wrong with it is told.
            for name in ("GBQ", "hex", "UTF-8"):
                source.write_bytes(f"(;GM[4]CA[{name}]PB[\u4e2d\u56fd])".encode("gbk"))
                status, out, err = self.convert(str(source))
                self.assertEqual((status, json.loads(out)["result"]), (1, "none"))
                self.assertIn(f"a.sgf: characters were lost: it cannot be read as {name}", err)
                self.assertIn("1 games written, 0 refused, characters lost in 1 files", err)

    def test_lost_characters_are_told_of_every_format(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for suffix, text in (
                ("psq", "Piskvorky 15x15, 0:0, 0\n8,8,1\nRen\u00e9\nB\n-1\n"),
                ("jsonl", '{"newgame": "teeko", "moves": ["c3"], "p1": "Ren\u00e9"}\n'),
                ("txt", '[Game "Pente"]\n[Player 1 Name "Ren\u00e9"]\n\n1. K10 A1\n'),
            ):
                source = Path(folder, f"a.{suffix}")
                source.write_text(text, "latin-1")
                status, out, err = self.convert(str(source))
                self.assertEqual((status, json.loads(out)["p1"]), (1, "Ren\ufffd"))
                self.assertIn(f"{source}: characters were lost: it cannot be read as utf-8", err)
                self.assertIn("1 games written, 0 refused, characters lost in 1 files", err)

    def test_names_are_written_as_utf8_wherever_they_go(self) -> None:
        half = r'{"newgame": "teeko", "moves": [], "p1": "\ud800"}'
        whole = '{"newgame": "gomoku", "moves": [], "p1": "\u4e2d\u56fd"}'
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder, "a.jsonl")
            source.write_text(f"{whole}\n{half}\n", "utf-8")
            command = [sys.executable, str(FOLDER / "convert.py"), str(source)]
            for more in (["--to", "sgf"], ["--to", "jsonl"]):
                ran = subprocess.run(
                    [*command, *more],
                    capture_output=True,
                    env={**os.environ, "PYTHONIOENCODING": "latin-1"},
                )
                self.assertEqual(ran.returncode, 1, ran.stderr)
                self.assertIn("\u4e2d\u56fd", ran.stdout.decode("utf-8"))
                self.assertIn(b"1 games written, 1 refused", ran.stderr)

    def test_a_report_needs_its_folder_before_anything_is_searched(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            page = str(Path(folder, "none", "a.html"))
            arguments = ["analyse.py", "--engine", "no-such-engine", "--every-move"]
            source = Path(folder, "a.jsonl")
            source.write_text('{"newgame": "teeko", "moves": ["c3"]}\n')
            with (
                mock.patch.object(sys, "argv", [*arguments, "--report", page, str(source)]),
                self.assertRaises(FileNotFoundError),
            ):
                analyse.main()

    def test_a_game_without_moves_keeps_its_own_tags(self) -> None:
        told = {"p1rating": "9"}
        games = [
            Game("pente", result="p2win", players=("A", "B"), tags=told),
            Game("pente", moves=["k10", "a1"], players=("C", "D")),
            Game("pente", players=("E", "F")),
            Game("pente", players=("G", "H")),
        ]
        read = list(pente_org.read(pente_org.write(games), "", ""))
        self.assertEqual([game.players for game in read], [game.players for game in games])
        self.assertEqual([game.tags for game in read], [told, {}, {}, {}])
        self.assertEqual([game.result for game in read], ["p2win", "none", "none", "none"])

    def test_pente_org_has_square_boards(self) -> None:
        self.assertEqual(pente_org.name_of("gomoku size 19"), "Gomoku")
        with self.assertRaises(KeyError):
            pente_org.name_of("gomoku size 19 height 15")


BUILDER = """#!/bin/sh
# What release.sh asks of cargo and rustc, without a build.
case "$*" in
  metadata*) echo '"name":"quintet","version":"2.0"' ;;
  -vV) echo "host: here" ;;
  build*) mkdir -p "$CARGO_TARGET_DIR/dist" && cp "$0" "$CARGO_TARGET_DIR/dist/quintet" ;;
esac
"""


@unittest.skipUnless(shutil.which("bash") and shutil.which("sha256sum"), "a script of bash")
class Release(unittest.TestCase):
    """release.sh."""

    def test_other_versions_stay_in_the_folder_that_is_meant(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            here = Path(folder)
            for name in ("cargo", "rustc"):
                builder = here / name
                builder.write_text(BUILDER)
                builder.chmod(0o755)
            files = here / "files"
            files.mkdir()
            kept = ["quintet-1.0-here.tar.gz", "quintet-2.0-rc.1-here.tar.gz"]
            for name in [*kept, "quintet-2.0-there.tar.gz"]:
                (files / name).write_text("")
            path = f"{folder}{os.pathsep}{os.environ['PATH']}"
            environment = {**os.environ, "PATH": path, "CARGO_TARGET_DIR": f"{folder}/target"}
            ran = subprocess.run(
                ["bash", str(FOLDER / "release.sh"), "files"],
                cwd=folder,
                env=environment,
                capture_output=True,
                text=True,
            )
            self.assertEqual(ran.returncode, 0, ran.stderr)
            archives = sorted([*kept, "quintet-2.0-here.tar.gz"])
            found = sorted(file.name for file in files.iterdir())
            self.assertEqual(found, ["SHA256SUMS", *archives])
            sums = (files / "SHA256SUMS").read_text()
            self.assertEqual([line.split()[1] for line in sums.splitlines()], archives)


if __name__ == "__main__":
    unittest.main()
