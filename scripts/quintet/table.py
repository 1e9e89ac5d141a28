"""A table to play matches at: two players, a referee, one game after the other.

The players are engines that are asked for moves; the referee is an engine that is asked for
the rules alone. What is legal and who has won is the referee's word.
"""

from __future__ import annotations

import argparse
import itertools
import random
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from . import rules
from .client import Engine
from .dialogue import ANSWER
from .errors import Crashed, EngineError, Refused, Silent
from .formats.openings import are_cells, are_offsets, cell_moves, offset_moves
from .opening import Opening, check
from .protocol import Answer, Info, Limit, position_line, position_words
from .records import Comment, Game

FIRST, SECOND = 0, 1
FORFEITS = ("crash", "illegal", "time", "hang", "refused", "failed")
UNASKED = "does not say how the game stands: not asked again"
"""The note on a player that is not asked any more."""
UNTOLD = "does not know `newgame`: it plays the game that it knows"
"""The note on a player that cannot be told the game."""


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
class Pace:
    """How long a player may think."""

    limit: Limit
    """For each move; with a clock it comes on top of it."""
    clock: Clock | None = None

    def __str__(self) -> str:
        words = [str(self.limit)] if str(self.limit) else []
        if self.clock:
            words.append(f"clock {self.clock.base}+{self.clock.increment}")
        return " ".join(words)

    def for_opening(self) -> Limit:
        """For each question of an opening protocol; with a clock, which it does not run, a time."""
        if self.clock is None:
            return self.limit
        return replace(self.limit, movetime=max(1, self.clock.base // 20) + self.clock.increment)


@dataclass(frozen=True)
class Adjudication:
    """When a game is ended before its end: always by what both players say, each of its own side.

    Scores are centipawns; a mate counts as more than any.
    """

    resign: tuple[int, int] | None = None
    """So many moves of each in a row: one at least so far ahead, the other as far behind."""
    draw: tuple[int, int, int] | None = None
    """So many moves of each in a row within so little of 0, from this ply after the opening on."""
    proven: bool = False
    """The last scores of both are proven, and say the same."""

    def __str__(self) -> str:
        words = ["resign", *map(str, self.resign)] if self.resign else []
        words += ["draw", *map(str, self.draw)] if self.draw else []
        words += ["proven"] if self.proven else []
        return " ".join(words)

    def verdict(self, told: Sequence[Info], mover: int) -> tuple[str, str] | None:
        """Result and reason, if there is one, from all scores so far; the last is the mover's."""
        if self.proven and len(told) >= 2 and told[-1].proven and told[-2].proven:
            mine, theirs = sign(told[-1]), sign(told[-2])
            if mine == -theirs:
                return won(mover, mine), "proven"
        if self.resign:
            moves, centipawns = self.resign
            mine, theirs = recent(told, moves)
            for ahead, behind, lead in ((mine, theirs, 1), (theirs, mine, -1)):
                enough = len(ahead) == len(behind) == moves
                if enough and min(ahead) >= centipawns and max(behind) <= -centipawns:
                    return won(mover, lead), "resign"
        if self.draw:
            moves, centipawns, ply = self.draw
            mine, theirs = recent(told, moves)
            level = [abs(score) <= centipawns for score in (*mine, *theirs)]
            if len(told) >= ply and len(level) == 2 * moves and all(level):
                return "draw", "draw-score"
        return None


def sign(info: Info) -> int:
    """1 for a win, -1 for a loss, 0 for a draw that is proven."""
    return 0 if info.mate is None else 1 if info.mate > 0 else -1


def won(mover: int, lead: int) -> str:
    """The result if the mover is ahead (1), behind (-1), or neither."""
    if lead == 0:
        return "draw"
    return "p1win" if (mover == FIRST) == (lead > 0) else "p2win"


def recent(told: Sequence[Info], moves: int) -> tuple[list[float], list[float]]:
    """The latest scores of who moved last and of the other, back to a move without one."""

    def numbers(infos: Sequence[Info]) -> list[float]:
        scored = itertools.takewhile(lambda info: info.scored, infos)
        return [
            sign(info) * 1e9 if info.mate is not None else float(info.cp or 0) for info in scored
        ]

    back = told[::-1]
    return numbers(back[0 : 2 * moves : 2]), numbers(back[1 : 2 * moves : 2])


@dataclass(frozen=True)
class Conditions:
    """How every game of the match is played."""

    newgame: str
    margin: float
    """Milliseconds that a move may be late."""
    patience: float
    """Seconds that an engine may be silent beyond its time."""
    max_plies: int
    """Moves after the opening at which a game is drawn; 0: never."""
    adjudication: Adjudication = field(default_factory=Adjudication)

    @property
    def ending(self) -> str:
        """What ends games early, in the words of the command line without their dashes."""
        plies = f"max-plies {self.max_plies}" if self.max_plies else ""
        return f"{plies} {self.adjudication}".strip()


@contextmanager
def referee_words(place: str) -> Iterator[None]:
    """Says of the referee's failures that they are its own."""
    try:
        yield
    except Refused:
        raise
    except EngineError as error:
        raise EngineError(f"{place}: {error}") from None


class Referee:
    """An engine that is asked for the rules alone."""

    def __init__(self, engine: Engine, newgame: str, patience: float = ANSWER) -> None:
        self.engine = engine
        self.newgame = newgame
        self.patience = patience
        self.tells_last = True
        """Whether it knows the question for the last move."""
        self._do(f"newgame {newgame}")

    def _do(self, line: str) -> None:
        with referee_words("the referee"):
            self.engine.do(line, patience=self.patience)

    def _ask(self, what: str) -> str:
        with referee_words("the referee"):
            return self.engine.ask(what, self.patience)

    def set_up(self, opening: str) -> None:
        """Sets up an opening."""
        self._do(position_line(opening))

    def play(self, move: str) -> str:
        """Plays a move, and gives it in its own words; `Refused` if it is not legal."""
        self._do(f"moves {move}")
        if self.tells_last:
            try:
                return self._ask("last").split()[0]
            except Refused:
                self.tells_last = False
        return move

    def result(self) -> str:
        """`p1win`, `p2win`, `draw` or `none`."""
        return self._ask("result")

    def mover(self) -> int:
        """Whose turn it is."""
        return FIRST if self._ask("p1turn") == "true" else SECOND

    def moves(self) -> list[str]:
        """All legal moves."""
        words = self._ask("moves").split()
        return [] if words == ["none"] else words

    def check_protocol(self, protocol: str) -> None:
        """Fails where the game is not opened by this protocol, as far as the referee knows it."""
        try:
            check(self.engine, protocol, self.patience)
        except (Refused, Silent) as error:
            # A referee that does not know the command can judge the game all the same.
            if isinstance(error, Refused) and error.code != "unknown":
                raise EngineError(f"--opening {protocol}: {error}") from None

    def quiet(self) -> bool:
        """Whether the game goes on and neither side wins at once."""
        if self.result() != "none" or self.engine.ask_line("threatening", self.patience) != "0":
            return False
        moves = self.moves()
        for move in moves:
            self.engine.send(f"moves {move}")
            self.engine.send("query result")
            self.engine.send("undo")
        wins = ("response p1win", "response p2win")
        return not any(line in wins for line in self.engine.sync())


def random_openings(
    referee: Referee, plies: int, chance: random.Random, central: bool = False
) -> Iterator[str]:
    """Openings of so many random plies after which the game goes on and neither side wins at once.

    Each is as it follows `position`. Without end; new ones as long as they are found. `central`:
    stones are put into the middle half of the columns and rows, where there is room.
    """
    game = rules.game(referee.newgame) if central else None
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
                middle = [move for move in legal if is_central(game, move)] if game else []
                moves.append(chance.choice(middle or legal))
                referee.play(moves[-1])
            if len(moves) < plies or not referee.quiet():
                continue
            quiet = position_words("startpos", moves)
            # Without plies there is but one.
            if quiet not in seen or not plies:
                break
        if quiet is None:
            raise EngineError(f"no quiet opening of {plies} random plies found in 200 tries")
        seen.add(quiet)
        yield quiet


def is_central(game: rules.Rules, move: str) -> bool:
    """Whether a move puts a stone into the middle half of the columns and rows."""
    if not isinstance(game, rules.Drops):
        return False
    x, y = game.cell(move)
    return abs(x - game.width // 2) <= game.width // 4 and (
        abs(y - game.height // 2) <= game.height // 4
    )


def opening_of(line: str, newgame: str) -> str:
    """An opening, as it follows `position`, from a line that may have it in several ways."""
    words = line.split()
    if words[0].lower() == "position":
        words = words[1:]
    if words and words[0].lower() in ("fen", "stones", "startpos"):
        return position_words(*rules.split(" ".join(words)))
    if are_offsets(line):
        words = offset_moves(line, rules.game(newgame))
    elif len(words) == 1 and are_cells(line):
        words = cell_moves(line, rules.game(newgame))
    return position_words("startpos", words)


def read_openings(path: str, referee: Referee) -> list[str]:
    """The openings of a file, each tried by the referee."""
    openings = []
    for number, raw in enumerate(Path(path).read_text("utf-8-sig", "replace").splitlines(), 1):
        line = raw.partition("#")[0].strip()
        if not line:
            continue
        try:
            opening = opening_of(line, referee.newgame)
            referee.set_up(opening)
        except (Refused, ValueError) as error:
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
        # What made the engine fail is no word on the question.
        kind = "failed" if error.code == "internal" else "refused"
        raise Forfeit(kind, str(error)) from None


class Abandoned(Exception):
    """The match has ended while this game was being played."""


class Table:
    """A referee and whoever sits down; plays one game after the other."""

    def __init__(self, referee: Referee, conditions: Conditions) -> None:
        self.referee = referee
        self.conditions = conditions
        self.mute: list[Engine] = []
        """Players that have not answered how a game stands; they are not asked again."""
        self.untold: list[Engine] = []
        """Players of which the note says so."""
        self.failure: EngineError | None = None
        """Why a player could not be started again, once one could not."""

    def play(
        self,
        game: Game,
        seats: Sequence[Engine],
        paces: Sequence[Pace],
        stop: threading.Event,
    ) -> None:
        """Plays the game; its moves, result and reason are written into it.

        `seats` and `paces`: the first player's and the second's. Where the game has a field
        `protocol`, the players open it first: the first player proposes, and the sides are
        those that are chosen then.
        """
        if self.failure is not None:
            raise self.failure
        conditions = self.conditions
        self.referee.set_up(game.opening)
        protocol = game.other.get("protocol")
        opening = Opening(protocol["name"]) if protocol else None
        told: list[Info] = []
        mover = self.referee.mover()
        game.other["turn"] = ("p1", "p2")[mover]
        game.other.update(detail="", notes=[])
        game.reason = "rules"
        try:
            for mover in (FIRST, SECOND):
                with failures_forfeit():
                    self._begin(game, seats[mover])
            while opening and opening.first is None:
                if stop.is_set():
                    raise Abandoned
                mover = opening.asked
                self._agree(game, opening, seats[mover], paces[mover])
            if opening and opening.first:
                game.players, seats, paces = game.players[::-1], seats[::-1], paces[::-1]
            clocks = [float(pace.clock.base) if pace.clock else 0.0 for pace in paces]
            mover = self.referee.mover()
            game.other["turn"] = ("p1", "p2")[mover]
            while (result := self.referee.result()) == "none":
                if stop.is_set():
                    raise Abandoned
                if conditions.max_plies and len(game.moves) >= conditions.max_plies:
                    result, game.reason = "draw", "max-plies"
                    break
                told.append(self._move(game, seats, paces, mover, clocks))
                verdict = conditions.adjudication.verdict(told, mover)
                mover = self.referee.mover()
                if verdict and self.referee.result() == "none":
                    result, game.reason = verdict
                    break
            game.result = result
        except Forfeit as forfeit:
            loser = seats[mover]
            game.result = "p2win" if mover == FIRST else "p1win"
            game.reason, game.other["detail"] = forfeit.kind, f"{loser.name}: {forfeit}"
            self._restart(loser, stop)
        else:
            for seat in seats:
                if seat not in self.mute:
                    self._compare(game, seat, stop)

    def _begin(self, game: Game, player: Engine) -> None:
        """Tells a player that a game begins, and which. That it need not understand."""
        patience = self.conditions.patience
        try:
            player.do(f"newgame {self.conditions.newgame}", patience=patience)
        except Refused as error:
            if error.code != "unknown":
                raise
            if player not in self.untold:
                self.untold.append(player)
                game.other["notes"].append(f"{player.name} {UNTOLD}")
        player.do("uginewgame", patience=patience)

    def _restart(self, player: Engine, stop: threading.Event) -> None:
        """Starts a player again. The game that it failed in counts, whether it can be or not.

        Unless the match has ended: then it may be that which has made it fail.
        """
        if stop.is_set():
            raise Abandoned
        try:
            player.restart()
        except EngineError as error:
            self.failure = EngineError(f"{player.name} does not start again: {error}")

    def _agree(self, game: Game, opening: Opening, player: Engine, pace: Pace) -> None:
        """Asks a player for the next step of the opening protocol."""
        limit, question = pace.for_opening(), opening.question
        patience = (limit.movetime or 0) / 1000.0 + self.conditions.patience
        began = time.monotonic()
        with failures_forfeit():
            answer = player.ask_line(f"{question} {limit}".rstrip(), patience)
        late = self._late((time.monotonic() - began) * 1000.0, Pace(limit), opening.asked, [])
        if late:
            raise Forfeit("time", f"{question}: {late}")
        try:
            stones = [self.referee.play(stone) for stone in opening.stones_of(answer)]
        except (Refused, ValueError) as error:
            raise Forfeit("illegal", f"{question}: {answer!r}: {error}") from None
        if self.referee.result() != "none":
            raise Forfeit("illegal", f"{question}: {answer!r} ends the game")
        opening.accept(answer, stones)
        game.opening = opening.position
        game.other["protocol"].update(opening.record())

    def _move(
        self,
        game: Game,
        seats: Sequence[Engine],
        paces: Sequence[Pace],
        mover: int,
        clocks: list[float],
    ) -> Info:
        player = seats[mover]
        answer = self._answer(game, player, paces, mover, clocks)
        comment = Comment.of(answer.info, answer.milliseconds)
        game.other["notes"].extend(f"{player.name}: {text}" for text in answer.complaints)
        late = self._late(answer.milliseconds, paces[mover], mover, clocks)
        if late:
            raise Forfeit("time", late)
        try:
            move = self.referee.play(answer.move) if answer.move else ""
        except Refused as error:
            raise Forfeit(
                "illegal", f"{answer.move!r} after ply {len(game.moves)}: {error}"
            ) from None
        if not move:
            raise Forfeit("illegal", f"bestmove without a move after ply {len(game.moves)}")
        game.moves.append(move)
        game.comments.append(comment)
        return answer.info

    def _answer(
        self,
        game: Game,
        player: Engine,
        paces: Sequence[Pace],
        mover: int,
        clocks: list[float],
    ) -> Answer:
        pace = paces[mover]
        limit = pace.limit
        if pace.clock is not None:
            # Where the other has no clock, it is told as this one's own.
            known = [clocks[at] if paces[at].clock else clocks[mover] for at in (FIRST, SECOND)]
            incs = [(paces[at].clock or pace.clock).increment for at in (FIRST, SECOND)]
            limit = replace(
                limit,
                p1time=max(0, int(known[FIRST])),
                p2time=max(0, int(known[SECOND])),
                p1inc=incs[FIRST],
                p2inc=incs[SECOND],
            )
            allowed = clocks[mover]
        else:
            allowed = float(limit.movetime or 0)
        patience = self.conditions.patience
        with failures_forfeit():
            player.do(position_line(game.opening, game.moves), patience=patience)
            return player.go(limit, allowed / 1000.0 + patience)

    def _late(self, used: float, pace: Pace, mover: int, clocks: list[float]) -> str:
        """What is wrong with the time used, if anything; runs the clock."""
        margin = self.conditions.margin
        if pace.clock is not None:
            had = clocks[mover]
            if used > had + margin:
                return f"{used:.0f} ms used of {had:.0f} ms on the clock"
            clocks[mover] = max(0.0, had - used) + pace.clock.increment
            return ""
        movetime = pace.limit.movetime
        if movetime is not None and used > movetime + margin:
            return f"{used:.0f} ms used of {movetime} ms"
        return ""

    @staticmethod
    def _told(player: Engine, questions: list[str], patience: float) -> dict[str, str] | None:
        """A player's answers to each `query`; `None` if it does not know such questions."""
        try:
            return {what: player.ask(what, patience) for what in questions}
        except Refused as error:
            if error.code == "internal":
                raise
            return None

    def _compare(self, game: Game, player: Engine, stop: threading.Event) -> None:
        """Asks a player how the game stands and notes where it disagrees."""
        over = game.reason == "rules"
        notes: list[str] = game.other["notes"]
        expected = {
            "gameover": "true" if over else "false",
            "result": game.result if over else "none",
        }
        patience = min(self.conditions.patience, ANSWER)
        try:
            player.do(position_line(game.opening, game.moves), patience=patience)
            said = self._told(player, list(expected), patience)
        except Silent:
            self._restart(player, stop)
            said = None
        except EngineError as error:
            said = {"gameover": f"error {error}"}
            if not isinstance(error, Refused):
                self._restart(player, stop)
        if said is None:
            self.mute.append(player)
            notes.append(f"{player.name} {UNASKED}")
            return
        for what, value in said.items():
            if value != expected[what]:
                notes.append(
                    f"disagreement: {player.name} says {what} {value}, the referee {expected[what]}"
                )
