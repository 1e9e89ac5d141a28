"""Tests of pente_games.py: python3 -m unittest, in this folder."""

from __future__ import annotations

import unittest

from pente_games import Game, records_of, replayed

SGF = """(;FF[4]AP[Unknown:0.1]CA[ISO-8859-1]GM[166]SZ[19]GN[1]
PW[one]
PB[two]
RE[W]
(;B[K10]HASH[12]ROT[0]
;W[L9]HASH[1]ROT[0]C[a note]
;B[N10]))"""

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


class Records(unittest.TestCase):
    """The forms in which games are recorded."""

    def test_sgf(self) -> None:
        # 166 - 100 is the slow game of number 16, the fast form of 15.
        (record,) = records_of(SGF)
        self.assertEqual(record, ("Boat-Pente", "1-0", ["K10", "L9", "N10"]))
        for number, name in (
            (101, "Pente"),
            (125, "O-Pente"),
            (126, "O-Pente"),
            (179, "Swap2-Keryo"),
        ):
            (record,) = records_of(SGF.replace("GM[166]", f"GM[{number}]"))
            self.assertEqual(record.name, name)
        with self.assertRaises(ValueError):
            records_of(SGF.replace("GM[166]", "GM[105]"))

    def test_text(self) -> None:
        boat, pente = records_of(TEXT)
        self.assertEqual(boat, ("Boat-Pente", "0-1", "K10 L9 N10 J8 T19 H1".split()))
        self.assertEqual(pente, ("Pente", "1-0", "K10 L9 N10".split()))

    def test_lines(self) -> None:
        self.assertEqual([r.name for r in records_of(LINES)], ["Keryo-Pente", "G-Pente"])

    def test_a_game_is_replayed_by_the_rules(self) -> None:
        won = Game("pente", True, "k10 a1 k11 a3 k12 a5 k13 a7 k14".split())
        self.assertEqual(replayed(won).result(), "p1win")
        with self.assertRaises(ValueError):
            replayed(won._replace(moves=["k10", "k10"]))


if __name__ == "__main__":
    unittest.main()
