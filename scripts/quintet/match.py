"""Engine against engine over UGI: paired openings, a referee, Elo and SPRT."""

from __future__ import annotations

import argparse
import itertools
import random
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TextIO

from . import ratings
from .client import Engine
from .command import Progress, end_like_ctrl_c
from .errors import EngineError
from .formats import write_file
from .match_options import Player, arguments_parser, check, players_of
from .records import Game, RecordError
from .replay import replay
from .schedule import Schedule, encounters, held, recorded, same_game
from .standing import Crosstable, Standing
from .table import (
    FORFEITS,
    Abandoned,
    Adjudication,
    Conditions,
    Referee,
    Table,
    random_openings,
    read_openings,
)


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


def main() -> int:
    """Runs the script; the exit status."""
    parser = arguments_parser(__doc__)
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
