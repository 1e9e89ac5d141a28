"""A client of the Universal Game Interface (UGI), shared by the scripts of this folder.

`Engine` runs an engine as a child process and talks to it by lines; the language is
described in protocol/README.md. Besides it this module holds what the scripts' command
lines have in common: where the engine is, the limits of a search, and the progress line.
"""

from __future__ import annotations

import argparse
import contextlib
import math
import os
import queue
import shlex
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Callable, NamedTuple, NoReturn

PREPARATION = 300.0
"""Seconds an engine may take to get ready (allocate a hash, build a table)."""

ANSWER = 60.0
"""Seconds an engine may take to answer a question that needs no search."""


class EngineError(Exception):
    """The engine did something wrong; the text says what."""


class Crashed(EngineError):
    """The engine cannot be started, or its output ended."""


class Silent(EngineError):
    """The engine did not answer in time."""


class Refused(EngineError):
    """The engine answered `error CODE TEXT`; made from what comes after `error`."""

    def __init__(self, answer: str) -> None:
        self.code, _, reason = answer.partition(" ")
        super().__init__(reason or answer)


class Line(NamedTuple):
    """A line the engine said, and when (by `time.monotonic`)."""

    text: str
    at: float


LOG_ODDS = math.log(3.0) / 100.0
"""The natural logarithm of the odds that a centipawn stands for: 100 make 3 to 1."""


def expected_score(cp: float) -> float:
    """The expected score, 0 to 1, that a score in centipawns stands for, in every game."""
    # Written so that nothing overflows.
    return 0.5 * (1.0 + math.tanh(0.5 * cp * LOG_ODDS))


@dataclass
class Info:
    """What an `info` line says; fields it left out are `None`."""

    depth: int | None = None
    multipv: int | None = None
    cp: int | None = None
    mate: int | None = None
    proven: bool = False
    wdl: tuple[int, int, int] | None = None
    """Chances of win, draw and loss of the side to move, per mille."""
    nodes: int | None = None
    nps: int | None = None
    time: int | None = None
    pv: list[str] = field(default_factory=list)

    @property
    def scored(self) -> bool:
        """Whether the line has a score."""
        return self.cp is not None or self.mate is not None

    @property
    def value(self) -> str:
        """The score in words of the protocol: `cp 31`, `mate -4 proven`."""
        if not self.scored:
            return "unknown"
        score = f"cp {self.cp}" if self.mate is None else f"mate {self.mate}"
        return f"{score} proven" if self.proven else score

    @property
    def worth(self) -> str:
        """The score for people, for the side to move: `62 %`, `wins within 3 plies`."""
        if self.mate is not None:
            verb = "wins" if self.mate > 0 else "loses"
            if self.mate == 0:
                return "has lost"
            plies = "1 ply" if abs(self.mate) == 1 else f"{abs(self.mate)} plies"
            return f"{'' if self.proven else 'probably '}{verb} within {plies}"
        if self.expected is None:
            return "unknown"
        return "a draw" if self.proven else f"{100 * self.expected:.0f} %"

    @property
    def expected(self) -> float | None:
        """The expected score of the side to move, 0 to 1."""
        if self.wdl is not None:
            return (self.wdl[0] + self.wdl[1] / 2) / 1000
        if self.mate is not None:
            return 1.0 if self.mate > 0 else 0.0
        return None if self.cp is None else expected_score(self.cp)

    @classmethod
    def parse(cls, line: str) -> Info:
        """Reads an `info` line; words it does not know are passed over."""
        info = cls()
        words = line.split()[1:]
        at = 0
        while at < len(words):
            word = words[at]
            at += 1
            if word == "string":
                break
            if word == "pv":
                info.pv = words[at:]
                break
            if word == "proven":
                info.proven = True
            elif word == "wdl":
                with contextlib.suppress(ValueError):
                    win, draw, loss = map(int, words[at : at + 3])
                    info.wdl = (win, draw, loss)
                    at += 3
            elif word in ("depth", "multipv", "cp", "mate", "nodes", "nps", "time"):
                try:
                    setattr(info, word, int(words[at]))
                    at += 1
                except (IndexError, ValueError):
                    pass
        return info


@dataclass
class Answer:
    """The answer to a `go`."""

    move: str
    info: Info
    milliseconds: float
    """From the moment `go` was sent to the arrival of `bestmove`."""
    complaints: list[str]
    """`error internal …` lines: the engine failed but went on."""
    lines: list[Info] = field(default_factory=list)
    """The last line of each rank (`multipv`), best first."""
    remarks: list[str] = field(default_factory=list)
    """What `info string` said."""


class Engine:
    """An engine as a child process.

    `command` is split like a shell would (`'./quintet --game teeko'`); no shell runs. The
    engine is started, asked for its options and given `options` before the constructor
    returns, and again at each `restart`.
    """

    def __init__(
        self,
        command: str,
        options: Sequence[tuple[str, str]] = (),
        name: str = "",
    ) -> None:
        self.command = command
        self.options = list(options)
        self.name = name or command
        self.identity = ""
        """What the engine calls itself."""
        self.offered: dict[str, str] = {}
        """The options it has: name and the rest of the line from `type` on."""
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: queue.SimpleQueue[Line | None] = queue.SimpleQueue()
        self.restart()

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.quit()

    @property
    def pid(self) -> int:
        """The number of its process."""
        if self._process is None:
            raise Crashed("the engine does not run")
        return self._process.pid

    def restart(self) -> None:
        """Ends the process if there is one and starts a new one."""
        self.kill()
        try:
            words = shlex.split(self.command)
        except ValueError as error:
            raise Crashed(f"the command {self.command!r} cannot be read: {error}") from None
        if not words:
            raise Crashed("the command of the engine is empty")
        try:
            # A session of its own: Ctrl-C is for the script, which then says quit.
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            raise Crashed(f"{words[0]!r} cannot be started: {error.strerror}") from None
        self._lines = queue.SimpleQueue()
        threading.Thread(target=_pump, args=(self._process, self._lines), daemon=True).start()
        self._shake_hands()

    def _shake_hands(self) -> None:
        self.offered = {}
        self.send("ugi")
        for line in self._until("ugiok", ANSWER):
            words = line.split()
            if line.startswith("id name "):
                self.identity = line[len("id name ") :]
            elif line.startswith("option name ") and "type" in words:
                name, _, kind = line[len("option name ") :].partition(" type ")
                self.offered[name.lower()] = kind
        for name, value in self.options:
            self.do(f"setoption name {name}" + (f" value {value}" if value else ""))
        self.sync()

    def send(self, line: str) -> None:
        """Sends a line and waits for nothing."""
        process = self._process
        if process is None or process.stdin is None:
            raise Crashed("the engine does not run")
        try:
            process.stdin.write(line.encode("utf-8", "replace") + b"\n")
            process.stdin.flush()
        except (OSError, ValueError):
            self._crashed()

    def read(self, timeout: float) -> Line:
        """The next line; `Crashed` at the end of the output, `Silent` after the time."""
        try:
            line = self._lines.get(timeout=max(timeout, 0.0))
        except queue.Empty:
            raise Silent(f"no answer within {timeout:.1f} s") from None
        if line is None:
            self._lines.put(None)
            self._crashed()
        return line

    def _crashed(self) -> NoReturn:
        status: object = "unknown"
        if self._process is not None:
            try:
                status = self._process.wait(timeout=1.0)
            except subprocess.TimeoutExpired:
                status = "none, it still runs"
        raise Crashed(f"the engine's output ended (exit status {status})")

    def _until(self, last: str, timeout: float) -> list[str]:
        """The lines up to the one whose words are `last`, without it."""
        end = time.monotonic() + timeout
        lines: list[str] = []
        while True:
            try:
                line = self.read(end - time.monotonic()).text
            except Silent:
                raise Silent(f"no '{last}' within {timeout:.0f} s") from None
            if line.strip() == last:
                return lines
            lines.append(line)

    def sync(self) -> list[str]:
        """Waits until everything sent is done; the lines said in the meantime.

        An `error` among them is raised as `Refused`, the first one.
        """
        self.send("isready")
        lines = self._until("readyok", PREPARATION)
        for line in lines:
            if line.startswith("error "):
                raise Refused(line[len("error ") :])
        return lines

    def do(self, *lines: str) -> list[str]:
        """Sends lines, waits until they are done, and gives what was answered."""
        for line in lines:
            self.send(line)
        return self.sync()

    def ask(self, what: str, patience: float = ANSWER) -> str:
        """The answer to `query WHAT`, waited for so many seconds."""
        return self.ask_line(f"query {what}", patience)

    def ask_line(self, line: str, patience: float = ANSWER) -> str:
        """The answer to a line that is answered by one line, without its first word.

        `info` lines that come before it are skipped.
        """
        self.send(line)
        end = time.monotonic() + patience
        while True:
            word, _, value = self.read(end - time.monotonic()).text.partition(" ")
            if word == "error":
                raise Refused(value)
            if word != "info":
                return value.strip()

    def go(self, limits: str, patience: float) -> Answer:
        """Sends `go LIMITS` and waits at most `patience` seconds for `bestmove`."""
        began = time.monotonic()
        self.send(f"go {limits}".rstrip())
        return self.answer(patience, began)

    def answer(
        self, patience: float, began: float, watch: Callable[[Info], None] | None = None
    ) -> Answer:
        """Waits for the `bestmove` of a `go` sent at `began`; `watch` sees those with a score."""
        end = began + patience
        lines: dict[int, Info] = {}
        remarks: list[str] = []
        complaints: list[str] = []
        while True:
            try:
                line = self.read(end - time.monotonic())
            except Silent:
                raise Silent(f"no bestmove within {patience:.1f} s") from None
            word, _, rest = line.text.partition(" ")
            if word == "info":
                info = Info.parse(line.text)
                if info.scored:
                    lines[info.multipv or 1] = info
                    if watch is not None:
                        watch(info)
                elif rest.startswith("string "):
                    remarks.append(rest[len("string ") :])
            elif word == "bestmove":
                move = rest.split()[0] if rest.split() else ""
                took = (line.at - began) * 1000.0
                ranked = [lines[rank] for rank in sorted(lines)]
                first = lines.get(1, Info())
                return Answer(move, first, took, complaints, ranked, remarks)
            elif word == "error":
                if not rest.startswith("internal"):
                    raise Refused(rest)
                complaints.append(line.text)

    def kill(self) -> None:
        """Ends the process at once."""
        self._end(polite=False)

    def quit(self) -> None:
        """Asks the engine to end; after a second it is made to."""
        self._end(polite=True)

    def _end(self, polite: bool) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        try:
            if polite and process.stdin is not None:
                process.stdin.write(b"quit\n")
                process.stdin.close()
                process.wait(timeout=1.0)
        except (OSError, ValueError, subprocess.TimeoutExpired):
            pass
        if process.poll() is None:
            process.kill()
        process.wait()
        if process.stdin is not None:
            with contextlib.suppress(OSError):
                process.stdin.close()


def _pump(process: subprocess.Popen[bytes], lines: queue.SimpleQueue[Line | None]) -> None:
    """Hands on what the process says, line by line, and `None` at its end."""
    assert process.stdout is not None
    with process.stdout as output:
        for line in output:
            text = line.decode("utf-8", "replace").rstrip("\r\n")
            lines.put(Line(text, time.monotonic()))
    lines.put(None)


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


def default_engine() -> str:
    """The command of the engine where none is told.

    `$QUINTET`, else `target/release/quintet` of this source tree, else `quintet` of the path.
    """
    told = os.environ.get("QUINTET")
    if told:
        return told
    built = Path(__file__).resolve().parent.parent / "target" / "release" / "quintet"
    if built.exists():
        return shlex.quote(str(built))
    return "quintet"


def at_least(least: int) -> Callable[[str], int]:
    """A type for argparse: a whole number that is at least this."""

    def whole(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None
        if number < least:
            raise argparse.ArgumentTypeError(f"{number} is less than {least}")
        return number

    return whole


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


def add_limit_arguments(parser: argparse._ActionsContainer) -> None:
    """Adds `--movetime`, `--nodes` and `--depth`."""
    number = at_least(0)
    parser.add_argument("--movetime", metavar="MS", type=number, help="milliseconds a move")
    parser.add_argument("--nodes", metavar="N", type=number, help="positions a move")
    parser.add_argument("--depth", metavar="N", type=number, help="plies")


def limits_of(arguments: argparse.Namespace, otherwise: str) -> str:
    """The limits told on the command line as words of `go`, or `otherwise`."""
    words = [
        f"{name} {getattr(arguments, name)}"
        for name in ("movetime", "nodes", "depth")
        if getattr(arguments, name) is not None
    ]
    return " ".join(words) or otherwise


def run(script: str, main: Callable[[], int]) -> NoReturn:
    """Runs a script and exits with its status; what stops it is told in one line.

    Status 2 stands for an engine or a file that cannot be used, 130 for Ctrl-C.
    """
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
    except (EngineError, OSError) as error:
        sys.stderr.write(f"{script}: {error}\n")
    sys.exit(status)
