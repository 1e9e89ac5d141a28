#!/usr/bin/env python3
"""What a search keeps of its promises: clock, answers while it runs, memory, threads.

    measure.py clock     overrun of `movetime`, and the time to answer `stop` and `isready`
    measure.py memory    peak memory of the process beyond its Hash
    measure.py threads   time to a depth with two threads against one
    measure.py solver    time of Pentago's solver for the values of all moves, and with two threads
    measure.py lines     how many wins that one line proves are proven with more lines (MultiPV)
    measure.py forced    forced wins proven in time by `go mate` and by `prove`
    measure.py signs     how often a score's sign agrees with the value of a Pentago position

Timings mean something on an idle machine only.
"""

from __future__ import annotations

import argparse
import random
import re
import statistics
import sys
import time
from pathlib import Path

from quintet import Engine, rules
from quintet.command import add_engine_argument, at_least, percentile, run, seconds

GAMES = list(rules.GAMES)
MEASUREMENTS = ("clock", "memory", "threads", "lines", "solver", "forced", "signs")


def opening(engine: Engine, plies: int, seed: int) -> None:
    """Plays random legal moves from the start position, none of which ends the game."""
    stream = random.Random(seed)
    engine.do("position startpos")
    played = 0
    while played < plies:
        move = stream.choice(engine.ask("moves").split())
        engine.do(f"moves {move}")
        if engine.ask("gameover") == "true" or engine.ask_line("threatening") != "0":
            engine.do("undo")
        played += 1


def peak_kib(engine: Engine) -> int:
    """Peak resident memory of the engine's process."""
    text = Path(f"/proc/{engine.pid}/status").read_text(encoding="ascii")
    line = next(line for line in text.splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1])


def overruns(engine: Engine, movetime: int, count: int) -> list[float]:
    """By how many milliseconds searches of so many undecided positions exceed their time.

    A position is decided where a search of that time ends with a proven value.
    """
    over: list[float] = []
    for seed in range(20 * count):
        opening(engine, 6 + seed % 7, seed)
        answer = engine.go(f"movetime {movetime}", 60)
        if not answer.info.proven:
            over.append(answer.milliseconds - movetime)
        if len(over) == count:
            break
    return over


def waits(engine: Engine, count: int) -> tuple[list[float], list[float]]:
    """The milliseconds until `isready` and `stop` are answered during searches."""
    readies, stops = [], []
    for seed in range(count):
        opening(engine, 6 + seed % 7, seed)
        engine.send("go infinite")
        time.sleep(0.02)
        began = time.monotonic()
        engine.send("isready")
        while (line := engine.read(60)).text != "readyok":
            pass
        readies.append((line.at - began) * 1000)
        began = time.monotonic()
        engine.send("stop")
        while not (line := engine.read(60)).text.startswith("bestmove"):
            pass
        stops.append((line.at - began) * 1000)
    return readies, stops


# With its table Teeko has no undecided positions.
SEARCHED = {"teeko": [("Teeko.Tablebase", "false")]}


def clock(command: str, games: list[str], count: int, movetimes: list[int]) -> None:
    """Prints overruns and answering times in milliseconds for each game."""
    for game in games:
        with Engine(command, SEARCHED.get(game, [])) as engine:
            engine.do(f"newgame {game}")
            for movetime in movetimes:
                over = overruns(engine, movetime, count)
                if not over:
                    print(f"{game}: movetime {movetime}: every position is decided", flush=True)
                    continue
                print(
                    f"{game}: movetime {movetime} overrun 95th percentile "
                    f"{percentile(over, 0.95):.1f} ms, most {max(over):.1f} ms over {len(over)}",
                    flush=True,
                )
            readies, stops = waits(engine, max(1, count // 5))
            print(
                f"{game}: stop at most {max(stops):.1f} ms, "
                f"isready {max(readies):.1f} ms over {len(stops)}",
                flush=True,
            )


def memory(command: str, games: list[str], hash_mib: int) -> None:
    """Prints the peak memory of a search of some seconds for each game."""
    for game in games:
        with Engine(command, [("Hash", str(hash_mib))]) as engine:
            engine.do(f"newgame {game}")
            opening(engine, 4, 1)
            engine.go("movetime 3000", 60)
            beyond = peak_kib(engine) / 1024 - hash_mib
            print(f"{game}: Hash {hash_mib} MiB, peak {beyond:+.1f} MiB beyond it", flush=True)


def mirrored(fen: str) -> str:
    """The same position with the rows of the board the other way round."""
    board, rest = fen.split(" ", 1)
    return "/".join(reversed(board.split("/"))) + " " + rest


def threads(command: str, games: list[str], count: int, seconds: float) -> None:
    """Prints the median share of one thread's time that two need to the same depth."""
    everything = []
    for game in games:
        shares = []
        with Engine(command) as engine:
            engine.do(f"newgame {game}")
            for seed in range(count):
                # The depth that one thread reaches in about the time asked for on
                # the mirrored board. What it reaches on this one would be what
                # it happens to reach soon here: the time on the mirrored board
                # to that depth is longer too.
                opening(engine, 4 + seed % 5, seed)
                fen = engine.ask("fen")
                engine.do(
                    "setoption name Clear Hash",
                    "setoption name Threads value 1",
                    f"position fen {mirrored(fen)}",
                )
                depth = engine.go(f"movetime {seconds * 1000:.0f}", 60).info.depth or 1
                times = {}
                for number in (1, 2):
                    engine.do(
                        f"setoption name Threads value {number}",
                        "setoption name Clear Hash",
                        f"position fen {fen}",
                    )
                    times[number] = engine.go(f"depth {depth}", 600).milliseconds
                if times[1] >= 20:
                    shares.append(times[2] / times[1])
                print(
                    f"{game} {seed}: depth {depth}, {times[1]:.0f} ms, {times[2]:.0f} ms",
                    file=sys.stderr,
                )
        everything += shares
        if shares:
            print(
                f"{game}: two threads take {statistics.median(shares):.2f} of one thread's time "
                f"(median of {len(shares)})",
                flush=True,
            )
        else:
            print(f"{game}: no search took the 20 ms that can be compared", flush=True)
    if len(games) > 1 and everything:
        print(
            f"together: {statistics.median(everything):.2f} (median of {len(everything)})",
            flush=True,
        )


def lines(command: str, games: list[str], count: int, nodes: list[int], numbers: list[int]) -> None:
    """Prints how many wins that a search for one line proves are proven with more lines.

    Of each game, which the engine plays against itself from a random opening, two positions count:
    the first of which it proves that the side to move wins, in more than four plies, and one of
    all these at random. The same nodes for each number of lines.
    """
    proven: dict[tuple[str, int], int] = {}
    played = 0
    for game in games:
        with Engine(command, {"Hash": 16}) as engine:
            seed = found = 0
            while found < count:
                limit = f"nodes {nodes[found % len(nodes)]}"
                seed += 1
                wins = wins_of_a_game(engine, game, limit, seed)
                if not wins:
                    continue
                found += 1
                chosen = {"first": wins[0], "random": random.Random(seed).choice(wins)}
                for number in numbers:
                    for kind, fen in chosen.items():
                        engine.do(f"newgame {game}", f"setoption name MultiPV value {number}")
                        engine.do(f"position fen {fen}")
                        info = engine.go(limit).info
                        shown = info.proven and (info.mate or 0) > 0
                        proven[kind, number] = proven.get((kind, number), 0) + shown
        played += found
        print(f"{game}: {seed} games", file=sys.stderr)
    for (kind, number), shown in sorted(proven.items()):
        print(f"{kind} wins, {number} lines: {shown} of {played}", flush=True)


def wins_of_a_game(engine: Engine, game: str, limit: str, seed: int) -> list[str]:
    """The positions of a game of the engine against itself whose win it proves in time."""
    engine.do(f"newgame {game}", "setoption name MultiPV value 1")
    opening(engine, 6, seed)
    wins = []
    while engine.ask("gameover") == "false" and int(engine.ask("ply")) < 150:
        engine.do("setoption name Clear Hash")
        answer = engine.go(limit)
        mate = answer.info.mate or 0
        if answer.info.proven and mate > 0:
            if mate <= 4:
                break
            wins.append(engine.ask("fen"))
        engine.do(f"moves {answer.move}")
    return wins


def forced(command: str, games: list[str], count: int, seconds: float) -> None:
    """Prints of how many forced wins `go mate` and `prove` each find a proof in time.

    The positions are those 9, 11, … 33 plies before the end of games of the engine against itself
    with 2,000 nodes a move, from random openings, with the winner to move; those for which neither
    finds a proof don't count, since nobody knows whether they are won.
    """
    milliseconds = f"movetime {seconds * 1000:.0f}"
    for game in games:
        nodes: dict[str, list[int]] = {"go mate": [], "prove": []}
        known = both = seed = 0
        with Engine(command) as engine:
            while known < count:
                seed += 1
                fen = before_the_end(engine, game, 9 + 2 * (known % 13), seed)
                if fen is None:
                    continue
                engine.do("setoption name Clear Hash", f"position fen {fen}")
                info = engine.go(f"mate 99 {milliseconds}", seconds + 60).info
                found = {}
                if info.proven and (info.mate or 0) > 0:
                    found["go mate"] = info.nodes or 0
                words = engine.ask_line(f"prove win {milliseconds}", seconds + 60).split()
                if words[0] == "win":
                    found["prove"] = int(words[2])
                known += len(found) > 0
                both += len(found) == 2
                for how, cost in found.items():
                    nodes[how].append(cost)
                print(f"{game}; {fen}; {found}", file=sys.stderr)
        shown = [
            f"{how} {len(costs)} (nodes: median {statistics.median(costs):.0f}, "
            f"90th percentile {percentile(costs, 0.9):.0f})"
            for how, costs in nodes.items()
            if costs
        ]
        print(f"{game}: of {known} forced wins {', '.join(shown)}, both {both}", flush=True)


def before_the_end(engine: Engine, game: str, plies: int, seed: int) -> str | None:
    """The position so many plies before the end of a game of the engine against itself.

    None if the game was shorter or not decided. An odd number: the winner is to move.
    """
    engine.do(f"newgame {game}")
    opening(engine, 6, seed)
    fens = []
    while engine.ask("gameover") == "false" and int(engine.ask("ply")) < 150:
        fens.append(engine.ask("fen"))
        engine.do(f"moves {engine.go('nodes 2000').move}")
    if engine.ask("result") not in ("p1win", "p2win") or len(fens) < plies:
        return None
    return fens[-plies]


def pentago_board(engine: Engine, marbles: int, seed: int) -> None:
    """Sets up a random board of Pentago with so many marbles and without a five."""
    stream = random.Random(seed)
    holes = list("br" * (marbles // 2) + "b" * (marbles % 2) + "1" * (36 - marbles))
    while True:
        stream.shuffle(holes)
        rows = "/".join("".join(holes[row : row + 6]) for row in range(0, 36, 6))
        fen = re.sub("1+", lambda ones: str(len(ones[0])), rows)
        engine.do(f"position fen {fen} {'br'[marbles % 2]}")
        if engine.ask("gameover") == "false":
            return


def solver(command: str, count: int, numbers: list[int]) -> None:
    """Prints Pentago's median time for the values of all moves, and the share two threads need."""
    with Engine(command) as engine:
        engine.do("newgame pentago")
        for marbles in numbers:
            times: dict[int, list[float]] = {1: [], 2: []}
            for seed in range(count):
                pentago_board(engine, marbles, seed)
                for number in (1, 2) if seed % 2 else (2, 1):
                    engine.do(f"setoption name Threads value {number}")
                    began = time.monotonic()
                    engine.ask("values")
                    times[number].append((time.monotonic() - began) * 1000)
            shares = [two / one for one, two in zip(times[1], times[2])]
            print(
                f"{marbles} marbles: {statistics.median(times[1]):.1f} ms, two threads take "
                f"{statistics.median(shares):.2f} of it (medians of {count})",
                flush=True,
            )


def signs(command: str, file: Path, seconds: float) -> None:
    """Prints for how many won and lost positions of fewer than 18 marbles, where the engine is not
    exact, the score has the right sign. Other lines of the file are passed over."""
    right: dict[str, list[bool]] = {"win": [], "loss": []}
    proven = 0
    with Engine(command) as engine:
        engine.do("newgame pentago")
        for line in file.read_text("utf-8", errors="replace").splitlines():
            fen, _, value = line.partition(";")
            value = value.split(";")[0].strip()
            board = fen.strip().partition(" ")[0]
            if value not in right or not board or sum(c in "br" for c in board) >= 18:
                continue
            engine.do("setoption name Clear Hash", f"position fen {fen}")
            info = engine.go(f"movetime {seconds * 1000:.0f}", 60).info
            score = (info.cp or 0) if info.mate is None else info.mate
            right[value].append(score > 0 if value == "win" else score < 0)
            proven += info.mate is not None
    decided = right["win"] + right["loss"]
    if not decided:
        raise SystemExit(f"measure.py: {file} has no won or lost position of fewer than 18 marbles")
    print(
        f"{sum(decided)} of {len(decided)} right, {sum(decided) / len(decided):.1%} "
        f"({sum(right['win'])} of {len(right['win'])} wins, {sum(right['loss'])} of "
        f"{len(right['loss'])} losses), {proven} proven"
    )


def main() -> int:
    """Runs one measurement."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=MEASUREMENTS)
    add_engine_argument(parser)
    parser.add_argument("--games", nargs="+", choices=GAMES, help="which games")
    parser.add_argument(
        "--count", type=at_least(1), metavar="N", help="searches or positions a game"
    )
    parser.add_argument("--hash", type=at_least(1), default=64, metavar="MIB", help="for memory")
    parser.add_argument(
        "--movetimes",
        type=at_least(1),
        nargs="+",
        default=[1, 5, 20, 100, 1000],
        metavar="MS",
        help="for clock (1 5 20 100 1000)",
    )
    parser.add_argument(
        "--seconds",
        type=seconds,
        metavar="S",
        help="for threads (2), forced (10) and signs (1 a position)",
    )
    parser.add_argument(
        "--nodes",
        type=at_least(1),
        nargs="+",
        default=[20_000, 60_000],
        metavar="N",
        help="for lines: nodes of a search, in turn",
    )
    parser.add_argument(
        "--lines",
        type=at_least(2),
        nargs="+",
        default=[3, 8],
        metavar="N",
        help="for lines: how many",
    )
    parser.add_argument(
        "--marbles",
        # With fewer the solver does not know all values, and a full board is a game that is over.
        type=at_least(18, 35),
        nargs="+",
        default=list(range(18, 25)),
        metavar="N",
        help="for solver: how many on a board (18 to 24)",
    )
    parser.add_argument(
        "--file", type=Path, help="for signs: positions, a line each: <fen>;win|draw|loss"
    )
    arguments = parser.parse_args()
    of_lines = ["gomoku", "pente", "dagennacht"]
    usual = {"threads": ["gomoku", "pentago"], "lines": of_lines, "forced": of_lines}
    games = arguments.games or usual.get(arguments.what, GAMES)
    if arguments.what == "clock":
        clock(arguments.engine, games, arguments.count or 30, arguments.movetimes)
    elif arguments.what == "memory":
        memory(arguments.engine, games, arguments.hash)
    elif arguments.what == "threads":
        threads(arguments.engine, games, arguments.count or 20, arguments.seconds or 2.0)
    elif arguments.what == "lines":
        lines(arguments.engine, games, arguments.count or 60, arguments.nodes, arguments.lines)
    elif arguments.what == "forced":
        forced(arguments.engine, games, arguments.count or 60, arguments.seconds or 10.0)
    elif arguments.what == "signs":
        if arguments.file is None:
            parser.error("signs needs a --file")
        signs(arguments.engine, arguments.file, arguments.seconds or 1.0)
    else:
        solver(arguments.engine, arguments.count or 20, arguments.marbles)
    return 0


if __name__ == "__main__":
    run("measure.py", main)
