#!/usr/bin/env python3
"""Balanced openings for match.py: random plies that a short search calls even.

    openings.py --newgame 'dagennacht size 11' --count 30 > openings.txt
"""

from __future__ import annotations

import argparse
import random

from engine import Engine, add_engine_argument, add_limit_arguments, at_least, limits_of, run


def main() -> int:
    """Reads the arguments and prints the openings."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_engine_argument(parser)
    parser.add_argument("--newgame", default="gomoku", metavar="'GAME RULES'", help="as after `newgame` (gomoku)")
    parser.add_argument("--count", type=at_least(1), default=30, metavar="N", help="openings (30)")
    parser.add_argument("--plies", type=at_least(1), default=4, metavar="N", help="plies of each (4)")
    parser.add_argument("--within", type=at_least(0), default=60, metavar="CP", help="even: the score is within ±CP (60)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of the random plies (1)")
    add_limit_arguments(parser.add_argument_group("limits of the search (default: --depth 8)"))
    arguments = parser.parse_args()
    limits = limits_of(arguments, "depth 8")
    stream = random.Random(arguments.seed)
    found: set[str] = set()
    with Engine(arguments.engine) as engine:
        engine.do(f"newgame {arguments.newgame}")
        while len(found) < arguments.count:
            engine.do("position startpos")
            moves: list[str] = []
            while len(moves) < arguments.plies and engine.ask("gameover") == "false":
                moves.append(stream.choice(engine.ask("moves").split()))
                engine.do(f"moves {moves[-1]}")
            opening = " ".join(moves)
            if engine.ask("gameover") == "true" or opening in found:
                continue
            info = engine.go(limits, 600).info
            if info is not None and info.cp is not None and abs(info.cp) <= arguments.within:
                found.add(opening)
                print(opening, flush=True)
    return 0


if __name__ == "__main__":
    run("openings.py", main)
