"""Openings of Gomoku a line each, without players or results.

`offsets` are columns and rows from the centre, the cell of half the size rounded down: Gomocup's
`8,-3, 6,-4`. `cells` are names one after the other: `b7d6e6f7`, of Renlib and Rapfi.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Callable

from .. import rules
from ..records import Each, Game, RecordError
from .boards import board_of, from_start

OFFSET = re.compile(r"-?\d+")
# Something has to stand between two numbers, so that there is one way only to read a line.
OFFSETS = re.compile(rf"{OFFSET.pattern}(?:(?:\s*,\s*|\s+){OFFSET.pattern})*\s*,?")
CELL = re.compile(r"[a-z]\d{1,2}", re.IGNORECASE)
CELLS = re.compile(rf"(?:{CELL.pattern})+", re.IGNORECASE)


def are_offsets(text: str) -> bool:
    """Whether the first line of a text holds offsets."""
    first = text.splitlines()[0].strip()
    return "," in first and OFFSETS.fullmatch(first) is not None


def are_cells(text: str) -> bool:
    """Whether the first line of a text holds cells."""
    return CELLS.fullmatch(text.splitlines()[0].strip()) is not None


def offset_moves(line: str, board: rules.Rules) -> list[str]:
    """The moves of a line of offsets; `ValueError` if it is none or leaves the board."""
    if not OFFSETS.fullmatch(line):
        raise ValueError(f"expected offsets from the centre, found {line!r}")
    numbers = [int(found) for found in OFFSET.findall(line)]
    if len(numbers) % 2:
        raise ValueError(f"expected a column and a row for each stone, found {line!r}")
    moves = []
    for x, y in zip(numbers[::2], numbers[1::2]):
        cell = (board.width // 2 + x, board.height // 2 + y)
        if not board.on_board(cell):
            raise ValueError(f"{x},{y} is outside a board of {board.width}x{board.height}")
        moves.append(board.name(cell))
    return moves


def cell_moves(line: str, board: rules.Rules) -> list[str]:
    """The moves of a line of cells; `ValueError` if it is none."""
    if not CELLS.fullmatch(line):
        raise ValueError(f"expected cells without blanks, found {line!r}")
    return [cell.lower() for cell in CELL.findall(line)]


def read_offsets(text: str, source: str, newgame: str) -> Iterator[Game]:
    """A game for each line of offsets; `#` begins a comment."""
    return _read(text, source, newgame, offset_moves)


def read_cells(text: str, source: str, newgame: str) -> Iterator[Game]:
    """A game for each line of cells; `#` begins a comment."""
    return _read(text, source, newgame, cell_moves)


def _read(
    text: str, source: str, newgame: str, moves_of: Callable[[str, rules.Rules], list[str]]
) -> Iterator[Game]:
    def game_of(raw: str) -> Game | None:
        line = raw.partition("#")[0].strip()
        if not line:
            return None
        game = Game(newgame, source=source)
        game.moves = moves_of(line, board_of(game))
        return game

    return Each(text.splitlines(), source, game_of)


def write_offsets(games: Iterable[Game]) -> str:
    """A line of offsets for each game."""
    lines = []
    for game in games:
        board = board_of(game)
        cells = [board.cell(move) for move in _drops(game, "offsets")]
        lines.append(", ".join(f"{x - board.width // 2},{y - board.height // 2}" for x, y in cells))
    return "".join(f"{line}\n" for line in lines)


def write_cells(games: Iterable[Game]) -> str:
    """A line of cells for each game."""
    return "".join("".join(_drops(game, "cells")) + "\n" for game in games)


def _drops(game: Game, name: str) -> list[str]:
    if not all(CELL.fullmatch(move) for move in game.whole()[1]):
        raise RecordError(f"{game.where()}: {name} has no words for moves other than a cell")
    moves = from_start(game, name)
    if not moves:
        raise RecordError(f"{game.where()}: {name} has no words for a game without moves")
    return moves
