#!/usr/bin/env python3
"""A filter: positions in, one a line; best move, value, depth and line of play out."""

from __future__ import annotations

import argparse
import fileinput
import io
import sys
from collections.abc import Iterator

from engine import (
    Engine,
    EngineError,
    Progress,
    Refused,
    add_engine_argument,
    add_limit_arguments,
    limits_of,
    option_pair,
    run,
)

EPILOGUE = """\
A line of input is a game with its rules as after `newgame`, a semicolon, and a position as
after `position`, where `fen` may be left out:

  pente size 7; startpos moves d4 a1
  gomoku size 3 line 3; 3/ww1/bb1 b
  pentago; stones black 2 4 10 red 5 8 12 turn black

Each line is answered by one line, in order, of five fields separated by tabs: the line itself,
the best move, the value (`cp 31`, `mate 5 proven`, from the side to move's point of view), the
depth in plies, and the line of play. A line that cannot be analysed is answered by `error`,
the line itself and the reason; the rest goes on and the exit status is 1. Blank lines and
lines that begin with # are passed over. Search memory is forgotten between lines, so an answer
does not depend on the lines before it.

As a filter it is spread by GNU parallel (package `parallel`) over the cores of this machine

  parallel --pipe -N10 --keep-order scripts/analyse.py --quiet --depth 6 < positions > answers

and over machines by ssh, each with this folder at the same place (`:` is this machine)

  parallel --pipe -N10 --keep-order -S :,host1,4/host2 --workdir . \\
      scripts/analyse.py --quiet --depth 6 < positions > answers

-N10 hands ten lines at a time to a process; --keep-order keeps the order of the input.
"""


def lines_of(files: list[str]) -> Iterator[str]:
    """The lines of the files (or of stdin) that are not blank and no comments."""
    with fileinput.input(files, openhook=fileinput.hook_encoded("utf-8", "replace")) as source:
        for line in source:
            line = " ".join(line.split())
            if line and not line.startswith("#"):
                yield line


def analyse(engine: Engine, line: str, limits: str, patience: float) -> list[str]:
    """The fields after the line itself; `EngineError` if it cannot be analysed."""
    game, semicolon, position = (part.strip() for part in line.partition(";"))
    if not semicolon or not position:
        raise EngineError("expected GAME [RULE VALUE]...; POSITION")
    if position.split()[0].lower() not in ("startpos", "fen", "stones"):
        position = f"fen {position}"
    engine.do(f"newgame {game}", f"position {position}")
    answer = engine.go(limits, patience)
    if answer.complaints:
        raise EngineError(answer.complaints[0])
    info = answer.info
    return [answer.move, info.value, str(info.depth or 0), " ".join(info.pv)]


def arguments_parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="analyse.py",
        description=__doc__,
        epilog=EPILOGUE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="*", metavar="FILE", help="positions (default: stdin)")
    add_engine_argument(parser)
    parser.add_argument(
        "--option",
        metavar="NAME=VALUE",
        type=option_pair,
        action="append",
        default=[],
        help="an option of the engine; may be repeated",
    )
    add_limit_arguments(parser.add_argument_group("limits (default: --movetime 1000)"))
    parser.add_argument(
        "--patience",
        metavar="S",
        type=float,
        default=3600.0,
        help="seconds after which an answer is not awaited any more (3600)",
    )
    parser.add_argument("--quiet", action="store_true", help="no progress on stderr")
    return parser


def main() -> int:
    """Runs the script; the exit status."""
    arguments = arguments_parser().parse_args()
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")
    limits = limits_of(arguments, "movetime 1000")
    progress = Progress()
    done = errors = 0
    lines = lines_of(arguments.files)
    with Engine(arguments.engine, arguments.option) as engine:
        for line in lines:
            try:
                fields = [line, *analyse(engine, line, limits, arguments.patience)]
            except Refused as error:
                fields = ["error", line, str(error)]
            except EngineError as error:
                fields = ["error", line, str(error)]
                engine.restart()
            errors += fields[0] == "error"
            done += 1
            print("\t".join(fields), flush=True)
            if not arguments.quiet:
                progress.show(f"{done} analysed, {errors} errors: {line}")
    if not arguments.quiet:
        progress.show(f"{done} analysed, {errors} errors", final=True)
    return 1 if errors else 0


if __name__ == "__main__":
    run("analyse.py", main)
