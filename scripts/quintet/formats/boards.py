"""What the formats share: the rules of a game as words, and cells as columns and rows."""

from __future__ import annotations

from .. import rules
from ..records import Game, RecordError

NOBODY = "-"
"""The name of a player where a format needs one and there is none."""


def rule_words(newgame: str) -> tuple[str, dict[str, str]]:
    """The game's name and the rules that are told, by name."""
    name, *words = newgame.lower().split() or [""]
    return name, dict(zip(words[::2], words[1::2]))


def newgame_of(name: str, words: dict[str, str]) -> str:
    """The reverse of `rule_words`."""
    return " ".join([name, *(f"{key} {value}" for key, value in words.items())])


def board_of(game: Game) -> rules.Rules:
    """The game at its start, for the names of its cells."""
    try:
        return rules.game(game.newgame)
    except ValueError as error:
        raise RecordError(f"{game.where()}: {error}") from None


def only(game: Game, names: tuple[str, ...], format_name: str) -> str:
    """The game's name, which has to be one of these."""
    name = rule_words(game.newgame)[0]
    if name not in names:
        raise RecordError(f"{game.where()}: {format_name} has no words for {name or 'no game'}")
    return name


def from_start(game: Game, format_name: str) -> list[str]:
    """All moves of a game that begins at the start position, each the name of a cell."""
    base, moves = game.whole()
    if base != "startpos":
        raise RecordError(f"{game.where()}: {format_name} cannot begin with a board set up")
    board = board_of(game)
    for move in moves:
        cell_of(game, board, move)
    return moves


def cell_of(game: Game, board: rules.Rules, move: str) -> rules.Cell:
    """The cell of a move that is one; `RecordError` if it is none, as in a game not checked."""
    try:
        return board.named(move)
    except ValueError as error:
        raise RecordError(f"{game.where()}: {error}") from None


def sized(width: int, height: int, plain: int) -> dict[str, str]:
    """The rules of Gomoku that say how large a board is; `plain` needs no word."""
    if width != height:
        return {"width": str(width), "height": str(height)}
    return {} if width == plain else {"size": str(width)}
