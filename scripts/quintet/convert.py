"""Game records from one format into another, every game replayed by the rules."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from .command import add_game_argument, replace_undecodable
from .formats import FORMATS, by_suffix, read_file, written
from .records import Game, RecordError

EPILOGUE = """\
The format of a file is recognised by how it begins, and that of the output by its name. Each game
is replayed by rules that share nothing with the engine (quintet/rules.py): a move that is not
legal or a result that is not that of the board is told with file, line and move; the game is
left out and the exit status is 1. --unchecked leaves this out. Where characters of a file cannot
be read in its encoding (UTF-8, in SGF that of CA) its games are read with marks in their place;
that is told, and the exit status is 1.

What a format has no words for is lost: psq has times but no scores and the rule of ended games
alone, openings have moves alone. A game that it cannot hold at all is refused, by name.

examples:
  convert.py games.jsonl --output games.sgf
  convert.py --newgame 'gomoku size 20' --from offsets gomocup.txt --to cells
  convert.py *.psq --output gomocup.jsonl
"""


def checked(games: Iterator[Game], errors: list[str], replay: bool = True) -> Iterator[Game]:
    """The games that the rules accept; what is wrong with the others goes to `errors`."""
    while True:
        try:
            game = next(games)
        except StopIteration:
            return
        except RecordError as error:
            # The next game, if there is one.
            errors.append(str(error))
            continue
        try:
            if replay:
                game.check()
        except RecordError as error:
            errors.append(str(error))
        else:
            yield game


def arguments_parser() -> argparse.ArgumentParser:
    """The command line."""
    listed = "\n".join(f"  {entry.name:12} {entry.about}" for entry in FORMATS.values())
    parser = argparse.ArgumentParser(
        prog="convert.py",
        description=__doc__,
        epilog=f"formats:\n{listed}\n\n{EPILOGUE}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="games")
    parser.add_argument("--from", dest="source", choices=FORMATS, help="(recognised)")
    parser.add_argument("--to", choices=FORMATS, help="(by the name of the output, else jsonl)")
    parser.add_argument("--output", metavar="FILE", help="a new file (default: stdout)")
    add_game_argument(parser)
    parser.add_argument("--unchecked", action="store_true", help="do not replay the games")
    return parser


def main() -> int:
    """Runs the script; the exit status."""
    parser = arguments_parser()
    arguments = parser.parse_args()
    replace_undecodable("utf-8")
    by_name = by_suffix(arguments.output) if arguments.output else None
    if arguments.output and not arguments.to and by_name is None:
        parser.error(f"--output {arguments.output}: no format by this name; tell one by --to")
    target = FORMATS[arguments.to] if arguments.to else by_name or FORMATS["jsonl"]
    errors: list[str] = []
    warnings: list[str] = []
    games: list[Game] = []
    for path in arguments.files:
        read = read_file(path, arguments.source, arguments.newgame, warnings)
        games += checked(read, errors, not arguments.unchecked)
    texts, refused = written(target, games)
    errors += refused
    text = target.between.join(texts)
    if not arguments.output:
        sys.stdout.write(text)
    elif texts or not errors:
        with open(arguments.output, "x", encoding="utf-8") as output:
            output.write(text)
    for error in errors + warnings:
        print(f"convert.py: {error}", file=sys.stderr)
    lost = f", characters lost in {len(warnings)} files" if warnings else ""
    print(f"{len(texts)} games written, {len(errors)} refused{lost}", file=sys.stderr)
    return 1 if errors or warnings else 0
