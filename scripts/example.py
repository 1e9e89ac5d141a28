#!/usr/bin/env python3
"""The client in thirty lines: a game against the engine, and a search that is watched."""

from __future__ import annotations

import sys

from quintet import Engine, EngineError, Limit, Refused


def main(command: str) -> None:
    """Answers two moves of Gomoku and explains the position after them."""
    with Engine(command, {"Hash": 16}) as engine:
        engine.newgame("gomoku size 15")
        moves: list[str] = []
        for typed in ("h8", "h8", "g7"):
            try:
                engine.position("startpos", [*moves, typed])
            except Refused as error:
                print(f"{typed} is refused ({error.code}): {error}")
                continue
            answer = engine.go(Limit(nodes=2000))
            moves += [typed, answer.move]
            print(f"{typed} is answered by {answer.move}: {answer.info.worth} for the engine")
        engine.position("startpos", moves)
        engine.options.multipv = 2
        with engine.analysis(Limit(infinite=True)) as analysis:
            for info in analysis:
                if info.multipv == 2 and (info.depth or 0) >= 3:
                    break  # The end of the block stops the search.
        for info in analysis.lines:
            print(f"{info.multipv}. {info.worth}: {' '.join(info.pv)}")


if __name__ == "__main__":
    try:
        main(sys.argv[1] if len(sys.argv) > 1 else "quintet")
    except EngineError as error:
        sys.exit(f"example.py: {error}")
