#!/usr/bin/env python3
"""The engine on real games of Pente: wins it shows near their ends, results its eval predicts.

    pente_games.py wins --games 100 --plies 3 5 7 --movetime 1000
    pente_games.py loss
    pente_games.py records > real.games
    pente_games.py show --file game.sgf --movetime 1000

Reads every format that convert.py reads: pente.org's SGF and text, match.py's records, lines
`GAME|rating 1|rating 2|result|moves`. `show` replays each game by the rules, then searches every
position and says what each move gave away and where the result was decided. `wins` takes games
that end on the board, spread evenly over the file, goes back from their ends by so many plies
and counts the positions in which the winner, to move, is shown to win. `loss` is the mean of
-ln(probability of the result) over all positions from `--from` plies on, where `eval cp V` gives
the side to move the probability 1/(1+3^(-V/100)). It looks at the games of odd number alone,
counted from 0: the fit (scripts/fit) is made to the even ones. For that, `records` prints the games
as `fit pente --data` reads them.
"""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path
from typing import NamedTuple

from quintet import Engine, rules
from quintet.command import (
    Progress,
    add_engine_argument,
    add_limit_arguments,
    at_least,
    limits_of,
    run,
)
from quintet.formats import read_file
from quintet.formats.boards import rule_words
from quintet.formats.pente_org import name_of
from quintet.protocol import LOG_ODDS
from quintet.records import RecordError

MISTAKE = 100
"""Centipawns that a move gives away from which on it is called a mistake."""

SHARED = Path("oracle") / "pente-games.txt"


class Game(NamedTuple):
    """A recorded game of Pente on a board of 19 x 19."""

    name: str
    """As pente.org calls it."""
    variant: str
    result: str
    """`p1win`, `p2win`, `draw` or `none`."""
    moves: list[str]

    @property
    def first_won(self) -> bool:
        """Whether the first player won."""
        return self.result == "p1win"


def load(path: str) -> list[Game]:
    """The games of a file; `RecordError` if there are none, or not only Pente's."""
    found = []
    warnings: list[str] = []
    for game in read_file(path, warnings=warnings):
        name, told = rule_words(game.newgame)
        if name != "pente" or told.get("size", "19") != "19" or game.opening != "startpos":
            raise RecordError(f"{game.where()}: no game of Pente on 19 x 19 from its start")
        variant = told.get("variant", "pente")
        found.append(Game(name_of(game.newgame), variant, game.result, game.moves))
    if not found:
        raise RecordError(f"{path}: it holds no games")
    for warning in warnings:
        print(f"pente_games.py: {warning}", file=sys.stderr)
    return found


def read(path: str) -> list[Game]:
    """The games of a file that somebody won."""
    return [game for game in load(path) if game.result in ("p1win", "p2win")]


def replayed(game: Game) -> rules.Rules:
    """The end of a game by the rules; an illegal move is a ValueError."""
    played = rules.game(f"pente tournament off variant {game.variant}")
    for ply, move in enumerate(game.moves):
        if move not in played.legal():
            raise ValueError(f"move {ply + 1}, {move}, is not legal")
        played.play(move)
    return played


def default_file() -> str:
    """Where the games lie beside a checkout, as far as they do."""
    for folder in Path(__file__).resolve().parents:
        path = folder / "shared" / SHARED
        if path.exists():
            return str(path)
    return str(SHARED)


def set_up(engine: Engine, game: Game, plies: int) -> None:
    """The position of the game after so many plies."""
    moves = " ".join(game.moves[:plies])
    engine.do(f"newgame pente tournament off variant {game.variant}")
    engine.do(f"position startpos moves {moves}" if moves else "position startpos")


def wins(engine: Engine, games: list[Game], arguments: argparse.Namespace) -> None:
    """Prints the share of wins that are shown, for each number of plies."""
    limits = limits_of(arguments, "movetime 1000")
    progress = Progress()
    counts = {plies: [0, 0, 0] for plies in arguments.plies}
    looked = 0
    step = max(1, len(games) // arguments.games)
    for game in games[step // 2 :: step]:
        set_up(engine, game, len(game.moves))
        if engine.ask("result") != game.result:
            continue
        looked += 1
        for plies in arguments.plies:
            if len(game.moves) < plies:
                continue
            set_up(engine, game, len(game.moves) - plies)
            engine.do("setoption name Clear Hash")
            info = engine.go(limits, 600).info
            won = info.mate is not None and info.mate > 0
            counts[plies][0] += 1
            counts[plies][1] += won
            counts[plies][2] += won and info.proven
        progress.show(f"{looked} games: {counts}")
    for plies, (positions, won, proven) in counts.items():
        share = 100 / max(1, positions)
        print(
            f"{plies} plies before the end: {positions} positions, won {won} "
            f"({share * won:.1f} %), proven {proven} ({share * proven:.1f} %)"
        )


def loss(engine: Engine, games: list[Game], arguments: argparse.Namespace) -> None:
    """Prints how well `eval` predicts the results."""
    progress = Progress()
    total, positions, right = 0.0, 0, 0
    for number, game in enumerate(games[1::2]):
        if number >= arguments.games:
            break
        set_up(engine, game, 0)
        for ply, move in enumerate(game.moves):
            if ply >= arguments.since:
                value = int(engine.ask_line("eval").split()[-1])
                won = game.first_won == (ply % 2 == 0)
                margin = value * LOG_ODDS * (1 if won else -1)
                # ln(1 + e^-m) without an overflow.
                total += math.log1p(math.exp(-abs(margin))) + max(0.0, -margin)
                positions += 1
                right += margin > 0
            engine.do(f"moves {move}")
        progress.show(f"{number + 1} games, {positions} positions")
    if not positions:
        raise RecordError(f"no position counts: no game of odd number has a ply {arguments.since}")
    print(
        f"{positions} positions from ply {arguments.since} on: log-loss "
        f"{total / positions:.4f}, the winner preferred in {100 * right / positions:.1f} %"
    )


def show(engine: Engine, games: list[Game], arguments: argparse.Namespace) -> None:
    """Prints every move with its value, what it gave away, and where the game was decided."""
    limits = limits_of(arguments, "movetime 1000")
    for number, game in enumerate(games):
        end = replayed(game)
        print(f"{game.name}, {game.result}, {len(game.moves)} moves, {end.result()} by the rules")
        engine.do(f"newgame pente tournament off variant {game.variant}")
        values: list[tuple[int, str, str]] = []
        for ply in range(len(game.moves) + 1):
            set_up(engine, game, ply)
            answer = engine.go(limits, 600)
            info, sign = answer.info, 1 - 2 * (ply % 2)
            if info.mate is not None:
                lost = info.mate < 0 or (info.mate == 0)
                value = sign * (-10_000 if lost else 10_000)
                word = ("Black" if value < 0 else "White") + " wins"
                text = word if info.proven else f"{word}, likely"
            else:
                value = sign * (info.cp or 0)
                text = f"{value:+d}"
            values.append((value, text, answer.move))
        decided = len(values) - 1
        while decided > 0 and values[decided - 1][0] == values[-1][0]:
            decided -= 1
        for ply, move in enumerate(game.moves):
            given = (values[ply][0] - values[ply + 1][0]) * (1 - 2 * (ply % 2))
            mark = f"  better: {values[ply][2]}" if given >= MISTAKE else ""
            here = "  decided" if ply + 1 == decided and abs(values[-1][0]) == 10_000 else ""
            print(f"{ply + 1:4} {move:4} {values[ply + 1][1]:16}{mark}{here}")
        if number + 1 < len(games):
            print()


def records(games: list[Game]) -> None:
    """Prints games as the fitting program reads them: rules, result, moves."""
    for game in games:
        result = "first" if game.first_won else "second"
        print(f"tournament off variant {game.variant} {result} {' '.join(game.moves)}")


def main() -> int:
    """Reads the arguments and asks the engine."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["wins", "loss", "records", "show"])
    add_engine_argument(parser)
    parser.add_argument("--file", default=default_file(), metavar="PATH", help="the games")
    parser.add_argument(
        "--games", type=at_least(1), metavar="N", help="look at so many (wins: 100, else all)"
    )
    parser.add_argument(
        "--plies",
        type=at_least(1),
        nargs="+",
        default=[3, 5, 7],
        metavar="N",
        help="wins: plies before the end (3 5 7)",
    )
    parser.add_argument(
        "--from",
        type=at_least(0),
        default=8,
        dest="since",
        metavar="PLY",
        help="loss: the first position that counts (8)",
    )
    add_limit_arguments(parser.add_argument_group("wins, show: limits (default: --movetime 1000)"))
    arguments = parser.parse_args()
    try:
        if arguments.what == "show":
            shown = load(arguments.file)[: arguments.games]
            with Engine(arguments.engine) as engine:
                show(engine, shown, arguments)
            return 0
        games = read(arguments.file)
    except (ValueError, RecordError) as error:
        print(f"pente_games.py: {error}", file=sys.stderr)
        return 1
    if arguments.games is None:
        arguments.games = 100 if arguments.what == "wins" else len(games)
    if arguments.what == "records":
        records(games[: arguments.games])
        return 0
    with Engine(arguments.engine) as engine:
        (wins if arguments.what == "wins" else loss)(engine, games, arguments)
    return 0


if __name__ == "__main__":
    run("pente_games.py", main)
