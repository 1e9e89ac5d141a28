"""The client for asyncio: the same engine, and every wait is awaited."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator, Sequence
from types import TracebackType
from typing import Any, Callable

from .client import kill_session, limit_of
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
    words_of,
)
from .errors import Crashed, EngineError, Silent
from .pipes import LONGEST
from .protocol import Answer, Info, Limit, Line, position_line


class AsyncEngine(Dialogue):
    """An engine as a child process, for asyncio.

        async with AsyncEngine("quintet") as engine:
            answer = await engine.go("movetime 1000")

    What `client.Engine` says of commands, patience and exceptions holds here too. One task at a
    time may use an engine.
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
        self._process: asyncio.subprocess.Process | None = None
        # The line that is being read. It outlives a wait that is given up: nothing is lost.
        self._reading: asyncio.Future[bytes] | None = None

    async def __aenter__(self) -> AsyncEngine:
        await self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.quit()

    async def start(self, patience: float | None = None) -> None:
        """Starts the process, in place of the one that runs."""
        await self.kill()
        words = words_of(self.command)
        try:
            self._process = await asyncio.create_subprocess_exec(
                *words,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=LONGEST,
                start_new_session=True,
            )
        except OSError as error:
            raise Crashed(f"{words[0]!r} cannot be started: {error.strerror}") from None
        self._fresh()
        try:
            await self._run(self._shake_hands(patience))
        except BaseException:  # Given up from outside, too.
            await self.kill()
            raise

    restart = start

    def _write(self, line: str) -> None:
        process = self._process
        if process is None or process.stdin is None or process.stdin.is_closing():
            raise Crashed("the engine does not run")
        process.stdin.write(line.encode("utf-8", "replace") + b"\n")

    async def read(self, timeout: float) -> Line:
        """The next line; `Crashed` at the end of the output, `Silent` after so many seconds."""
        process = self._process
        if process is None or process.stdout is None:
            raise Crashed("the engine does not run")
        reading = self._reading or asyncio.ensure_future(process.stdout.readline())
        self._reading = reading
        # At least a moment: a line that is there already is not late. What was sent goes out
        # meanwhile, if the engine reads it. Before Python 3.12 `wait_for` loses a cancellation
        # that comes together with the line.
        await asyncio.wait({reading}, timeout=max(timeout, 0.001))
        if not reading.done():
            raise Silent(f"no answer within {timeout:.1f} s")
        self._reading = None
        if reading.cancelled():
            raise Crashed("the engine does not run")
        try:
            said = reading.result()
        except ValueError:
            # The rest of the line would be taken for the next answer.
            await self.kill()
            raise Crashed("the engine said a line that is too long") from None
        if not said:
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(process.wait(), 1.0)
            status = "none, it still runs" if process.returncode is None else process.returncode
            raise Crashed(f"the engine's output ended (exit status {status})")
        text = said.decode("utf-8", "replace").rstrip("\r\n")
        return self._heard(Line(text, time.monotonic()))

    async def _run(self, steps: Steps[T]) -> T:
        """Takes the steps of a question, waiting for the lines in between."""
        try:
            end = next(steps)
            while True:
                try:
                    line = await self.read(end - time.monotonic())
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

    async def sync(self, patience: float = PREPARATION) -> list[str]:
        """Waits until everything sent is done; the lines said in the meantime."""
        return await self._run(self._do([], patience))

    async def do(self, *lines: str, patience: float = PREPARATION) -> list[str]:
        """Sends lines, waits until they are done, and gives what was answered."""
        return await self._run(self._do(lines, patience))

    async def newgame(self, game: str, patience: float = PREPARATION) -> None:
        """Chooses a game with its rules."""
        await self._run(self._newgame(game, patience))

    async def position(
        self,
        base: str = "startpos",
        moves: Sequence[str] = (),
        patience: float = PREPARATION,
    ) -> None:
        """Sets up a position: `startpos`, `fen …` or `stones …`, and moves from there."""
        await self.do(position_line(base, moves), patience=patience)

    async def ask(self, what: str, patience: float = ANSWER) -> str:
        """The answer to `query WHAT`."""
        return await self._run(self._ask_line(f"query {what}", patience))

    async def ask_line(self, line: str, patience: float = ANSWER) -> str:
        """The answer to a line that is answered by one line, without its first word."""
        return await self._run(self._ask_line(line, patience))

    async def facts(self, patience: float = ANSWER) -> dict[str, Any]:
        """All that a front end needs to know of game, board and moves: `display json`."""
        found: dict[str, Any] = json.loads(await self.ask_line("display json", patience))
        return found

    async def set(self, **options: OptionValue) -> None:
        """Sets options: `await engine.set(hash=64, move_overhead=20)`."""
        for name, value in options.items():
            await self._run(self._set(name, value))

    def option(self, name: str) -> OptionValue:
        """The value of an option; `KeyError` if there is none of that name."""
        return self._value(name)

    async def go(self, limit: Limit | str, patience: float | None = None) -> Answer:
        """Searches and gives the best move; `patience` as in `client.Engine.go`."""
        limit = limit_of(limit)
        if limit.endless:
            raise ValueError("a search without end needs `analysis`")
        if patience is None:
            patience = UNTIMED if limit.seconds is None else limit.seconds + ANSWER
        return await self._run(self._go(str(limit), patience))

    def analysis(self, limit: Limit | str = "infinite", patience: float = ANSWER) -> AsyncAnalysis:
        """A search that can be watched and stopped; it starts with `async with`."""
        return AsyncAnalysis(self, limit_of(limit), patience)

    async def kill(self) -> None:
        """Ends the process at once."""
        await self._end(polite=False)

    async def quit(self) -> None:
        """Asks the engine to end; after a second it is made to."""
        await self._end(polite=True)

    async def _end(self, polite: bool) -> None:
        process, self._process = self._process, None
        reading, self._reading = self._reading, None
        self._searching = False
        if reading is not None:
            reading.cancel()
        if process is None:
            return
        assert process.stdin is not None
        try:
            with contextlib.suppress(OSError, asyncio.TimeoutError):
                if polite:
                    process.stdin.write(b"quit\n")
                    await asyncio.wait_for(process.stdin.drain(), 1.0)
                process.stdin.close()
                if polite:
                    await asyncio.wait_for(process.wait(), 1.0)
        finally:  # Also if the wait is given up.
            gone = process.returncode is not None
            # A `kill` after it would take the exit status that the event loop waits for.
            if not kill_session(process.pid, gone) and not gone:
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
            # `wait` is for the ends of the pipes too, which a process that got away holds open,
            # and which are not seen where nobody reads what comes before them.
            if process.stdin.transport.get_write_buffer_size():
                process.stdin.transport.abort()
            process._transport.get_pipe_transport(1).close()  # type: ignore[attr-defined]
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(process.wait(), 1.0)


class AsyncAnalysis(Watched):
    """A search that is watched: an asynchronous stream of `Info`.

    async with engine.analysis("infinite") as analysis:
        async for info in analysis:
            if info.depth == 12:
                break
    print(analysis.answer.move)
    """

    engine: AsyncEngine

    async def __aenter__(self) -> AsyncAnalysis:
        await self.engine._run(self.engine._settle(self.patience))
        self._begin()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._left(error):
            # After a failure of the engine there is nothing left to stop.
            if self.engine._searching:
                self.stop()
                await self.wait()

    async def __aiter__(self) -> AsyncIterator[Info]:
        while self.answer is None:
            with self._step():
                info = self._feed(await self.engine.read(self._timeout))
            if info is not None:
                yield info

    async def wait(self) -> Answer:
        """Waits for the end of the search."""
        async for _ in self:
            pass
        assert self.answer is not None
        return self.answer
