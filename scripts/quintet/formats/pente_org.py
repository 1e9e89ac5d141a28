"""The text that pente.org exports.

    [Game "Keryo-Pente"]
    [Player 1 Name "xena"]
    [Result "1-0"]

    1. K10 M9 2. N10 M7 3. M8 1-0

Player 1 has White and begins. No column is called I there, in Gomoku either. Only games with the
opening rule are rated there, but some in the collections break it: those are read as games without
it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .. import rules
from ..records import Game, RecordError, Several, attempt
from .boards import NOBODY, from_start, newgame_of, only, rule_words


class Kind(NamedTuple):
    """A game that is played there."""

    number: int
    """In files by number; one more is the game played fast, 50 more the one of days a move."""
    name: str
    """Without `Speed` or `Turn-based` before it."""
    newgame: str


KINDS = (
    Kind(1, "Pente", "pente"),
    Kind(3, "Keryo-Pente", "pente variant keryo"),
    Kind(5, "Gomoku", "gomoku size 19 tie full"),
    Kind(9, "G-Pente", "pente variant g"),
    Kind(11, "Poof-Pente", "pente variant poof"),
    Kind(15, "Boat-Pente", "pente variant boat"),
    Kind(25, "O-Pente", "pente variant o"),
    Kind(7, "D-Pente", "pente tournament off"),
    Kind(17, "DK-Pente", "pente tournament off variant keryo"),
    Kind(27, "Swap2-Pente", "pente tournament off"),
    Kind(29, "Swap2-Keryo", "pente tournament off variant keryo"),
)
"""The games there that are known here. Those of D and Swap2 differ in how they are opened."""

RESULTS = {"1-0": "p1win", "0-1": "p2win", "1/2-1/2": "draw", "1/2": "draw"}
UNKNOWN = ("*", "?")
"""Results of games that have not ended."""

TAG = re.compile(r'\[([^"\]]+)"([^"]*)"\s*\]')
TAGS = {
    "site": "Site",
    "event": "Event",
    "round": "Round",
    "section": "Section",
    "date": "Date",
    "time": "Time",
    "timecontrol": "TimeControl",
    "rated": "Rated",
    "p1rating": "Player 1 Rating",
    "p2rating": "Player 2 Rating",
    "p1type": "Player 1 Type",
    "p2type": "Player 2 Type",
}
"""A record's tags and what they are called there."""


def game_named(name: str) -> str | None:
    """What follows `newgame` for a game of pente.org; `None` if it is not known here."""
    plain = re.sub(r"^(speed|turn-based) ", "", name.strip().lower())
    return next((kind.newgame for kind in KINDS if kind.name.lower() == plain), None)


def kind_numbered(number: int) -> Kind | None:
    """The game of a number, however fast it is played; `None` if it is not known here."""
    plain = number % 50
    return next((kind for kind in KINDS if kind.number in (plain, plain - 1)), None)


def kind_of(newgame: str) -> Kind:
    """The game there of a game here; `KeyError` if it has none."""
    name, told = rule_words(newgame)
    if name == "gomoku":
        plain = told.get("size", "15") == "19" and told.get("line", "5") == "5"
        square = "width" not in told and "height" not in told
        if plain and square and told.get("rule", "freestyle") == "freestyle":
            return next(kind for kind in KINDS if kind.name == "Gomoku")
        raise KeyError(newgame)
    if told.get("size", "19") != "19":
        raise KeyError(newgame)
    variant = told.get("variant", "pente")
    for kind in KINDS:
        own, rule = rule_words(kind.newgame)
        if own == "pente" and rule.get("variant", "pente") == variant:
            return kind
    raise KeyError(newgame)


def name_of(newgame: str) -> str:
    """The name there of a game; `KeyError` if it has none."""
    return kind_of(newgame).name


def cell_here(newgame: str, cell: str) -> str:
    """The name here of a cell there; `ValueError` if there is none of this name."""
    if not newgame.startswith("gomoku"):
        return cell
    # All games there have the columns that Pente has here.
    column = rules.Pente.columns.find(cell[0])
    if column < 0:
        raise ValueError(f"{cell!r} is no cell on pente.org")
    return f"{rules.Rules.columns[column]}{cell[1:]}"


def cell_there(newgame: str, cell: str) -> str:
    """The reverse of `cell_here`, as it is written there."""
    if newgame.startswith("gomoku"):
        cell = f"{rules.Pente.columns[rules.Rules.columns.index(cell[0])]}{cell[1:]}"
    return cell.upper()


def relaxed(game: Game) -> Game:
    """The game without the opening rule, if its moves do not keep it."""
    name, told = rule_words(game.newgame)
    if name == "pente" and "tournament" not in told:
        played = rules.game(game.newgame)
        for move in game.moves[:3]:
            if not played.is_legal(move):
                game.newgame = newgame_of(name, {"tournament": "off", **told})
                break
            played.play(move)
    return game


def iso(date: str) -> str:
    """`01/31/2024` as `2024-01-31`; anything else as it is."""
    found = re.fullmatch(r"(\d\d)/(\d\d)/(\d{4})", date)
    return f"{found[3]}-{found[1]}-{found[2]}" if found else date


def american(date: str) -> str:
    """The reverse of `iso`."""
    found = re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)", date)
    return f"{found[2]}/{found[3]}/{found[1]}" if found else date


def quoted(text: str) -> str:
    """A text as it can stand between quotation marks in a line."""
    return " ".join(text.replace('"', "'").split())


def read(text: str, source: str, newgame: str) -> Iterator[Game]:
    """The games of a file."""
    return Several(_games(text, source))


def _games(text: str, source: str) -> Iterator[Game | RecordError]:
    tags: dict[str, str] = {}
    moves: list[str] = []
    lines = [0]
    ended = False
    wrong: RecordError | None = None

    def found() -> Iterator[Game | RecordError]:
        if wrong or tags:
            yield wrong or attempt(lambda: _game(tags, moves, lines, source))

    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        tag = TAG.fullmatch(line)
        if tag:
            name = tag[1].strip().lower()
            if moves or ended or wrong or name == "game" and "game" in tags:
                yield from found()
                tags, moves, ended, wrong = {}, [], False, None
            if not tags:
                lines = [number]
            tags[name] = tag[2]
            continue
        for word in re.sub(r"(?<!\d)\d+\.", " ", line).split():
            if wrong:
                break
            if not tags:
                wrong = RecordError(f'{source}, line {number}: expected a line [Game "Pente"]')
            elif word in RESULTS or word in UNKNOWN:
                ended = True
                told = tags.get("result", "")
                if told in ("", *UNKNOWN):
                    tags["result"] = word
                elif word in RESULTS and told in RESULTS and RESULTS[word] != RESULTS[told]:
                    place = f"{source}, line {number}"
                    wrong = RecordError(f"{place}: the result is {word}, in the tags {told}")
            elif re.fullmatch(r"[A-Za-z]\d+", word):
                moves.append(word.lower())
                lines.append(number)
            else:
                wrong = RecordError(f"{source}, line {number}: {word!r} is not a move")
    yield from found()


def _game(tags: dict[str, str], moves: list[str], lines: list[int], source: str) -> Game:
    newgame = game_named(tags.get("game", ""))
    if newgame is None:
        name = tags.get("game", "")
        raise RecordError(f"{source}, line {lines[0]}: the game {name!r} is not known here")
    result = tags.get("result", "")
    if result not in ("", *RESULTS, *UNKNOWN):
        raise RecordError(f"{source}, line {lines[0]}: no result {result!r}")
    told = {name: tags[there.lower()] for name, there in TAGS.items() if there.lower() in tags}
    told = {name: value for name, value in told.items() if value not in ("", NOBODY)}
    for at, move in enumerate(moves):
        try:
            moves[at] = cell_here(newgame, move)
        except ValueError as error:
            place = f"{source}, line {lines[at + 1]}, move {at + 1}"
            raise RecordError(f"{place}: {error}") from None
    names = [tags.get(f"player {seat} name", "") for seat in "12"]
    first, second = ("" if name == NOBODY else name for name in names)
    if "date" in told:
        told["date"] = iso(told["date"])
    return relaxed(
        Game(
            newgame,
            moves=moves,
            result=RESULTS.get(result, "none"),
            players=(first, second),
            tags=told,
            source=source,
            lines=lines,
        )
    )


def write(games: Iterable[Game]) -> str:
    """The text of the games, with an empty line between them."""
    texts = []
    for game in games:
        only(game, ("pente", "gomoku"), "pente.org")
        try:
            name = name_of(game.newgame)
        except KeyError:
            raise RecordError(f"{game.where()}: pente.org has no game {game.newgame!r}") from None
        moves = [cell_there(game.newgame, move) for move in from_start(game, "pente.org")]
        results = {"p1win": "1-0", "p2win": "0-1", "draw": "1/2-1/2"}
        result = results.get(game.result, "*")
        lines = [f'[Game "{name}"]']
        for tag, there in TAGS.items():
            value = game.tags.get(tag, NOBODY if tag in ("site", "event", "date") else "")
            if there == "Player 1 Rating":
                for seat, player in zip("12", game.players):
                    lines.append(f'[Player {seat} Name "{quoted(player) or NOBODY}"]')
            if value:
                lines.append(f'[{there} "{quoted(american(value) if tag == "date" else value)}"]')
        lines += [f'[Result "{result}"]', ""]
        turns = [" ".join(moves[at : at + 2]) for at in range(0, len(moves), 2)]
        numbered = [f"{number}. {turn}" for number, turn in enumerate(turns, 1)]
        lines += [*(" ".join(numbered[at : at + 8]) for at in range(0, len(numbered), 8))]
        lines[-1] += f" {result}" if moves else result
        texts.append("".join(f"{line}\n" for line in lines))
    return "\n".join(texts)
