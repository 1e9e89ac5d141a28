"""A filter: positions or games in; best moves, values and lines of play out."""

from __future__ import annotations

import argparse
import errno
import fileinput
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Callable

from .analysis import SCHEMA, WRITERS, Asked, Reply, ask_all, plain
from .annotate import ANNOTATION, Annotated, annotated, positions_of, summary
from .client import Engine
from .command import (
    Progress,
    add_engine_argument,
    add_game_argument,
    add_limit_arguments,
    add_option_argument,
    at_least,
    end_like_ctrl_c,
    limits_of,
    replace_undecodable,
    seconds,
)
from .convert import checked
from .formats import (
    Format,
    by_suffix,
    new_file,
    read_file,
    recognised,
    write_file,
    written,
)
from .records import Game, RecordError
from .report import page

FIELDS = "\n".join(f"  {name:9} {about}" for name, about in {**SCHEMA, **ANNOTATION}.items())

EPILOGUE = f"""\
A line of input is a game with its rules as after `newgame`, a semicolon, and a position as
after `position`, where `fen` may be left out:

  pente size 7; startpos moves d4 a1
  gomoku size 3 line 3; 3/ww1/bb1 b
  pentago; stones black 2 4 10 red 5 8 12 turn black

or a game as match.py records it, a line of JSON; files of other games (.sgf, .psq, as convert.py
knows them) are read by their names. Of a game, the position after its last move is analysed, with
--every-move every position.

Each line is answered by one line, in order, of five fields separated by tabs: the line itself,
the best move, the value (`cp 31`, `mate 5 proven`, from the side to move's point of view), the
depth in plies, and the line of play. A line that cannot be analysed is answered by `error`,
the line itself and the reason; the rest goes on and the exit status is 1. It is 1 also where
characters of games were lost, which is told on stderr. Blank lines and lines that begin with # are
passed over. Search memory is forgotten between lines, so an answer
does not depend on the lines before it.

With --format, the answer is rows of named fields, one for each line of the search (--multipv). tsv
and csv begin with the names; jsonl has an object a line, with lists for wdl and pv:

{FIELDS}

ply and all after it are told by --every-move alone, in which `position` is the one before the move.
Without --format its lines are: ply, move, value, loss in per cent, mark, the better move.

--report FILE writes a page of HTML: each game with a curve, its mistakes, and a board to look
at every position. It and the file of --export hold the games that were analysed in full, also
after Ctrl-C.

--jobs N runs N engines at a time. As a filter it is also spread by GNU parallel (package
`parallel`) over the cores of this machine

  parallel --pipe -N10 --keep-order scripts/analyse.py --quiet --depth 6 < positions > answers

and over machines by ssh, each with this folder at the same place (`:` is this machine)

  parallel --pipe -N10 --keep-order -S :,host1,4/host2 --workdir . \\
      scripts/analyse.py --quiet --depth 6 < positions > answers

-N10 hands ten lines at a time to a process; --keep-order keeps the order of the input.
"""


def lines_of(files: list[str]) -> Iterator[str]:
    """The lines of the files (or of stdin) that are not blank and no comments."""
    with fileinput.input(files, openhook=fileinput.hook_encoded("utf-8", "replace")) as source:
        for line in source:
            line = line.lstrip("\ufeff")
            if line.strip() and not line.startswith("#"):
                yield line.strip()


def refused(path: str, errors: list[str]) -> Iterator[Asked]:
    """What was found wrong with a file until now, taken off the list."""
    while errors:
        yield Asked(path, error=errors.pop(0))


def by_lines(path: str) -> bool:
    """Whether each line of a file stands for itself: a position, or a game as JSON."""
    known = by_suffix(path)
    if known is None or known.name == "jsonl":
        return True
    if Path(path).suffix.lower() != ".txt":
        return False
    # A name for all sorts of files: what is in it tells.
    try:
        recognised(Path(path).read_bytes().decode("utf-8-sig", "replace"), path)
    except RecordError:
        return True
    return False


def inputs(files: list[str], newgame: str, warn: Callable[[str], None]) -> Iterator[Asked | Game]:
    """The positions and games of the files, or of stdin; of lost characters it is warned."""
    for path in files or ["-"]:
        if not by_lines(path):
            errors: list[str] = []
            warnings: list[str] = []
            read = read_file(path, None, newgame, warnings)
            for warning in warnings:
                warn(warning)
            for game in checked(read, errors):
                yield from refused(path, errors)
                yield game
            yield from refused(path, errors)
            continue
        warned = False
        for line in lines_of([path]):
            if not line.startswith("{"):
                yield Asked.parse(" ".join(line.split()))
                continue
            if "\ufffd" in line and not warned:
                warn(f"{'stdin' if path == '-' else path}: characters were lost: it is not UTF-8")
                warned = True
            try:
                game = Game.parse(line)
                game.check()
                yield game
            except (ValueError, RecordError) as error:
                yield Asked(line, error=str(error))


def games_of(entries: Iterator[Asked | Game], target: Format | None) -> Iterator[Asked | Game]:
    """The games among the entries, and in their places what is wrong with the others.

    A line that is no game is wrong, and a game that cannot be written in the format that is the
    `target`, if there is one.
    """
    for entry in entries:
        if isinstance(entry, Asked):
            yield Asked(entry.label, error=entry.error or "a position, not a game")
        elif target and (errors := written(target, [entry])[1]):
            yield Asked(entry.where(), error=errors[0])
        else:
            yield entry


def arguments_parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="analyse.py",
        description=__doc__,
        epilog=EPILOGUE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("files", nargs="*", metavar="FILE", help="positions or games (default: stdin)")
    add_engine_argument(parser)
    add_option_argument(parser)
    add("--multipv", metavar="N", type=at_least(1), help="the N best moves")
    add_limit_arguments(parser.add_argument_group("limits (default: --movetime 1000)"))
    add(
        "--patience",
        metavar="S",
        type=seconds,
        default=3600.0,
        help="seconds after which an answer is not awaited any more (3600)",
    )
    add("--jobs", metavar="N", type=at_least(1), default=1, help="engines at a time (1)")
    add("--format", choices=WRITERS, help="rows of named fields")
    add("--every-move", action="store_true", help="what every move of a game gave away")
    add("--report", metavar="FILE", help="with --every-move: a page of HTML, a new file")
    add(
        "--export",
        metavar="FILE",
        help="with --every-move: the games with the values found, as .sgf, .jsonl …; a new file. A "
        "game that cannot be written so is refused, not analysed",
    )
    add_game_argument(parser)
    add("--quiet", action="store_true", help="no progress on stderr")
    return parser


class Output:
    """What has been written, and how many were in vain."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.quiet = arguments.quiet
        self.games = arguments.every_move
        self.write = WRITERS[arguments.format] if arguments.format else None
        self.progress = Progress()
        self.done = self.errors = self.warnings = 0
        if arguments.format in ("tsv", "csv"):
            fields = {**SCHEMA, **ANNOTATION} if arguments.every_move else SCHEMA
            self.put(self.write([*fields]))

    def put(self, line: str) -> None:
        """A line of output."""
        print(line, flush=True)

    def count(self, reply: Reply) -> Reply:
        """Counts a reply and tells of it."""
        # Of lines that are no games nothing is analysed.
        self.done += not (self.games and reply.asked.error)
        self.errors += reply.answer is None
        if not self.quiet:
            self.progress.show(f"{self.done} analysed, {self.errors} errors: {reply.asked.label}")
        return reply

    def refuse(self, reply: Reply) -> None:
        """Tells of a line that is no game."""
        told = dict.fromkeys(ANNOTATION)
        self.put(self.write({**reply.rows()[0], **told}) if self.write else plain(reply))

    def warn(self, text: str) -> None:
        """Tells of what is wrong with a file, though its games are read."""
        self.warnings += 1
        print(f"analyse.py: {text}", file=sys.stderr)

    def end(self) -> int:
        """The last word, and the exit status."""
        if not self.quiet:
            self.progress.show(f"{self.done} analysed, {self.errors} errors", final=True)
        return 1 if self.errors or self.warnings else 0

    def reply(self, reply: Reply) -> None:
        """Writes the answer to a position."""
        if self.write is None:
            self.put(plain(reply))
            return
        for row in reply.rows():
            self.put(self.write(row))

    def game(self, found: Annotated) -> None:
        """Writes what the moves of a game gave away."""
        for move in found.moves:
            if self.write is not None:
                self.put(self.write(move.row()))
                continue
            loss = "" if move.loss is None else f"{100 * move.loss:.1f}"
            better = move.before.answer.move if move.mark and move.before.answer else ""
            fields = [str(move.ply), move.played, move.best.value, loss, move.mark, better]
            self.put("\t".join(fields))
        if self.write is None:
            self.put(f"# {summary(found)}")


def main() -> int:
    """Runs the script; the exit status."""
    parser = arguments_parser()
    arguments = parser.parse_args()
    end_like_ctrl_c()
    replace_undecodable("utf-8")
    if arguments.report and not arguments.every_move:
        parser.error("--report is about every move: --every-move")
    same = os.path.realpath(arguments.report or "") == os.path.realpath(arguments.export or "")
    if arguments.report and same:
        parser.error("--report and --export need a file each")
    if arguments.report and os.path.exists(arguments.report):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), arguments.report)
    if arguments.report and not Path(arguments.report).absolute().parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), arguments.report)
    if arguments.export:
        if not arguments.every_move:
            parser.error("--export is about every move: --every-move")
        try:
            new_file(arguments.export)
        except RecordError as error:
            parser.error(f"--export: {error}")
    options = [*arguments.option]
    if arguments.multipv:
        options.append(("MultiPV", str(arguments.multipv)))

    def start() -> Engine:
        return Engine(arguments.engine, options)

    limit = limits_of(arguments, "movetime 1000")
    output = Output(arguments)

    def replies(positions: Iterator[Asked]) -> Iterator[Reply]:
        found = ask_all(positions, start, limit, arguments.patience, arguments.jobs)
        return map(output.count, found)

    entries = inputs(arguments.files, arguments.newgame, output.warn)
    if not arguments.every_move:
        for reply in replies(
            Asked.after(entry, len(entry.moves)) if isinstance(entry, Game) else entry
            for entry in entries
        ):
            output.reply(reply)
        return output.end()
    games: list[Annotated] = []

    def keep() -> None:
        """Writes the games that are analysed into the files that were asked for."""
        if arguments.export and (games or not output.errors):
            for error in write_file(arguments.export, (found.told() for found in games)):
                print(f"analyse.py: {arguments.export}: {error}", file=sys.stderr)
                output.errors += 1
        if arguments.report:
            with start() as engine, open(arguments.report, "x", encoding="utf-8") as file:
                file.write(page(games, engine, str(limit)))

    target = by_suffix(arguments.export) if arguments.export else None
    read = games_of(entries, target)
    try:
        for found in annotated(replies(positions_of(read))):
            if isinstance(found, Reply):
                output.refuse(found)
                continue
            output.game(found)
            if arguments.report or arguments.export:
                games.append(found)
    except BaseException:
        # What has taken its time is kept, whatever ends the rest.
        if games:
            keep()
        raise
    keep()
    return output.end()
