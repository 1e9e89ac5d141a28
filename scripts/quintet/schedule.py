"""Which games a match has, and which of them a record already holds."""

from __future__ import annotations

import codecs
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

from . import records
from .records import Game, RecordError


def encounters(players: int, kind: str) -> list[tuple[int, int]]:
    """Who meets whom: everybody, or in a `gauntlet` the first player all others."""
    pairs = [(i, j) for i in range(players) for j in range(i + 1, players)]
    return [pair for pair in pairs if kind != "gauntlet" or pair[0] == 0]


@dataclass
class Schedule:
    """The games of a match in order: for each opening, each encounter plays a pair of games."""

    names: Sequence[str]
    meetings: list[tuple[int, int]]
    games: int
    """Games of each encounter, an even number."""
    newgame: str
    protocol: str = ""
    """The opening protocol, if the players open their games; each proposes once in a pair."""

    @property
    def total(self) -> int:
        """Games of the whole match."""
        return self.games * len(self.meetings)

    def pair(self, pair: int, opening: str) -> list[Game]:
        """The two games of a pair, counted from 0."""
        i, j = self.meetings[pair % len(self.meetings)]
        names = (self.names[i], self.names[j])
        games = []
        for at, seats in enumerate((names, names[::-1])):
            game = Game(self.newgame, opening, players=seats)
            game.other = {"game": 2 * pair + at + 1, "pair": pair + 1}
            if self.protocol:
                game.other["protocol"] = {"name": self.protocol, "proposer": seats[0]}
            games.append(game)
        return games

    def pairs(self, openings: Iterator[str]) -> Iterator[list[Game]]:
        """All pairs of games."""
        for done in range(self.games // 2):
            opening = next(openings)
            for at in range(len(self.meetings)):
                yield self.pair(done * len(self.meetings) + at, opening)


def begun(game: Game) -> dict[str, Any]:
    """How a game was opened by a protocol, as its record says; empty if by none."""
    fields = game.other.get("protocol")
    return fields if isinstance(fields, dict) else {}


def same_game(played: Game, due: Game) -> str:
    """In what a recorded game is not the one that is due; empty if in nothing."""
    players, opening = played.players, played.opening
    of_players = {what: played.other.get(what) for what in ("limits", "commands", "options")}
    found_protocol, protocol = begun(played), begun(due)
    if protocol:
        # The opening and the sides were left to the players.
        opening = due.opening
        if players == due.players[::-1]:
            players = due.players
            for what, values in of_players.items():
                of_players[what] = values[::-1] if isinstance(values, list) else values
    for what, found, expected in (
        ("pair", played.other.get("pair"), due.other.get("pair")),
        ("newgame", played.newgame, due.newgame),
        ("protocol", found_protocol.get("name"), protocol.get("name")),
        ("proposer", found_protocol.get("proposer"), protocol.get("proposer")),
        ("opening", opening, due.opening),
        ("players", players, due.players),
        ("limits", of_players["limits"], due.other.get("limits")),
    ):
        if found != expected:
            return f"{what} {found!r}, not {expected!r}"
    # Records of earlier versions do not say these.
    for what in ("commands", "options", "ending", "margin"):
        found, expected = of_players.get(what, played.other.get(what)), due.other.get(what)
        if found is not None and found != expected:
            return f"{what} {found!r}, not {expected!r}"
    return ""


def held(path: str) -> TextIO:
    """A record to append to, which no other match writes; `RecordError` if one does.

    Where the system has no such locks, nobody looks.
    """
    # Whoever asked for it closes it; the lock ends with the process too.
    file = open(path, "a", encoding="utf-8")  # noqa: SIM115
    if fcntl is not None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            raise RecordError(f"{path}: another match is still writing it") from None
    return file


def recorded(path: str) -> dict[int, Game]:
    """The games of a record by number.

    If all other lines are games, a last one that was not written to its end is taken off, and one
    that lacks nothing but the end of the line is given that.
    """
    data = Path(path).read_bytes()
    begin = len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0
    whole = data.rfind(b"\n") + 1
    last = data[max(whole, begin) :]
    if not b"{".startswith(last[:1]):
        raise RecordError(f"{path}: its last line is not the beginning of a game")
    lines = data[begin:whole].decode("utf-8", "replace").split("\n")[:-1]
    kept = is_game(last)
    if kept:
        lines.append(last.decode("utf-8"))
    found: dict[int, Game] = {}
    for game in records.read_lines(lines, path):
        number = game.other.get("game")
        if not isinstance(number, int) or number in found:
            raise RecordError(f"{game.where()}: no game of a match, or one a second time")
        if wrong := fault(game):
            raise RecordError(f"{game.where()}: {wrong}")
        found[number] = game
    if kept:
        with open(path, "ab") as file:
            file.write(b"\n")
    elif whole != len(data):
        os.truncate(path, whole)
    return found


def is_game(line: bytes) -> bool:
    """Whether a line is a whole game."""
    try:
        Game.parse(line.decode("utf-8"))
    except ValueError:
        return False
    return True


def fault(game: Game) -> str:
    """Why a game cannot be counted in a match; empty if it can."""
    notes, seed = game.other.get("notes", []), game.other.get("seed", 0)
    if game.result not in records.RESULTS:
        return f"the result is {game.result}"
    if not isinstance(notes, list) or not all(isinstance(note, str) for note in notes):
        return f"expected a list of texts as notes, found {notes!r}"
    return "" if isinstance(seed, int) else f"expected a whole number as seed, found {seed!r}"
