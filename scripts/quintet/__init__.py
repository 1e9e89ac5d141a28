"""Quintet's tools in Python: a client of its protocol, game records, rules and ratings.

The client runs any engine that speaks UGI (protocol/README.md), as a child process:

    from quintet import Engine, Limit

    with Engine("quintet", {"Hash": 64}) as engine:
        engine.newgame("gomoku size 15")
        engine.position("startpos", ["h8", "g7", "i7"])
        print(engine.go(Limit(movetime=500)).move)

`analysis` watches a search and stops it; `AsyncEngine` is the same for asyncio. Python 3.9 or
later and its standard library are all that it needs, so a copy of this folder works anywhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .client import Analysis, Engine, Options
from .errors import Busy, Crashed, EngineError, Refused, Silent
from .protocol import (
    Answer,
    Info,
    Limit,
    Line,
    OptionSpec,
    expected_score,
    position_line,
)
from .records import Game, RecordError

if TYPE_CHECKING:
    from .aio import AsyncAnalysis, AsyncEngine

__all__ = [
    "Analysis",
    "Answer",
    "AsyncAnalysis",
    "AsyncEngine",
    "Busy",
    "Crashed",
    "Engine",
    "EngineError",
    "Game",
    "Info",
    "Limit",
    "Line",
    "OptionSpec",
    "Options",
    "RecordError",
    "Refused",
    "Silent",
    "expected_score",
    "position_line",
]

if not TYPE_CHECKING:  # which would take any name for one of this module

    def __getattr__(name: str) -> Any:
        """Imports what needs asyncio where it is asked for: that takes longer than all the rest."""
        if name in ("AsyncAnalysis", "AsyncEngine"):
            from . import aio

            return getattr(aio, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
