"""Engine against engine over UGI: paired openings, a referee, Elo and SPRT."""

from __future__ import annotations

import argparse
import contextlib
import itertools
import os
import random
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from . import ratings
from .client import Engine
from .command import (
    Progress,
    add_game_argument,
    add_limit_arguments,
    at_least,
    default_engine,
    end_like_ctrl_c,
    limits_of,
    option_pair,
    seconds,
)
from .convert import checked
from .errors import EngineError, Refused
from .formats import by_suffix, new_file, read_file, write_file
from .opening import PROTOCOLS, Opening
from .protocol import Limit
from .records import Game, RecordError
from .schedule import Schedule, encounters, held, recorded, same_game
from .standing import Crosstable, Standing
from .table import (
    FORFEITS,
    Abandoned,
    Adjudication,
    Clock,
    Conditions,
    Pace,
    Referee,
    Table,
    random_openings,
    read_openings,
)

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


@dataclass
class Player:
    """An engine that plays, as the command line tells it."""

    name: str
    command: str
    options: list[tuple[str, str]]
    pace: Pace


class Log:
    """A file that is told every line to and from every engine, with the time in seconds."""

    def __init__(self, path: str) -> None:
        # Closed by `close`.
        self._file = open(path, "x", encoding="utf-8")  # noqa: SIM115
        self._lock = threading.Lock()
        self._began = time.monotonic()

    def of(self, name: str):  # type: ignore[no-untyped-def]
        """What an engine's client tells its lines to."""

        def tell(line: str) -> None:
            with self._lock:
                if not self._file.closed:
                    self._file.write(f"{time.monotonic() - self._began:.3f} {name} {line}\n")

        return tell

    def close(self) -> None:
        """Ends the log."""
        with self._lock:
            self._file.close()


@dataclass
class Sprt:
    """The sequential test of two players."""

    elo0: float
    elo1: float
    alpha: float
    beta: float

    def llr(self, pairs: Sequence[int]) -> float:
        """The log-likelihood ratio as it stands."""
        return ratings.llr(pairs, self.elo0, self.elo1)

    def decided(self, pairs: Sequence[int]) -> bool:
        """Whether the test has ended."""
        low, high = ratings.bounds(self.alpha, self.beta)
        return not low < self.llr(pairs) < high

    def state(self, pairs: Sequence[int]) -> str:
        """The test as it stands."""
        low, high = ratings.bounds(self.alpha, self.beta)
        return f"LLR {self.llr(pairs):.2f} ({low:.2f}, {high:.2f})"

    def verdict(self, pairs: Sequence[int]) -> str:
        """What the test says in the end."""
        low, high = ratings.bounds(self.alpha, self.beta)
        ratio = self.llr(pairs)
        outcome = "undecided"
        if ratio >= high:
            outcome = f"H1 accepted: {self.elo1:+g} rather than {self.elo0:+g}"
        elif ratio <= low:
            outcome = f"H0 accepted: {self.elo0:+g} rather than {self.elo1:+g}"
        return f"SPRT [{self.elo0:g}, {self.elo1:g}] {self.state(pairs)}: {outcome}"


@dataclass
class Workplace:
    """The processes of one worker."""

    table: Table
    engines: dict[str, Engine] = field(default_factory=dict)

    def processes(self) -> list[Engine]:
        """All of them."""
        return [*self.engines.values(), self.table.referee.engine]


class Match:
    """The players, the openings, the record and the standing."""

    def __init__(
        self, arguments: argparse.Namespace, players: list[Player], conditions: Conditions
    ) -> None:
        self.arguments = arguments
        self.players = {player.name: player for player in players}
        self.conditions = conditions
        names = [player.name for player in players]
        kind = "gauntlet" if arguments.gauntlet else "round-robin"
        meetings = encounters(len(names), kind)
        self.schedule = Schedule(
            names, meetings, arguments.games, conditions.newgame, arguments.opening or ""
        )
        self.standing: Standing | Crosstable = (
            Standing((names[0], names[1])) if len(names) == 2 else Crosstable(names, meetings)
        )
        self.sprt = (
            Sprt(*arguments.sprt, arguments.alpha, arguments.beta) if arguments.sprt else None
        )
        self.progress = Progress()
        self.stop = threading.Event()
        self.places: list[Workplace] = []
        self.failure: BaseException | None = None
        self.lock = threading.Lock()
        self.began = time.monotonic()
        self.here = 0
        """Games played by this process."""
        self.old: dict[int, Game] = {}
        self.output: TextIO | None = None
        self.games: list[Game] = []
        """Those that are over, those of an earlier run too."""
        self.log = Log(arguments.log) if arguments.log else None
        opener = self.referee()
        self.opener = opener.engine
        try:
            self.pairs = self.schedule.pairs(self.openings(opener))
        except BaseException:
            self.opener.quit()
            raise

    def openings(self, opener: Referee) -> Iterator[str]:
        """Where the games begin, one for each pair."""
        arguments = self.arguments
        if arguments.opening:
            opener.check_protocol(arguments.opening)
            return itertools.repeat("startpos")
        if arguments.openings:
            return itertools.cycle(read_openings(arguments.openings, opener))
        return random_openings(opener, arguments.random_plies, random.Random(arguments.seed))

    def referee(self) -> Referee:
        """A referee of its own process."""
        log = self.log.of("referee") if self.log else None
        engine = Engine(self.arguments.referee, name="referee", log=log)
        return Referee(engine, self.conditions.newgame, max(60.0, self.conditions.patience))

    def stamp(self, game: Game) -> Game:
        """The game with what the record says of the match it belongs to."""
        players = [self.players[name] for name in game.players]
        game.other["limits"] = [str(player.pace) for player in players]
        game.other["commands"] = [player.command for player in players]
        game.other["options"] = [
            [f"{name}={value}" for name, value in player.options] for player in players
        ]
        game.other["ending"] = self.conditions.ending
        game.other["margin"] = self.arguments.margin
        game.other["referee"] = self.arguments.referee
        if self.arguments.random_plies is not None:
            game.other["seed"] = self.arguments.seed
        return game

    def resume(self, path: str) -> None:
        """Takes over the games that a record holds."""
        self.old = recorded(path)
        seeds = {game.other.get("seed") for game in self.old.values()} - {None}
        if seeds and self.arguments.random_plies is not None and self.arguments.seed not in seeds:
            raise RecordError(f"{path}: played with --seed {seeds.pop()}")
        for game in self.old.values():
            if not set(game.players) <= set(self.players):
                raise RecordError(f"{game.where()}: {' and '.join(game.players)} do not play here")
        self._check_old()
        for game in self.old.values():
            self.standing.add(game)
            self.games.append(game)
        if self.old:
            self.progress.note(f"{path}: {len(self.old)} games of {self.schedule.total} are there")

    def _check_old(self) -> None:
        """Checks that the games that are there are those of this match."""
        unchecked, begun = dict(self.old), []
        while unchecked:
            pair = next(self.pairs, None)
            if pair is None:
                number, game = unchecked.popitem()
                text = f"another match: game {number}, of only {self.schedule.total}"
                raise RecordError(f"{game.where()}: {text}")
            begun.append(pair)
            for game in map(self.stamp, pair):
                played = unchecked.pop(game.other["game"], None)
                if played and (difference := same_game(played, game)):
                    raise RecordError(f"{played.where()}: another match: {difference}")
        self.pairs = itertools.chain(begun, self.pairs)

    def run(self) -> None:
        """Plays the match."""
        path = self.arguments.output
        if self.sprt and self.sprt.decided(self.standing.pairs):  # type: ignore[union-attr]
            self.opener.quit()
            return
        if path:
            self.output = self.arguments.record or held(path)
        workers = [
            threading.Thread(target=self._work, daemon=True)
            for _ in range(min(self.arguments.concurrency, self.schedule.total // 2))
        ]
        for worker in workers:
            worker.start()
        try:
            for worker in workers:
                while worker.is_alive():
                    worker.join(0.2)
        except KeyboardInterrupt:
            self.stop.set()
            end = time.monotonic() + 5.0
            for worker in workers:
                worker.join(max(0.0, end - time.monotonic()))
            raise
        finally:
            # Those that are still at it wait for moves that nobody wants any more.
            for place in self.places:
                for engine in place.processes():
                    engine.kill()
            self.opener.quit()
            if self.output:
                self.output.close()
            if self.log:
                self.log.close()
        if self.failure:
            raise self.failure

    def _work(self) -> None:
        place: Workplace | None = None
        try:
            place = Workplace(Table(self.referee(), self.conditions))
            self.places.append(place)
            while not self.stop.is_set():
                games = self._next_games()
                if games is None:
                    break
                for game in games:
                    seats = [self._engine(place, name) for name in game.players]
                    paces = [self.players[name].pace for name in game.players]
                    place.table.play(game, seats, paces, self.stop)
                    self._finished(self.stamp(game))
        except Abandoned:
            pass
        except BaseException as error:  # The main thread tells it.
            self.failure = self.failure or error
            self.stop.set()
        finally:
            if place is not None:
                for engine in place.processes():
                    engine.quit()

    def _engine(self, place: Workplace, name: str) -> Engine:
        """The engine of a player, started when it is first needed."""
        if name not in place.engines:
            player = self.players[name]
            log = self.log.of(name) if self.log else None
            try:
                place.engines[name] = Engine(player.command, player.options, name, log)
            except EngineError as error:
                raise EngineError(f"{name}: {error}") from None
        return place.engines[name]

    def _next_games(self) -> list[Game] | None:
        """The games of the next pair that are still to be played; `None` after the last."""
        with self.lock:
            for pair in self.pairs:
                due = [game for game in pair if game.other["game"] not in self.old]
                if due:
                    return [self.stamp(game) for game in due]
            return None

    def _finished(self, game: Game) -> None:
        with self.lock:
            if self.stop.is_set():
                return
            self.standing.add(game)
            self.here += 1
            self.games.append(game)
            if self.output:
                self.output.write(game.line() + "\n")
                self.output.flush()
            forfeited = [game.other["detail"]] * (game.reason in FORFEITS)
            for note in forfeited + game.other["notes"]:
                self.progress.note(f"game {game.other['game']}: {game.reason}: {note}")
            done, total = self.standing.games, self.schedule.total
            spent = time.monotonic() - self.began
            text = f"{done}/{total}  {self.standing.line()}"
            if self.sprt and isinstance(self.standing, Standing):
                text += f"  {self.sprt.state(self.standing.pairs)}"
                if self.sprt.decided(self.standing.pairs):
                    self.stop.set()
            # One game says little of how long the others take.
            if self.here >= 2 * self.arguments.concurrency and done < total:
                text += f"  {'at most ' if self.sprt else ''}"
                text += f"{spent / self.here * (total - done):.0f} s left"
            ended = self.stop.is_set() or done == total
            self.progress.show(text, final=ended)


def replay(path: str, command: str | None) -> int:
    """Plays the games of an output file through the referee; the exit status."""
    referee: Engine | None = None
    games = differences = 0
    refused: list[str] = []
    warnings: list[str] = []
    try:
        # Records of matches can have any name.
        read = read_file(path, None if by_suffix(path) else "jsonl", warnings=warnings)
        for game in checked(read, refused, replay=False):
            if referee is None:
                # A record may come from anywhere: what it names is told, and never run.
                judge, named = command or default_engine(), game.other.get("referee")
                if named not in (None, judge):
                    print(f"{path}: the referee was {named!r}, now {judge!r}", file=sys.stderr)
                referee = Engine(judge, name="referee")
            wrong = replayed(game, referee)
            games += 1
            if wrong:
                differences += 1
                number = game.other.get("game", games)
                print(f"{path}, line {game.lines[0]}: game {number}: {wrong}")
    finally:
        if referee is not None:
            referee.quit()
    for text in refused + warnings:
        print(f"match.py: {text}", file=sys.stderr)
    print(
        f"{games} games replayed, {differences} differ"
        + f", {len(refused)} refused" * bool(refused)
    )
    if refused and not games:
        return 2
    return 1 if differences or refused or warnings else 0


def protocol_fault(game: Game) -> str:
    """In what a game was not opened as its field `protocol` says; empty if in nothing."""
    fields = game.other["protocol"]
    try:
        opening = Opening.parse(fields)
    except ValueError as error:
        return str(error)
    if opening.position != game.opening:
        return f"{opening.protocol} leads to {opening.position!r}, not {game.opening!r}"
    if opening.first is None and (game.moves or game.reason not in FORFEITS):
        return f"{opening.protocol}: no side was chosen"
    proposer = game.players[opening.first or 0]
    if proposer != fields.get("proposer"):
        return f"{opening.protocol} makes {proposer} the proposer, not {fields.get('proposer')}"
    return ""


def replayed(game: Game, referee: Engine) -> str:
    """What is different when the game is played again; empty if nothing is."""
    fault = protocol_fault(game) if "protocol" in game.other else ""
    if fault:
        return fault
    try:
        referee.do(f"newgame {game.newgame}", f"position {game.opening}")
        for move in game.moves:
            if referee.ask("result") != "none":
                return f"the game is over before {move}"
            referee.do(f"moves {move}")
    except Refused as error:
        return str(error)
    result = referee.ask("result")
    expected = game.result if game.reason == "rules" else "none"
    if not game.reason and result == game.result:
        # Other programs do not say whether the board or a judge ended the game.
        expected = result
    return "" if result == expected else f"the result is {result}, not {expected}"


def arguments_parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="match.py",
        description=__doc__,
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


PACE = ("movetime", "nodes", "depth", "clock")
"""What says how long an engine may think."""


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


def main() -> int:
    """Runs the script; the exit status."""
    parser = arguments_parser()
    arguments = parser.parse_args()
    end_like_ctrl_c()
    if arguments.replay:
        return replay(arguments.replay, arguments.referee or arguments.engine1)
    if arguments.compliance:
        from .compliance import report

        return report(arguments.compliance, arguments.newgame, arguments.patience)
    check(parser, arguments)
    try:
        return play(arguments, players_of(parser, arguments))
    finally:
        if arguments.record:
            arguments.record.close()


def play(arguments: argparse.Namespace, players: list[Player]) -> int:
    """Plays a match; the exit status."""
    adjudication = Adjudication(
        tuple(arguments.resign) if arguments.resign else None,
        tuple(arguments.draw) if arguments.draw else None,
        arguments.proven,
    )
    conditions = Conditions(
        newgame=arguments.newgame,
        margin=float(arguments.margin),
        patience=arguments.patience,
        max_plies=arguments.max_plies,
        adjudication=adjudication,
    )
    match = Match(arguments, players, conditions)
    source = arguments.openings or f"by {arguments.opening}"
    if arguments.random_plies is not None:
        source = f"{arguments.random_plies} random plies; seed {arguments.seed}"
    paces = sorted({str(player.pace) for player in players})
    print(
        f"newgame {conditions.newgame}; go {', '.join(paces)}; openings: {source}",
        flush=True,
    )
    over, left_out = False, []
    try:
        if arguments.resume:
            match.resume(arguments.output)
        match.run()
        over = True
    finally:
        match.opener.quit()
        try:
            # Before the report, of which a reader may want only the beginning. What was
            # interrupted and can be resumed is exported at its end.
            if arguments.export and (over or not arguments.output):
                games = sorted(match.games, key=lambda game: game.other["game"])
                left_out = write_file(arguments.export, games)
                for error in left_out:
                    print(f"match.py: {arguments.export}: {error}", file=sys.stderr)
        finally:
            if match.standing.games:
                print(match.standing.report())
                if match.sprt and isinstance(match.standing, Standing):
                    print(match.sprt.verdict(match.standing.pairs), flush=True)
    return 0 if match.standing.clean() and not left_out else 1
