"""Boards drawn in a terminal from the facts of `display json`, in colours where there are any.

Nothing here knows a game. A cell takes three characters: the last move stands in round
brackets, the winning row in square ones, so that both are seen without colours too.
"""

from __future__ import annotations

import os
import re
import sys
from typing import Any

WOOD, SHADE, LAST, WON = "#d9b27c", "#b08752", "#9ec3e6", "#8fd18f"
"""The colours under a cell: plain, shaded, last move, winning row."""
INK = "#6b4a26"
"""The colour of lines and numbers on the board."""


def coloured() -> bool:
    """Whether the output is a terminal that shows colours, and they are wanted."""
    dumb = os.environ.get("TERM", "dumb") == "dumb" or bool(os.environ.get("NO_COLOR"))
    return sys.stdout.isatty() and not dumb


def palette(colour: str) -> int:
    """The nearest of the 216 colours of a terminal's cube to `#rrggbb`."""

    def nearest(part: int) -> int:
        return min(range(6), key=lambda level: abs(part - (level and 55 + 40 * level)))

    red, green, blue = (nearest(int(colour[n : n + 2], 16)) for n in (1, 3, 5))
    return 16 + 36 * red + 6 * green + blue


def brightness(colour: str) -> float:
    """How bright `#rrggbb` looks, 0 to 255."""
    red, green, blue = (int(colour[n : n + 2], 16) for n in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue


class Drawing:
    """How boards are drawn: with colours or without, in ASCII, turned round."""

    def __init__(self, colours: bool, ascii_only: bool, flip: bool) -> None:
        self.colours = colours
        self.ascii = ascii_only
        self.flip = flip

    def style(self, code: str, text: str) -> str:
        """The text in a style of the terminal (`1` bold, `2` dim, `31` red)."""
        return f"\033[{code}m{text}\033[0m" if self.colours and text else text

    def board(self, facts: dict[str, Any]) -> str:
        """The board, its coordinates, the last move and the winning row."""
        board = facts["board"]
        columns, cells = board["columns"], list(board["cells"])
        names = [re.fullmatch(r"(\D+)(\d+)", cell) for cell in cells]
        block = {cell: block["name"] for block in board["blocks"] for cell in block["cells"]}
        looks = self.looks(facts)
        # Each row with the name it has at the edge.
        rows = [cells[at : at + columns] for at in range(0, len(cells), columns)]
        edge = {cell: match[2] if match else "" for cell, match in zip(cells, names)}
        letters = [match[1] if match else "" for match in names[-columns:]]
        if self.flip and not facts["p1turn"]:
            rows, letters = [row[::-1] for row in rows[::-1]], letters[::-1]
        lines = []
        above: list[str] = []
        for row in rows:
            if above and block.get(above[0]) != block.get(row[0]):
                lines.append("")
            text = "".join(
                ("  " if n and block.get(row[n - 1]) != block.get(cell) else "") + looks[cell]
                for n, cell in enumerate(row)
            )
            lines.append(f"{edge[row[0]]:>3} {text} {edge[row[0]]}".rstrip())
            above = row
        if any(letters):
            header = "    " + "".join(f"{letter:^3}" for letter in letters).rstrip()
            lines = [header, *lines, header]
        return "\n".join(lines)

    def looks(self, facts: dict[str, Any]) -> dict[str, str]:
        """Three characters for each cell."""
        board, last, winning = facts["board"], facts["last"], set(facts["winning"])
        shaded = set(board["shaded"])
        owner = {cell: side for side in facts["sides"] for cell in side["stones"]}
        looks = {}
        for cell in board["cells"]:
            side, under = owner.get(cell), SHADE if cell in shaded else WOOD
            around, middle = self.ground(board["grid"] == "crossings", cell in shaded)
            if last and cell == last["at"]:
                around, under = "()", LAST
            if cell in winning:
                around, under = "[]", WON
            if side:
                middle = self.stone(side, facts)
            elif cell.isdecimal():
                around, middle = "", f"{cell:^3}"
            parts = [around[:1], middle, around[1:]]
            inks = [INK, side["colour"] if side else INK, INK]
            looks[cell] = "".join(
                self.style(f"1;38;5;{palette(ink)};48;5;{palette(under)}", part)
                for ink, part in zip(inks, parts)
            )
        return looks

    def ground(self, crossings: bool, shaded: bool) -> tuple[str, str]:
        """What an empty cell shows on both sides and in its middle."""
        if shaded and not self.colours:
            return ("::", ":") if self.ascii else ("░░", "░")
        if self.ascii:
            return "  ", "."
        return ("──", "┼") if crossings else ("  ", "·")

    def stone(self, side: dict[str, Any], facts: dict[str, Any]) -> str:
        """A stone of this side; without colours, the brighter side's is hollow."""
        if self.ascii:
            return str(side["letter"])
        other = next(s for s in facts["sides"] if s is not side)
        bright = brightness(side["colour"]) > brightness(other["colour"])
        return "○" if bright and not self.colours else "●"
