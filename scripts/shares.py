#!/usr/bin/env python3
"""Who wins: the share of the first player in games of the engine against itself.

    shares.py --newgame 'dagennacht size 11' --games 100 --plies 2 --movetime 100

Each game begins with random legal plies after which nobody wins at once. Prints wins, draws
and losses of the first player, his share and its 95 % error, and the length of the games.
"""

from __future__ import annotations

import argparse
import random

from quintet import Engine, position_line
from quintet.command import (
    add_engine_argument,
    add_game_argument,
    add_limit_arguments,
    at_least,
    limits_of,
    run,
)
from quintet.table import Referee, random_openings


def main() -> int:
    """Reads the arguments, plays and sums up."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_engine_argument(parser)
    add_game_argument(parser)
    parser.add_argument("--games", type=at_least(1), default=100, metavar="N", help="(100)")
    parser.add_argument(
        "--plies",
        type=at_least(0),
        default=2,
        metavar="N",
        help="random plies of the openings (2)",
    )
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of the openings (1)")
    parser.add_argument(
        "--max-plies",
        type=at_least(1),
        default=400,
        metavar="N",
        help="then it is a draw (400)",
    )
    add_limit_arguments(parser.add_argument_group("limits of a move (default: --movetime 100)"))
    arguments = parser.parse_args()
    limits = limits_of(arguments, "movetime 100")
    tally = {"p1win": 0, "draw": 0, "p2win": 0}
    plies = 0
    referee = Referee(Engine(arguments.engine), arguments.newgame)
    openings = random_openings(referee, arguments.plies, random.Random(arguments.seed))
    with referee.engine as engine:
        for _ in range(arguments.games):
            engine.do("uginewgame", position_line(next(openings)))
            result, played = "none", 0
            while result == "none" and played < arguments.max_plies:
                engine.do(f"moves {engine.go(limits, 600).move}")
                played += 1
                result = engine.ask("result")
            tally["draw" if result == "none" else result] += 1
            plies += played
    games = arguments.games
    share = (tally["p1win"] + tally["draw"] / 2) / games
    squares = (tally["p1win"] + tally["draw"] / 4) / games - share * share
    error = 1.96 * (squares / games) ** 0.5
    print(
        f"{arguments.newgame}: {games} games, first player won {tally['p1win']}, drew "
        f"{tally['draw']}, lost {tally['p2win']}: {100 * share:.0f} % +/- {100 * error:.0f} %, "
        f"{plies / games:.1f} plies a game after the opening"
    )
    return 0


if __name__ == "__main__":
    run("shares.py", main)
