"""Games on record: one line of JSON each.

scripts/README.md describes the fields. A file holds a game a line, so it can be appended to,
cut and searched with the tools for lines; a game that is being written when the power fails is
one broken last line.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable

from . import rules
from .protocol import Info, position_words

RESULTS = {"p1win": 0, "p2win": 1, "draw": None}
"""The results of a game that has ended, and the side that has won."""


class RecordError(Exception):
    """A record cannot be read; the text names the file, the line, and the move if it is one."""


@dataclass
class Comment:
    """What the player said of its move."""

    score: str | None = None
    """For the side that moves: `cp 31`, `mate 5 proven`."""
    depth: int | None = None
    nodes: int | None = None
    time: float | None = None
    """Milliseconds."""

    @classmethod
    def of(cls, info: Info, milliseconds: float) -> Comment:
        """From the last line of a search."""
        score = info.value if info.scored else None
        return cls(score, info.depth, info.nodes, round(milliseconds, 1))

    def __bool__(self) -> bool:
        return self != Comment()

    def __str__(self) -> str:
        words = [self.score] if self.score else []
        for name in ("depth", "nodes", "time"):
            value = getattr(self, name)
            if value is not None:
                words.append(f"{name} {value:.12g}" if name == "time" else f"{name} {value}")
        return " ".join(words)

    @classmethod
    def parse(cls, text: str) -> Comment:
        """Reads what `str` writes; other text says nothing."""
        words = text.split()
        at = next((n for n, w in enumerate(words) if w in ("depth", "nodes", "time")), len(words))
        told = Info.parse(f"info score {' '.join(words[:at])}")
        named = dict(zip(words[at::2], words[at + 1 :: 2]))
        try:
            return cls(
                score=told.value if told.scored else None,
                depth=whole(named["depth"]) if "depth" in named else None,
                nodes=whole(named["nodes"]) if "nodes" in named else None,
                time=finite(named["time"]) if "time" in named else None,
            )
        except ValueError:
            return cls()


@dataclass
class Game:
    """A game, as a line of a record holds it."""

    newgame: str
    """Game and rules, as after `newgame`."""
    opening: str = "startpos"
    """Where it begins, as after `position`."""
    moves: list[str] = field(default_factory=list)
    """The moves after that."""
    comments: list[Comment] = field(default_factory=list)
    """What the players said of these moves, one each; or none at all."""
    result: str = "none"
    """`p1win`, `p2win`, `draw`, or `none` while it goes on or nobody knows."""
    reason: str = ""
    """Why it ended: `rules` on the board, else what a player did or who judged it."""
    players: tuple[str, str] = ("", "")
    """Names, the first player's first."""
    tags: dict[str, str] = field(default_factory=dict)
    """What else is known: `event`, `date` (2024-01-31), `site`, `p1rating`, …"""
    other: dict[str, Any] = field(default_factory=dict)
    """Further fields of the line, as they are."""
    source: str = ""
    """The file it was read from; not written."""
    lines: list[int] = field(default_factory=list)
    """The line of the file that it begins on and those of its moves; not written."""

    def record(self) -> dict[str, Any]:
        """Its fields in JSON, in their order."""
        fields: dict[str, Any] = {}
        for name in ("game", "pair"):
            if name in self.other:
                fields[name] = self.other[name]
        fields.update(p1=self.players[0], p2=self.players[1], newgame=self.newgame)
        fields.update(opening=self.opening, moves=self.moves)
        fields.update(result=self.result, reason=self.reason)
        if self.tags:
            fields["tags"] = self.tags
        fields.update((name, value) for name, value in self.other.items() if name not in fields)
        for name, attribute in COLUMNS.items():
            values = [getattr(comment, attribute) for comment in self.comments]
            if any(value is not None for value in values):
                fields[name] = values
        return fields

    def line(self) -> str:
        """Its line in a record."""
        return json.dumps(self.record(), ensure_ascii=False)

    @classmethod
    def parse(cls, line: str) -> Game:
        """Reads a line; `ValueError` says what is wrong with it."""
        try:
            fields = json.loads(line, parse_float=finite, parse_int=whole, parse_constant=finite)
        except RecursionError:
            raise ValueError("lists or objects in one another too deeply") from None
        if not isinstance(fields, dict):
            raise ValueError("expected an object")
        columns = {name: fields.pop(name, None) for name in COLUMNS}
        try:
            game = cls(
                newgame=printable(fields.pop("newgame")),
                opening=printable(fields.pop("opening", "startpos")),
                moves=[printable(move) for move in listed(fields.pop("moves"))],
                result=text(fields.pop("result", "none")),
                reason=text(fields.pop("reason", "")),
                players=(text(fields.pop("p1", "")), text(fields.pop("p2", ""))),
                tags={name: text(value) for name, value in fields.pop("tags", {}).items()},
            )
        except KeyError as error:
            raise ValueError(f"a game has a field {error}") from None
        except AttributeError:
            raise ValueError("expected an object as tags") from None
        if game.result not in RESULTS and game.result != "none":
            raise ValueError(f"no result {game.result!r}")
        game.other = fields
        told = {COLUMNS[name]: values for name, values in columns.items() if values is not None}
        for name, values in told.items():
            if len(listed(values)) != len(game.moves):
                raise ValueError(f"{len(values)} values of {name} for {len(game.moves)} moves")
            kind, what = (str, "texts") if name == "score" else ((int, float), "numbers")
            if not all(value is None or isinstance(value, kind) for value in values):
                raise ValueError(f"expected {what} as {name}")
        if told:
            game.comments = [
                Comment(**dict(zip(told, row)))  # type: ignore[arg-type]
                for row in zip(*told.values())
            ]
        return game

    def whole(self) -> tuple[str, list[str]]:
        """Where the board was set up, and all moves from there, those of the opening too."""
        base, moves = rules.split(self.opening)
        return base, moves + self.moves

    def all_comments(self) -> list[Comment]:
        """A comment for each move of `whole`."""
        opening = len(self.whole()[1]) - len(self.moves)
        return [Comment() for _ in range(opening)] + (
            self.comments or [Comment() for _ in self.moves]
        )

    def where(self, ply: int | None = None) -> str:
        """The place in the file, for messages."""
        place = [self.source] if self.source else []
        number = self.other.get("game")
        if self.lines:
            at = 0 if ply is None else min(ply + 1, len(self.lines) - 1)
            place.append(f"line {self.lines[at]}")
        elif number is not None:
            place.append(f"game {number}")
        if ply is not None:
            place.append(f"move {ply + 1} {self.moves[ply]!r}")
        return ", ".join(place) or "game"

    def check(self) -> rules.Rules:
        """Plays it by the rules and gives the game at its end.

        Moves are put into the engine's own words, and a result that the board shows is filled in.
        `RecordError` if a move is not legal or the result is not that of the board.
        """
        try:
            played = rules.position(self.newgame, self.opening)
        except (ValueError, IndexError, KeyError) as error:
            raise RecordError(f"{self.where()}: {error}") from None
        if played.side == 1:
            self.other["turn"] = "p2"
        base, opening = rules.split(self.opening)
        self.opening = position_words(base, [played.canonical(move) for move in opening])
        for ply, move in enumerate(self.moves):
            name = played.canonical(move)
            if not played.is_legal(name):
                over = "the game is over" if played.result() != "none" else "it is not legal"
                raise RecordError(f"{self.where(ply)}: {over}")
            self.moves[ply] = name
            played.play(name)
        shown = played.result()
        if shown == "none" and self.reason == "rules":
            raise RecordError(f"{self.where()}: the game goes on after its last move")
        if shown != "none" and self.result == "none":
            self.result = shown
        if shown != "none" and self.result != shown:
            raise RecordError(f"{self.where()}: the result is {self.result}, on the board {shown}")
        if shown != "none" and not self.reason:
            self.reason = "rules"
        return played


COLUMNS = {"scores": "score", "depths": "depth", "nodes": "nodes", "times": "time"}
"""The fields that hold a value for each move, and those of a `Comment`."""


def text(value: object) -> str:
    """The value, which has to be a text."""
    if not isinstance(value, str):
        raise ValueError(f"expected a text, found {value!r}")
    return value


def printable(value: object) -> str:
    """The value, which has to be a text without line breaks and other control characters.

    It becomes part of a line to an engine, which must stay one line.
    """
    found = text(value)
    if not found.isprintable():
        raise ValueError(f"control characters in {found!r}")
    return found


def finite(digits: str) -> float:
    """The number of these digits; `ValueError` if it is larger than any float, or none."""
    if not math.isfinite(float(digits)):
        raise ValueError(f"{digits[:20]} is not a finite number")
    return float(digits)


def whole(digits: str) -> int:
    """The whole number of these digits; `ValueError` as for `finite`."""
    finite(digits)
    return int(digits)


def listed(value: object) -> list[Any]:
    """The value, which has to be a list."""
    if not isinstance(value, list):
        raise ValueError(f"expected a list, found {value!r}")
    return value


class Each(Iterator[Game]):
    """The games of a text that holds one a line.

    A line that is none raises `RecordError`, and the games after it can still be asked for.
    """

    def __init__(
        self, lines: Iterable[str], source: str, parse: Callable[[str], Game | None]
    ) -> None:
        self._lines = iter(enumerate(lines, 1))
        self._source = source
        self._parse = parse
        """The game of a line, without its place; `None` for a line without one."""

    def __next__(self) -> Game:
        for number, line in self._lines:
            try:
                game = self._parse(line)
            except ValueError as error:
                raise RecordError(f"{self._source}, line {number}: {error}") from None
            if game is not None:
                game.source, game.lines = self._source, [number]
                return game
        raise StopIteration


class Several(Iterator[Game]):
    """The games of a text that may hold several, however they are set apart.

    What is wrong with one of them is raised in its turn, and the games after it can still be asked
    for.
    """

    def __init__(self, found: Iterator[Game | RecordError]) -> None:
        self._found = found

    def __next__(self) -> Game:
        game = next(self._found)
        if isinstance(game, RecordError):
            raise game
        return game


def attempt(read: Callable[[], Game]) -> Game | RecordError:
    """The game that is read, or what is wrong with it."""
    try:
        return read()
    except RecordError as error:
        return error


def _of_line(line: str) -> Game | None:
    if not line.strip():
        return None
    try:
        return Game.parse(line)
    except ValueError as error:
        raise ValueError(f"not a game: {error}") from None


def read_lines(lines: Iterable[str], source: str) -> Iterator[Game]:
    """The games of a record; `RecordError` names the line that is none."""
    return Each(lines, source, _of_line)


def read(path: str) -> list[Game]:
    """The games of a file."""
    text = Path(path).read_bytes().decode("utf-8-sig", "replace")
    return list(read_lines(text.split("\n"), path))
