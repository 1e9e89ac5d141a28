"""The files that other programs keep games in, and the one list of them.

A format is a module with `read(text, source, newgame)`, the games of a file, and `write(games)`,
their text. Both raise `RecordError`: reading where a file is not what it should be, writing where
the format has no words for a game. Moves are put into the engine's words, and nobody has played
them by the rules yet: that is `Game.check`.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

from .. import records
from ..records import Game, RecordError
from . import openings, pente_org, pente_table, psq, sgf


@dataclass(frozen=True)
class Format:
    """How a kind of file is read and written."""

    name: str
    about: str
    suffixes: tuple[str, ...]
    read: Callable[[str, str, str], Iterator[Game]]
    """From the text, the name of the file, and the game where the file does not say it."""
    write: Callable[[Iterable[Game]], str]
    shows: Callable[[str], bool]
    """Whether a text looks like one."""
    between: str = ""
    """What is written between two games."""


def _read_jsonl(text: str, source: str, newgame: str) -> Iterator[Game]:
    return records.read_lines(text.split("\n"), source)


def _write_jsonl(games: Iterable[Game]) -> str:
    return "".join(f"{game.line()}\n" for game in games)


FORMATS = {
    entry.name: entry
    for entry in (
        Format(
            "jsonl",
            "a game a line as JSON, the format of match.py",
            (".jsonl", ".ndjson"),
            _read_jsonl,
            _write_jsonl,
            lambda text: text.startswith("{"),
        ),
        Format(
            "sgf",
            "Smart Game Format: Gomoku (GM[4]), Pente as pente.org has it (GM[101]…)",
            (".sgf",),
            sgf.read,
            sgf.write,
            lambda text: text.startswith("("),
            "\n",
        ),
        Format(
            "psq",
            "Piskvork and Gomocup: Gomoku",
            (".psq",),
            psq.read,
            psq.write,
            lambda text: text.startswith("Piskvorky "),
        ),
        Format(
            "pente.org",
            "the text that pente.org exports: [Game …] and numbered moves",
            (".txt", ".pgn"),
            pente_org.read,
            pente_org.write,
            lambda text: text.startswith("["),
            "\n",
        ),
        Format(
            "pente-table",
            "a game a line: GAME|RATING 1|RATING 2|RESULT|MOVES",
            (),
            pente_table.read,
            pente_table.write,
            lambda text: text.splitlines()[0].count("|") == 4,
        ),
        Format(
            "offsets",
            "openings of Gomocup, a line each: 8,-3, 6,-4 from the centre",
            (),
            openings.read_offsets,
            openings.write_offsets,
            openings.are_offsets,
        ),
        Format(
            "cells",
            "openings of Renlib and Rapfi, a line each: h8i9h10",
            (),
            openings.read_cells,
            openings.write_cells,
            openings.are_cells,
        ),
    )
}
"""All formats by name."""

CHARSET = re.compile(rb"(?<![A-Za-z])CA\[\s*([\w.:-]+)\s*\]")
"""What SGF says of its encoding."""


def recognised(text: str, source: str) -> Format:
    """The format that a text is in, by its beginning; `RecordError` if it is none of them."""
    begin = "\n".join(
        line for line in text.lstrip("\ufeff").splitlines() if line.strip() and line[0] != "#"
    ).lstrip()
    found = next((entry for entry in FORMATS.values() if begin and entry.shows(begin)), None)
    if found is None and sgf.BEGIN.search(begin):
        found = FORMATS["sgf"]
    if found is None:
        raise RecordError(f"{source}: not recognised; known are {', '.join(FORMATS)}")
    return found


def by_suffix(path: str) -> Format | None:
    """The format that files of this name have."""
    suffix = Path(path).suffix.lower()
    return next((entry for entry in FORMATS.values() if suffix in entry.suffixes), None)


def read_file(
    path: str,
    name: str | None = None,
    newgame: str = "gomoku",
    warnings: list[str] | None = None,
) -> Iterator[Game]:
    """The games of a file, in a format told or recognised.

    `newgame`: game and rules where the file does not say them. What is wrong with the file is said
    when its first game is asked for; that characters were lost goes to `warnings` at once.
    """
    text, lost = decoded(Path(path).read_bytes())
    if lost and warnings is not None:
        warnings.append(f"{path}: {lost}")
    try:
        entry = FORMATS[name] if name else recognised(text, path)
    except RecordError as error:
        return _refused(error)
    return entry.read(text, path, newgame)


def decoded(data: bytes) -> tuple[str, str]:
    """The text of a file, and what was lost of it; empty if nothing was.

    SGF may name its encoding (`CA[GBK]`); everything else is UTF-8.
    """
    text = data.decode("utf-8-sig", "replace")
    name = "utf-8"
    with contextlib.suppress(RecordError):
        told = CHARSET.search(data) if recognised(text, "") is FORMATS["sgf"] else None
        name = told[1].decode("ascii", "replace") if told else name
    try:
        return data.decode(name).lstrip("\ufeff"), ""
    except (LookupError, ValueError):
        return text, f"characters were lost: it cannot be read as {name}"


def _refused(error: RecordError) -> Iterator[Game]:
    """Of a file in no known format: the first game that is asked for says so."""
    raise error
    yield


def written(entry: Format, games: Iterable[Game]) -> tuple[list[str], list[str]]:
    """The texts of the games, and what is wrong with those that the format cannot hold."""
    texts, errors = [], []
    for game in games:
        try:
            text = entry.write([game])
            # Half a character, as JSON can have it, is refused here and not by the file.
            text.encode()
            texts.append(text)
        except RecordError as error:
            errors.append(str(error))
        except UnicodeEncodeError:
            errors.append(f"{game.where()}: half a character in it, which no file can hold")
        except ValueError as error:
            # A board set up that nobody has checked.
            errors.append(f"{game.where()}: {error}")
    return texts, errors


def new_file(path: str) -> Format:
    """The format of a file to write; `RecordError` if its name says none, or if it is there."""
    entry = by_suffix(path)
    if entry is None:
        known = ", ".join(suffix for entry in FORMATS.values() for suffix in entry.suffixes)
        raise RecordError(f"{path}: no format by this name; known are {known}")
    if Path(path).exists():
        raise RecordError(f"{path} exists")
    if not Path(path).absolute().parent.is_dir():
        raise RecordError(f"{path}: there is no such folder")
    return entry


def write_file(path: str, games: Iterable[Game]) -> list[str]:
    """Writes games to a new file, in the format of its name; which of them it cannot hold."""
    entry = new_file(path)
    texts, errors = written(entry, games)
    if texts or not errors:
        with open(path, "x", encoding="utf-8") as file:
            file.write(entry.between.join(texts))
    return errors
