"""What is said to an engine and what is waited for, whoever does the waiting.

A question is a generator of steps: it sends lines, yields the time until which it waits for the
next line, and is sent that line. `client.Engine` waits for lines with threads and
`aio.AsyncEngine` with asyncio; both run the same steps.
"""

from __future__ import annotations

import contextlib
import json
import math
import re
import shlex
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Callable, TypeVar, Union

from .errors import Busy, Crashed, EngineError, Refused, Silent
from .protocol import Answer, Info, Limit, Line, OptionSpec, Search

PREPARATION = 300.0
"""Seconds an engine may take to get ready (allocate a hash, build a table)."""

ANSWER = 60.0
"""Seconds an engine may take to answer a question that needs no search."""

UNTIMED = 3600.0
"""Seconds for a search whose limits say nothing about time."""

T = TypeVar("T")
Steps = Generator[float, Line, T]
"""Yields the time (`time.monotonic`) until which a line is waited for; gets that line."""

OptionValue = Union[str, int, bool]
Given = Union[Mapping[str, OptionValue], Sequence[tuple[str, OptionValue]]]


LATE = 1.0
"""Seconds after the end of a question at which an engine that says other things is silent."""

LEAVING = 1.0
"""Seconds for the answer to `stop` where an exception is on its way, which has to wait for it."""

NAMED = re.compile(r'("(?:[^"\\]|\\.)*"|[^\s"=]+)=("(?:[^"\\]|\\.)*"|\S*)')
"""A name and a value of `query options`."""

PASSED_OVER = ("", "info", "bestmove")
"""What a line that answers no question begins with: what a search says late is no answer."""


def in_time(line: Line, end: float) -> None:
    """Raises `Silent` for a line that is no answer and comes when one should long have come.

    Without this an engine that never stops talking would be waited for without end.
    """
    if line.at > end + LATE:
        raise Silent("it says other things")


def one_line(line: str) -> None:
    """Raises `Refused` for a line in which engines would read more than one command."""
    if any(sign in line for sign in "\r\n\0"):
        raise Refused(f"syntax {line!r} is not one line")


def words_of(command: str | Sequence[str]) -> list[str]:
    """The words of a command; text is split as a shell would."""
    if not isinstance(command, str):
        return list(command)
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise Crashed(f"the command {command!r} cannot be read: {error}") from None
    if not words:
        raise Crashed("the command of the engine is empty")
    return words


def text_of(value: OptionValue) -> str:
    """An option's value as `setoption` has it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def attribute(name: str) -> str:
    """An option's name as a name in Python: `Move Overhead` -> `move_overhead`."""
    return "".join(c if c.isalnum() else "_" for c in name.lower())


def plain_text(told: str) -> str:
    """A word of `query options`, which may be quoted as in JSON."""
    try:
        return str(json.loads(told)) if told.startswith('"') else told
    except ValueError:
        return told


class Dialogue:
    """An engine that is talked to by lines; what waits for them is left to subclasses."""

    def __init__(
        self,
        command: str | Sequence[str],
        options: Given,
        name: str,
        log: Callable[[str], None] | None,
        patience: float | None = None,
    ) -> None:
        self.command = command
        self.name = name or (command if isinstance(command, str) else shlex.join(command))
        self.identity = ""
        """What the engine calls itself."""
        self.offered: dict[str, OptionSpec] = {}
        """The declarations of its options, by `attribute` of their names."""
        self.log = log
        """Is told every line: `> LINE` was sent, `< LINE` was heard."""
        pairs = options.items() if isinstance(options, Mapping) else options
        self._given = [(key, text_of(value)) for key, value in pairs]
        self._owed = {"readyok": 0, "bestmove": 0, "answer": 0}
        """What was asked for and not waited for long enough."""
        self._searching = False
        self._patience = patience
        """How long each answer may take when it starts; `None`: as long as answers usually may."""

    def _write(self, line: str) -> None:
        """Sends a line to the process."""
        raise NotImplementedError

    def send(self, line: str) -> None:
        """Sends a line and waits for nothing; `Refused` if it is not one line."""
        one_line(line)
        self._send(line)

    def _send(self, line: str) -> None:
        """Sends a line as it is."""
        if self.log is not None:
            self.log(f"> {line}")
        self._write(line)

    def _heard(self, line: Line) -> Line:
        if self.log is not None:
            self.log(f"< {line.text}")
        return line

    def _fresh(self) -> None:
        """A new process owes nothing."""
        self.offered = {}
        self._searching = False
        self._owed = dict.fromkeys(self._owed, 0)

    def _shake_hands(self, patience: float | None) -> Steps[None]:
        patience = self._patience if patience is None else patience
        self.send("ugi")
        for line in (yield from self._until("ugiok", ANSWER if patience is None else patience)):
            if line.startswith("id name "):
                self.identity = line[len("id name ") :]
            spec = OptionSpec.parse(line)
            if spec is not None:
                self.offered[attribute(spec.name)] = spec
        lines = [self._setoption(name, text)[0] for name, text in self._given]
        yield from self._do(lines, PREPARATION if patience is None else patience)

    def _setoption(self, name: str, value: OptionValue) -> tuple[str, str, str]:
        """The line that sets an option, the option's own name and its value as text."""
        spec = self.offered.get(attribute(name))
        full, text = (spec.name if spec else name), text_of(value)
        button = spec.type == "button" if spec else not text
        return f"setoption name {full}" + ("" if button else f" value {text}"), full, text

    def _until(self, last: str, patience: float) -> Steps[list[str]]:
        """The lines up to the one whose words are `last`, without it."""
        end = time.monotonic() + patience
        lines: list[str] = []
        while True:
            try:
                line = yield end
                if line.text.strip() != last:
                    in_time(line, end)
            except Silent:
                if last in self._owed:
                    self._owed[last] += 1
                raise Silent(f"no '{last}' within {patience:g} s") from None
            if line.text.strip() == last:
                return lines
            lines.append(line.text)

    def _settle(self, patience: float) -> Steps[None]:
        """Passes over the answers to questions that were given up, so that none is mistaken."""
        if self._searching:
            raise Busy("a search is running: stop it first")
        if not any(self._owed.values()):
            return
        if self._owed["bestmove"]:
            self.send("stop")
        self.send("isready")
        self._owed["readyok"] += 1
        self._owed["answer"] = 0
        end = time.monotonic() + patience
        while any(self._owed.values()):
            line = yield end
            words = line.text.split()
            # A search that was refused has no `bestmove`; one that failed still has.
            refused = words[:1] == ["error"] and words[:2] != ["error", "internal"]
            word = "bestmove" if refused else "".join(words[:1])
            if self._owed.get(word):
                self._owed[word] -= 1
            else:
                in_time(line, end)

    def _do(self, lines: Sequence[str], patience: float = PREPARATION) -> Steps[list[str]]:
        yield from self._settle(patience)
        # None of them is sent if one cannot be: nobody would wait for the answers.
        for line in lines:
            one_line(line)
        for line in lines:
            self.send(line)
        self.send("isready")
        said = yield from self._until("readyok", patience)
        for line in said:
            if line.startswith("error "):
                raise Refused(line[len("error ") :])
        return said

    def _ask_line(self, line: str, patience: float) -> Steps[str]:
        yield from self._settle(patience)
        self.send(line)
        end = time.monotonic() + patience
        while True:
            try:
                said = yield end
                word, _, value = said.text.partition(" ")
                if word in PASSED_OVER:
                    in_time(said, end)
            except Silent:
                self._owed["answer"] += 1
                raise Silent(f"no answer to {line!r} within {patience:g} s") from None
            if word == "error":
                raise Refused(value)
            if word not in PASSED_OVER:
                return value.strip()

    def _go(self, limit: str, patience: float) -> Steps[Answer]:
        yield from self._settle(patience)
        search = Search(time.monotonic())
        self.send(f"go {limit}".rstrip())
        end = search.began + patience
        while search.answer is None:
            try:
                line = yield end
                search.feed(line)
                if search.answer is None:
                    in_time(line, end)
            except Silent:
                self._owed["bestmove"] += 1
                raise Silent(f"no bestmove within {patience:.1f} s") from None
        return search.answer

    def _remember(self, name: str, value: str) -> None:
        """Keeps an option for the next start of the process."""
        self._given = [(key, old) for key, old in self._given if attribute(key) != attribute(name)]
        spec = self.offered.get(attribute(name))
        if spec is None or spec.type != "button":
            self._given.append((name, value))

    def _set(self, name: str, value: OptionValue) -> Steps[None]:
        line, full, text = self._setoption(name, value)
        yield from self._do([line])
        self._remember(full, text)

    def _newgame(self, game: str, patience: float) -> Steps[None]:
        yield from self._do([f"newgame {game}"], patience)
        if "game" not in self.offered:
            return  # The rules are no options of this engine.
        with contextlib.suppress(Refused):  # Nor does every engine list their values.
            said = yield from self._do(["query options"], patience)
            listed = " ".join(line for line in said if line.startswith("response "))
            for told in NAMED.finditer(listed):
                name, value = map(plain_text, told.groups())
                if attribute(name) in self.offered and self._text(name) != value:
                    self._remember(name, value)

    def _text(self, name: str) -> str:
        """The value of an option as last set, else its default."""
        key = attribute(name)
        given = [text for name, text in self._given if attribute(name) == key]
        return given[-1] if given else self.offered[key].default

    def _value(self, name: str) -> OptionValue:
        """The same by type."""
        spec, text = self.offered[attribute(name)], self._text(name)
        if spec.type == "check":
            return text.lower() in ("true", "on")
        return int(text) if spec.type == "spin" else text


class Watched:
    """A search that is watched; what waits for its lines is left to subclasses."""

    engine: Dialogue

    def __init__(self, engine: Dialogue, limit: Limit, patience: float) -> None:
        self.engine = engine
        self.limit = limit
        self.patience = patience
        self._search = Search(0.0)
        self._end = math.inf
        """When the answer has to be there at the latest."""

    @property
    def lines(self) -> list[Info]:
        """The last line of each rank, best first."""
        return self._search.lines

    @property
    def answer(self) -> Answer | None:
        """The answer, once the search has ended."""
        return self._search.answer

    def stop(self) -> None:
        """Asks the search to end, from any thread; its answer still comes."""
        if self.answer is None:
            self.engine.send("stop")
            self._end = min(self._end, time.monotonic() + self.patience)

    def ponderhit(self) -> None:
        """Tells a search with `ponder` that the move was played."""
        self.engine.send("ponderhit")

    def _begin(self) -> None:
        self._search = Search(time.monotonic())
        self.engine.send(f"go {self.limit}".rstrip())
        self.engine._searching = True

    @property
    def _timeout(self) -> float:
        """Seconds to wait for the next line."""
        return min(self.patience, self._end - time.monotonic())

    @contextlib.contextmanager
    def _step(self) -> Iterator[None]:
        """Around the wait for a line: after a failure nothing is left to stop."""
        try:
            yield
        except EngineError as error:
            self.engine._searching = False
            self.engine._owed["bestmove"] += isinstance(error, Silent)
            raise

    @contextlib.contextmanager
    def _left(self, error: BaseException | None) -> Iterator[None]:
        """Around the end of a search that is left, with this exception if it is by one.

        That exception matters more than the engine's answer: it waits a moment for it and then
        goes on its way.
        """
        if error is not None:
            self.patience = min(self.patience, LEAVING)
        try:
            yield
        except EngineError:
            if error is None:
                raise
        finally:
            if self.engine._searching:
                # Given up from outside: the answer is still to come.
                self.engine._searching = False
                self.engine._owed["bestmove"] += 1

    def _feed(self, line: Line) -> Info | None:
        """What a line says, if it is an `info` with a score."""
        info = self._search.feed(line)
        if self.answer is None:
            in_time(line, self._end)
        else:
            self.engine._searching = False
        return info
