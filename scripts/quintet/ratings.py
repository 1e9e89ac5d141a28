"""Statistics of a match played in pairs of games.

The two games of a pair start from one opening with colours swapped, so they are not
independent, but pairs are. Everything here is therefore computed from the *pentanomial*:
how many pairs gave the first engine 0, 1/2, 1, 3/2 and 2 points.

The sequential test is the generalised sequential probability ratio test (GSPRT) on the
pentanomial in normalised Elo, as in fastchess (`app/src/matchmaking/sprt/sprt.cpp`,
model `normalized`) and fishtest. Its mathematics, and the numbers of the equations below,
are those of Michel Van den Bergh, "Comments on Normalized Elo",
https://www.cantate.be/Fishtest/normalized_elo_practical.pdf
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Callable

PAIR_SCORES: tuple[float, ...] = (0.0, 0.25, 0.5, 0.75, 1.0)
"""What a pair is worth per game, in the order of a pentanomial."""

Z95 = 1.959963984540054
"""A normal variable stays within this many deviations in 95 of 100 cases."""

ELO_UNIT = 800.0 / math.log(10.0)
"""Normalised Elo per unit of (score - 1/2) / deviation of one game."""


def elo_of(score: float) -> float:
    """The difference in Elo at which this score is expected."""
    if score <= 0.0:
        return -math.inf
    if score >= 1.0:
        return math.inf
    return 400.0 * math.log10(score / (1.0 - score))


def score_of(elo: float) -> float:
    """The score expected at this difference in Elo."""
    return 1.0 / (1.0 + math.pow(10.0, -elo / 400.0))


@dataclass(frozen=True)
class Estimate:
    """What a pentanomial says of the difference in strength."""

    score: float
    elo: float
    low: float
    """Lower end of the 95 % interval of `elo`."""
    high: float
    """Upper end of the 95 % interval of `elo`."""
    los: float
    """Likelihood of superiority: the chance that the first engine is the stronger one."""

    def __str__(self) -> str:
        if math.isinf(self.elo):
            bound, side = (self.low, ">") if self.elo > 0 else (self.high, "<")
            return f"{self.elo:+.0f} (95 %: {side} {bound:+.1f})"
        if math.isinf(self.high - self.low):
            return f"{self.elo:+.1f} (95 %: {self.low:+.1f} to {self.high:+.1f})"
        return f"{self.elo:+.1f} +/- {(self.high - self.low) / 2.0:.1f}"


def estimate(pairs: Sequence[int]) -> Estimate:
    """Score, Elo with its 95 % interval and LOS from a pentanomial.

    The interval is that of the score (normal, variance from the pairs) seen through the
    Elo curve. Where all pairs went the same way the variance says nothing; a clean sweep
    then has the exact binomial bound, and no interval is claimed for the rest. The LOS asks how
    far the score would lie from one half if the players were equal: its variance is that about one
    half, and each of the five results of a pair counts once more than it came up, so that a few
    pairs prove little and a better result never shows less.
    """
    total = sum(pairs)
    if total == 0:
        return Estimate(0.5, 0.0, -math.inf, math.inf, 0.5)
    score = sum(n * s for n, s in zip(pairs, PAIR_SCORES)) / total
    variance = sum(n * (s - score) ** 2 for n, s in zip(pairs, PAIR_SCORES)) / total
    error = math.sqrt(variance / total)
    if error > 0.0:
        low, high = score - Z95 * error, score + Z95 * error
    else:
        sweep = 0.025 ** (1.0 / total)
        low = sweep if score == 1.0 else 0.0
        high = 1.0 - sweep if score == 0.0 else 1.0
    lead = sum(n * (s - 0.5) for n, s in zip(pairs, PAIR_SCORES))
    spread = sum((n + 1) * (s - 0.5) ** 2 for n, s in zip(pairs, PAIR_SCORES))
    los = 0.5 * (1.0 + math.erf(lead / math.sqrt(2.0 * spread)))
    return Estimate(score, elo_of(score), elo_of(low), elo_of(high), los)


def bounds(alpha: float, beta: float) -> tuple[float, float]:
    """Where the test ends: H0 is accepted at or below the first, H1 at or above the second."""
    return math.log(beta / (1.0 - alpha)), math.log((1.0 - beta) / alpha)


def llr(pairs: Sequence[int], elo0: float, elo1: float) -> float:
    """Log-likelihood ratio of H1 (normalised Elo is `elo1`) against H0 (it is `elo0`).

    Empty classes count as a thousandth of a pair, as in fastchess, so that the ratio is
    defined from the first pair on. Without a pair it is 0.
    """
    if sum(pairs) == 0:
        return 0.0
    counts = [float(n) or 1e-3 for n in pairs]
    total = sum(counts)
    seen = [n / total for n in counts]
    # A pair's score is the mean of two games, so its deviation is 1/sqrt(2) of a game's.
    t0, t1 = (math.sqrt(2.0) * elo / ELO_UNIT for elo in (elo0, elo1))
    p0, p1 = _likeliest(seen, t0), _likeliest(seen, t1)
    return total * sum(p * math.log(b / a) for p, a, b in zip(seen, p0, p1))


def _likeliest(seen: Sequence[float], t: float) -> list[float]:
    """The likeliest distribution with (mean - 1/2) / deviation = t, given what was seen.

    Section 4.1 of the paper: from the uniform distribution on, the condition is made
    linear at the present one and the linear problem is solved exactly.
    """
    now = [1.0 / len(PAIR_SCORES)] * len(PAIR_SCORES)
    for _ in range(1000):
        mean = sum(p * a for p, a in zip(now, PAIR_SCORES))
        sigma = math.sqrt(sum(p * (a - mean) ** 2 for p, a in zip(now, PAIR_SCORES)))
        # Equation 4.8, the linear condition: the sum of p * phi is 0.
        phi = [a - 0.5 - 0.5 * t * sigma * (1.0 + ((a - mean) / sigma) ** 2) for a in PAIR_SCORES]
        if not min(phi) < 0.0 < max(phi):
            raise ValueError(f"no distribution of pairs has a normalised Elo of {t * ELO_UNIT:.0f}")

        def slope(x: float, phi: Sequence[float] = tuple(phi)) -> float:
            return sum(p * f / (1.0 + x * f) for p, f in zip(seen, phi))

        theta = _root(slope, -1.0 / max(phi), -1.0 / min(phi))
        new = [p / (1.0 + theta * f) for p, f in zip(seen, phi)]
        change = max(abs(a - b) for a, b in zip(new, now))
        now = new
        if change < 1e-9:
            break
    return now


def _root(falling: Callable[[float], float], low: float, high: float) -> float:
    """Where a function that falls from + to - infinity between two poles is 0, by bisection."""
    for _ in range(200):
        middle = 0.5 * (low + high)
        if not low < middle < high:
            break
        if falling(middle) > 0.0:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


@dataclass(frozen=True)
class Rating:
    """A player among several."""

    elo: float
    """Relative to the mean of all players."""
    error: float
    """Half of the 95 % interval."""


def ratings(players: int, encounters: Mapping[tuple[int, int], Sequence[int]]) -> list[Rating]:
    """Elo of several players who met in pairs of games, by maximum likelihood.

    `encounters`: for players i < j the pentanomial of i against j. The model is that of Elo, a
    draw being half a win (Bradley and Terry). Each encounter counts one drawn pair more than was
    played, which keeps a player who won all games within reason. The errors are those of the pairs
    (the sandwich estimator), so games of one opening need not be independent.
    """
    unit = math.log(10.0) / 400.0
    met = {key: [n + (at == 2) for at, n in enumerate(row)] for key, row in encounters.items()}
    elo = [0.0] * players
    for _ in range(100):
        slope = [0.0] * players
        curve = [[1.0] * players for _ in range(players)]
        noise = [[0.0] * players for _ in range(players)]
        for (i, j), row in met.items():
            p = score_of(elo[i] - elo[j])
            pairs = sum(row)
            pull = unit * sum(n * (s - p) for n, s in zip(row, PAIR_SCORES))
            bend = unit * unit * pairs * p * (1.0 - p)
            spread = unit * unit * sum(n * (s - p) ** 2 for n, s in zip(row, PAIR_SCORES))
            slope[i] += pull
            slope[j] -= pull
            for matrix, value in ((curve, bend), (noise, spread)):
                for a, b, sign in ((i, i, 1), (j, j, 1), (i, j, -1), (j, i, -1)):
                    matrix[a][b] += sign * value
        inverse = inverted(curve)
        step = [sum(x * g for x, g in zip(row, slope)) for row in inverse]
        # A long step leads astray where the curve is flat.
        elo = [e + max(-200.0, min(200.0, s)) for e, s in zip(elo, step)]
        if max(map(abs, step), default=0.0) < 1e-6:
            break
    mean = sum(elo) / max(1, players)
    half = multiplied(multiplied(inverse, noise), inverse)
    return [Rating(e - mean, Z95 * math.sqrt(max(0.0, half[at][at]))) for at, e in enumerate(elo)]


def multiplied(a: Sequence[Sequence[float]], b: Sequence[Sequence[float]]) -> list[list[float]]:
    """The product of two square matrices."""
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]


def inverted(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """The inverse of a matrix that has one, by elimination."""
    n = len(matrix)
    rows = [list(row) + [float(at == i) for at in range(n)] for i, row in enumerate(matrix)]
    for at in range(n):
        pivot = max(range(at, n), key=lambda i: abs(rows[i][at]))
        rows[at], rows[pivot] = rows[pivot], rows[at]
        rows[at] = [x / rows[at][at] for x in rows[at]]
        for i in range(n):
            if i != at:
                factor = rows[i][at]
                rows[i] = [x - factor * y for x, y in zip(rows[i], rows[at])]
    return [row[n:] for row in rows]
