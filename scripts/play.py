#!/usr/bin/env python3
"""A table to play at: a terminal front end that talks to the engine as a GUI would.

One engine process holds the game: it draws the board, knows the rules and plays the sides
that are not human. Nothing here knows a game.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from dataclasses import dataclass

from engine import (
    Answer,
    Engine,
    EngineError,
    Refused,
    add_engine_argument,
    add_limit_arguments,
    at_least,
    limits_of,
    option_pair,
    run,
)

EPILOGUE = """\
SIDE is `human`, or a level of the engine (`full`, `random`, …), with a time for each move if
wanted: `full:500`. What is not told is asked for.

at the prompt:
  a move   is played
  moves    the legal moves
  hint     what the engine would play
  undo     takes back to the last move of a person
  board    draws the board again
  help     this list
  quit     ends (so does the end of the input)

examples:
  play.py --newgame 'pente size 13' --first human --second full:500
  play.py --newgame teeko --first full --second random --movetime 200
"""

HUMAN = "human"
PATIENCE = 3600.0
"""Seconds the engine may think; no person waits longer."""

PROMPT_HELP = EPILOGUE[EPILOGUE.index("  a move") : EPILOGUE.index("\nexamples")]


class Quit(Exception):
    """The person at the keyboard has had enough."""


@dataclass
class Side:
    """Who plays a side: a person, or the engine at a level."""

    level: str
    limits: str

    @property
    def human(self) -> bool:
        """Whether a person plays."""
        return self.level == HUMAN

    @classmethod
    def parse(cls, text: str, otherwise: str) -> Side:
        """Reads `LEVEL` or `LEVEL:MS`; `otherwise` are the limits without a time."""
        level, colon, time = text.strip().lower().partition(":")
        if not colon:
            return cls(level, otherwise)
        if level == HUMAN or not time.isdecimal():
            raise EngineError(f"{text!r} is not LEVEL:MILLISECONDS")
        return cls(level, f"movetime {time}")


def read(prompt: str) -> str:
    """A line from the keyboard, or `Quit`."""
    try:
        return input(prompt).strip()
    except EOFError:
        print()
        raise Quit from None


def variables(kind: str) -> list[str]:
    """The values of a combo option, from what the handshake says of it."""
    words = kind.split()
    return [words[n + 1] for n, word in enumerate(words[:-1]) if word == "var"]


def choose(question: str, values: list[str], default: str) -> str:
    """One of the values, by name or number."""
    listed = "  ".join(f"{n} {value}" for n, value in enumerate(values, 1))
    while True:
        said = read(f"{question}: {listed}  [{default}] ").lower() or default
        if said.isdecimal() and 1 <= int(said) <= len(values):
            return values[int(said) - 1]
        if said in values:
            return said
        print(f"{said!r} is none of them")


def choose_game(engine: Engine) -> None:
    """Asks for the game and its rules and sets them."""
    kind = engine.offered.get("game", "")
    game = choose("Game", variables(kind), kind.split()[2])
    engine.do(f"setoption name Game value {game}")
    # The handshake does not say which options are rules; the others of a game
    # are those of the level classic.
    rules = {line.partition(":")[0].lower() for line in engine.do("help games")}
    for name, kind in engine.offered.items():
        words = kind.split()
        if not name.startswith(f"{game}.") or name not in rules:
            continue
        told = {"check": "true or false", "combo": " ".join(variables(kind))}
        takes = told.get(words[0]) or f"{words[4]} to {words[6]}"
        while True:
            said = read(f"{name.partition('.')[2]}: {takes}  [{words[2]}] ")
            try:
                if said:
                    engine.do(f"setoption name {name} value {said}")
                break
            except Refused as error:
                print(error)
    engine.do("uginewgame")


def choose_side(engine: Engine, seat: str, told: str | None, otherwise: str) -> Side:
    """The side as told, or as asked for."""
    levels = variables(engine.offered.get("level", ""))
    if told is None:
        told = choose(f"{seat} player", [HUMAN, *levels], HUMAN)
        if told != HUMAN:
            time = read(f"How long for a move?  [{otherwise}; else milliseconds] ")
            told = f"{told}:{time}" if time else told
    side = Side.parse(told, otherwise)
    if not side.human and side.level not in levels:
        raise EngineError(f"no level {side.level!r}; there are: {' '.join([HUMAN, *levels])}")
    return side


class Table:
    """The game being played."""

    def __init__(self, engine: Engine, sides: tuple[Side, Side], limits: str) -> None:
        self.engine = engine
        self.sides = sides
        self.hints = Side("full", limits)
        self.level = ""
        self.movers: list[int] = []
        """Who made each of the moves played."""
        self.names: dict[int, str] = {0: "the first player", 1: "the second player"}

    def mover(self) -> int:
        """Whose turn it is; notes what that side is called."""
        mover = 0 if self.engine.ask("p1turn") == "true" else 1
        self.names[mover] = self.engine.ask("turn")
        return mover

    def draw(self) -> None:
        """Shows the board."""
        print()
        print("\n".join(self.engine.do("display")), flush=True)

    def play(self, max_plies: int) -> None:
        """Plays the game to its end."""
        self.draw()
        while True:
            mover = self.mover()
            result = self.engine.ask("result")
            if result != "none":
                print(self.told(result))
                return
            if max_plies and len(self.movers) >= max_plies:
                print(f"Ended after {len(self.movers)} moves.")
                return
            if self.sides[mover].human:
                self.person(mover)
            else:
                answer = self.think(self.sides[mover])
                print(f"\n{self.names[mover]} plays {answer.move}   {said(answer)}")
                self.move(mover, answer.move)
            self.draw()

    def told(self, result: str) -> str:
        """The result for people."""
        if result == "draw":
            return f"A draw after {len(self.movers)} moves."
        winner = self.names[0 if result == "p1win" else 1]
        return f"{winner.capitalize()} wins after {len(self.movers)} moves."

    def move(self, mover: int, move: str) -> None:
        """Plays a move."""
        self.engine.do(f"moves {move}")
        self.movers.append(mover)

    def think(self, side: Side) -> Answer:
        """Lets the engine search at the level of a side."""
        if side.level != self.level:
            self.engine.do(f"setoption name Level value {side.level}")
            self.level = side.level
        return self.engine.go(side.limits, PATIENCE)

    def person(self, mover: int) -> None:
        """Asks a person until the position has changed or is to be drawn."""
        while True:
            line = read(f"{self.names[mover]} to move> ")
            word = line.lower()
            if not word:
                continue
            if word in ("quit", "exit"):
                raise Quit
            if word in ("help", "?"):
                print(PROMPT_HELP)
            elif word == "moves":
                print(self.engine.ask("moves"))
            elif word == "hint":
                answer = self.think(self.hints)
                print(f"{answer.move}   {said(answer)}")
            elif word == "board":
                return
            elif word == "undo":
                if self.take_back():
                    return
                print("No move of a person lies before this one.")
            elif len(line.split()) > 1:
                print("One move at a time, please; `help` lists the commands.")
            else:
                try:
                    self.move(mover, line)
                    return
                except Refused as error:
                    print(f"{error}   (`moves` lists the legal moves, `help` the commands)")

    def take_back(self) -> bool:
        """Takes back to the last move of a person; whether there was one."""
        for at in reversed(range(len(self.movers))):
            if self.sides[self.movers[at]].human:
                self.engine.do(f"undo {len(self.movers) - at}")
                del self.movers[at:]
                return True
        return False


def said(answer: Answer) -> str:
    """What the engine thinks of its move."""
    depth = f", depth {answer.info.depth}" if answer.info.depth else ""
    return f"({answer.info.value}{depth}, {answer.milliseconds:.0f} ms)"


def arguments_parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="play.py",
        description=__doc__,
        epilog=EPILOGUE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add_engine_argument(parser)
    add("--newgame", metavar="'GAME RULES'", help="the game, as after `newgame`")
    add("--position", metavar="POSITION", help="where to begin, as after `position`")
    add("--first", metavar="SIDE", help="the first player")
    add("--second", metavar="SIDE", help="the second player")
    add(
        "--option",
        metavar="NAME=VALUE",
        type=option_pair,
        action="append",
        default=[],
        help="an option of the engine; may be repeated",
    )
    add("--ascii", action="store_true", help="draw the board in ASCII")
    add("--flip", action="store_true", help="draw the board turned round")
    add("--max-plies", metavar="N", type=at_least(0), default=0, help="end after N moves")
    add_limit_arguments(parser.add_argument_group("limits (default: --movetime 1000)"))
    return parser


def main() -> int:
    """Runs the script; the exit status."""
    arguments = arguments_parser().parse_args()
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  (line editing at the prompt, where there is any)
    limits = limits_of(arguments, "movetime 1000")
    options = list(arguments.option)
    if arguments.ascii or not (sys.stdout.encoding or "").lower().startswith("utf"):
        options.append(("Ascii", "true"))
    if arguments.flip:
        options.append(("Flip", "true"))
    with Engine(arguments.engine, options) as engine:
        try:
            if arguments.newgame:
                engine.do(f"newgame {arguments.newgame}")
            else:
                choose_game(engine)
            if arguments.position:
                engine.do(f"position {arguments.position}")
            sides = (
                choose_side(engine, "First", arguments.first, limits),
                choose_side(engine, "Second", arguments.second, limits),
            )
            Table(engine, sides, limits).play(arguments.max_plies)
        except Quit:
            print("Good bye.")
    return 0


if __name__ == "__main__":
    run("play.py", main)
