#!/usr/bin/env python3
"""Does the engine keep the rules? Random and constructed games, against rules.py.

    agree.py                              200 games of every game
    agree.py "pente variant boat" --games 2000

Rules that are not given are drawn at random for each game. Every second game begins from stones
thrown on the board, in every game the moves come from one part of the board as long as there are
any, and now and then the move is one that removes stones, so that rows, captures and full corners
are frequent. rules.py, which shares nothing with the engine, plays along: after every move board,
side to move, legal moves and result have to be the same, and a board is accepted by both or by
neither.

Exit status 0: no disagreement; 1: some, and they are told.
"""

from __future__ import annotations

import argparse
import copy
import random
import re

from quintet import Engine, rules
from quintet.command import Progress, add_engine_argument, at_least, run
from quintet.errors import Refused

SPEC = re.compile(r"name (\w+)\.(\w+) rule true type (\w+) default \S+ ?(.*)")
"""A rule in the answer to `query optionspec`."""

ASKED = ("fen", "turn", "result", "moves")


def declared(engine: Engine) -> dict[str, dict[str, list[str]]]:
    """For every game its rules and their values."""
    found: dict[str, dict[str, list[str]]] = {name: {} for name in rules.GAMES}
    for spec in engine.ask("optionspec").split(" ; "):
        match = SPEC.match(spec)
        if match is None:
            continue
        game, name, kind, rest = match.groups()
        words = rest.split()
        told = {"check": ["on", "off"], "combo": words[1::2]}
        if kind == "spin":
            least, most, step = (int(word) for word in words[1::2])
            told["spin"] = [str(n) for n in range(least, most + 1, step)]
        found[game.lower()][name.lower()] = told[kind]
    return found


def drawn(chance: random.Random, given: str, values: dict[str, list[str]]) -> str:
    """The rules of a game: those given, the others at random."""
    name, *words = given.split()
    told = dict(zip(words[::2], words[1::2]))
    for key, choices in values.items():
        told.setdefault(key, chance.choice(choices))
    return " ".join([name, *(f"{key} {value}" for key, value in told.items())])


class Player:
    """Chooses the moves of one game."""

    def __init__(self, chance: random.Random, game: rules.Rules) -> None:
        self.chance = chance
        width, height = (min(n, chance.randrange(5, 10)) for n in (game.width, game.height))
        x, y = (chance.randrange(n + 1) for n in (game.width - width, game.height - height))
        self.part = {(x + dx, y + dy) for dx in range(width) for dy in range(height)}

    def throw(self, game: rules.Rules) -> bool:
        """Throws stones on the part of the board; whether the rules know such a board."""
        if isinstance(game, rules.Teeko):
            count = self.chance.randrange(9)
            owners = [n % 2 for n in range(count)]
            stones = dict(zip(self.chance.sample(game.cells(), count), owners))
        else:
            share = self.chance.uniform(0.1, 0.7)
            chosen = [cell for cell in sorted(self.part) if self.chance.random() < share]
            stones = {cell: self.chance.randrange(2) for cell in chosen}
        extra = []
        if isinstance(game, rules.Pente):
            extra = [str(self.chance.randrange(game.goal + 1)) for _ in range(2)]
        try:
            game.set_up(stones, self.chance.randrange(2), extra)
        except ValueError:
            return False
        return True

    def choose(self, game: rules.Rules, legal: list[str]) -> str:
        """One of the legal moves."""
        if not isinstance(game, rules.Drops):
            return self.chance.choice(legal)
        near = [move for move in legal if game.cell(move) in self.part] or legal
        if self.chance.random() < 0.2:
            removing = [move for move in near if self.removes(game, move)]
            near = removing or near
        return self.chance.choice(near)

    @staticmethod
    def removes(game: rules.Rules, move: str) -> bool:
        """Whether a move takes stones off the board."""
        after = copy.copy(game)
        after.stones = dict(game.stones)
        if isinstance(game, rules.Pente) and isinstance(after, rules.Pente):
            after.captured = list(game.captured)
        after.make(move, game.side)
        return len(after.stones) <= len(game.stones)


class Comparison:
    """The games so far, and where engine and rules disagree."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.games = self.plies = self.refused = self.over = 0
        self.results: dict[str, int] = {}
        self.faults: list[str] = []

    def play(self, chance: random.Random, newgame: str, thrown: bool, most: int) -> None:
        """Plays a game, with both."""
        game = rules.game(newgame)
        player = Player(chance, game)
        base = "startpos"
        if thrown:
            known = player.throw(game)
            base = f"fen {game.fen()}"
            try:
                self.engine.do(f"position {base}")
                accepted = True
            except Refused:
                accepted = False
                self.refused += 1
            if accepted != known:
                found = "accepted, against the rules" if accepted else "refused, against the rules"
                self.faults.append(f"{newgame}; position {base}: {found}")
            if not (accepted and known):
                return
        moves: list[str] = []
        while self.agree(game, f"{newgame}; position {base} moves {' '.join(moves)}"):
            legal = game.legal()
            if not legal or len(moves) == most:
                break
            moves.append(player.choose(game, legal))
            game.play(moves[-1])
            self.engine.do(f"moves {moves[-1]}")
        if not moves:
            # Set up and over; that was compared, but is no game.
            self.over += 1
            return
        self.games += 1
        self.plies += len(moves)
        self.results[game.result()] = self.results.get(game.result(), 0) + 1

    def agree(self, game: rules.Rules, where: str) -> bool:
        """Whether the engine says the same of this position; notes what is different."""
        found = (game.fen(), game.turn(), game.result(), sorted(game.legal()) or ["none"])
        said = [self.engine.ask(what) for what in ASKED]
        for what, ours, theirs in zip(ASKED, found, (*said[:3], sorted(said[3].split()))):
            if ours != theirs:
                self.faults.append(f"{where}: {what} {theirs}, by the rules {ours}")
                return False
        return True


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_engine_argument(parser)
    parser.add_argument("games_of", metavar="'GAME RULES'", nargs="*", default=list(rules.GAMES))
    number = at_least(1)
    parser.add_argument("--games", metavar="N", type=number, default=200, help="of each (200)")
    parser.add_argument("--max-plies", metavar="N", type=number, default=400)
    parser.add_argument("--seed", metavar="N", type=at_least(0), default=1)
    arguments = parser.parse_args()
    for given in arguments.games_of:
        # Its rules may fit only with others that are drawn.
        if not given.split() or given.lower().split()[0] not in rules.GAMES:
            parser.error(f"no game {given!r}")
        if len(given.split()) % 2 == 0:
            parser.error(f"{given!r}: expected a value after {given.split()[-1]!r}")
    progress = Progress()
    faults = 0
    with Engine(arguments.engine) as engine:
        values = declared(engine)
        for given in arguments.games_of:
            compared = Comparison(engine)
            number_of_game = refused = 0
            while compared.games < arguments.games and len(compared.faults) < 20:
                number_of_game += 1
                chance = random.Random(f"{arguments.seed} {given} {number_of_game}")
                newgame = drawn(chance, given.lower(), values[given.lower().split()[0]])
                try:
                    engine.do(f"newgame {newgame}")
                except Refused as why:
                    # A row that fits on no board of these columns and rows; if none fits,
                    # they are rules that there are not.
                    refused += 1
                    if refused >= 1_000 and not compared.games:
                        parser.error(f"{given}: {why}")
                    continue
                compared.play(chance, newgame, number_of_game % 2 == 0, arguments.max_plies)
                progress.show(f"{given}: {compared.games} games, {len(compared.faults)} faults")
            results = ", ".join(f"{n} {name}" for name, n in sorted(compared.results.items()))
            for fault in compared.faults:
                print(f"fault: {fault}")
            print(
                f"{given}: {compared.games} games, {compared.plies} plies, {results}; "
                f"{compared.over} boards already over, {compared.refused} refused; "
                f"{len(compared.faults)} disagreements",
                flush=True,
            )
            faults += len(compared.faults)
    return 1 if faults else 0


if __name__ == "__main__":
    run("agree.py", main)
