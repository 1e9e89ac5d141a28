#!/usr/bin/env python3
"""Balanced openings for match.py: random plies that a short search calls even.

    openings.py --newgame 'dagennacht size 11' --count 30 > openings.txt
    openings.py --newgame 'dagennacht size 11' --within 150 --games 4 > openings.txt
    openings.py --newgame 'dagennacht size 11' --nodes 5000 --again 50000 --again 500000 --games 6

A short search that sees nobody ahead may not have looked far enough: with --again the scores of
longer ones have to be even too. With --games the engine also plays that many quick games against
itself from each, and an opening is kept if each side gets its --share of the points. It does not
where the side to move has an advantage that the score does not show, or the other way round.
"""

from __future__ import annotations

import argparse
import random

from quintet import Engine, EngineError, Limit, position_line
from quintet.command import (
    add_engine_argument,
    add_game_argument,
    add_limit_arguments,
    at_least,
    limits_of,
    run,
)
from quintet.table import Referee, random_openings


def is_even_in_play(engine: Engine, opening: str, games: int, nodes: int, share: int) -> bool:
    """Whether both sides get their share, in percent, of the points of quick games.

    Each game has more nodes a move than the last. Stops where one side cannot come to it any more.
    """
    points = 0.0
    most = games * (1 - share / 100)
    for number in range(games):
        engine.do(position_line(opening))
        plies = 0
        while engine.ask("gameover") == "false" and plies < 300:
            engine.do(f"moves {engine.go(f'nodes {nodes + number * nodes // 2}', 600).move}")
            plies += 1
        points += {"p1win": 1.0, "p2win": 0.0}.get(engine.ask("result"), 0.5)
        if max(points, number + 1 - points) > most:
            return False
    return True


def is_even(engine: Engine, limits: Limit | str, within: int) -> bool:
    """Whether a search of the engine's position sees neither side ahead by more than that."""
    score = engine.go(limits, 600).info.cp
    return score is not None and abs(score) <= within


def main() -> int:
    """Reads the arguments and prints the openings."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_engine_argument(parser)
    add_game_argument(parser)
    parser.add_argument("--count", type=at_least(1), default=30, metavar="N", help="openings (30)")
    parser.add_argument(
        "--plies",
        type=at_least(1),
        default=4,
        metavar="N",
        help="plies of each (4)",
    )
    parser.add_argument(
        "--within",
        type=at_least(0),
        default=60,
        metavar="CP",
        help="even: the score is within ±CP (60)",
    )
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of the random plies (1)")
    parser.add_argument(
        "--games",
        type=at_least(0),
        default=0,
        metavar="N",
        help="quick games from each (0)",
    )
    parser.add_argument(
        "--again",
        type=at_least(1),
        action="append",
        default=[],
        metavar="N",
        help="the score of a search of N nodes is even too; may be repeated, shortest first",
    )
    parser.add_argument(
        "--game-nodes",
        type=at_least(1),
        default=4000,
        metavar="N",
        help="nodes a move in the first of them (4000)",
    )
    parser.add_argument(
        "--share",
        type=at_least(0, 50),
        default=25,
        metavar="P",
        help="each side gets at least P percent of the points (25)",
    )
    parser.add_argument(
        "--central",
        action="store_true",
        help="stones only in the middle half of the columns and rows",
    )
    add_limit_arguments(parser.add_argument_group("limits of the search (default: --depth 8)"))
    arguments = parser.parse_args()
    searches = [limits_of(arguments, "depth 8"), *(f"nodes {n}" for n in arguments.again)]
    games = arguments.games
    referee = Referee(Engine(arguments.engine), arguments.newgame)
    seen: set[str] = set()
    found = 0
    with referee.engine as engine:
        chance = random.Random(arguments.seed)
        for opening in random_openings(referee, arguments.plies, chance, arguments.central):
            if opening in seen:
                # Many tries have found no other.
                raise EngineError(f"only {found} of {arguments.count} openings were found")
            seen.add(opening)
            engine.do(position_line(opening))
            if not all(is_even(engine, limits, arguments.within) for limits in searches):
                continue
            nodes, share = arguments.game_nodes, arguments.share
            if not is_even_in_play(engine, opening, games, nodes, share):
                continue
            found += 1
            print(opening.removeprefix("startpos moves "), flush=True)
            if found == arguments.count:
                break
    return 0


if __name__ == "__main__":
    run("openings.py", main)
