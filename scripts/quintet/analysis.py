"""Positions asked of one engine or several at a time, and the answers as rows of named fields."""

from __future__ import annotations

import csv
import io
import json
import queue
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Callable

from .client import Engine
from .errors import EngineError, Refused
from .protocol import Answer, Info, Limit, position_line, position_words
from .records import Game

SCHEMA = {
    "position": "game and rules, a semicolon, the position: as it can be asked again",
    "rank": "1 for the best move",
    "move": "the move; `none` when the game is over",
    "kind": "`cp` or `mate`",
    "value": "centipawns, or plies to the end, negative when the side to move loses",
    "proven": "whether it is shown, not estimated: `true` or `false`",
    "wdl": "chances of a win, a draw and a loss of the side to move, per mille",
    "depth": "plies searched in full",
    "nodes": "positions visited by the whole search",
    "time": "milliseconds of the whole search",
    "pv": "the principal variation, first move first",
    "error": "why the position could not be analysed; nothing else is told then",
}
"""The fields of a row and what they hold."""


@dataclass
class Asked:
    """A position to analyse."""

    label: str
    """The line that asks for it."""
    newgame: str = ""
    position: str = ""
    """As after `position`."""
    error: str = ""
    """Why it cannot be asked."""
    game: Game | None = None
    ply: int = 0
    """How many moves of the game have been played."""

    @classmethod
    def parse(cls, line: str) -> Asked:
        """Reads `GAME [RULE VALUE]...; POSITION`."""
        newgame, semicolon, position = (part.strip() for part in line.partition(";"))
        if not semicolon or not position:
            return cls(line, error="expected GAME [RULE VALUE]...; POSITION")
        if position.split()[0].lower() not in ("startpos", "fen", "stones"):
            position = f"fen {position}"
        return cls(line, newgame, position)

    @classmethod
    def after(cls, game: Game, ply: int) -> Asked:
        """The position of a game after so many of its moves."""
        base, moves = game.whole()
        played = moves[: len(moves) - len(game.moves) + ply]
        position = position_words(base, played)
        return cls(f"{game.newgame}; {position}", game.newgame, position, game=game, ply=ply)


@dataclass
class Reply:
    """What came of it: an answer, or the reason why there is none."""

    asked: Asked
    answer: Answer | None = None
    error: str = ""

    @property
    def expected(self) -> float | None:
        """The expected score of the side to move."""
        return self.answer.info.expected if self.answer else None

    def rows(self) -> list[dict[str, Any]]:
        """A row for each line of the search, best first."""
        row: dict[str, Any] = dict.fromkeys(SCHEMA)
        row["position"] = self.asked.label
        if self.answer is None:
            return [{**row, "error": self.error}]
        answer = self.answer
        lines = answer.lines or [Info()]
        best = lines[0]
        rows = []
        for rank, info in enumerate(lines, 1):
            rows.append(
                {
                    **row,
                    "rank": rank,
                    "move": answer.move if rank == 1 else (info.pv[0] if info.pv else None),
                    "kind": "mate" if info.mate is not None else "cp" if info.scored else None,
                    "value": info.mate if info.mate is not None else info.cp,
                    "proven": info.proven,
                    "wdl": list(info.wdl) if info.wdl else None,
                    "depth": info.depth,
                    "nodes": max((i.nodes or 0 for i in lines), default=best.nodes),
                    "time": round(answer.milliseconds, 1),
                    "pv": info.pv,
                }
            )
        return rows


def ask(
    engine: Engine,
    asked: Asked,
    limit: Limit,
    patience: float,
    closing: threading.Event | None = None,
) -> Reply:
    """Has a position searched; an engine that fails is started again, unless all is `closing`."""
    if asked.error:
        return Reply(asked, error=asked.error)
    try:
        # What earlier searches learned is forgotten, so no answer depends on another.
        engine.do(f"newgame {asked.newgame}", position_line(asked.position))
        answer = engine.go(limit, patience)
    except Refused as error:
        return Reply(asked, error=str(error))
    except EngineError as error:
        if closing is None or not closing.is_set():
            engine.restart()
        return Reply(asked, error=str(error))
    if answer.complaints:
        return Reply(asked, error=answer.complaints[0])
    return Reply(asked, answer)


def ask_all(
    positions: Iterable[Asked],
    start: Callable[[], Engine],
    limit: Limit,
    patience: float,
    jobs: int,
) -> Iterator[Reply]:
    """The replies in the order of the positions, from so many engines at a time.

    With one, each is answered before the next is read.
    """
    if jobs == 1:
        with start() as engine:
            for asked in positions:
                yield ask(engine, asked, limit, patience)
        return
    engines = [start() for _ in range(jobs)]
    free: queue.SimpleQueue[Engine] = queue.SimpleQueue()
    for engine in engines:
        free.put(engine)

    closing = threading.Event()

    def work(asked: Asked) -> Reply:
        engine = free.get()
        try:
            return ask(engine, asked, limit, patience, closing)
        finally:
            free.put(engine)

    # Read ahead, but not without end.
    coming: queue.Queue[Future[Reply] | BaseException | None] = queue.Queue(4 * jobs)
    pool = ThreadPoolExecutor(jobs)

    def feed() -> None:
        try:
            for asked in positions:
                coming.put(pool.submit(work, asked))
            coming.put(None)
        except BaseException as error:
            coming.put(error)

    threading.Thread(target=feed, daemon=True).start()
    try:
        while (item := coming.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item.result()
    finally:
        closing.set()
        pool.shutdown(wait=False, cancel_futures=True)
        for engine in engines:
            engine.quit()


def plain(reply: Reply) -> str:
    """The five fields of a line for shells: line, best move, value, depth, line of play."""
    if reply.answer is None:
        return "\t".join(["error", reply.asked.label, reply.error])
    info = reply.answer.info
    depth = str(info.depth or 0)
    fields = [reply.asked.label, reply.answer.move, info.value, depth, " ".join(info.pv)]
    return "\t".join(fields)


def _flat(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def _separated(dialect: str, delimiter: str) -> Callable[[dict[str, Any] | list[str]], str]:
    def write(row: dict[str, Any] | list[str]) -> str:
        text = io.StringIO()
        values = row if isinstance(row, list) else [_flat(value) for value in row.values()]
        if dialect == "tsv":
            return delimiter.join(value.replace("\t", " ") for value in values)
        csv.writer(text, lineterminator="").writerow(values)
        return text.getvalue()

    return write


WRITERS: dict[str, Callable[[Any], str]] = {
    "tsv": _separated("tsv", "\t"),
    "csv": _separated("csv", ","),
    "jsonl": lambda row: json.dumps(row, ensure_ascii=False),
}
"""How a row is written; a list of names is a header, which JSON does not need."""
