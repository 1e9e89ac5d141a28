"""An engine as a child process, and a search as a stream of lines."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import queue
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from types import TracebackType
from typing import Any, Callable, NoReturn

from .dialogue import (
    ANSWER,
    PREPARATION,
    UNTIMED,
    Dialogue,
    Given,
    OptionValue,
    Steps,
    T,
    Watched,
    attribute,
    words_of,
)
from .errors import Busy, Crashed, EngineError, Silent
from .pipes import Inbox, Outbox
from .protocol import Answer, Info, Limit, Line, OptionSpec, position_line


def limit_of(limit: Limit | str) -> Limit:
    """A limit as such, also from the words of `go`."""
    return limit if isinstance(limit, Limit) else Limit.parse(limit)


RUNNING: set[subprocess.Popen[bytes]] = set()
"""The processes of all `Engine`s; those that are left when the script ends are ended with it."""


class Engine(Dialogue):
    """An engine as a child process; a context manager that ends it.

    `command` is split like a shell would (`'./quintet --game teeko'`) or a list of words; no
    shell runs. The engine is started, asked for its options and given `options` before the
    constructor returns, and again, with all that was set since, at each `restart`. Every method
    that waits does so for a limited time and raises `Silent` after it; what is answered later is
    passed over. `Crashed` says that the process has ended, `Refused` that the engine answered
    `error`. Seconds are told as `patience`. One thread at a time may use an engine.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        options: Given = (),
        name: str = "",
        log: Callable[[str], None] | None = None,
        patience: float | None = None,
    ) -> None:
        super().__init__(command, options, name, log, patience)
        self._process: subprocess.Popen[bytes] | None = None
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

    @property
    def options(self) -> Options:
        """The options: `engine.options.hash = 64`, `engine.options["Move Overhead"]`."""
        return Options(self)

    def restart(self, patience: float | None = None) -> None:
        """Ends the process if there is one and starts a new one.

        `patience` is for each answer that this takes, by default as in the constructor.
        """
        self.kill()
        words = words_of(self.command)
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
        RUNNING.add(self._process)
        assert self._process.stdin is not None and self._process.stdout is not None
        self._outbox = Outbox(self._process.stdin)
        self._inbox = Inbox(self._process.stdout)
        self._fresh()
        try:
            self._run(self._shake_hands(patience))
        except BaseException:  # Given up from outside, too.
            self.kill()
            raise

    def _write(self, line: str) -> None:
        if self._process is None:
            raise Crashed("the engine does not run")
        self._outbox.put(line.encode("utf-8", "replace") + b"\n")

    def read(self, timeout: float) -> Line:
        """The next line; `Crashed` at the end of the output, `Silent` after so many seconds."""
        try:
            line = self._inbox.get(timeout)
        except queue.Empty:
            raise Silent(f"no answer within {timeout:.1f} s") from None
        if line is None:
            self._crashed()
        return self._heard(line)

    def _crashed(self) -> NoReturn:
        if self._inbox.fault:
            raise Crashed(self._inbox.fault)
        status: object = "unknown"
        if self._process is not None:
            try:
                status = self._process.wait(timeout=1.0)
            except subprocess.TimeoutExpired:
                status = "none, it still runs"
        raise Crashed(f"the engine's output ended (exit status {status})")

    def _run(self, steps: Steps[T]) -> T:
        """Takes the steps of a question, waiting for the lines in between."""
        try:
            end = next(steps)
            while True:
                try:
                    line = self.read(end - time.monotonic())
                except EngineError as error:
                    end = steps.throw(error)
                except BaseException:
                    # Given up from outside: the answer is still to come.
                    with contextlib.suppress(EngineError):
                        steps.throw(Silent("given up"))
                    raise
                else:
                    end = steps.send(line)
        except StopIteration as done:
            return done.value  # type: ignore[no-any-return]

    def sync(self, patience: float = PREPARATION) -> list[str]:
        """Waits until everything sent is done; the lines said in the meantime.

        An `error` among them is raised as `Refused`, the first one.
        """
        return self._run(self._do([], patience))

    def do(self, *lines: str, patience: float = PREPARATION) -> list[str]:
        """Sends lines, waits until they are done, and gives what was answered."""
        return self._run(self._do(lines, patience))

    def newgame(self, game: str, patience: float = PREPARATION) -> None:
        """Chooses a game with its rules: `pente size 13 variant keryo`."""
        self._run(self._newgame(game, patience))

    def position(
        self,
        base: str = "startpos",
        moves: Sequence[str] = (),
        patience: float = PREPARATION,
    ) -> None:
        """Sets up a position: `startpos`, `fen …` or `stones …`, and moves from there."""
        self.do(position_line(base, moves), patience=patience)

    def ask(self, what: str, patience: float = ANSWER) -> str:
        """The answer to `query WHAT`."""
        return self._run(self._ask_line(f"query {what}", patience))

    def ask_line(self, line: str, patience: float = ANSWER) -> str:
        """The answer to a line that is answered by one line, without its first word.

        `info` lines that come before it are skipped.
        """
        return self._run(self._ask_line(line, patience))

    def facts(self, patience: float = ANSWER) -> dict[str, Any]:
        """All that a front end needs to know of game, board and moves: `display json`."""
        found: dict[str, Any] = json.loads(self.ask_line("display json", patience))
        return found

    def go(self, limit: Limit | str, patience: float | None = None) -> Answer:
        """Searches and gives the best move.

        `patience` is the most that is waited in all: without it a minute more than the limit
        allows, or an hour if that says nothing about time.
        """
        limit = limit_of(limit)
        if limit.endless:
            raise ValueError("a search without end needs `analysis`")
        if patience is None:
            patience = UNTIMED if limit.seconds is None else limit.seconds + ANSWER
        return self._run(self._go(str(limit), patience))

    def analysis(self, limit: Limit | str = "infinite", patience: float = ANSWER) -> Analysis:
        """Starts a search that can be watched and stopped.

        `patience`: seconds of silence after which it is given up.
        """
        return Analysis(self, limit_of(limit), patience)

    def kill(self) -> None:
        """Ends the process at once."""
        self._end(polite=False)

    def quit(self) -> None:
        """Asks the engine to end; after a second it is made to."""
        self._end(polite=True)

    def _end(self, polite: bool) -> None:
        process, self._process = self._process, None
        self._searching = False
        if process is None:
            return
        self._inbox.close()
        if polite:
            self._outbox.put(b"quit\n")
        self._outbox.close()
        try:
            if polite:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(timeout=1.0)
        finally:  # Also if the wait is given up.
            kill(process)


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kills the process of an engine, if it still runs, and those that it has started."""
    gone = process.poll() is not None
    if not kill_session(process.pid, gone) and not gone:
        process.kill()
    process.wait()
    RUNNING.discard(process)


@atexit.register
def kill_all() -> None:
    """Kills all engines that still run: their threads are gone, or wait for them in vain."""
    for process in list(RUNNING):
        kill(process)


def kill_session(leader: int, gone: bool) -> bool:
    """Kills the process of this number, which leads a session, and those that it has started.

    The command of an engine may be a script around it. `gone`: the leader itself has ended.
    Whether that was done: where there are no sessions nobody is killed.
    """
    if not hasattr(os, "killpg") or (gone and runs(leader)):
        # No number is given to another process while one of its session is left.
        return False
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)
        return True
    return False


def runs(number: int) -> bool:
    """Whether there is a process of this number."""
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


class Analysis(Watched):
    """A search that is watched: a stream of `Info`, and a context manager that stops it.

    with engine.analysis("infinite") as analysis:
        for info in analysis:
            if info.depth == 12:
                break
    print(analysis.answer.move)
    """

    engine: Engine

    def __init__(self, engine: Engine, limit: Limit, patience: float) -> None:
        super().__init__(engine, limit, patience)
        engine._run(engine._settle(patience))
        self._begin()

    def __iter__(self) -> Iterator[Info]:
        """What the search finds, as it comes, until it ends: the lines with a score."""
        while self.answer is None:
            with self._step():
                info = self._feed(self.engine.read(self._timeout))
            if info is not None:
                yield info

    def wait(self) -> Answer:
        """Waits for the end of the search."""
        for _ in self:
            pass
        assert self.answer is not None
        return self.answer

    def __enter__(self) -> Analysis:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._left(error):
            # After a failure of the engine there is nothing left to stop.
            if self.engine._searching:
                self.stop()
                self.wait()


class Options(MutableMapping[str, OptionValue]):
    """The options of an engine, by their names or, with `_` for other signs, as attributes.

    A value is a bool, an int or a text by the type of the option. Setting one raises `Refused`
    if the engine does not accept it. Pressing a button: `engine.options.clear_hash = ""`.
    """

    _engine: Engine

    def __init__(self, engine: Engine) -> None:
        object.__setattr__(self, "_engine", engine)

    def spec(self, name: str) -> OptionSpec:
        """The declaration of an option; `KeyError` if there is none of that name."""
        return self._engine.offered[attribute(name)]

    def __getitem__(self, name: str) -> OptionValue:
        return self._engine._value(name)

    def __setitem__(self, name: str, value: OptionValue) -> None:
        self._engine._run(self._engine._set(name, value))

    def __delitem__(self, name: str) -> None:
        self[name] = self.spec(name).default

    def __iter__(self) -> Iterator[str]:
        return (spec.name for spec in self._engine.offered.values())

    def __len__(self) -> int:
        return len(self._engine.offered)

    def __getattr__(self, name: str) -> OptionValue:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"the engine has no option {name!r}") from None

    def __setattr__(self, name: str, value: OptionValue) -> None:
        self[name] = value

    def set(self, values: Mapping[str, OptionValue]) -> None:
        """Sets several options."""
        for name, value in values.items():
            self[name] = value


__all__ = ["Analysis", "Busy", "Engine", "Options", "limit_of"]
