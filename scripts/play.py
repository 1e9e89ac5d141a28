#!/usr/bin/env python3
"""A table to play at: a terminal front end that talks to the engine as a GUI would.

One engine process holds the game: it knows the rules, says what is on the board and plays the
sides that are not human. Nothing here knows a game.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import inspect
import os
import sys
from pathlib import Path
from typing import Any

from quintet import Answer, Crashed, Engine, EngineError, Info, Refused, Silent, position_line
from quintet.command import (
    add_engine_argument,
    add_limit_arguments,
    add_option_argument,
    at_least,
    limits_of,
    replace_undecodable,
    run,
)
from quintet.drawing import Drawing, coloured
from quintet.formats import Format, by_suffix, read_file
from quintet.opening import PROTOCOLS, Opening, check
from quintet.records import Game, RecordError
from quintet.seats import (
    HUMAN,
    Mistake,
    Quit,
    Side,
    choose_game,
    choose_side,
    grades_of,
    read,
)

EPILOGUE = """\
SIDE is `human`, or a level of the engine (`full`, `random`, …) or its strength as a number, with
a time for each move if wanted: `full:500`, `8`. What is not told is asked for.

at the prompt:
  a move            is played
  moves             the legal moves
  hint              what the engine would play, and why
  analyse [MS]      the three best moves, after so many milliseconds or Ctrl-C
  undo              takes back to the last move of a person
  redo              plays again what was taken back
  level [WHO] SIDE  who plays from now on: the engine's sides, or the side WHO
  resign            gives up the game
  new               begins again
  opening PROTOCOL  begins again, by `d` or `swap2`; `new` does so too from then on
  save FILE         writes the game as lines for the engine, or as .jsonl, .sgf, .psq
  load FILE         goes on with such a game
  board             draws the board again
  rules             the page of the game
  help              how a move is written, and this list
  quit              ends (so does the end of the input)

With an opening protocol the first player proposes stones, and the other player chooses a side or,
in swap2, puts two more and leaves the choice to the first. So who plays first may change. The
engine takes the time of a move for each of its answers. D and Swap2 open Pente (`tournament off`),
Swap2 also Gomoku.

The last move stands in round brackets, the winning row in square ones. NO_COLOR=1 in the
environment leaves out the colours.

examples:
  play.py --newgame 'pente size 13' --first human --second full:500
  play.py --newgame teeko --first full --second random --movetime 200
  play.py --newgame gomoku --opening swap2 --first full --second human
"""

PATIENCE = 3600.0
"""Seconds the engine may think; no person waits longer."""

PROMPT_HELP = EPILOGUE[EPILOGUE.index("  a move") : EPILOGUE.index("\nexamples")]

OPENING_HELP = {
    "first": "plays on as the first player, {0}",
    "second": "plays on as the second player, {1}",
    "put CELL CELL": "puts two more stones, and the other player chooses",
}
"""What can be answered after stones were proposed."""


ALIASES = {"?": "help", "exit": "quit", "analyze": "analyse"}


class Table:
    """The game being played."""

    def __init__(
        self,
        engine: Engine,
        sides: tuple[Side, Side],
        limits: str,
        drawing: Drawing,
        protocol: str = "",
    ) -> None:
        self.engine = engine
        self.sides = list(sides)
        self.limits = limits
        self.drawing = drawing
        self.undone: list[str] = []
        """Moves taken back, the first to be played again last."""
        self.resigned: int | None = None
        """The side that has given up."""
        self.protocol = protocol
        """The opening protocol by which games begin, if by one."""
        self.opened = 0
        """The stones of the opening, which are not taken back."""
        self.facts: dict[str, Any] = {}
        self.look()
        self.usual = dict(self.facts["options"])
        """The engine's options where a side does not say otherwise."""
        self.now = dict(self.usual)
        """The engine's options as they are now."""

    def look(self) -> None:
        """Learns how the game stands."""
        self.facts = self.engine.facts()

    def revive(self, error: EngineError) -> None:
        """Starts the engine again, which has failed so, and sets up the game as it stood."""
        self.engine.restart()
        history = position_line(**self.facts["history"])
        self.engine.do(f"newgame {self.facts['rules']}", history)
        self.now = dict(self.usual)
        print(self.style("31", f"The engine has failed ({error}) and was started again."))

    @property
    def mover(self) -> int:
        """Whose turn it is."""
        return 0 if self.facts["p1turn"] else 1

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.facts["gameover"]) or self.resigned is not None

    def name(self, side: int) -> str:
        """What a side is called."""
        return str(self.facts["sides"][side]["name"])

    def draw(self) -> None:
        """Shows the board."""
        print(f"\n{self.drawing.board(self.facts)}")
        held = []
        for side in self.facts["sides"]:
            hand = [] if side["hand"] is None else [f"{side['hand']} in hand"]
            counts = [f"{number} {what}" for what, number in side["counts"].items()]
            if hand or counts:
                held.append(f"{side['name']}: {', '.join(hand + counts)}")
        if held:
            print("    " + "; ".join(held))
        sys.stdout.flush()

    def play(self, max_plies: int) -> None:
        """Plays the game to its end; a person may go on from there."""
        print(f"game: {self.facts['rules']}")
        if self.protocol:
            check(self.engine, self.protocol)
            self.open()
        while True:
            people = [side for side in self.sides if side.human]
            turn = self.over or self.sides[self.mover].human
            if turn or not people:
                self.draw()
            if self.over:
                print(self.style("1", self.told()))
            if self.over and not people:
                return
            if max_plies and self.facts["ply"] >= max_plies:
                print(f"Ended after {self.facts['ply']} moves.")
                return
            if turn:
                self.person()
            else:
                self.reply()

    def open(self) -> None:
        """Opens the game by the protocol; the sides are those that are chosen."""
        opening = Opening(self.protocol)
        while opening.first is None:
            side = self.sides[opening.asked]
            if side.human:
                self.draw()
                self.person_opens(opening)
            else:
                self.engine_opens(opening, side)
        self.opened = len(opening.moves)
        if opening.first:
            self.sides.reverse()
        print(self.seating())

    def person_opens(self, opening: Opening) -> None:
        """Asks a person for the next step of the opening until it can be done."""
        names = [self.name(side) for side in (0, 1)]
        if opening.stones:
            for word in opening.expected.replace(" or ", ", ").split(", "):
                print(f"  {word:<15}{OPENING_HELP[word].format(*names)}")
        else:
            turns = f"{' and '.join(names)} by turns, such as `{self.stones(opening)}`"
            print(f"{opening.protocol}: {opening.expected}, {turns}.")
        while True:
            line = read(f"{opening.expected}> ")
            try:
                if ALIASES.get(line.lower(), line.lower()) == "quit":
                    self.do_quit("")
                if line:
                    self.step(opening, line)
                    return
            except (Crashed, Silent) as error:
                self.revive(error)
            except (Refused, Mistake) as error:
                print(self.style("31", str(error)))

    def stones(self, opening: Opening) -> str:
        """As many moves as are to be proposed, to show how stones are written."""
        moves = [move["move"] for move in self.facts["moves"]]
        number = PROTOCOLS[opening.protocol][0]
        return " ".join(moves[:: len(moves) // number][:number])

    def engine_opens(self, opening: Opening, side: Side) -> None:
        """The engine's next step of the opening."""
        answer = self.engine.ask_line(f"{opening.question} {side.limits}", PATIENCE)
        verb = "chooses" if opening.stones else "proposes"
        self.step(opening, answer)
        print(f"\nThe engine {verb}: {self.style('1', answer)}")

    def step(self, opening: Opening, answer: str) -> None:
        """Does the next step of the opening as answered."""
        try:
            stones = opening.stones_of(answer)
        except ValueError as error:
            raise Mistake(str(error)) from None
        before = opening.position
        self.engine.do(position_line(before, stones))
        self.look()
        if self.facts["gameover"]:
            self.engine.do(position_line(before))
            self.look()
            raise Mistake("the game would be over after these stones")
        opening.accept(answer, stones)

    def reply(self) -> None:
        """The engine's move."""
        side, name = self.sides[self.mover], self.name(self.mover)
        try:
            answer = self.think(side)
            self.move(answer.move)
        except (Refused, Crashed, Silent) as error:
            # Such as a level that this game does not have, or an illegal move.
            if not any(side.human for side in self.sides):
                raise
            if isinstance(error, Refused):
                print(self.style("31", f"{error}; a person goes on."))
            else:
                self.revive(error)
                print(self.style("31", f"A person goes on for {name}: see `level`."))
            self.sides[self.mover] = Side(HUMAN, self.limits)
            return
        self.undone.clear()
        taken = self.facts["last"].get("remove", [])
        told = f"{name} plays {self.style('1', answer.move)}"
        told += f" and takes {' '.join(taken)}" if taken else ""
        print(f"\n{told}   {self.style('2', said(answer))}")

    def style(self, code: str, text: str) -> str:
        """The text in a style of the terminal, if it has any."""
        return self.drawing.style(code, text)

    def told(self) -> str:
        """The result for people."""
        plies = self.facts["ply"]
        moves = f"after {plies} move{'' if plies == 1 else 's'}"
        if self.resigned is not None:
            loser, winner = self.name(self.resigned), self.name(1 - self.resigned)
            return f"{loser.capitalize()} resigns: {winner} wins {moves}."
        if self.facts["result"] == "draw":
            return f"A draw {moves}."
        winner = self.name(0 if self.facts["result"] == "p1win" else 1)
        row = " ".join(self.facts["winning"])
        return f"{winner.capitalize()} wins {moves}.{f'  Row: {row}' if row else ''}"

    def move(self, move: str) -> None:
        """Plays a move."""
        self.engine.do(f"moves {move}")
        self.look()

    def think(self, side: Side) -> Answer:
        """The engine's move, at the level of a side."""
        self.prepare(side, 1)
        return self.engine.go(side.limits, PATIENCE)

    def prepare(self, side: Side, lines: int) -> None:
        """Sets the options for a search at the level of a side for so many best moves."""
        wanted = {**self.usual, "Level": side.level, "MultiPV": lines}
        if side.strength is not None:
            wanted.update({"Strength": side.strength, "UCI_LimitStrength": False})
        for name, value in wanted.items():
            if value != self.now.get(name):
                self.engine.do(f"setoption name {name} value {str(value).lower()}")
                self.now[name] = value

    def person(self) -> None:
        """Asks a person until the position has changed or is to be drawn."""
        prompt = "game over> " if self.over else f"{self.name(self.mover)} to move> "
        while True:
            line = read(prompt)
            word, _, rest = line.partition(" ")
            if not word:
                continue
            command = getattr(self, f"do_{ALIASES.get(word.lower(), word.lower())}", None)
            try:
                if command is None:
                    self.enter(line)
                    return
                if rest.strip() and "_" in inspect.signature(command).parameters:
                    raise Mistake(f"`{word}` takes nothing after it, found {rest.strip()!r}")
                if command(rest.strip()):
                    return
            except (Crashed, Silent) as error:
                self.revive(error)
            except (Refused, Mistake, OSError) as error:
                file = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) else ""
                print(self.style("31", file or str(error)))
                if command is None:
                    print(self.expected(word))

    def enter(self, line: str) -> None:
        """Plays the move that a person has typed."""
        if self.resigned is not None:
            raise Mistake("the game is over")
        if len(line.split()) > 1:
            raise Mistake("one move at a time, please")
        self.move(line)
        self.undone.clear()

    def expected(self, word: str) -> str:
        """What could have been meant instead of this."""
        moves, word = [move["move"] for move in self.facts["moves"]], word.lower()
        near = [m["move"] for m in self.facts["moves"] if word in (m.get("from"), m["to"])]
        near = near or [move for move in moves if word and move.startswith(word)]
        commands = [name[3:] for name in dir(self) if name.startswith("do_")]
        near = near or difflib.get_close_matches(word, [*commands, *moves], 8, 0.6)
        if near:
            return f"Did you mean: {shortened(near)}"
        if self.over:
            return "`undo`, `new`, `load FILE` and `quit` go on from here."
        return f"A move is written like {shortened(moves[:: len(moves) // 4 + 1])}; see `help`."

    def do_help(self, _: str) -> None:
        """How a move is written, and the commands."""
        page = self.engine.do(f"help {self.facts['game']}")
        starts = [at for at, line in enumerate(page) if line.startswith("- Moves:")]
        for line in page[starts[0] :] if starts else []:
            if line != page[starts[0]] and not line.startswith(" "):
                break
            print(line)
        print(f"\n{PROMPT_HELP}")

    def do_rules(self, _: str) -> None:
        """The page of the game."""
        print("\n".join(self.engine.do(f"help {self.facts['game']}")))

    def do_moves(self, _: str) -> None:
        """The legal moves."""
        print(self.engine.ask("moves"))

    def do_board(self, _: str) -> bool:
        """Draws the board again."""
        return True

    def do_quit(self, _: str) -> None:
        """Ends."""
        raise Quit

    def best(self, limits: str) -> Answer:
        """What the engine at its strongest thinks of the position."""
        if self.over:
            raise Mistake("the game is over")
        grades = grades_of(self.engine)
        self.prepare(Side("full", limits, grades[-1] if grades else None), 3)
        analysis = self.engine.analysis(limits, PATIENCE)
        try:
            return analysis.wait()
        except KeyboardInterrupt:
            # Enough is known; the game goes on.
            analysis.stop()
            return analysis.wait()

    def do_hint(self, _: str) -> None:
        """What the engine would play, and why."""
        answer = self.best(self.limits)
        print(f"{self.style('1', answer.move)}   {self.style('2', said(answer))}")
        for reason in self.reasons(answer):
            print(f"  {reason}")

    def reasons(self, answer: Answer) -> list[str]:
        """Why the best move is that: what it does, what it prevents, what else there is."""
        before, mover = self.facts, self.mover
        self.move(answer.move)
        after = self.facts
        self.engine.do("undo")
        self.look()
        move = after["last"]
        own, other = (set(after["sides"][side]["wins"]) for side in (mover, 1 - mover))
        stopped = set(before["sides"][1 - mover]["wins"]) - other
        told = []
        if move.get("end") == "win":
            told.append("it wins at once")
        if "remove" in move:
            told.append(f"it takes {' '.join(move['remove'])}")
        if not after["gameover"]:
            who = self.name(1 - mover)
            if stopped:
                told.append(f"it keeps {who} from winning with {shortened(sorted(stopped))}")
            if other:
                told.append(f"{who} can win with {shortened(sorted(other))} all the same")
            if own:
                told.append(f"it threatens to win with {shortened(sorted(own))}")
        told += answer.remarks
        if len(answer.info.pv) > 1:
            told.append(f"the game could go on {' '.join(answer.info.pv[1:7])}")
        for line in answer.lines[1:2]:
            if line.pv:
                told.append(f"the next best move, {line.pv[0]}: {line.worth}")
        return told

    def do_analyse(self, text: str) -> None:
        """The three best moves."""
        if text and not text.isdecimal():
            raise Mistake(f"expected milliseconds, found {text!r}")
        answer = self.best(f"movetime {text}" if text else self.limits)
        for rank, line in enumerate(answer.lines, 1):
            if line.pv:
                print(f"{rank}. {weighed(line)}, depth {line.depth}: {' '.join(line.pv)}")

    def do_undo(self, _: str) -> bool:
        """Takes back to the last move of a person; whether there was one."""
        if self.resigned is not None:
            self.resigned = None
            return True
        plies = self.facts["ply"]
        for back in range(1, plies - self.opened + 1):
            if self.sides[(self.mover + back) % 2].human:
                self.engine.do(f"undo {back}")
                self.undone += reversed(self.facts["history"]["moves"][plies - back :])
                self.look()
                return True
        print("No move of a person lies before this one.")
        return False

    def do_redo(self, _: str) -> bool:
        """Plays what was taken back, until a person is to move."""
        if self.resigned is not None:
            raise Mistake("the game is over")
        if not self.undone:
            raise Mistake("nothing was taken back")
        while self.undone:
            self.move(self.undone[-1])
            self.undone.pop()
            if self.sides[self.mover].human:
                break
        return True

    def do_resign(self, _: str) -> bool:
        """Gives up the game."""
        if self.over:
            raise Mistake("the game is over")
        self.resigned = self.mover
        return True

    def do_level(self, text: str) -> bool:
        """Says or changes who plays."""
        *who, told = text.lower().split() or [""]
        names = [self.name(side) for side in (0, 1)]
        if not told:
            print(self.seating())
            return False
        if len(who) > 1 or (who and who[0] not in names):
            raise Mistake(f"expected `level {'|'.join(names)} SIDE` or `level SIDE`")
        side = Side.parse(told, self.limits, self.engine)
        changed = [at for at in (0, 1) if (names[at] in who if who else not self.sides[at].human)]
        if not changed:
            raise Mistake(f"the engine plays neither side: `level {names[1]} {told}`")
        for at in changed:
            self.sides[at] = side
        print(self.seating())
        return not self.over and not self.sides[self.mover].human

    def seating(self) -> str:
        """Who plays the two sides."""
        return "; ".join(f"{self.name(at)}: {side}" for at, side in enumerate(self.sides))

    def begin(self, *lines: str) -> bool:
        """Begins another game by these lines, or leaves all as it is if one is refused."""
        back = (f"newgame {self.facts['rules']}", f"position {self.engine.ask('history')}")
        try:
            for line in lines:
                self.engine.do(line)
        except Refused:
            self.engine.do(*back)
            raise
        self.undone.clear()
        self.resigned = None
        self.opened = 0
        self.look()
        return True

    def do_new(self, _: str) -> bool:
        """Begins again."""
        self.begin(f"newgame {self.facts['rules']}")
        if self.protocol:
            self.open()
        return True

    def do_opening(self, protocol: str) -> bool:
        """Begins again by an opening protocol."""
        protocol = protocol.lower()
        if protocol not in PROTOCOLS:
            raise Mistake(f"expected `opening {'|'.join(PROTOCOLS)}`")
        check(self.engine, protocol)
        self.protocol = protocol
        return self.do_new("")

    def do_save(self, name: str) -> None:
        """Writes the game as lines for the engine."""
        if not name:
            raise Mistake("expected a file: `save FILE`")
        path, kind = file_named(name)
        if kind:
            self.export(path, kind)
            return
        if path.exists():
            saved_game(path)
        lines = [f"newgame {self.facts['rules']}", f"position {self.engine.ask('history')}"]
        path.write_text("\n".join(lines) + "\n", "utf-8")
        print(f"Saved {self.facts['ply']} moves in {name}.")

    def export(self, path: Path, kind: Format) -> None:
        """Writes the game as other programs keep it, into a new file."""
        game = Game(self.facts["rules"], self.engine.ask("history"))
        game.players = (str(self.sides[0]), str(self.sides[1]))
        game.result = self.engine.ask("result")
        if self.resigned is not None:
            game.result, game.reason = ("p2win", "p1win")[self.resigned], "resign"
        try:
            game.opening, game.moves = game.whole()
            text = kind.write([game])
        except RecordError as error:
            raise Mistake(str(error)) from None
        if path.exists():
            raise Mistake(f"{path} exists")
        path.write_text(text, "utf-8")
        print(f"Saved {len(game.moves)} moves in {path}.")

    def do_load(self, name: str) -> bool:
        """Goes on with a game that was saved, or with the first of another program's file."""
        if not name:
            raise Mistake("expected a file: `load FILE`")
        path, kind = file_named(name)
        if kind is None:
            return self.begin(*saved_game(path))
        try:
            warnings: list[str] = []
            game = next(read_file(str(path), kind.name, warnings=warnings), None)
            if game is None:
                raise Mistake(f"{path} holds no game")
        except RecordError as error:
            raise Mistake(str(error)) from None
        for warning in warnings:
            print(self.style("31", warning))
        return self.begin(f"newgame {game.newgame}", position_line(game.opening, game.moves))


def file_named(name: str) -> tuple[Path, Format | None]:
    """A file, and the format of another program that its name says; `.txt` is our own."""
    if "\0" in name:
        raise Mistake(f"{name!r} is no name of a file")
    path = Path(os.path.expanduser(name))
    return path, None if path.suffix.lower() == ".txt" else by_suffix(name)


def saved_game(path: Path) -> list[str]:
    """The two lines of a file that `save` has written; no other file is read or replaced."""
    lines = path.read_text("utf-8-sig", "replace").splitlines()
    if [line.partition(" ")[0] for line in lines] != ["newgame", "position"]:
        raise Mistake(f"{path} is no game: expected a line `newgame …` and a line `position …`")
    return lines


def shortened(words: list[str]) -> str:
    """The first words of a list."""
    return " ".join(words[:8]) + (" …" if len(words) > 8 else "")


def weighed(info: Info) -> str:
    """A score in words, with the chances."""
    if info.wdl is None or info.mate is not None:
        return info.worth
    win, draw, loss = (round(part / 10) for part in info.wdl)
    return f"{info.worth} (win {win}, draw {draw}, loss {loss})"


def said(answer: Answer) -> str:
    """What the engine thinks of its move."""
    depth = f", depth {answer.info.depth}" if answer.info.depth else ""
    return f"({answer.info.worth}{depth}, {answer.milliseconds:.0f} ms)"


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
    add(
        "--opening",
        metavar="PROTOCOL",
        choices=PROTOCOLS,
        help=f"open the game by a protocol: {' or '.join(PROTOCOLS)}",
    )
    add("--first", metavar="SIDE", help="the first player")
    add("--second", metavar="SIDE", help="the second player")
    add_option_argument(parser)
    add("--ascii", action="store_true", help="draw the board in ASCII")
    add("--flip", action="store_true", help="draw the board turned round")
    add(
        "--max-plies",
        metavar="N",
        type=at_least(0),
        default=0,
        help="end after N moves (0: no limit)",
    )
    add_limit_arguments(parser.add_argument_group("limits (default: --movetime 1000)"))
    return parser


def main() -> int:
    """Runs the script; the exit status."""
    parser = arguments_parser()
    arguments = parser.parse_args()
    if arguments.opening and arguments.position:
        parser.error("--opening begins at the start, so --position does not go with it")
    replace_undecodable()
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  (line editing at the prompt, where there is any)
    limits = str(limits_of(arguments, "movetime 1000"))
    ascii_only = arguments.ascii or not (sys.stdout.encoding or "").lower().startswith("utf")
    drawing = Drawing(coloured(), ascii_only, arguments.flip)
    with Engine(arguments.engine, arguments.option) as engine:
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
            table = Table(engine, sides, limits, drawing, arguments.opening or "")
            table.play(arguments.max_plies)
        except Quit:
            print("Good bye.")
    return 0


if __name__ == "__main__":
    run("play.py", main)
