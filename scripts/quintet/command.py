"""What the commands have in common: where the engine is, limits, progress, the way out."""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import shlex
import shutil
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Callable, NoReturn

from .errors import EngineError
from .protocol import Limit
from .records import RecordError


class Progress:
    """A line on stderr that is written over; where stderr is no terminal, a line now and then."""

    def __init__(self, every: float = 10.0) -> None:
        self._every = every
        self._terminal = sys.stderr.isatty()
        self._last = time.monotonic() if not self._terminal else 0.0
        self._width = 0

    def show(self, text: str, final: bool = False) -> None:
        """Shows the text, now or, if it is not `final`, only if the last one is old."""
        now = time.monotonic()
        if not final and now - self._last < (0.1 if self._terminal else self._every):
            return
        self._last = now
        if self._terminal:
            columns = shutil.get_terminal_size().columns - 1
            text = text[:columns]
            sys.stderr.write("\r" + text.ljust(self._width) + ("\n" if final else ""))
            self._width = 0 if final else len(text)
        else:
            sys.stderr.write(text + "\n")
        sys.stderr.flush()

    def note(self, text: str) -> None:
        """A line that stays."""
        if self._terminal and self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            self._width = 0
        sys.stderr.write(text + "\n")
        sys.stderr.flush()


def replace_undecodable(encoding: str | None = None) -> None:
    """Lets stdin and stdout replace what they cannot decode or encode, instead of failing.

    `encoding`: theirs from now on, by default as it was.
    """
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding=encoding, errors="replace")


def default_engine() -> str:
    """The command of the engine where none is told.

    `$QUINTET`, else `target/release/quintet` of this source tree, else `quintet` of the path.
    """
    told = os.environ.get("QUINTET")
    if told:
        return told
    built = Path(__file__).resolve().parents[2] / "target" / "release" / "quintet"
    if built.exists():
        return shlex.quote(str(built))
    return "quintet"


def at_least(least: int, most: int | None = None) -> Callable[[str], int]:
    """A type for argparse: a whole number that is at least this, and at most that."""

    def whole(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None
        if number < least:
            raise argparse.ArgumentTypeError(f"{number} is less than {least}")
        if most is not None and number > most:
            raise argparse.ArgumentTypeError(f"{number} is more than {most}")
        return number

    return whole


def seconds(text: str) -> float:
    """A type for argparse: seconds to wait, more than none and not without end."""
    with contextlib.suppress(ValueError):
        # The longest that all systems can wait is a few weeks.
        if 0 < float(text) <= 1e6:
            return float(text)
    raise argparse.ArgumentTypeError(f"{text!r} is no time from 0 to 1000000 seconds")


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which that share of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def option_pair(text: str) -> tuple[str, str]:
    """A type for argparse: `NAME=VALUE`, or `NAME` for a button."""
    name, _, value = text.partition("=")
    if not name.strip():
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    return name.strip(), value.strip()


def add_engine_argument(parser: argparse.ArgumentParser) -> None:
    """Adds `--engine`."""
    parser.add_argument(
        "--engine",
        metavar="CMD",
        default=default_engine(),
        help="the engine's command (default: $QUINTET, else target/release/quintet, "
        "else quintet of the PATH)",
    )


def add_game_argument(parser: argparse._ActionsContainer) -> None:
    """Adds `--newgame`."""
    parser.add_argument(
        "--newgame",
        metavar="'GAME RULES'",
        default="gomoku",
        help="the game, as after `newgame` (default: gomoku)",
    )


def add_limit_arguments(
    parser: argparse._ActionsContainer, suffix: str = "", whose: str = ""
) -> None:
    """Adds `--movetime`, `--nodes` and `--depth`, with a suffix those of one engine alone."""
    for name, metavar, text in (
        ("movetime", "MS", "milliseconds a move"),
        ("nodes", "N", "positions a move"),
        ("depth", "N", "plies"),
    ):
        parser.add_argument(
            f"--{name}{suffix}", metavar=metavar, type=at_least(0), help=text + whose
        )


def add_option_argument(parser: argparse._ActionsContainer) -> None:
    """Adds `--option`."""
    parser.add_argument(
        "--option",
        metavar="NAME=VALUE",
        type=option_pair,
        action="append",
        default=[],
        help="an option of the engine; may be repeated",
    )


def limits_of(arguments: argparse.Namespace, otherwise: str, suffix: str = "") -> Limit:
    """The limits told on the command line (`--nodes`, with the suffix `1` `--nodes1`), or these."""
    told = {
        name: getattr(arguments, name + suffix)
        for name in ("movetime", "nodes", "depth")
        if getattr(arguments, name + suffix) is not None
    }
    return Limit(**told) if told else Limit.parse(otherwise)


def end_like_ctrl_c() -> None:
    """Whatever asks the script to end, ends it as Ctrl-C does, with the engines that it runs.

    `nohup` protects it as ever.
    """
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler)


def run(script: str, main: Callable[[], int]) -> NoReturn:
    """Runs a script and exits with its status; what stops it is told in one line.

    Closed streams are taken for empty ones that nobody reads.
    Status 2 stands for an engine or a file that cannot be used, 130 for Ctrl-C.
    """
    # Where the caller has closed them there are none; nothing else may take their numbers.
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            stream = open(os.devnull, mode, encoding="utf-8")  # noqa: SIM115
            setattr(sys, name, stream)
    status = 2
    try:
        status = main()
        sys.stdout.flush()
    except KeyboardInterrupt:
        status = 130
    except BrokenPipeError:
        # Whoever read the output has enough; nothing is left to be flushed at the exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 141
    except (EngineError, RecordError, OSError) as error:
        sys.stderr.write(f"{script}: {error}\n")
    sys.exit(status)
