"""A table to play matches at: two players, a referee, one game after the other.

The players are engines that are asked for moves; the referee is an engine that is asked for
the rules alone. What is legal and who has won is the referee's word.
"""

from __future__ import annotations

import argparse
import random
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from engine import ANSWER, Answer, Crashed, Engine, EngineError, Info, Refused, Silent

FIRST, SECOND = 0, 1
RESULTS = {"p1win": FIRST, "p2win": SECOND, "draw": None}
FORFEITS = ("crash", "illegal", "time", "hang", "refused")


@dataclass(frozen=True)
class Clock:
    """Base and increment in milliseconds."""

    base: int
    increment: int

    @classmethod
    def parse(cls, text: str) -> Clock:
        """Reads `BASE` or `BASE+INC`."""
        base, plus, increment = text.partition("+")
        try:
            clock = cls(int(base), int(increment) if plus else 0)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is not BASE_MS+INC_MS") from None
        if clock.base <= 0 or clock.increment < 0:
            raise argparse.ArgumentTypeError(f"{text!r}: a clock needs time")
        return clock


@dataclass(frozen=True)
class Rules:
    """How every game of the match is played."""

    newgame: str
    limits: str
    """Words of `go`; with a clock they come on top of it."""
    movetime: int | None
    clock: Clock | None
    margin: float
    patience: float
    max_plies: int


@dataclass
class Game:
    """A game as it is written to the output."""

    number: int
    pair: int
    players: tuple[str, str]
    """Names, the first player's first."""
    swapped: bool
    """Whether engine 2 is the first player."""
    newgame: str
    opening: str
    moves: list[str] = field(default_factory=list)
    result: str = "none"
    reason: str = "rules"
    """`rules`, `max-plies`, or what the loser forfeited by."""
    detail: str = ""
    notes: list[str] = field(default_factory=list)
    """Disagreements of the players with the referee, and failures they went on from."""
    times: list[float] = field(default_factory=list)
    infos: list[tuple[int, Info]] = field(default_factory=list)
    """Who moved, as an engine's index, and the last it said of the move; not written."""

    def points(self) -> float:
        """What engine 1 has made of it."""
        winner = RESULTS[self.result]
        return 0.5 if winner is None else float((winner == FIRST) != self.swapped)

    def forfeited(self) -> bool:
        """Whether it ended by a forfeit."""
        return self.reason in FORFEITS

    def record(self, referee: str) -> dict[str, object]:
        """Its line in the output."""
        return {
            "game": self.number,
            "pair": self.pair,
            "p1": self.players[FIRST],
            "p2": self.players[SECOND],
            "newgame": self.newgame,
            "opening": self.opening,
            "moves": self.moves,
            "result": self.result,
            "reason": self.reason,
            "detail": self.detail,
            "notes": self.notes,
            "times": [round(t, 1) for t in self.times],
            "referee": referee,
        }


def position_line(opening: str, moves: Sequence[str] = ()) -> str:
    """The `position` line of an opening (as it follows `position`) and moves after it."""
    if not moves:
        return f"position {opening}"
    joint = "" if "moves" in opening.lower().split() else " moves"
    return f"position {opening}{joint} {' '.join(moves)}"


class Referee:
    """An engine that is asked for the rules alone."""

    def __init__(self, command: str, newgame: str) -> None:
        self.engine = Engine(command, name="referee")
        self.engine.do(f"newgame {newgame}")

    def set_up(self, opening: str) -> None:
        """Sets up an opening."""
        self.engine.do(position_line(opening))

    def play(self, move: str) -> None:
        """Plays a move; `Refused` if it is not legal."""
        self.engine.do(f"moves {move}")

    def result(self) -> str:
        """`p1win`, `p2win`, `draw` or `none`."""
        return self.engine.ask("result")

    def mover(self) -> int:
        """Whose turn it is."""
        return FIRST if self.engine.ask("p1turn") == "true" else SECOND

    def moves(self) -> list[str]:
        """All legal moves."""
        words = self.engine.ask("moves").split()
        return [] if words == ["none"] else words

    def quiet(self) -> bool:
        """Whether the game goes on and neither side wins at once."""
        if self.result() != "none" or self.engine.ask_line("threatening") != "0":
            return False
        moves = self.moves()
        for move in moves:
            self.engine.send(f"moves {move}")
            self.engine.send("query result")
            self.engine.send("undo")
        wins = ("response p1win", "response p2win")
        return not any(line in wins for line in self.engine.sync())


def random_openings(referee: Referee, plies: int, chance: random.Random) -> Iterator[str]:
    """Openings of so many random plies after which the game goes on and neither side wins at once.

    Each is as it follows `position`. Without end; new ones as long as they are found.
    """
    seen: set[str] = set()
    while True:
        quiet: str | None = None
        for _ in range(200):
            moves: list[str] = []
            referee.set_up("startpos")
            while len(moves) < plies:
                legal = referee.moves()
                if not legal:
                    break
                moves.append(chance.choice(legal))
                referee.play(moves[-1])
            if len(moves) < plies or not referee.quiet():
                continue
            quiet = position_line("startpos", moves)[len("position ") :]
            # Without plies there is but one.
            if quiet not in seen or not plies:
                break
        if quiet is None:
            raise EngineError(f"no quiet opening of {plies} random plies found in 200 tries")
        seen.add(quiet)
        yield quiet


def read_openings(path: str, referee: Referee) -> list[str]:
    """The openings of a file, each tried by the referee."""
    openings = []
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        if words[0].lower() == "position":
            words = words[1:]
        if words and words[0].lower() in ("fen", "stones", "startpos"):
            opening = " ".join(words)
        else:
            opening = position_line("startpos", words)[len("position ") :]
        try:
            referee.set_up(opening)
        except Refused as error:
            raise EngineError(f"{path}, line {number}: {error}") from None
        if referee.result() != "none":
            raise EngineError(f"{path}, line {number}: the game is over there")
        openings.append(opening)
    if not openings:
        raise EngineError(f"{path} holds no opening")
    return openings


class Forfeit(Exception):
    """A player loses by what it did: kind and detail."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind


@contextmanager
def failures_forfeit() -> Iterator[None]:
    """Turns what a player fails by into its forfeit."""
    try:
        yield
    except Crashed as error:
        raise Forfeit("crash", str(error)) from None
    except Silent as error:
        raise Forfeit("hang", str(error)) from None
    except Refused as error:
        raise Forfeit("refused", str(error)) from None


class Abandoned(Exception):
    """The match has ended while this game was being played."""


class Table:
    """Two players and a referee; plays one game after the other."""

    def __init__(self, players: Sequence[Engine], referee: Referee, rules: Rules) -> None:
        self.players = players
        self.referee = referee
        self.rules = rules
        self.mute: list[Engine] = []
        """Players that have not answered how a game stands; they are not asked again."""

    def play(self, game: Game, stop: threading.Event) -> None:
        """Plays the game; its moves, result and reason are written into it."""
        seats = self.players[::-1] if game.swapped else self.players
        self.referee.set_up(game.opening)
        clocks = [float(self.rules.clock.base)] * 2 if self.rules.clock else None
        mover = self.referee.mover()
        try:
            for mover in (FIRST, SECOND):
                with failures_forfeit():
                    seats[mover].do(f"newgame {self.rules.newgame}")
            mover = self.referee.mover()
            while self.referee.result() == "none":
                if stop.is_set():
                    raise Abandoned
                if self.rules.max_plies and len(game.moves) >= self.rules.max_plies:
                    game.result, game.reason = "draw", "max-plies"
                    break
                self._move(game, seats[mover], mover, clocks)
                mover = self.referee.mover()
            else:
                game.result = self.referee.result()
        except Forfeit as forfeit:
            loser = seats[mover]
            game.result = "p2win" if mover == FIRST else "p1win"
            game.reason, game.detail = forfeit.kind, f"{loser.name}: {forfeit}"
            try:
                loser.restart()
            except EngineError as error:
                raise EngineError(f"{loser.name} does not start again: {error}") from None
        else:
            for seat in seats:
                if seat not in self.mute:
                    self._compare(game, seat)

    def _move(self, game: Game, player: Engine, mover: int, clocks: list[float] | None) -> None:
        answer = self._answer(game, player, mover, clocks)
        game.times.append(answer.milliseconds)
        game.infos.append((self.players.index(player), answer.info))
        game.notes.extend(f"{player.name}: {text}" for text in answer.complaints)
        late = self._late(answer.milliseconds, mover, clocks)
        if late:
            raise Forfeit("time", late)
        try:
            self.referee.play(answer.move)
        except Refused as error:
            raise Forfeit(
                "illegal", f"{answer.move!r} after ply {len(game.moves)}: {error}"
            ) from None
        game.moves.append(answer.move)

    def _answer(self, game: Game, player: Engine, mover: int, clocks: list[float] | None) -> Answer:
        words = [self.rules.limits] if self.rules.limits else []
        allowed = 0.0
        if clocks is not None and self.rules.clock is not None:
            first, second = (max(0, int(c)) for c in clocks)
            inc = self.rules.clock.increment
            words.append(f"p1time {first} p2time {second} p1inc {inc} p2inc {inc}")
            allowed = clocks[mover]
        elif self.rules.movetime is not None:
            allowed = float(self.rules.movetime)
        with failures_forfeit():
            player.do(position_line(game.opening, game.moves))
            return player.go(" ".join(words), allowed / 1000.0 + self.rules.patience)

    def _late(self, used: float, mover: int, clocks: list[float] | None) -> str:
        """What is wrong with the time used, if anything; runs the clock."""
        if clocks is not None and self.rules.clock is not None:
            had = clocks[mover]
            if used > had + self.rules.margin:
                return f"{used:.0f} ms used of {had:.0f} ms on the clock"
            clocks[mover] = max(0.0, had - used) + self.rules.clock.increment
            return ""
        movetime = self.rules.movetime
        if movetime is not None and used > movetime + self.rules.margin:
            return f"{used:.0f} ms used of {movetime} ms"
        return ""

    def _compare(self, game: Game, player: Engine) -> None:
        """Asks a player how the game stands and notes where it disagrees."""
        over = game.reason == "rules"
        expected = {
            "gameover": "true" if over else "false",
            "result": game.result if over else "none",
        }
        try:
            player.do(position_line(game.opening, game.moves))
            patience = min(self.rules.patience, ANSWER)
            said = {what: player.ask(what, patience) for what in expected}
        except Silent:
            # What it says late would be taken for the answer to something else.
            player.restart()
            self.mute.append(player)
            game.notes.append(f"{player.name} does not say how the game stands: not asked again")
            return
        except EngineError as error:
            said = {"gameover": f"error {error}"}
            if not isinstance(error, Refused):
                player.restart()
        for what, value in said.items():
            if value != expected[what]:
                game.notes.append(
                    f"disagreement: {player.name} says {what} {value}, the referee {expected[what]}"
                )
