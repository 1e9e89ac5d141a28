"""Piskvork's `.psq`, in which Gomocup publishes its games.

    Piskvorky 20x20, 11:11, 0     size, levels of both players, which of them begins
    10,11,230                     column and row from 1, milliseconds
    Embryo                        names; in Gomocup's files only
    Yixin
    -1                            how the game ended for Piskvork's log; nothing here
    1,Freestyle                   the winner by order of moves (0: none), the rule; Gomocup's judge

Rows are counted from the bottom, as the engine's Gomocup dialect does: `1,1` is `a1`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ..records import Comment, Game, RecordError
from .boards import board_of, from_start, newgame_of, only, rule_words, sized

HEADER = re.compile(r"Piskvorky (\d+)x(\d+), *(-?\d+):(-?\d+), *(\d+)")
MOVE = re.compile(r"(\d+),(\d+)(?:,(-?\d+))?")
WINNER = re.compile(r"([0-3]),(\w+)")
RESULTS = {"1": "p1win", "2": "p2win", "0": "draw", "3": "draw"}
RULES = {"freestyle": "freestyle", "fastgame": "freestyle", "standard": "standard"}


def read(text: str, source: str, newgame: str) -> Iterator[Game]:
    """The games of a file; there is usually one."""
    game: Game | None = None
    names: list[str] = []
    swapped = False
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        header, move, winner = HEADER.match(line), MOVE.fullmatch(line), WINNER.fullmatch(line)
        if header:
            if game is not None:
                yield _named(game, names, swapped)
            width, height, _, _, first = map(int, header.groups())
            words = rule_words(newgame)[1] if newgame.startswith("gomoku") else {}
            rule = {key: words[key] for key in ("rule", "line") if key in words}
            # Piskvork plays on until the board is full.
            words = {**sized(width, height, 15), **rule, "tie": "full"}
            game = Game(newgame_of("gomoku", words), source=source, lines=[number])
            names, swapped = [], first == 1
        elif game is None:
            if line:
                raise RecordError(f"{source}, line {number}: expected a line 'Piskvorky 20x20, …'")
        elif move and not names:
            x, y = int(move[1]), int(move[2])
            game.lines.append(number)
            board = board_of(game)
            if not board.on_board((x - 1, y - 1)):
                raise RecordError(f"{game.where()}, line {number}: {line} is outside the board")
            game.moves.append(board.name((x - 1, y - 1)))
            game.comments.append(Comment(time=float(move[3] or 0)))
        elif winner and winner[2].lower() in (*RULES, "renju", "caro"):
            rule_name = winner[2].lower()
            if rule_name not in RULES:
                raise RecordError(f"{source}, line {number}: the rule {winner[2]} is not known")
            game.result = RESULTS[winner[1]]
            name, told = rule_words(game.newgame)
            if RULES[rule_name] == "standard":
                told["rule"] = "standard"
            game.newgame = newgame_of(name, told)
        elif line and not re.fullmatch(r"-?\d+", line):
            names.append(line)
    if game is None:
        raise RecordError(f"{source}: no line 'Piskvorky 20x20, …'")
    yield _named(game, names, swapped)


def _named(game: Game, names: list[str], swapped: bool) -> Game:
    if len(names) >= 2:
        first, second = names[1::-1] if swapped else names[:2]
        game.players = (first, second)
    return game


def write(games: Iterable[Game]) -> str:
    """The text of the games, one after the other."""
    lines = []
    for game in games:
        only(game, ("gomoku",), "psq")
        told = rule_words(game.newgame)[1]
        if told.get("line", "5") != "5":
            raise RecordError(f"{game.where()}: psq has no words for rows of {told['line']}")
        board = board_of(game)
        lines.append(f"Piskvorky {board.width}x{board.height}, 0:0, 0")
        for move, comment in zip(from_start(game, "psq"), game.all_comments()):
            x, y = board.cell(move)
            lines.append(f"{x + 1},{y + 1},{comment.time or 0:.0f}")
        lines += [name or "-" for name in game.players]
        lines.append("-1")
        if game.result != "none":
            winner = {"p1win": 1, "p2win": 2, "draw": 0}[game.result]
            lines.append(f"{winner},{told.get('rule', 'freestyle').capitalize()}")
    return "".join(f"{line}\n" for line in lines)
