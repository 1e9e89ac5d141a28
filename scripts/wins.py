#!/usr/bin/env python3
"""How many of the wins that players of games have found does a search prove in time?

    wins.py games.jsonl --count 60 --movetime 3000 --option Threads=2

The positions come from records of match.py in which the scores are told: from each game that
has a winner, the first one in which either player told a win, if that is the winner, and in so
many plies or more (--plies). Of all games COUNT are taken, evenly spread.

Prints how many of them the engine tells and proves to be won, and how many nodes and
milliseconds the proofs have taken: the median and the 90th percentile. Each search begins with
an empty table. Exit status 0: all is proven; 1: some wins are not.
"""

from __future__ import annotations

import argparse
import re
import statistics
import sys
from collections.abc import Iterator
from typing import NamedTuple

from quintet import Engine, rules
from quintet.command import (
    Progress,
    add_engine_argument,
    add_limit_arguments,
    add_option_argument,
    at_least,
    limits_of,
    percentile,
    run,
)
from quintet.protocol import Info, Limit, position_line
from quintet.records import Game, read

WIN = re.compile(r"mate ([0-9]{1,4})\b")
"""A score that tells a win."""


class Position(NamedTuple):
    """A position whose side to move won the game."""

    newgame: str
    line: str
    """The `position` line."""
    plies: int
    """In how many plies its player told the win."""


class Found(NamedTuple):
    """What a search says of a win."""

    told: bool
    proof: Info | None
    """The first line that proves it."""


def first_told(game: Game) -> tuple[int, int] | None:
    """The first move of the game whose player told a win, and in how many plies."""
    for number, comment in enumerate(game.comments):
        if told := WIN.match(comment.score or ""):
            return number, int(told[1])
    return None


def positions(games: list[Game], least: int) -> Iterator[Position]:
    """The position of each game that counts."""
    for game in games:
        told = first_told(game)
        if told is None or told[1] < least or game.result not in ("p1win", "p2win"):
            continue
        number, plies = told
        game.check()
        base, moves = game.whole()
        played = moves[: len(moves) - len(game.moves) + number]
        line = position_line(base, played)
        side = rules.position(game.newgame, line.partition(" ")[2]).side
        if game.result == ("p1win", "p2win")[side]:
            yield Position(game.newgame, line, plies)


def look(engine: Engine, position: Position, limit: Limit) -> Found:
    """Searches a position."""
    engine.newgame(position.newgame)
    engine.do("setoption name Clear Hash", position.line)
    proof, told = None, False
    with engine.analysis(limit) as analysis:
        for info in analysis:
            if info.multipv not in (None, 1):
                continue
            told = (info.mate or 0) > 0
            if told and info.proven and proof is None:
                proof = info
    return Found(told or proof is not None, proof)


def main() -> int:
    """Reads the arguments, searches and sums up."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("records", metavar="RECORD", nargs="+", help="records of games")
    add_engine_argument(parser)
    add_option_argument(parser)
    number = at_least(1)
    parser.add_argument("--plies", metavar="N", type=number, default=17, help="at least (17)")
    parser.add_argument("--count", metavar="N", type=number, default=60, help="positions (60)")
    add_limit_arguments(parser.add_argument_group("limits of a search (default: --movetime 3000)"))
    arguments = parser.parse_args()
    limit = limits_of(arguments, "movetime 3000")
    games = [game for record in arguments.records for game in read(record)]
    known = list(positions(games, arguments.plies))
    if not known:
        raise SystemExit(f"wins.py: no win in {arguments.plies} plies or more is told")
    count = min(arguments.count, len(known))
    chosen = [known[k * len(known) // count] for k in range(count)]
    found = []
    progress = Progress()
    with Engine(arguments.engine) as engine:
        for name, value in arguments.option:
            engine.do(f"setoption name {name} value {value}" if value else f"setoption name {name}")
        for position in chosen:
            found.append(look(engine, position, limit))
            if not found[-1].proof:
                told = "told, not proven" if found[-1].told else "not found"
                print(f"{told}: {position.newgame}; {position.line}", file=sys.stderr)
            progress.show(f"{len(found)} of {count}")
    proofs = [entry.proof for entry in found if entry.proof]
    print(
        f"{count} wins of {len(known)}, told in {statistics.median(p.plies for p in chosen):.0f} "
        f"plies (median); told {sum(entry.told for entry in found)}, proven {len(proofs)}"
    )
    if proofs:
        for what, values in (
            ("nodes", [proof.nodes or 0 for proof in proofs]),
            ("milliseconds", [proof.time or 0 for proof in proofs]),
        ):
            print(
                f"{what} to the proof: median {statistics.median(values):.0f}, "
                f"90th percentile {percentile(values, 0.9):.0f}"
            )
    return 0 if len(proofs) == count else 1


if __name__ == "__main__":
    run("wins.py", main)
