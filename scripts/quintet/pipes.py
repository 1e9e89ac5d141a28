"""The pipes to and from a process, so that one that does not keep up holds nobody up."""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from typing import IO

from .protocol import Line

LONGEST = 1 << 26
"""Bytes of the longest line: as many as the engine itself accepts. More are not kept unread."""

LINE = 150
"""Bytes that a line takes besides its text, about."""


class Inbox:
    """The lines that a process says; while too many are unread, the process has to wait."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self.fault = ""
        """What ended the lines, if not the process."""
        self._lines: queue.SimpleQueue[Line | None] = queue.SimpleQueue()
        # Each is counted by one thread alone, so they need no lock.
        self._put = self._taken = 0
        self._closed = False
        threading.Thread(target=self._run, args=(pipe,), daemon=True).start()

    def get(self, timeout: float) -> Line | None:
        """The next line; `None` at the end, and `queue.Empty` after so many seconds."""
        line = self._lines.get(timeout=max(timeout, 0.0))
        if line is None:
            self.close()
        else:
            self._taken += len(line.text) + LINE
        return line

    def close(self) -> None:
        """Ends the lines for whoever waits for one; what still comes is thrown away."""
        self._closed = True
        self._lines.put(None)

    def _run(self, pipe: IO[bytes]) -> None:
        with pipe:
            while data := pipe.readline(LONGEST):
                if len(data) == LONGEST and not data.endswith(b"\n"):
                    self.fault = "the engine said a line that is too long"
                    break
                if self._closed:
                    continue
                text = data.decode("utf-8", "replace").rstrip("\r\n")
                self._lines.put(Line(text, time.monotonic()))
                self._put += len(text) + LINE
                while self._put - self._taken > LONGEST and not self._closed:
                    time.sleep(0.01)
        self._lines.put(None)


class Outbox:
    """What a process is told, written by a thread of its own: it may never be read."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        threading.Thread(target=self._run, args=(pipe,), daemon=True).start()

    def put(self, line: bytes) -> None:
        """Has a line written, and does not wait for it."""
        self._lines.put(line)

    def close(self) -> None:
        """Closes the pipe once all is written."""
        self._lines.put(None)

    def _run(self, pipe: IO[bytes]) -> None:
        # That a process has ended is told by the end of its output.
        with contextlib.suppress(OSError, ValueError), pipe:
            while (line := self._lines.get()) is not None:
                pipe.write(line)
                pipe.flush()
