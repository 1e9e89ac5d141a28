"""Games and what each of their moves gave away."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from .analysis import Asked, Reply
from .protocol import Info
from .records import RESULTS, Comment, Game

MARKS = ((0.2, "??"), (0.1, "?"), (0.05, "?!"))
"""The loss in expected score from which a move has this mark: blunder, mistake, inaccuracy."""

ANNOTATION = {
    "ply": "the number of the move in the game, from 1",
    "played": "the move that was played",
    "loss": "how much expected score it gave away, 0 to 1",
    "mark": "`?!` from 0.05 on, `?` from 0.1, `??` from 0.2",
}
"""The fields of a row of `--every-move` beyond those of a position."""


@dataclass
class Move:
    """A move of a game and what is thought of it."""

    ply: int
    played: str
    before: Reply
    """The analysis of the position in which it was played."""
    reached: float | None = None
    """The expected score it leads to, of the side that played it."""

    @property
    def loss(self) -> float | None:
        """What it gave away: the best move's expected score less its own, and no less than 0."""
        best = self.before.expected
        if best is None or self.reached is None:
            return None
        same = self.before.answer is not None and self.before.answer.move == self.played
        return 0.0 if same else max(0.0, best - self.reached)

    @property
    def mark(self) -> str:
        """`??`, `?`, `?!` or nothing."""
        loss = self.loss or 0.0
        return next((sign for least, sign in MARKS if loss >= least - 1e-9), "")

    @property
    def best(self) -> Info:
        """What the search said of the best move."""
        return self.before.answer.info if self.before.answer else Info()

    def row(self) -> dict[str, Any]:
        """Its row: that of the position, and how the move compares with the best one."""
        loss = None if self.loss is None else round(self.loss, 4)
        own = {"ply": self.ply, "played": self.played, "loss": loss, "mark": self.mark}
        return {**self.before.rows()[0], **own}


@dataclass
class Annotated:
    """A game with all its moves."""

    game: Game
    moves: list[Move] = field(default_factory=list)
    first: list[float | None] = field(default_factory=list)
    """The expected score of the first player in every position, from the opening on."""

    def told(self) -> Game:
        """The game with what the analysis said of each move, in place of what the players did."""
        said = [move.before.answer for move in self.moves]
        comments = [Comment.of(a.info, a.milliseconds) if a else Comment() for a in said]
        return replace(self.game, comments=comments)

    def of_player(self, seat: int) -> list[Move]:
        """The moves of the first (0) or the second player (1) of which the loss is known."""
        start = 1 if self.game.other.get("turn") == "p2" else 0
        own = [move for move in self.moves if (move.ply - 1 + start) % 2 == seat]
        return [move for move in own if move.loss is not None]


def positions_of(games: Iterable[Asked | Game]) -> Iterator[Asked]:
    """Every position of the games, the one after the last move too; what is no game as it is."""
    for game in games:
        if isinstance(game, Asked):
            yield game
            continue
        for ply in range(len(game.moves) + 1):
            yield Asked.after(game, ply)


def annotated(replies: Iterable[Reply]) -> Iterator[Annotated | Reply]:
    """The games from the replies to all their positions, in their order; other replies as they
    are."""
    waiting: list[Reply] = []
    for reply in replies:
        game = reply.asked.game
        if game is None:
            yield reply
            continue
        waiting.append(reply)
        if reply.asked.ply == len(game.moves):
            yield of_game(game, waiting)
            waiting = []


def of_game(game: Game, replies: list[Reply]) -> Annotated:
    """A game from the replies to its positions; who moves is told by the record."""
    start = 1 if game.other.get("turn") == "p2" else 0
    found = Annotated(game)
    for ply, reply in enumerate(replies):
        expected = reply.expected
        over = reply.answer is not None and reply.answer.move == "none"
        if over and game.result in RESULTS:
            winner = RESULTS[game.result]
            expected = 0.5 if winner is None else float(winner == (ply + start) % 2)
        mover = (ply + start) % 2
        found.first.append(expected if mover == 0 or expected is None else 1 - expected)
        if ply:
            found.moves[-1].reached = None if expected is None else 1 - expected
        if ply < len(game.moves):
            found.moves.append(Move(ply + 1, game.moves[ply], reply))
    return found


def summary(found: Annotated) -> str:
    """A line about a game: what both players gave away."""
    told = []
    for seat, name in enumerate(found.game.players):
        moves = found.of_player(seat)
        average = 100 * sum(move.loss or 0.0 for move in moves) / max(1, len(moves))
        marks = [f"{sum(move.mark == sign for move in moves)} {sign}" for _, sign in MARKS]
        player = name or ("first player", "second player")[seat]
        told.append(f"{player}: {average:.1f} % a move, {', '.join(marks)}")
    return "; ".join(told)
