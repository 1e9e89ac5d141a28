#!/usr/bin/env python3
"""Engine against engine over UGI: paired openings, a referee, Elo and SPRT."""

from __future__ import annotations

import argparse
import json
import random
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

import elo
from engine import (
    Engine,
    EngineError,
    Progress,
    Refused,
    add_game_argument,
    add_limit_arguments,
    at_least,
    default_engine,
    limits_of,
    option_pair,
    run,
)
from table import (
    RESULTS,
    Abandoned,
    Clock,
    Game,
    Referee,
    Rules,
    Table,
    random_openings,
    read_openings,
)

EPILOGUE = """\
Each opening is played twice with colours swapped. A referee (a further process of engine 1's
command or of --referee, which is never asked to play) says what is legal and who has won. The
players are asked too, and where one disagrees it is reported, but the referee's word counts. One
that does not answer within --patience (at most 60 s) is restarted and not asked again.

An engine forfeits the game by: crash (its output ends), illegal (the referee refuses its move),
time (it answers after its time and --margin), hang (no answer --patience seconds after that),
refused (it answers the position or `go` with an error). It is then restarted and the match
goes on. Exit status: 0; 1 after a forfeit, a disagreement or a difference in a replay; 2 where
the match cannot be played; 130 when interrupted (what was played is still summed up).

Openings: one per line, the moves from the start position, or what follows `position`
(`fen …`, `stones …`, `startpos moves …`); `#` begins a comment. Random openings are legal
plies after which the game goes on and neither side wins at once; the same --seed gives the
same ones.

--sprt tests H0 (the difference is ELO0) against H1 (it is ELO1) in normalised Elo, which for
games without draws is about the usual Elo; the method is that of fastchess (see elo.py).

examples:
  match.py --engine1 ./new --engine2 ./old --newgame 'pente size 13' --games 200 --movetime 100
  match.py --option2 Level=classic --newgame teeko --games 20 --movetime 100 --concurrency 2
  match.py --engine1 ./new --engine2 ./old --games 20000 --nodes 20000 --sprt 0 10 --output g.jsonl
  match.py --replay g.jsonl
"""


@dataclass
class Standing:
    """How the match stands, seen from engine 1."""

    names: tuple[str, str]
    wdl: list[list[int]] = field(default_factory=lambda: [[0, 0, 0], [0, 0, 0]])
    """Wins, draws and losses of engine 1: as first player, as second player."""
    pairs: list[int] = field(default_factory=lambda: [0] * 5)
    forfeits: dict[tuple[int, str], int] = field(default_factory=dict)
    disagreements: int = 0
    complaints: int = 0
    adjudicated: int = 0
    plies: int = 0
    moves: list[int] = field(default_factory=lambda: [0, 0])
    times: list[float] = field(default_factory=lambda: [0.0, 0.0])
    slowest: list[float] = field(default_factory=lambda: [0.0, 0.0])
    depths: list[int] = field(default_factory=lambda: [0, 0])
    nodes: list[int] = field(default_factory=lambda: [0, 0])
    _half: dict[int, float] = field(default_factory=dict)

    @property
    def games(self) -> int:
        """Games played."""
        return sum(map(sum, self.wdl))

    def total(self) -> list[int]:
        """Wins, draws and losses of engine 1."""
        return [sum(column) for column in zip(*self.wdl)]

    def add(self, game: Game) -> None:
        """Counts a game."""
        points = game.points()
        self.wdl[int(game.swapped)][2 - int(points * 2)] += 1
        if game.pair in self._half:
            self.pairs[int(2 * (self._half.pop(game.pair) + points))] += 1
        else:
            self._half[game.pair] = points
        if game.forfeited():
            key = (int(points), game.reason)
            self.forfeits[key] = self.forfeits.get(key, 0) + 1
        disagreements = sum(note.startswith("disagreement") for note in game.notes)
        self.disagreements += disagreements
        self.complaints += len(game.notes) - disagreements
        self.adjudicated += game.reason == "max-plies"
        self.plies += len(game.moves)
        for (who, info), used in zip(game.infos, game.times):
            self.moves[who] += 1
            self.times[who] += used
            self.slowest[who] = max(self.slowest[who], used)
            self.depths[who] += info.depth or 0
            self.nodes[who] += info.nodes or 0

    def clean(self) -> bool:
        """Whether nobody forfeited and all agreed."""
        return not self.forfeits and not self.disagreements

    def line(self) -> str:
        """The standing in a few words."""
        wins, draws, losses = self.total()
        score = (wins + draws / 2.0) / max(1, self.games) * 100.0
        return f"+{wins} ={draws} -{losses}  {score:.1f} %  Elo {elo.estimate(self.pairs)}"

    def report(self) -> str:
        """The whole standing, several lines."""

        def score(wdl: Sequence[int]) -> str:
            wins, draws, losses = wdl
            games = wins + draws + losses
            percent = f"{(wins + draws / 2) / games * 100:.1f} %" if games else "-"
            return f"wins {wins}  draws {draws}  losses {losses}  score {percent}"

        first, second = self.wdl
        by_seat = [first[0] + second[2], first[1] + second[1], first[2] + second[0]]
        guess = elo.estimate(self.pairs)
        lines = [
            f"{self.names[0]} against {self.names[1]}: {self.games} games",
            score(self.total()),
            f"  as first player:   {score(first)}",
            f"  as second player:  {score(second)}",
            f"  first players against second players:  {score(by_seat)}",
            f"Elo {guess}  LOS {guess.los * 100:.1f} %",
            f"pairs by points 0, 0.5, 1, 1.5, 2: {' '.join(map(str, self.pairs))}",
        ]
        for who, name in enumerate(self.names):
            kinds = [
                f"{kind} {count}"
                for (loser, kind), count in sorted(self.forfeits.items())
                if loser == who
            ]
            moves = max(1, self.moves[who])
            rate = self.nodes[who] / max(1e-9, self.times[who]) * 1000.0
            lines.append(
                f"{name}: forfeits {', '.join(kinds) or 'none'}; a move: "
                f"{self.times[who] / moves:.1f} ms (most {self.slowest[who]:.0f}), "
                f"depth {self.depths[who] / moves:.1f}, {rate:.0f} nodes/s"
            )
        lines.append(
            f"plies a game {self.plies / max(1, self.games):.1f}, "
            f"drawn by --max-plies {self.adjudicated}, disagreements with the referee "
            f"{self.disagreements}, failures an engine went on from {self.complaints}"
        )
        return "\n".join(lines)


class Match:
    """The tables, the openings and the standing."""

    def __init__(self, arguments: argparse.Namespace, rules: Rules) -> None:
        self.arguments = arguments
        self.rules = rules
        self.commands = (arguments.engine1, arguments.engine2)
        self.options = (arguments.option1, arguments.option2)
        self.names = player_names(arguments)
        self.standing = Standing(self.names)
        self.progress = Progress()
        self.stop = threading.Event()
        self.failure: BaseException | None = None
        self.lock = threading.Lock()
        self.began = time.monotonic()
        self.next_pair = 0
        self.output: TextIO | None = None
        self.opener = Referee(arguments.referee, rules.newgame)
        if arguments.openings:
            book = read_openings(arguments.openings, self.opener)
            self.openings: Iterator[str] = (book[n % len(book)] for n in range(arguments.games))
        else:
            self.openings = random_openings(
                self.opener, arguments.random_plies, random.Random(arguments.seed)
            )

    def run(self) -> None:
        """Plays the match."""
        if self.arguments.output:
            # Closed below.
            self.output = open(self.arguments.output, "w", encoding="utf-8")  # noqa: SIM115
        workers = [
            threading.Thread(target=self._work, daemon=True)
            for _ in range(min(self.arguments.concurrency, self.arguments.games // 2))
        ]
        for worker in workers:
            worker.start()
        try:
            for worker in workers:
                while worker.is_alive():
                    worker.join(0.2)
        except KeyboardInterrupt:
            self.stop.set()
            for worker in workers:
                worker.join(5.0)
            raise
        finally:
            self.opener.engine.quit()
            if self.output:
                self.output.close()
        if self.failure:
            raise self.failure

    def _work(self) -> None:
        engines: list[Engine] = []
        try:
            for command, options, name in zip(self.commands, self.options, self.names):
                try:
                    engines.append(Engine(command, options, name))
                except EngineError as error:
                    raise EngineError(f"{name}: {error}") from None
            referee = Referee(self.arguments.referee, self.rules.newgame)
            table = Table(engines[:], referee, self.rules)
            engines.append(referee.engine)
            while not self.stop.is_set():
                games = self._next_games()
                if not games:
                    break
                for game in games:
                    table.play(game, self.stop)
                    self._finished(game)
        except Abandoned:
            pass
        except Exception as error:  # The main thread tells it.
            self.failure = self.failure or error
            self.stop.set()
        finally:
            for engine in engines:
                engine.quit()

    def _next_games(self) -> list[Game]:
        """The two games of the next pair; none after the last."""
        with self.lock:
            pair = self.next_pair
            if pair * 2 >= self.arguments.games:
                return []
            self.next_pair += 1
            opening = next(self.openings)
        names = self.names
        return [
            Game(2 * pair + 1, pair + 1, names, False, self.rules.newgame, opening),
            Game(2 * pair + 2, pair + 1, names[::-1], True, self.rules.newgame, opening),
        ]

    def _finished(self, game: Game) -> None:
        with self.lock:
            if self.stop.is_set():
                return
            self.standing.add(game)
            if self.output:
                self.output.write(json.dumps(game.record(self.arguments.referee)) + "\n")
                self.output.flush()
            for note in [game.detail] * game.forfeited() + game.notes:
                self.progress.note(f"game {game.number}: {game.reason}: {note}")
            done = self.standing.games
            spent = time.monotonic() - self.began
            left = spent / done * (self.arguments.games - done)
            text = f"{done}/{self.arguments.games}  {self.standing.line()}"
            if self.arguments.sprt:
                text += f"  {self.sprt()}"
                low, high = elo.bounds(self.arguments.alpha, self.arguments.beta)
                if not low < self.llr() < high:
                    self.stop.set()
            ended = self.stop.is_set() or done == self.arguments.games
            self.progress.show(f"{text}  {left:.0f} s left", final=ended)

    def llr(self) -> float:
        """The log-likelihood ratio as it stands."""
        return elo.llr(self.standing.pairs, *self.arguments.sprt)

    def sprt(self) -> str:
        """The sequential test as it stands."""
        low, high = elo.bounds(self.arguments.alpha, self.arguments.beta)
        return f"LLR {self.llr():.2f} ({low:.2f}, {high:.2f})"

    def verdict(self) -> str:
        """What the sequential test says in the end."""
        low, high = elo.bounds(self.arguments.alpha, self.arguments.beta)
        elo0, elo1 = self.arguments.sprt
        ratio = self.llr()
        outcome = "undecided"
        if ratio >= high:
            outcome = f"H1 accepted: {elo1:+g} rather than {elo0:+g}"
        elif ratio <= low:
            outcome = f"H0 accepted: {elo0:+g} rather than {elo1:+g}"
        return f"SPRT [{elo0:g}, {elo1:g}] {self.sprt()}: {outcome}"


def player_names(arguments: argparse.Namespace) -> tuple[str, str]:
    """The engines' names: as told, else the command and options that tell them apart."""

    def name(command: str, options: Sequence[tuple[str, str]]) -> str:
        words = [Path(command.split()[0]).name if command.split() else command]
        words += [f"{option}={value}" for option, value in options]
        return " ".join(words)

    first = arguments.name1 or name(arguments.engine1, arguments.option1)
    second = arguments.name2 or name(arguments.engine2, arguments.option2)
    if first == second:
        first, second = f"{first} (1)", f"{second} (2)"
    return first, second


def replay(path: str, command: str | None) -> int:
    """Plays the games of an output file through the referee; the exit status."""
    referee: Engine | None = None
    games = differences = 0
    try:
        for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), 1):
            if not line.strip():
                continue
            try:
                record = json.loads(line)
                if referee is None:
                    referee = Engine(command or record["referee"], name="referee")
                wrong = replayed(record, referee)
            except (ValueError, KeyError, TypeError) as error:
                raise EngineError(
                    f"{path}, line {number}: not a game of match.py ({error!r})"
                ) from None
            games += 1
            if wrong:
                differences += 1
                print(f"{path}, line {number}: game {record['game']}: {wrong}")
    finally:
        if referee is not None:
            referee.quit()
    print(f"{games} games replayed, {differences} differ")
    return 1 if differences else 0


def replayed(record: dict[str, object], referee: Engine) -> str:
    """What is different when the game is played again; empty if nothing is."""
    moves = record["moves"]
    if not isinstance(moves, list) or record["result"] not in RESULTS:
        raise ValueError("moves or result")
    over = record["reason"] == "rules"
    try:
        referee.do(f"newgame {record['newgame']}", f"position {record['opening']}")
        for move in moves:
            if referee.ask("result") != "none":
                return f"the game is over before {move}"
            referee.do(f"moves {move}")
    except Refused as error:
        return str(error)
    expected = record["result"] if over else "none"
    result = referee.ask("result")
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
    add("--engine1", metavar="CMD", help="command of engine 1 (default: as play.py)")
    add("--engine2", metavar="CMD", help="command of engine 2 (default: engine 1's)")
    for number in "12":
        add(f"--name{number}", metavar="NAME", help=f"what engine {number} is called")
        add(
            f"--option{number}",
            metavar="NAME=VALUE",
            type=option_pair,
            action="append",
            default=[],
            help=f"an option of engine {number}; may be repeated",
        )
    add("--referee", metavar="CMD", help="command of the referee (default: engine 1's)")
    add_game_argument(parser)
    add("--games", metavar="N", type=at_least(2), default=40, help="an even number (40)")
    openings = parser.add_mutually_exclusive_group()
    openings.add_argument("--openings", metavar="FILE", help="openings, used in turn")
    openings.add_argument(
        "--random-plies",
        metavar="N",
        type=at_least(0),
        default=4,
        help="else openings of N random plies (4)",
    )
    add("--seed", metavar="S", type=int, help="of the random openings (default: by chance)")
    limits = parser.add_argument_group("limits (default: --movetime 100)")
    add_limit_arguments(limits)
    limits.add_argument(
        "--clock", metavar="BASE_MS+INC_MS", type=Clock.parse, help="a clock for each player"
    )
    add(
        "--margin",
        metavar="MS",
        type=at_least(0),
        default=100,
        help="how late a move may be before it loses (100)",
    )
    add(
        "--patience",
        metavar="S",
        type=float,
        default=60.0,
        help="seconds without an answer, beyond its time, after which an engine hangs (60)",
    )
    add(
        "--max-plies",
        metavar="N",
        type=at_least(0),
        default=0,
        help="moves after the opening at which a game is drawn (0: never)",
    )
    add("--concurrency", metavar="K", type=at_least(1), default=1, help="games at a time (1)")
    add("--sprt", nargs=2, type=float, metavar=("ELO0", "ELO1"), help="stop when decided")
    add("--alpha", type=float, default=0.05, help="chance of accepting H1 wrongly (0.05)")
    add("--beta", type=float, default=0.05, help="chance of accepting H0 wrongly (0.05)")
    add("--output", metavar="FILE", help="write each game as a line of JSON")
    add("--replay", metavar="FILE", help="play no match: check the games of an output file")
    return parser


def check(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> None:
    """Refuses what does not fit and fills in what follows from the rest."""
    if arguments.games % 2:
        parser.error("--games must be even: each opening is played twice")
    if arguments.clock and arguments.movetime is not None:
        parser.error("--clock and --movetime do not go together")
    if arguments.patience <= 0:
        parser.error("--patience must be positive")
    if arguments.sprt:
        elo0, elo1 = arguments.sprt
        if not -200 <= elo0 < elo1 <= 200:
            parser.error("--sprt needs -200 <= ELO0 < ELO1 <= 200")
        if not (0 < arguments.alpha < 1 and 0 < arguments.beta < 1):
            parser.error("--alpha and --beta lie between 0 and 1")
        if arguments.alpha + arguments.beta >= 1:
            parser.error("--alpha and --beta must be less than 1 together")
    if arguments.seed is None:
        arguments.seed = random.SystemRandom().randrange(2**32)
    arguments.engine1 = arguments.engine1 or default_engine()
    arguments.engine2 = arguments.engine2 or arguments.engine1
    arguments.referee = arguments.referee or arguments.engine1


def main() -> int:
    """Runs the script; the exit status."""
    parser = arguments_parser()
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if arguments.replay:
        return replay(arguments.replay, arguments.referee or arguments.engine1)
    check(parser, arguments)
    limits = limits_of(arguments, "")
    if not limits and not arguments.clock:
        arguments.movetime, limits = 100, "movetime 100"
    rules = Rules(
        newgame=arguments.newgame,
        limits=limits,
        movetime=arguments.movetime,
        clock=arguments.clock,
        margin=float(arguments.margin),
        patience=arguments.patience,
        max_plies=arguments.max_plies,
    )
    match = Match(arguments, rules)
    source = arguments.openings or f"{arguments.random_plies} random plies"
    clock = arguments.clock
    pace = [limits] if limits else []
    if clock:
        pace.append(f"clock {clock.base}+{clock.increment}")
    print(
        f"newgame {rules.newgame}; go {' '.join(pace)}; openings: {source}; seed {arguments.seed}",
        flush=True,
    )
    try:
        match.run()
    finally:
        if match.standing.games:
            print(match.standing.report())
            if arguments.sprt:
                print(match.verdict(), flush=True)
    return 0 if match.standing.clean() else 1


if __name__ == "__main__":
    run("match.py", main)
