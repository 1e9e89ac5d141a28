"""Tests of pente_games.py: python3 -m unittest, in this folder."""

from __future__ import annotations

import argparse
import tempfile
import unittest
from pathlib import Path

from pente_games import Game, load, loss, replayed
from quintet import Engine
from quintet.command import default_engine
from quintet.records import RecordError

SGF = """(;FF[4]AP[Unknown:0.1]CA[ISO-8859-1]GM[166]SZ[19]GN[1]
PW[one (1900)]
PB[two]
RE[W]
(;W[K10]HASH[12]ROT[0]
;B[L9]HASH[1]ROT[0]C[a note]
;W[N10]))"""

TEXT = """[Game "Speed Boat-Pente"]
[Site "Pente.org"]
[Player 1 Name "A1"]
[Result "0-1"]

1. K10 L9 2. N10 J8 3. T19 H1 0-1
[Game "Pente"]
[Result "1-0"]

1. K10 L9 2. N10 1-0
"""

LINES = """# comment
Keryo-Pente|1500|1600|1-0|k10 l9 n10
G-Pente|1|2|0-1|k10
"""


def loaded(text: str) -> list[Game]:
    """The games of a file with this text."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "games")
        path.write_text(text, "utf-8")
        return load(str(path))


class Records(unittest.TestCase):
    """The forms in which games are recorded."""

    def test_sgf(self) -> None:
        # 166 - 100 is the slow game of number 16, the fast form of 15.
        (game,) = loaded(SGF)
        self.assertEqual(game, ("Boat-Pente", "boat", "p1win", ["k10", "l9", "n10"]))
        self.assertTrue(game.first_won)
        for number, name in (
            (101, "Pente"),
            (125, "O-Pente"),
            (126, "O-Pente"),
            # Opened by Swap2, played as Keryo.
            (179, "Keryo-Pente"),
        ):
            (game,) = loaded(SGF.replace("GM[166]", f"GM[{number}]"))
            self.assertEqual(game.name, name)

    def test_text(self) -> None:
        boat, pente = loaded(TEXT)
        moves = "k10 l9 n10 j8 t19 h1".split()
        self.assertEqual(boat, ("Boat-Pente", "boat", "p2win", moves))
        self.assertEqual(pente, ("Pente", "pente", "p1win", "k10 l9 n10".split()))

    def test_lines(self) -> None:
        self.assertEqual([game.name for game in loaded(LINES)], ["Keryo-Pente", "G-Pente"])

    def test_other_files_are_refused(self) -> None:
        for text in ("", "root:x:0:0\n", SGF.replace("GM[166]", "GM[105]"), SGF[:20]):
            with self.assertRaises(RecordError):
                loaded(text)

    def test_a_loss_over_no_position_is_none(self) -> None:
        told = argparse.Namespace(games=9, since=8)
        with Engine(default_engine()) as engine:
            for games in ([], [Game("Pente", "pente", "p1win", ["k10", "a1"])] * 2):
                with self.assertRaisesRegex(RecordError, "no position counts"):
                    loss(engine, games, told)

    def test_a_game_is_replayed_by_the_rules(self) -> None:
        won = Game("Pente", "pente", "p1win", "k10 a1 k11 a3 k12 a5 k13 a7 k14".split())
        self.assertEqual(replayed(won).result(), "p1win")
        with self.assertRaises(ValueError):
            replayed(won._replace(moves=["k10", "k10"]))


if __name__ == "__main__":
    unittest.main()
