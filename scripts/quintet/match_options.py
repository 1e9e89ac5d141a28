"""The command line of match.py: the players, and what fits together."""

from __future__ import annotations

import argparse
import contextlib
import itertools
import os
import random
from dataclasses import dataclass
from pathlib import Path

from .command import (
    add_game_argument,
    add_limit_arguments,
    at_least,
    default_engine,
    limits_of,
    option_pair,
    seconds,
)
from .formats import new_file
from .opening import PROTOCOLS
from .protocol import Limit
from .records import Game, RecordError
from .schedule import held, recorded
from .table import Clock, Pace

EPILOGUE = """\
Each opening is played twice with colours swapped. A referee (a further process of engine 1's
command or of --referee, which is never asked to play) says what is legal and who has won. The
players are asked too, and where one disagrees it is reported, but the referee's word counts. One
that does not answer within --patience (at most 60 s) is restarted and not asked again, and
neither is one that does not know the question. One that does not know `newgame` plays the game
that it knows; the record says so.

A start is no question: an engine may load what it needs. It has 60 s to greet and 300 s to be
ready with its options, whatever --patience is. One that does not start ends the match.

Up to nine engines play: --engine3 and so on, each with --name3, --option3, --movetime3, --nodes3,
--depth3 and --clock3 if wanted. Everybody meets everybody, --games times; with --gauntlet engine 1
meets the others. A table of ratings comes out.

An engine forfeits the game by: crash (its output ends), illegal (the referee refuses its move),
time (it answers after its time and --margin), hang (no answer --patience seconds after that),
refused (it answers the position or `go` with an error), failed (that error is `internal`: its own).
It is then restarted and the match goes on. Exit status: 0; 1 after a forfeit, a disagreement, a
game that --export could not hold, or a difference or a line without a game in a replay; 2 where the
match cannot be played or no game be replayed; 130 when interrupted (what was played is still summed
up).

--resign, --draw and --proven end games early, where both players agree by their own scores. The
record says so: reason `resign`, `draw-score` or `proven`, and `max-plies` after --max-plies.

--output never replaces a file. With --resume it completes one, whatever ended the match before: the
same arguments play the games that are missing, from the openings that they would have had, and
statistics and SPRT count all games. Arguments that would play another match are refused: other
engines, options, limits, openings, endings or another --margin. --games, --sprt, --concurrency and
--patience may change.

Openings: one per line, the moves from the start position, or what follows `position`
(`fen …`, `stones …`, `startpos moves …`), or as Gomocup and Renlib write them (`8,-3, 6,-4`,
`b7d6e6f7`); `#` begins a comment. Random openings are legal plies after which the game goes on and
neither side wins at once; the same --seed gives the same ones.

With --opening the players make the openings, by the engine's command `opening`: in each pair each
proposes stones once, the other chooses a side or, in swap2, puts two more stones and leaves the
choice to the first. A question has the limits of a move; with a clock it has a movetime of a 20th
of its base and its increment, and the clock does not run. A wrong answer forfeits the game as a
wrong move does, also before the sides are chosen. --resume keeps the games that are there and has
the others opened anew. An engine with a fixed option Seed proposes the same stones each time.
Pente is to be played with `tournament off`.

--sprt tests H0 (the difference is ELO0) against H1 (it is ELO1) in normalised Elo, which for
games without draws is about the usual Elo; the method is that of fastchess (see ratings.py).

--compliance plays no match: it runs an engine through what protocol/README.md promises to clients
and says what it does not keep.

examples:
  match.py --engine1 ./new --engine2 ./old --newgame 'pente size 13' --games 200 --movetime 100
  match.py --option2 Level=classic --newgame teeko --games 20 --movetime 100 --concurrency 2
  match.py --engine1 ./new --engine2 ./old --games 20000 --nodes 20000 --sprt 0 10 --output g.jsonl
  match.py --engine1 ./new --engine2 ./old --games 20000 --nodes 20000 --sprt 0 10 --output g.jsonl
  (the same with --resume)
  match.py --engine1 ./a --engine2 ./b --engine3 ./c --nodes1 20000 --nodes2 20000 --nodes3 5000
  match.py --opening swap2 --newgame 'pente tournament off' --games 20 --nodes 20000
  match.py --replay g.jsonl
  match.py --compliance ./other
"""

MOST = 9
"""Engines that can play."""


PACE = ("movetime", "nodes", "depth", "clock")
"""What says how long an engine may think."""


@dataclass
class Player:
    """An engine that plays, as the command line tells it."""

    name: str
    command: str
    options: list[tuple[str, str]]
    pace: Pace


def arguments_parser(description: str | None) -> argparse.ArgumentParser:
    """The command line of the script that this describes."""
    parser = argparse.ArgumentParser(
        prog="match.py",
        description=description,
        epilog=EPILOGUE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    for number in range(1, MOST + 1):
        add_player_arguments(parser, str(number))
    add("--referee", metavar="CMD", help="command of the referee (default: engine 1's)")
    add_game_argument(parser)
    add("--games", metavar="N", type=at_least(2), default=40, help="an even number (40)")
    add("--gauntlet", action="store_true", help="engine 1 against each of the others")
    openings = parser.add_mutually_exclusive_group()
    openings.add_argument("--openings", metavar="FILE", help="openings, used in turn")
    openings.add_argument(
        "--random-plies",
        metavar="N",
        type=at_least(0),
        help="else openings of N random plies (4)",
    )
    openings.add_argument(
        "--opening",
        metavar="PROTOCOL",
        choices=PROTOCOLS,
        help=f"the players open the games by a protocol: {' or '.join(PROTOCOLS)}",
    )
    add("--seed", metavar="S", type=int, help="of the random openings (default: by chance)")
    limits = parser.add_argument_group("limits (default: --movetime 100)")
    add_limit_arguments(limits)
    limits.add_argument(
        "--clock", metavar="BASE_MS+INC_MS", type=Clock.parse, help="a clock for each player"
    )
    limits.add_argument(
        "--margin",
        metavar="MS",
        type=at_least(0),
        default=100,
        help="how late a move may be before it loses (100)",
    )
    limits.add_argument(
        "--patience",
        metavar="S",
        type=seconds,
        default=60.0,
        help="seconds without an answer, beyond its time, after which an engine that has "
        "started hangs (60)",
    )
    add_ending_arguments(parser.add_argument_group("games that end early"))
    add("--concurrency", metavar="K", type=at_least(1), default=1, help="games at a time (1)")
    add("--sprt", nargs=2, type=float, metavar=("ELO0", "ELO1"), help="stop when decided")
    add("--alpha", type=float, default=0.05, help="chance of accepting H1 wrongly (0.05)")
    add("--beta", type=float, default=0.05, help="chance of accepting H0 wrongly (0.05)")
    add("--output", metavar="FILE", help="write each game as a line of JSON; a new file")
    add("--resume", action="store_true", help="complete the games of --output")
    add("--export", metavar="FILE", help="at the end all games, as .sgf, .psq …; a new file")
    add("--log", metavar="FILE", help="every line to and from the engines; a new file")
    add("--replay", metavar="FILE", help="play no match: check the games of an output file")
    add("--compliance", metavar="CMD", help="play no match: check an engine by the protocol")
    return parser


def add_player_arguments(parser: argparse.ArgumentParser, number: str) -> None:
    """Adds what is told of one engine. All have the same; the help shows it once."""
    few = number in "12"

    def told(text: str) -> str:
        return text if few else argparse.SUPPRESS

    add = parser.add_argument
    default = {"1": " (default: as play.py)", "2": " (default: engine 1's)"}.get(number, "")
    add(f"--engine{number}", metavar="CMD", help=told(f"command of engine {number}{default}"))
    add(f"--name{number}", metavar="NAME", help=told(f"what engine {number} is called"))
    add(
        f"--option{number}",
        metavar="NAME=VALUE",
        type=option_pair,
        action="append",
        default=[],
        help=told(f"an option of engine {number}; may be repeated"),
    )
    for name, metavar in (("movetime", "MS"), ("nodes", "N"), ("depth", "N")):
        add(
            f"--{name}{number}",
            metavar=metavar,
            type=at_least(0),
            help=told(f"--{name} of engine {number}"),
        )
    add(
        f"--clock{number}",
        metavar="BASE+INC",
        type=Clock.parse,
        help=told(f"--clock of engine {number}"),
    )


def add_ending_arguments(group: argparse._ArgumentGroup) -> None:
    """Adds what ends games before their end."""
    group.add_argument(
        "--max-plies",
        metavar="N",
        type=at_least(0),
        default=0,
        help="moves after the opening at which a game is drawn (0: never)",
    )
    group.add_argument(
        "--resign",
        nargs=2,
        type=at_least(1),
        metavar=("MOVES", "CP"),
        help="lost after so many moves in a row that both call worse than -CP for one side",
    )
    group.add_argument(
        "--draw",
        nargs=3,
        type=at_least(0),
        metavar=("MOVES", "CP", "PLY"),
        help="drawn after so many moves of both in a row within ±CP, from PLY on",
    )
    group.add_argument(
        "--proven", action="store_true", help="ended when both call the same result proven"
    )


def players_of(parser: argparse.ArgumentParser, told: argparse.Namespace) -> list[Player]:
    """The engines that play, as the arguments tell them."""
    told.engine1 = told.engine1 or default_engine()
    told.engine2 = told.engine2 or told.engine1
    players, longer = [], []
    for number in map(str, range(1, MOST + 1)):
        command = getattr(told, f"engine{number}")
        own = {name: getattr(told, name + number) for name in ("name", "option", *PACE)}
        if command is None:
            if any(value not in (None, []) for value in own.values()):
                parser.error(f"--engine{number} is missing")
            continue
        clock = own["clock"] or (None if own["movetime"] is not None else told.clock)
        if own["clock"] and own["movetime"] is not None:
            parser.error(f"--clock{number} and --movetime{number} do not go together")
        has_own = any(own[name] is not None for name in PACE)
        limit = limits_of(told, "", number) if has_own else limits_of(told, "")
        if limit == Limit() and not clock:
            limit = Limit(movetime=100)
        words = [f"{name}={value}" for name, value in own["option"]]
        if has_own:
            words.append(str(Pace(limit, own["clock"])))
        base = Path(command.split()[0]).name if command.split() else command
        name = own["name"] or " ".join([base, *words])
        players.append(Player(name, command, own["option"], Pace(limit, clock)))
        longer.append(own["name"] or " ".join([command, *words]))
    named = [(player.name, player.command) for player in players]
    for player, long in zip(players, longer):
        # Builds of one program are told apart by where they lie.
        if any(name == player.name and command != player.command for name, command in named):
            player.name = long
    for player in players:
        alike = [other for other in players if other.name == player.name]
        if len(alike) > 1:
            for at, other in enumerate(alike, 1):
                other.name = f"{other.name} ({at})"
    for player in players:
        try:
            " ".join([player.name, player.command, *itertools.chain(*player.options)]).encode()
        except UnicodeEncodeError:
            parser.error(f"{player.name!r}: name, command and options have to be UTF-8")
    return players


def check(parser: argparse.ArgumentParser, told: argparse.Namespace) -> None:
    """Refuses what does not fit and fills in what follows from the rest."""
    if told.games % 2:
        parser.error("--games must be even: each opening is played twice")
    if told.clock and told.movetime is not None:
        parser.error("--clock and --movetime do not go together")
    if told.sprt:
        elo0, elo1 = told.sprt
        if not -200 <= elo0 < elo1 <= 200:
            parser.error("--sprt needs -200 <= ELO0 < ELO1 <= 200")
        if not (0 < told.alpha < 1 and 0 < told.beta < 1):
            parser.error("--alpha and --beta lie between 0 and 1")
        if told.alpha + told.beta >= 1:
            parser.error("--alpha and --beta must be less than 1 together")
        if any(getattr(told, f"engine{at}") for at in range(3, MOST + 1)):
            parser.error("--sprt is for two engines")
    if told.resume and not told.output:
        parser.error("--resume completes the file of --output")
    if told.draw and told.draw[0] == 0:
        parser.error("--draw needs a move at least")
    files = [path for path in (told.output, told.log, told.export) if path]
    if len(set(map(os.path.realpath, files))) < len(files):
        parser.error("--output, --log and --export need a file each")
    told.record = None
    if told.output and os.path.exists(told.output):
        if not told.resume:
            parser.error(f"{told.output} exists; --resume would complete it")
        told.record = held(told.output)
        if told.seed is None:
            with contextlib.suppress(RecordError, OSError):
                games = iter(recorded(told.output).values())
                told.seed = next((game.other.get("seed") for game in games), None)
    elif told.resume:
        told.resume = False
    if told.random_plies is None and not told.openings and not told.opening:
        told.random_plies = 4
    if told.export:
        try:
            new_file(told.export).write([Game(told.newgame)])
        except RecordError as error:
            parser.error(f"--export: {error}")
    if told.log and os.path.exists(told.log):
        parser.error(f"{told.log} exists")
    if told.seed is None:
        told.seed = random.SystemRandom().randrange(2**32)
    told.referee = told.referee or told.engine1 or default_engine()
