"""The rules of the games in plain Python, written from the rules and not from the engine.

They are slow and simple, for judging the engine's games: `game("pente size 13")` is a game at its
start, `position("teeko", "fen 5/1rb2/1rb2/1r3/2b2 b moves c2")` one set up; `legal()`,
`play(move)`, `result()` and `fen()` speak as the engine does.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Union

Cell = tuple[int, int]
"""Column and row from the lower left corner, from 0."""

Values = Union[range, tuple[str, ...]]
"""What a rule may be: whole numbers, or words."""

LINES = ((1, 0), (0, 1), (1, 1), (1, -1))
WON = ("p1win", "p2win")
SWITCH = ("on", "off", "true", "false")


class Rules:
    """A board, whose turn it is, and how the game stands."""

    names = ("black", "white")
    letters = "bw"
    columns = "abcdefghijklmnopqrstuvwxyz"
    returns = False
    """Whether a position can stand again."""
    values: Mapping[str, Values] = {}
    """The rules that can be told, and what each may be."""
    extra: tuple[str, ...] = ()
    """What comes after the side to move in the start position."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.stones: dict[Cell, int] = {}
        self.side = 0
        self.outcome = "none"
        self.seen: Counter[object] = Counter()
        self.remember()

    def on_board(self, cell: Cell) -> bool:
        """Whether there is such a cell."""
        return 0 <= cell[0] < self.width and 0 <= cell[1] < self.height

    def cells(self) -> list[Cell]:
        """All cells."""
        return [(x, y) for y in range(self.height) for x in range(self.width)]

    def empty(self) -> list[Cell]:
        """The cells without a stone."""
        return [cell for cell in self.cells() if cell not in self.stones]

    def name(self, cell: Cell) -> str:
        """`(2, 0)` -> `c1`"""
        return f"{self.columns[cell[0]]}{cell[1] + 1}"

    def cell(self, name: str) -> Cell:
        """`c1` -> `(2, 0)`"""
        return (self.columns.index(name[0]), int(name[1:]) - 1)

    def named(self, name: str) -> Cell:
        """The cell of exactly this name; `ValueError` if the board has none."""
        try:
            cell = self.cell(name)
        except (ValueError, IndexError):
            cell = (-1, -1)
        if not self.on_board(cell) or self.name(cell) != name:
            raise ValueError(f"{name!r} is no cell of the board")
        return cell

    def run(self, cell: Cell, step: Cell) -> list[Cell]:
        """The stones of one colour without a gap through this one, along a line."""
        owner = self.stones[cell]
        found = [cell]
        for sign in (1, -1):
            x, y = cell
            while True:
                x, y = x + sign * step[0], y + sign * step[1]
                if self.stones.get((x, y)) != owner:
                    break
                found.append((x, y))
        return found

    def state(self) -> object:
        """What has to be the same where a position stands again."""
        return (frozenset(self.stones.items()), self.side)

    def remember(self) -> None:
        """Counts how often this position has stood."""
        if self.returns:
            self.seen[self.state()] += 1

    def repeated(self) -> bool:
        """Whether it stands for the third time."""
        return self.returns and self.seen[self.state()] >= 3

    def fen(self) -> str:
        """The position in the notation of the engine."""
        rows = []
        for y in reversed(range(self.height)):
            row, gap = "", 0
            for x in range(self.width):
                owner = self.stones.get((x, y))
                if owner is None:
                    gap += 1
                    continue
                row += (str(gap) if gap else "") + self.letters[owner]
                gap = 0
            rows.append(row + (str(gap) if gap else ""))
        return "/".join(rows) + " " + self.letters[self.side]

    def set_up(self, stones: dict[Cell, int], side: int, extra: list[str]) -> None:
        """Sets up a board in place of the start position; `ValueError` if there can be none such.

        `extra`: the words of a position that come after the side to move.
        """
        if len(extra) != len(self.extra):
            due = f"{len(self.extra)} words" if self.extra else "nothing"
            raise ValueError(f"expected {due} after the side to move, found {' '.join(extra)!r}")
        self.stones, self.side = stones, side
        self.outcome = self.judged()
        self.seen.clear()
        self.remember()

    def judged(self) -> str:
        """The result of a board that was set up; `ValueError` if both sides have won."""
        won = [self.has_won(side) for side in (0, 1)]
        if all(won):
            raise ValueError("both sides have won")
        if any(won):
            return WON[won.index(True)]
        return "draw" if self.drawn() else "none"

    def has_won(self, side: int) -> bool:
        """Whether a side has its win on the board."""
        raise NotImplementedError

    def drawn(self) -> bool:
        """Whether a game that nobody has won is over."""
        return not self.empty()

    def read_fen(self, words: list[str]) -> None:
        """Sets up what `fen` writes, as words; `ValueError` if it is none."""
        rows = words[0].lower().split("/") if words else []
        if len(rows) != self.height or len(words) < 2:
            raise ValueError(f"expected {self.height} rows and a side to move")
        stones: dict[Cell, int] = {}
        for y, row in zip(reversed(range(self.height)), rows):
            x = 0
            for gap, letter in re.findall(r"([1-9][0-9]*)|(.)", row):
                if letter:
                    stones[(x, y)] = self.player(letter, tuple(self.letters))
                x += int(gap or 1)
            if x != self.width:
                raise ValueError(f"row {y + 1} has {x} cells instead of {self.width}")
        self.set_up(stones, self.player(words[1].lower(), tuple(self.letters)), words[2:])

    @staticmethod
    def player(word: str, names: tuple[str, ...]) -> int:
        """The side of a name or letter; `ValueError` if it is neither's."""
        if word not in names:
            raise ValueError(f"expected {' or '.join(names)}, found {word!r}")
        return names.index(word)

    def read_stones(self, words: list[str]) -> None:
        """Sets up `[PLAYER CELL…]… turn PLAYER [EXTRA…]`; `ValueError` if it is none."""
        stones: dict[Cell, int] = {}
        lower = [word.lower() for word in words]
        if "turn" not in lower[:-1]:
            raise ValueError("expected 'turn' and the player to move")
        end = lower.index("turn")
        owner: int | None = None
        for word in lower[:end]:
            if word in self.names:
                owner = self.names.index(word)
                continue
            if owner is None:
                raise ValueError(f"expected a player, found {word!r}")
            cell = self.named(word)
            if cell in stones:
                raise ValueError(f"the cell {word!r} is given twice")
            stones[cell] = owner
        told = lower[end + 2 :]
        if told and not (self.extra and told[0] == "captures"):
            raise ValueError(f"{' '.join(told)!r} may not follow the player to move")
        extra = told[1:] if told else [*self.extra]
        self.set_up(stones, self.player(lower[end + 1], self.names), extra)

    def canonical(self, move: str) -> str:
        """The move as the engine writes it."""
        return move.lower()

    def result(self) -> str:
        """`p1win`, `p2win`, `draw`, or `none` while the game goes on."""
        return self.outcome

    def turn(self) -> str:
        """The name of the side to move."""
        return self.names[self.side]

    def legal(self) -> list[str]:
        """All legal moves; none when the game is over."""
        return [] if self.outcome != "none" else self.moves()

    def is_legal(self, move: str) -> bool:
        """Whether a move, in the words of `canonical`, is legal."""
        return move in self.legal()

    def play(self, move: str) -> None:
        """Plays a move that must be legal."""
        mover = self.side
        self.side = 1 - mover
        self.make(move, mover)
        self.remember()
        if self.outcome == "none" and self.repeated():
            self.outcome = "draw"

    def moves(self) -> list[str]:
        """The moves of a game that goes on."""
        return [self.name(cell) for cell in self.empty()]

    def make(self, move: str, mover: int) -> None:
        """Does a move and judges what comes of it."""
        raise NotImplementedError


class Drops(Rules):
    """A game in which a move is a stone on an empty cell. No position returns, even in Poof: there
    the number of stones that went off grows."""

    def is_legal(self, move: str) -> bool:
        # As `legal`, without a list of all moves.
        try:
            cell = self.named(move)
        except ValueError:
            return False
        free = cell not in self.stones
        return free and self.outcome == "none" and not self.forbidden(cell)

    def moves(self) -> list[str]:
        return [self.name(cell) for cell in self.empty() if not self.forbidden(cell)]

    def forbidden(self, cell: Cell) -> bool:
        """Whether a rule keeps this cell empty."""
        return False


class Gomoku(Drops):
    """The m,n,k game."""

    # A width or height of 0 stands for the size.
    values = {
        "size": range(3, 23),
        "width": range(23),
        "height": range(23),
        "line": range(3, 23),
        "rule": ("freestyle", "standard"),
        "tie": ("dead", "full"),
    }

    def __init__(
        self,
        size: int = 15,
        width: int = 0,
        height: int = 0,
        line: int = 5,
        rule: str = "freestyle",
        tie: str = "dead",
    ):
        self.line, self.rule, self.tie = line, rule, tie
        width, height = width or size, height or size
        if min(width, height) < 3:
            raise ValueError(f"a board of {width}x{height} is too small")
        if line > max(width, height):
            raise ValueError(f"a line of {line} does not fit on a board of {width}x{height}")
        super().__init__(width, height)

    def make(self, move: str, mover: int) -> None:
        cell = self.cell(move)
        self.stones[cell] = mover
        if self.wins(cell):
            self.outcome = WON[mover]
        elif self.drawn():
            self.outcome = "draw"

    def wins(self, cell: Cell) -> bool:
        """Whether a row through this stone wins."""
        lengths = [len(self.run(cell, step)) for step in LINES]
        return any(n == self.line or (n > self.line and self.rule == "freestyle") for n in lengths)

    def has_won(self, side: int) -> bool:
        return any(self.wins(cell) for cell, owner in self.stones.items() if owner == side)

    def drawn(self) -> bool:
        return super().drawn() or (self.tie == "dead" and self.dead())

    def dead(self) -> bool:
        """Whether every window of `line` cells holds both colours."""
        for x, y in self.cells():
            for dx, dy in LINES:
                window = [(x + i * dx, y + i * dy) for i in range(self.line)]
                if self.on_board(window[-1]):
                    owners = {self.stones[cell] for cell in window if cell in self.stones}
                    if len(owners) < 2:
                        return False
        return True


class Pente(Drops):
    """Pente, Keryo, G-Pente, Poof, Boat-Pente and O-Pente."""

    names = ("white", "black")
    letters = "wb"
    columns = "abcdefghjklmnopqrstuvwxyz"
    values = {
        "size": range(7, 20, 2),
        "tournament": SWITCH,
        "variant": ("pente", "keryo", "g", "poof", "boat", "o"),
    }
    extra = ("0", "0")

    def __init__(self, size: int = 19, tournament: str = "on", variant: str = "pente"):
        self.tournament, self.variant = tournament in ("on", "true"), variant
        self.captured = [0, 0]
        self.lengths = (2, 3) if variant in ("keryo", "o") else (2,)
        self.poofs = variant in ("poof", "o")
        self.must_hold = variant in ("boat", "o")
        self.goal = 15 if variant in ("keryo", "o") else 10
        super().__init__(size, size)

    def fen(self) -> str:
        return f"{super().fen()} {self.captured[0]} {self.captured[1]}"

    def set_up(self, stones: dict[Cell, int], side: int, extra: list[str]) -> None:
        most = self.width * self.height
        self.captured = [number(count, range(most + 1), "captures") for count in extra]
        super().set_up(stones, side, extra)

    def has_won(self, side: int) -> bool:
        enough = self.captured[side] >= self.goal
        if self.poofs:
            enough = enough and self.captured[side] > self.captured[1 - side]
        return enough or (not self.must_hold and bool(self.fives(side)))

    def judged(self) -> str:
        if self.must_hold:
            # A row of the side to move was not captured out of; the other's has just been made.
            if self.fives(self.side):
                return WON[self.side]
            if self.held(1 - self.side):
                return WON[1 - self.side]
        return super().judged()

    def forbidden(self, cell: Cell) -> bool:
        played = len(self.stones) + sum(self.captured)
        middle = self.width // 2
        dx, dy = abs(cell[0] - middle), abs(cell[1] - middle)
        if not self.tournament or played not in (0, 2):
            return False
        if played == 0:
            return (dx, dy) != (0, 0)
        near = max(dx, dy) <= 2
        return near or (self.variant == "g" and min(dx, dy) == 0 and max(dx, dy) in (3, 4))

    def line(self, cell: Cell, step: Cell, first: int, length: int) -> list[Cell]:
        """So many cells of a line, of which the first lies so many steps from this one."""
        x, y = cell
        return [(x + i * step[0], y + i * step[1]) for i in range(first, first + length)]

    def between(self, ray: list[Cell], owner: int) -> bool:
        """Whether all cells but the ends hold one side's stones, and the ends the other's."""
        owners = [self.stones.get(at) for at in ray]
        ends = [owners[0], owners[-1]]
        return ends == [1 - owner] * 2 and owners[1:-1] == [owner] * (len(ray) - 2)

    def capturable(self, cell: Cell) -> bool:
        """Whether the other side could capture this stone with its next move."""
        owner = self.stones[cell]
        for step in LINES:
            for length in self.lengths:
                for first in range(-length, 0):
                    ray = self.line(cell, step, first, length + 2)
                    inner = [self.stones.get(at) for at in ray[1:-1]]
                    ends = [self.stones.get(at) for at in (ray[0], ray[-1])]
                    on_board = self.on_board(ray[0]) and self.on_board(ray[-1])
                    if on_board and inner == [owner] * length and set(ends) == {None, 1 - owner}:
                        return True
        return False

    def fives(self, side: int) -> list[list[Cell]]:
        """The rows of five or more of a side."""
        mine = [cell for cell, owner in self.stones.items() if owner == side]
        rows = (self.run(cell, step) for cell in mine for step in LINES)
        return [row for row in rows if len(row) >= 5]

    def won_by_row(self, cell: Cell, mover: int) -> int | None:
        """The side that has won by a row, now that a stone was put there."""
        if not self.must_hold:
            made = cell in self.stones and any(len(self.run(cell, step)) >= 5 for step in LINES)
            return mover if made else None
        if self.fives(1 - mover):
            # It was not captured out of.
            return 1 - mover
        return mover if self.held(mover) else None

    def held(self, side: int) -> bool:
        """Whether a side has a row of which the other can't capture a stone."""
        return any(not any(map(self.capturable, row)) for row in self.fives(side))

    def make(self, move: str, mover: int) -> None:
        cell, other = self.cell(move), 1 - mover
        self.stones[cell] = mover
        taken: set[Cell] = set()
        lost: set[Cell] = set()
        for step in [*LINES, *((-x, -y) for x, y in LINES)]:
            for length in self.lengths:
                ray = self.line(cell, step, 0, length + 2)
                if self.stones.get(ray[-1]) == mover and self.between(ray, other):
                    taken.update(ray[1:-1])
                for place in range(1, length + 1):
                    ray = self.line(cell, step, -place, length + 2)
                    if self.poofs and self.between(ray, mover):
                        lost.update(ray[1:-1])
        for at in taken | lost:
            del self.stones[at]
        self.captured[mover] += len(taken)
        self.captured[other] += len(lost)
        by_row = self.won_by_row(cell, mover)
        most = max(self.captured)
        if by_row is not None:
            self.outcome = WON[by_row]
        elif most >= self.goal and self.captured[0] != self.captured[1]:
            self.outcome = WON[self.captured.index(most)]
        elif not self.empty():
            self.outcome = "draw"


class Pentago(Rules):
    """Pentago; holes are numbered from the upper left corner."""

    names = ("black", "red")
    letters = "br"
    quadrants = {"tl": (0, 3), "tr": (3, 3), "bl": (0, 0), "br": (3, 0)}
    turns = tuple(f"{way}-{quadrant}" for quadrant in quadrants for way in ("cw", "ccw"))
    short = {
        "clockwise": "cw",
        "anti-clockwise": "ccw",
        "top-left": "tl",
        "top-right": "tr",
        "bottom-left": "bl",
        "bottom-right": "br",
    }
    """The words of `move(34,anti-clockwise,bottom-right)`, which is read, too."""

    def __init__(self) -> None:
        super().__init__(6, 6)

    def name(self, cell: Cell) -> str:
        return str((5 - cell[1]) * 6 + cell[0] + 1)

    def cell(self, name: str) -> Cell:
        row, column = divmod(int(name) - 1, 6)
        return (column, 5 - row)

    def canonical(self, move: str) -> str:
        move = move.lower()
        long = re.fullmatch(r"move\((\d+)((?:,[a-z-]+)*)\)", move)
        if long:
            words = (self.short.get(word, "?") for word in long[2].split(",")[1:])
            move = "-".join([long[1], *words])
        # After a placement that wins, a turn may be written and is not made.
        hole, _, turn = move.partition("-")
        return hole if turn in self.turns and hole in self.legal() else move

    def five(self, side: int) -> bool:
        """Whether a side has five in a row."""
        mine = [cell for cell, owner in self.stones.items() if owner == side]
        return any(len(self.run(cell, step)) >= 5 for cell in mine for step in LINES)

    def judged(self) -> str:
        # What holds for a board that was set up holds after every move, too.
        fives = [self.five(0), self.five(1)]
        if all(fives) or (not any(fives) and not self.empty()):
            return "draw"
        return WON[fives.index(True)] if any(fives) else "none"

    def moves(self) -> list[str]:
        found = []
        for cell in self.empty():
            self.stones[cell] = self.side
            wins = any(len(self.run(cell, step)) >= 5 for step in LINES)
            del self.stones[cell]
            hole = self.name(cell)
            found += [hole] if wins else [f"{hole}-{turn}" for turn in self.turns]
        return found

    def make(self, move: str, mover: int) -> None:
        hole, _, turn = move.partition("-")
        self.stones[self.cell(hole)] = mover
        if turn:
            way, _, quadrant = turn.partition("-")
            x, y = self.quadrants[quadrant]
            before = {
                (i, j): self.stones.pop((x + i, y + j), None) for i in range(3) for j in range(3)
            }
            for (i, j), owner in before.items():
                if owner is not None:
                    # Up goes to the right clockwise.
                    to = (j, 2 - i) if way == "cw" else (2 - j, i)
                    self.stones[(x + to[0], y + to[1])] = owner
        self.outcome = self.judged()


class DagEnNacht(Rules):
    """Dag en Nacht: drops on black squares, shifts to white ones."""

    returns = True
    values = {"size": range(11, 20, 2), "restriction": SWITCH, "back": SWITCH}

    def __init__(self, size: int = 15, restriction: str = "off", back: str = "off"):
        self.restriction = restriction in ("on", "true")
        self.back = back in ("on", "true")
        super().__init__(size, size)

    @staticmethod
    def white(cell: Cell) -> bool:
        """Whether a square is white, as the corners are."""
        return (cell[0] + cell[1]) % 2 == 0

    def moves(self) -> list[str]:
        found = [self.name(cell) for cell in self.empty() if not self.white(cell)]
        for (x, y), owner in self.stones.items():
            if owner == self.side and (self.back or not self.white((x, y))):
                for to in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                    if self.on_board(to) and to not in self.stones:
                        found.append(f"{self.name((x, y))}-{self.name(to)}")
        return found

    def make(self, move: str, mover: int) -> None:
        start, _, end = move.partition("-")
        if end:
            del self.stones[self.cell(start)]
        cell = self.cell(end or start)
        self.stones[cell] = mover
        if self.wins(cell, mover):
            self.outcome = WON[mover]
        elif self.drawn():
            self.outcome = "draw"

    def has_won(self, side: int) -> bool:
        return any(self.wins(cell, side) for cell, owner in self.stones.items() if owner == side)

    def drawn(self) -> bool:
        return not self.moves()

    def wins(self, cell: Cell, mover: int) -> bool:
        """Whether a row through this stone wins."""
        for step in LINES:
            run = self.run(cell, step)
            if 0 in step:
                whites = sum(self.white(at) for at in run)
                enough = whites >= 3 or mover == 1 or not self.restriction
                if len(run) >= 5 and enough:
                    return True
            elif len(run) >= 4 and self.white(cell):
                return True
        return False


class Teeko(Rules):
    """Teeko: four markers each."""

    returns = True

    names = ("black", "red")
    letters = "br"
    values = {"variant": ("standard", "advanced"), "centre": SWITCH}

    def __init__(self, variant: str = "standard", centre: str = "on"):
        self.centre = centre in ("on", "true")
        edges = range(1, 5) if variant == "advanced" else (1,)
        squares = [
            {(x, y), (x + n, y), (x, y + n), (x + n, y + n)}
            for n in edges
            for x in range(5 - n)
            for y in range(5 - n)
        ]
        rows = [
            {(x + i * dx, y + i * dy) for i in range(4)}
            for dx, dy in LINES
            for x in range(5)
            for y in range(5)
            if 0 <= x + 3 * dx < 5 and 0 <= y + 3 * dy < 5
        ]
        self.shapes = squares + rows
        super().__init__(5, 5)

    def markers(self, side: int) -> set[Cell]:
        """Where a side's markers are."""
        return {cell for cell, owner in self.stones.items() if owner == side}

    def judged(self) -> str:
        own, other = (len(self.markers(side)) for side in (self.side, 1 - self.side))
        if max(own, other) > 4 or other - own not in (0, 1):
            raise ValueError(f"{own} markers of the side to move and {other} of the other")
        return super().judged()

    def has_won(self, side: int) -> bool:
        return self.markers(side) in self.shapes

    def moves(self) -> list[str]:
        mine = self.markers(self.side)
        if len(mine) < 4:
            barred = {(2, 2)} if self.side == 0 and not mine and not self.centre else set()
            return [self.name(cell) for cell in self.empty() if cell not in barred]
        return [
            f"{self.name((x, y))}-{self.name((i, j))}"
            for x, y in mine
            for i, j in self.empty()
            if max(abs(i - x), abs(j - y)) == 1
        ]

    def make(self, move: str, mover: int) -> None:
        start, _, end = move.partition("-")
        if end:
            del self.stones[self.cell(start)]
        self.stones[self.cell(end or start)] = mover
        if self.has_won(mover):
            self.outcome = WON[mover]


GAMES = {
    "gomoku": Gomoku,
    "pente": Pente,
    "pentago": Pentago,
    "dagennacht": DagEnNacht,
    "teeko": Teeko,
}


def number(word: str, allowed: range, what: str) -> int:
    """One of these whole numbers, from its digits; `ValueError` if it is none of them."""
    if not (word.isascii() and word.isdigit() and int(word) in allowed):
        steps = f", in steps of {allowed.step}" if allowed.step > 1 else ""
        between = f"from {allowed[0]} to {allowed[-1]}{steps}"
        raise ValueError(f"{what} {word!r} is not a whole number {between}")
    return int(word)


def game(newgame: str) -> Rules:
    """A game at its start, from what follows `newgame`; `ValueError` if there is none such."""
    name, *words = newgame.lower().split() or [""]
    if name not in GAMES:
        raise ValueError(f"no game {name!r}")
    if len(words) % 2:
        raise ValueError(f"expected a value after {words[-1]!r}")
    values = GAMES[name].values
    told: dict[str, int | str] = {}
    for key, word in zip(words[::2], words[1::2]):
        allowed = values.get(key)
        if allowed is None:
            raise ValueError(f"{key!r} is no rule of {name}")
        if key in told:
            raise ValueError(f"{key} is given twice")
        if isinstance(allowed, range):
            told[key] = number(word, allowed, key)
        elif word in allowed:
            told[key] = word
        else:
            raise ValueError(f"{key} {word!r} is none of {' '.join(allowed)}")
    return GAMES[name](**told)  # type: ignore[arg-type]


def position(newgame: str, text: str) -> Rules:
    """A game from what follows `newgame` and `position`; `ValueError` if one is wrong."""
    played = game(newgame)
    base, moves = split(text)
    kind, *words = base.split()
    if kind == "fen":
        played.read_fen(words)
    elif kind == "stones":
        played.read_stones(words)
    elif kind != "startpos" or words:
        raise ValueError(f"expected startpos, fen or stones, found {base!r}")
    for move in moves:
        if not played.is_legal(played.canonical(move)):
            raise ValueError(f"{move!r} is not legal")
        played.play(played.canonical(move))
    return played


def split(text: str) -> tuple[str, list[str]]:
    """What follows `position` as the position itself, its kind in small letters, and the moves."""
    kind, *words = text.split() or ["startpos"]
    if kind.lower() == "moves":
        return "startpos", words
    at = next((n for n, word in enumerate(words) if word.lower() == "moves"), len(words))
    return " ".join([kind.lower(), *words[:at]]), words[at + 1 :]
