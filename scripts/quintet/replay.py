"""The games of a record, played again through a referee."""

from __future__ import annotations

import sys

from .client import Engine
from .command import default_engine
from .convert import checked
from .errors import Refused
from .formats import by_suffix, read_file
from .opening import Opening
from .records import Game
from .table import FORFEITS


def replay(path: str, command: str | None) -> int:
    """Plays the games of an output file through the referee; the exit status."""
    referee: Engine | None = None
    games = differences = 0
    refused: list[str] = []
    warnings: list[str] = []
    try:
        # Records of matches can have any name.
        read = read_file(path, None if by_suffix(path) else "jsonl", warnings=warnings)
        for game in checked(read, refused, replay=False):
            if referee is None:
                # A record may come from anywhere: what it names is told, and never run.
                judge, named = command or default_engine(), game.other.get("referee")
                if named not in (None, judge):
                    print(f"{path}: the referee was {named!r}, now {judge!r}", file=sys.stderr)
                referee = Engine(judge, name="referee")
            wrong = replayed(game, referee)
            games += 1
            if wrong:
                differences += 1
                number = game.other.get("game", games)
                print(f"{path}, line {game.lines[0]}: game {number}: {wrong}")
    finally:
        if referee is not None:
            referee.quit()
    for text in refused + warnings:
        print(f"match.py: {text}", file=sys.stderr)
    print(
        f"{games} games replayed, {differences} differ"
        + f", {len(refused)} refused" * bool(refused)
    )
    if refused and not games:
        return 2
    return 1 if differences or refused or warnings else 0


def protocol_fault(game: Game) -> str:
    """In what a game was not opened as its field `protocol` says; empty if in nothing."""
    fields = game.other["protocol"]
    try:
        opening = Opening.parse(fields)
    except ValueError as error:
        return str(error)
    if opening.position != game.opening:
        return f"{opening.protocol} leads to {opening.position!r}, not {game.opening!r}"
    if opening.first is None and (game.moves or game.reason not in FORFEITS):
        return f"{opening.protocol}: no side was chosen"
    proposer = game.players[opening.first or 0]
    if proposer != fields.get("proposer"):
        return f"{opening.protocol} makes {proposer} the proposer, not {fields.get('proposer')}"
    return ""


def replayed(game: Game, referee: Engine) -> str:
    """What is different when the game is played again; empty if nothing is."""
    fault = protocol_fault(game) if "protocol" in game.other else ""
    if fault:
        return fault
    try:
        referee.do(f"newgame {game.newgame}", f"position {game.opening}")
        for move in game.moves:
            if referee.ask("result") != "none":
                return f"the game is over before {move}"
            referee.do(f"moves {move}")
    except Refused as error:
        return str(error)
    result = referee.ask("result")
    expected = game.result if game.reason == "rules" else "none"
    if not game.reason and game.result in (result, "none"):
        # Other programs do not say whether the board or a judge ended the game, or even
        # how it ended.
        expected = result
    return "" if result == expected else f"the result is {result}, not {expected}"
