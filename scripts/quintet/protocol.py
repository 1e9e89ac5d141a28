"""The words of the Universal Game Interface (UGI) as data, without any process.

The language is specified in protocol/README.md. Times are milliseconds here as there; what a
client waits for is in seconds, as everywhere in Python.
"""

from __future__ import annotations

import contextlib
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import NamedTuple

from .errors import Refused


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


def whole_number(word: str) -> int:
    """The number that a word is; `ValueError` if it is none, or none of 64 bits."""
    if len(word) > 20 or not -(1 << 63) <= int(word) < 1 << 63:
        raise ValueError(f"expected a whole number of 64 bits, found {word!r}")
    return int(word)


def position_line(base: str, moves: Sequence[str] = ()) -> str:
    """The `position` line of a position (as it follows `position`) and moves after it."""
    return f"position {position_words(base, moves)}"


def position_words(base: str, moves: Sequence[str] = ()) -> str:
    """What follows `position` for a position and moves after it."""
    if not moves:
        return base
    joint = "" if "moves" in base.lower().split() else " moves"
    return f"{base}{joint} {' '.join(moves)}"


@dataclass(frozen=True)
class Limit:
    """When a search is to end: what follows `go`. The first limit reached ends it.

    Without any, a search goes on until it is stopped.
    """

    depth: int | None = None
    """Plies."""
    nodes: int | None = None
    movetime: int | None = None
    """Milliseconds for this move."""
    mate: int | None = None
    """Look for a win in so many plies."""
    p1time: int | None = None
    """Milliseconds on the clock of the first player."""
    p2time: int | None = None
    p1inc: int | None = None
    """Milliseconds that each move adds to the first player's clock."""
    p2inc: int | None = None
    movestogo: int | None = None
    infinite: bool = False
    ponder: bool = False
    searchmoves: tuple[str, ...] = ()

    def __str__(self) -> str:
        words: list[str] = []
        for declared in fields(self):
            value = getattr(self, declared.name)
            if value is None or value is False or value == ():
                continue
            words.append(declared.name)
            if declared.name == "searchmoves":
                words += value
            elif value is not True:
                words.append(str(value))
        return " ".join(words)

    @classmethod
    def parse(cls, text: str) -> Limit:
        """Reads the words of `go`; `ValueError` says what is wrong with them."""
        aliases = {"wtime": "p1time", "btime": "p2time", "winc": "p1inc", "binc": "p2inc"}
        names = {declared.name for declared in fields(cls)}
        found: dict[str, object] = {}
        words = text.split()

        def name_of(word: str) -> str:
            return aliases.get(word.lower(), word.lower())

        while words:
            word = words.pop(0)
            name = name_of(word)
            if name not in names or name in found:
                raise ValueError(f"{word!r} is no limit, or one told twice")
            if name in ("infinite", "ponder"):
                found[name] = True
            elif name == "searchmoves":
                moves = list(itertools.takewhile(lambda move: name_of(move) not in names, words))
                if not moves:
                    raise ValueError(f"expected moves after {word}")
                found[name] = tuple(moves)
                words = words[len(moves) :]
            elif not words or not words[0].lstrip("-").isdecimal():
                raise ValueError(f"expected a whole number after {word}")
            else:
                found[name] = int(words.pop(0))
        return cls(**found)  # type: ignore[arg-type]

    @property
    def endless(self) -> bool:
        """Whether only `stop` ends it."""
        bounds = (self.depth, self.nodes, self.movetime, self.mate, self.p1time, self.p2time)
        return self.infinite or self.ponder or all(bound is None for bound in bounds)

    @property
    def seconds(self) -> float | None:
        """The most time it allows a move; `None` if it says nothing about time."""
        times = [self.movetime, self.p1time, self.p2time]
        told = [time for time in times if time is not None]
        if self.movetime is not None:
            told = [self.movetime]
        return max(0, *told, 0) / 1000.0 if told else None


@dataclass(frozen=True)
class OptionSpec:
    """The declaration of an option: `option name NAME type TYPE …`."""

    name: str
    type: str
    """`check`, `spin`, `combo`, `string` or `button`."""
    default: str = ""
    min: int | None = None
    max: int | None = None
    var: tuple[str, ...] = ()
    """The values of a combo."""

    @classmethod
    def parse(cls, line: str) -> OptionSpec | None:
        """Reads an `option` line; `None` if it is none."""
        before, kind, after = line.partition(" type ")
        words = before.split()
        if not kind or not after.split() or [w.lower() for w in words[:2]] != ["option", "name"]:
            return None
        type_, *rest = after.split()
        told: dict[str, list[str]] = {"default": [], "min": [], "max": [], "var": []}
        key = ""
        for word in rest:
            # The default of a string may hold any word.
            if word in told and not (type_ == "string" and key == "default"):
                key = word
            elif key:
                told[key].append(word)

        def number(name: str) -> int | None:
            try:
                return int(told[name][0])
            except (IndexError, ValueError):
                return None

        default = " ".join(told["default"])
        return cls(
            name=" ".join(words[2:]),
            type=type_,
            default="" if default == "<empty>" else default,
            min=number("min"),
            max=number("max"),
            var=tuple(told["var"]),
        )


@dataclass
class Info:
    """What an `info` line says; fields it left out are `None`."""

    depth: int | None = None
    seldepth: int | None = None
    multipv: int | None = None
    cp: int | None = None
    mate: int | None = None
    """Plies to the end of the game, negative when the side to move loses."""
    bound: str | None = None
    """`lowerbound` or `upperbound`: the true score is at least, or at most, this one."""
    proven: bool = False
    wdl: tuple[int, int, int] | None = None
    """Chances of win, draw and loss of the side to move, per mille."""
    currmove: str | None = None
    currmovenumber: int | None = None
    nodes: int | None = None
    nps: int | None = None
    hashfull: int | None = None
    """Per mille."""
    tbhits: int | None = None
    time: int | None = None
    """Milliseconds since the search began."""
    pv: list[str] = field(default_factory=list)
    """The principal variation, first move first."""
    string: str | None = None
    """The text of `info string`."""

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
            if self.mate > 0 and self.depth == 0 and not self.pv:
                return "has won"
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
        """Reads an `info` line; words it does not know are passed over, and absurd numbers."""
        info = cls()
        words = line.split()[1:]
        at = 0
        while at < len(words):
            word = words[at]
            at += 1
            if word == "string":
                info.string = line.partition(" string ")[2] or None
                break
            if word == "pv":
                info.pv = words[at:]
                break
            if word == "proven":
                info.proven = True
            elif word in ("lowerbound", "upperbound"):
                info.bound = word
            elif word == "currmove":
                info.currmove = words[at] if at < len(words) else None
                at += 1
            elif word == "wdl":
                with contextlib.suppress(ValueError):
                    win, draw, loss = map(whole_number, words[at : at + 3])
                    info.wdl = (win, draw, loss)
                    at += 3
            elif word in NUMBERS:
                with contextlib.suppress(IndexError, ValueError):
                    setattr(info, word, whole_number(words[at]))
                    at += 1
        return info


NUMBERS = frozenset(
    "depth seldepth multipv cp mate currmovenumber nodes nps hashfull tbhits time".split()
)
"""The fields of `info` that are followed by one whole number."""


@dataclass
class Answer:
    """The answer to a `go`."""

    move: str
    """`none` when the game is over."""
    info: Info
    """The last line about the best move."""
    milliseconds: float
    """From the moment `go` was sent to the arrival of `bestmove`."""
    complaints: list[str]
    """`error internal …` lines: the engine failed but went on."""
    lines: list[Info] = field(default_factory=list)
    """The last line of each rank (`multipv`), best first."""
    remarks: list[str] = field(default_factory=list)
    """What `info string` said."""


class Search:
    """What a search has said so far; it is fed line by line."""

    def __init__(self, began: float) -> None:
        self.began = began
        """When `go` was sent, by `time.monotonic`."""
        self.ranked: dict[int, Info] = {}
        self.remarks: list[str] = []
        self.complaints: list[str] = []
        self.answer: Answer | None = None
        """The answer, once it is there."""

    @property
    def lines(self) -> list[Info]:
        """The last line of each rank, best first."""
        return [info for _, info in sorted(dict(self.ranked).items())]

    def feed(self, line: Line) -> Info | None:
        """Takes in a line; what it says, if it is an `info` with a score.

        `Refused` if the engine does not search. Lines of other kinds are passed over.
        """
        word, _, rest = line.text.partition(" ")
        if word == "info":
            info = Info.parse(line.text)
            if info.scored:
                self.ranked[info.multipv or 1] = info
                return info
            if info.string is not None:
                self.remarks.append(info.string)
        elif word == "bestmove":
            words = rest.split()
            self.answer = Answer(
                move=words[0] if words else "",
                info=self.ranked.get(1, Info()),
                milliseconds=(line.at - self.began) * 1000.0,
                complaints=self.complaints,
                lines=self.lines,
                remarks=self.remarks,
            )
        elif word == "error":
            if not rest.startswith("internal"):
                raise Refused(rest)
            self.complaints.append(line.text)
        return None
