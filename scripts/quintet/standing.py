"""How a match stands: two players against each other, or several in a table."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field

from . import ratings
from .opening import CHOICES, Opening
from .records import RESULTS, Game, RecordError
from .table import FORFEITS, UNASKED, UNTOLD


def points_of(game: Game, seat: int) -> float:
    """What the first (0) or the second player (1) has made of a game."""
    winner = RESULTS[game.result]
    return 0.5 if winner is None else float(winner == seat)


def score(wdl: Sequence[int]) -> str:
    """Wins, draws and losses in words, and what they are worth."""
    wins, draws, losses = wdl
    games = wins + draws + losses
    percent = f"{(wins + draws / 2) / games * 100:.1f} %" if games else "-"
    return f"wins {wins}  draws {draws}  losses {losses}  score {percent}"


@dataclass
class Choices:
    """The games that were opened by a protocol: who chose what, and what came of it."""

    made: dict[tuple[int, str], int] = field(default_factory=dict)
    """How often each choice was made (`first`, `second`, `put`), by the number of stones."""
    wdl: list[int] = field(default_factory=lambda: [0, 0, 0])
    """Wins, draws and losses of whoever chose a side."""

    def add(self, game: Game) -> None:
        """Counts a game, if it was opened by a protocol."""
        if "protocol" not in game.other:
            return
        try:
            opening = Opening.parse(game.other["protocol"])
        except ValueError as error:
            raise RecordError(f"{game.where()}: {error}") from None
        stones = len(opening.stones)
        for choice in opening.choices:
            kind, *cells = choice.split()
            self.made[(stones, kind)] = self.made.get((stones, kind), 0) + 1
            stones += len(cells)
        if opening.chooser is not None:
            points = points_of(game, CHOICES[opening.choices[-1]])
            self.wdl[2 - int(points * 2)] += 1

    def report(self) -> list[str]:
        """One line for each number of stones and one of the score; none without such games."""
        lines = []
        for stones in sorted({stones for stones, _ in self.made}):
            kinds = [f"{kind} {self.made.get((stones, kind), 0)}" for kind in ("first", "second")]
            puts = self.made.get((stones, "put"))
            kinds += [f"put {puts}"] if puts else []
            lines.append(f"chosen after {stones} stones: {', '.join(kinds)}")
        return [*lines, f"who chose a side:  {score(self.wdl)}"] if any(self.wdl) else lines


@dataclass
class Standing:
    """Two players, seen from the first named."""

    names: tuple[str, str]
    wdl: list[list[int]] = field(default_factory=lambda: [[0, 0, 0], [0, 0, 0]])
    """Wins, draws and losses: as first player, as second player."""
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
    choices: Choices = field(default_factory=Choices)
    _half: dict[int, float] = field(default_factory=dict)

    @property
    def games(self) -> int:
        """Games played."""
        return sum(map(sum, self.wdl))

    def total(self) -> list[int]:
        """Wins, draws and losses."""
        return [sum(column) for column in zip(*self.wdl)]

    def add(self, game: Game) -> None:
        """Counts a game."""
        self.choices.add(game)
        swapped = game.players[0] != self.names[0]
        points = points_of(game, int(swapped))
        self.wdl[int(swapped)][2 - int(points * 2)] += 1
        pair = game.other.get("pair", 0)
        if pair in self._half:
            self.pairs[int(2 * (self._half.pop(pair) + points))] += 1
        else:
            self._half[pair] = points
        if game.reason in FORFEITS:
            key = (int(points), game.reason)
            self.forfeits[key] = self.forfeits.get(key, 0) + 1
        notes = game.other.get("notes", [])
        disagreements = sum(note.startswith("disagreement") for note in notes)
        self.disagreements += disagreements
        known = sum(note.endswith((UNASKED, UNTOLD)) for note in notes)
        self.complaints += len(notes) - disagreements - known
        self.adjudicated += game.reason not in (*FORFEITS, "rules")
        self.plies += len(game.moves)
        seats = itertools.cycle((1, 0) if game.other.get("turn") == "p2" else (0, 1))
        for seat, comment in zip(seats, game.comments):
            who = seat ^ swapped
            used = comment.time or 0.0
            self.moves[who] += 1
            self.times[who] += used
            self.slowest[who] = max(self.slowest[who], used)
            self.depths[who] += comment.depth or 0
            self.nodes[who] += comment.nodes or 0

    def clean(self) -> bool:
        """Whether nobody forfeited and all agreed."""
        return not self.forfeits and not self.disagreements

    def line(self) -> str:
        """The standing in a few words; of Elo only once a pair of games is complete."""
        wins, draws, losses = self.total()
        score = (wins + draws / 2.0) / max(1, self.games) * 100.0
        elo = f"Elo {ratings.estimate(self.pairs)}" if any(self.pairs) else "no pair complete"
        return f"+{wins} ={draws} -{losses}  {score:.1f} %  {elo}"

    def report(self) -> str:
        """The whole standing, several lines."""
        first, second = self.wdl
        by_seat = [first[0] + second[2], first[1] + second[1], first[2] + second[0]]
        guess = ratings.estimate(self.pairs)
        elo = f"Elo {guess}  LOS {guess.los * 100:.1f} %" if any(self.pairs) else "Elo unknown"
        lines = [
            f"{self.names[0]} against {self.names[1]}: {self.games} games",
            score(self.total()),
            f"  as first player:   {score(first)}",
            f"  as second player:  {score(second)}",
            f"  first players against second players:  {score(by_seat)}",
            *self.choices.report(),
            elo,
            f"pairs by points 0, 0.5, 1, 1.5, 2: {' '.join(map(str, self.pairs))}",
        ]
        for who, name in enumerate(self.names):
            kinds = [
                f"{kind} {count}"
                for (loser, kind), count in sorted(self.forfeits.items())
                if loser == who
            ]
            moves = max(1, self.moves[who])
            # Answers of less than 0.05 ms are recorded as 0.
            rate = f"{self.nodes[who] / used * 1000.0:.0f}" if (used := self.times[who]) else "-"
            lines.append(
                f"{name}: forfeits {', '.join(kinds) or 'none'}; a move: "
                f"{self.times[who] / moves:.1f} ms (most {self.slowest[who]:.0f}), "
                f"depth {self.depths[who] / moves:.1f}, {rate} nodes/s"
            )
        lines.append(
            f"plies a game {self.plies / max(1, self.games):.1f}, "
            f"adjudicated {self.adjudicated}, disagreements with the referee "
            f"{self.disagreements}, failures an engine went on from {self.complaints}"
        )
        return "\n".join(lines)


class Crosstable:
    """Several players, each encounter a `Standing`."""

    def __init__(self, names: Sequence[str], encounters: Sequence[tuple[int, int]]) -> None:
        self.names = list(names)
        self.standings = {(i, j): Standing((names[i], names[j])) for i, j in encounters}

    @property
    def games(self) -> int:
        """Games played."""
        return sum(standing.games for standing in self.standings.values())

    def add(self, game: Game) -> None:
        """Counts a game."""
        i, j = sorted(self.names.index(name) for name in game.players)
        self.standings[(i, j)].add(game)

    def clean(self) -> bool:
        """Whether nobody forfeited and all agreed."""
        return all(standing.clean() for standing in self.standings.values())

    def line(self) -> str:
        """The players in the order of their points."""
        points = self.points()
        order = sorted(range(len(self.names)), key=lambda at: -points[at][0])
        return ", ".join(f"{self.names[at]} {points[at][0]:g}/{points[at][1]}" for at in order)

    def points(self) -> list[tuple[float, int]]:
        """The points and games of each player."""
        found = [(0.0, 0)] * len(self.names)
        for (i, j), standing in self.standings.items():
            wins, draws, losses = standing.total()
            for at, points in ((i, wins + draws / 2), (j, losses + draws / 2)):
                found[at] = (found[at][0] + points, found[at][1] + standing.games)
        return found

    def report(self) -> str:
        """The table of ratings and the reports of all encounters."""
        pairs = {key: standing.pairs for key, standing in self.standings.items()}
        rated = ratings.ratings(len(self.names), pairs)
        points = self.points()
        width = max(map(len, self.names))
        lines = [f"{'':{width}}    Elo   +/-  points  games"]
        for at in sorted(range(len(self.names)), key=lambda at: -rated[at].elo):
            lines.append(
                f"{self.names[at]:{width}}  {rated[at].elo:+5.0f}  {rated[at].error:4.0f}  "
                f"{points[at][0]:6g}  {points[at][1]:5}"
            )
        lines.append("Elo relative to the mean, 95 % error, from the pairs of games")
        reports = [standing.report() for standing in self.standings.values() if standing.games]
        return "\n\n".join(["\n".join(lines), *reports])
