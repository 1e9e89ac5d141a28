"""Games of pente.org a line each, as research has collected them.

Keryo-Pente|2022|1928|1-0|K10 N8 G10 L10
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..records import Each, Game, RecordError
from .boards import from_start, only
from .pente_org import RESULTS, UNKNOWN, cell_here, cell_there, game_named, name_of, relaxed


def read(text: str, source: str, newgame: str) -> Iterator[Game]:
    """The games of a file; `#` begins a comment."""
    return Each(text.splitlines(), source, _game)


def _game(line: str) -> Game | None:
    if not line.strip() or line.startswith("#"):
        return None
    fields = [part.strip() for part in line.split("|")]
    if len(fields) != 5:
        raise ValueError("expected five fields with | between them")
    name, first, second, result, moves = fields
    known = game_named(name)
    if known is None:
        raise ValueError(f"the game {name!r} is not known here")
    if result not in RESULTS and result not in UNKNOWN:
        raise ValueError(f"no result {result!r}")
    tags = {"p1rating": first, "p2rating": second}
    return relaxed(
        Game(
            known,
            moves=[cell_here(known, move) for move in moves.lower().split()],
            result=RESULTS.get(result, "none"),
            tags={tag: value for tag, value in tags.items() if value},
        )
    )


def write(games: Iterable[Game]) -> str:
    """The text of the games."""
    lines = []
    for game in games:
        only(game, ("pente", "gomoku"), "pente-table")
        try:
            name = name_of(game.newgame)
        except KeyError:
            raise RecordError(f"{game.where()}: pente.org has no game {game.newgame!r}") from None
        result = {"p1win": "1-0", "p2win": "0-1", "draw": "1/2"}.get(game.result, "*")
        moves = " ".join(cell_there(game.newgame, move) for move in from_start(game, "pente-table"))
        ratings = [game.tags.get(tag, "") for tag in ("p1rating", "p2rating")]
        lines.append("|".join([name, *ratings, result, moves]))
    return "".join(f"{line}\n" for line in lines)
