#!/usr/bin/env python3
"""Many games in one process of the engine, over all games and rules: does it last?

    soak.py                       1,000 games at 20 ms a move with two threads
    soak.py --games 50 --movetime 5

Each game is then replayed by rules.py, which shares nothing with the engine: every move has to be
legal, and board, legal moves and result at the end have to be the same. `--referee CMD` has another
engine replay it as well. Options that must not
matter to the rules (Level, MultiPV, Hash, Seed, Ponder) change from game to game. Every
hundred games two things are looked at: the resident memory, always in the same state, and
answers that are the same every time (searches of fixed depth by one thread, perft, values),
which have to be those of a fresh process.

Exit status 0: all was well; 1: something was not, and the last lines say what.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import time
from contextlib import ExitStack
from pathlib import Path

from quintet import Engine, EngineError, position_line, rules
from quintet.command import Progress, add_engine_argument, at_least, run

RULES = (
    "gomoku",
    "gomoku size 9 rule standard",
    "gomoku size 20 tie full",
    "gomoku size 3 line 3",
    "gomoku size 7 line 4 tie full",
    "gomoku width 7 height 6 line 4",
    "gomoku width 22 height 5 rule standard",
    "gomoku height 4 size 9 line 4 tie full",
    "pente",
    "pente size 13 tournament off",
    "pente size 9 variant keryo",
    "pente size 11 variant g",
    "pente size 13 variant poof",
    "pente size 11 variant boat",
    "pente size 13 variant o tournament off",
    "pentago",
    "dagennacht",
    "dagennacht size 11 restriction on",
    "dagennacht size 13 back on",
    "teeko",
    "teeko variant advanced",
    "teeko centre off",
)
"""Every game, every value of its rule options at least once."""

FIXED = (
    "setoption name Threads value 1",
    "setoption name MultiPV value 1",
    "setoption name Hash value 16",
    "setoption name Level value full",
    "setoption name Ponder value false",
    "setoption name Seed value 1",
    "setoption name Teeko.Tablebase value true",
)
"""The options while answers are compared and memory is measured."""

SMALL = "setoption name Pentago.SolverMemory value 64"
"""Enough for the end of a game, and quick to take."""

VOLATILE = re.compile(r" (nps|time|NPS) \d+")


def probes() -> list[tuple[list[str], str]]:
    """Lines that put a state, and a line whose answer follows from it alone."""
    questions: list[tuple[list[str], str]] = []
    for newgame in RULES:
        put = [f"newgame {newgame}"]
        questions += [
            (put, "go nodes 3000"),
            (put, "perft 2"),
            ([*put, "setoption name Level value classic"], "go depth 2"),
            ([*put, "setoption name Level value random"], "go depth 2"),
        ]
    questions.append((["newgame teeko"], "query values"))
    return questions


def answers(engine: Engine) -> list[list[str]]:
    """What the engine answers to all the probes, without what time does to it."""
    found = []
    for put, question in probes():
        engine.do(*FIXED, *put)
        engine.send(question)
        # A search of this length needs no patience, but a busy machine might.
        last = ("bestmove", "perft", "response", "error")
        lines: list[str] = []
        while not lines or lines[-1].split(" ")[0] not in last:
            line = engine.read(300.0).text
            # A busy machine may take so long that it tells how far it has come.
            if not line.startswith(("info time ", "info nodes ")):
                lines.append(VOLATILE.sub("", line))
        found.append([f"{put[-1]}; {question}", *lines])
    return found


def resident_kib(engine: Engine) -> int:
    """Resident memory of the engine's process, put into a known state before."""
    engine.do(*FIXED, "newgame gomoku", "setoption name Clear Hash")
    engine.go("depth 2", 300.0)
    text = Path(f"/proc/{engine.pid}/status").read_text(encoding="ascii")
    line = next(line for line in text.splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1])


class Soak:
    """The games so far and what was wrong with them."""

    def __init__(
        self, engine: Engine, referee: Engine | None, arguments: argparse.Namespace
    ) -> None:
        self.engine = engine
        self.referee = referee
        self.arguments = arguments
        self.faults: list[str] = []
        self.results: dict[str, int] = {}
        self.plies = 0
        self.slowest = 0.0

    def options(self, chance: random.Random) -> list[str]:
        """Options for the next game."""
        level = chance.choice(["full"] * 8 + ["classic", "random"])
        values = {
            "Threads": str(self.arguments.threads),
            "Level": level,
            "MultiPV": chance.choice(["1", "1", "1", "3", "500"]),
            "Hash": chance.choice(["16", "16", "1", "64"]),
            "Ponder": chance.choice(["true", "false"]),
            "Seed": str(chance.randrange(3)),
            "Teeko.Tablebase": chance.choice(["true", "false"]),
        }
        return [f"setoption name {name} value {value}" for name, value in values.items()]

    def play(self, number: int) -> None:
        """Plays a game and has it replayed."""
        chance = random.Random(self.arguments.seed * 1_000_003 + number)
        newgame = RULES[number % len(RULES)]
        self.engine.do(*self.options(chance), f"newgame {newgame}")
        moves: list[str] = []
        first_moves = chance.randrange(5)
        while len(moves) < self.arguments.max_plies:
            self.engine.do(position_line("startpos", moves))
            if self.engine.ask("gameover") == "true":
                break
            if len(moves) < first_moves:
                moves.append(chance.choice(self.engine.ask("moves").split()))
                continue
            answer = self.engine.go(f"movetime {self.arguments.movetime}", 60.0)
            self.slowest = max(self.slowest, answer.milliseconds)
            for complaint in answer.complaints:
                self.faults.append(f"game {number} ({newgame}): {complaint}")
            moves.append(answer.move)
        self.plies += len(moves)
        self.engine.do(position_line("startpos", moves))
        said = {what: self.engine.ask(what) for what in ("result", "fen", "moves", "turn")}
        self.results[said["result"]] = self.results.get(said["result"], 0) + 1
        self.replay(number, newgame, moves, said)

    def replay(self, number: int, newgame: str, moves: list[str], said: dict[str, str]) -> None:
        """Plays the moves once more by the rules and compares the end."""
        where = f"game {number} ({newgame})"
        game = rules.game(newgame)
        for ply, move in enumerate(moves):
            if move not in game.legal():
                self.faults.append(
                    f"{where}, ply {ply}: {move} is not legal, the game {game.result()} "
                    f"after {' '.join(moves[:ply])}"
                )
                return
            game.play(move)
        found = {"result": game.result(), "fen": game.fen(), "turn": game.turn()}
        for what, value in found.items():
            if said[what] != value:
                self.faults.append(f"{where}: {what} {said[what]}, by the rules {value}")
        legal = game.legal() or ["none"]
        if sorted(said["moves"].split()) != sorted(legal):
            self.faults.append(f"{where}: moves {said['moves']}, by the rules {legal}")
        if self.referee is not None:
            self.referee.do(f"newgame {newgame}", position_line("startpos", moves))
            for what, value in said.items():
                other = self.referee.ask(what)
                if other != value:
                    self.faults.append(f"{where}: {what} {value}, the referee {other}")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_engine_argument(parser)
    parser.add_argument("--referee", metavar="CMD", help="an engine that replays as well")
    number = at_least(1)
    parser.add_argument("--games", metavar="N", type=number, default=1000)
    parser.add_argument("--movetime", metavar="MS", type=at_least(0), default=20)
    parser.add_argument("--threads", metavar="N", type=number, default=2)
    parser.add_argument("--max-plies", metavar="N", type=number, default=250)
    parser.add_argument("--seed", metavar="N", type=at_least(0), default=1)
    parser.add_argument("--every", metavar="N", type=number, default=100, help="look so often")
    parser.add_argument(
        "--slack", metavar="MIB", type=at_least(0), default=16, help="growth that is none"
    )
    arguments = parser.parse_args()
    linux = sys.platform == "linux"
    progress = Progress()
    memory: list[int] = []
    with Engine(arguments.engine) as fresh:
        fresh.do(SMALL)
        due = answers(fresh)
    began = time.monotonic()
    with ExitStack() as stack:
        engine = stack.enter_context(Engine(arguments.engine))
        other = stack.enter_context(Engine(arguments.referee)) if arguments.referee else None
        soak = Soak(engine, other, arguments)
        try:
            engine.do(SMALL)
            for game in range(arguments.games):
                soak.play(game)
                progress.show(f"{game + 1} games, {soak.plies} plies, {len(soak.faults)} faults")
                if (game + 1) % arguments.every and game + 1 != arguments.games:
                    continue
                now = answers(engine)
                if len(now) != len(due):
                    soak.faults.append(f"after game {game}: {len(now)} answers, not {len(due)}")
                for was, is_now in zip(due, now):
                    if was != is_now:
                        soak.faults.append(f"after game {game}: {is_now}, in a new process {was}")
                if linux:
                    memory.append(resident_kib(engine))
                print(
                    f"{game + 1} games, {soak.plies} plies, "
                    f"{memory[-1] if memory else '?'} KiB, {len(soak.faults)} faults",
                    flush=True,
                )
        except EngineError as error:
            soak.faults.append(f"{type(error).__name__}: {error}")
    if memory and max(memory) > memory[0] + arguments.slack * 1024:
        soak.faults.append(f"memory grows: {memory} KiB")
    results = ", ".join(f"{name} {count}" for name, count in sorted(soak.results.items()))
    print(f"results: {results}")
    print(f"slowest move: {soak.slowest:.0f} ms of {arguments.movetime}")
    print(f"{len(due)} fixed answers compared every {arguments.every} games")
    for fault in soak.faults[:20]:
        print(f"fault: {fault}")
    seconds = time.monotonic() - began
    verdict = "all well" if not soak.faults else f"{len(soak.faults)} faults"
    print(f"{sum(soak.results.values())} games in {seconds:.0f} s: {verdict}")
    return 1 if soak.faults else 0


if __name__ == "__main__":
    run("soak.py", main)
