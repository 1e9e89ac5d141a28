"""Piskvork's `.psq`, in which Gomocup publishes its games.

    Piskvorky 20x20, 11:11, 0     size, levels of both players, which of them begins
    10,11,230                     column and row from 1, milliseconds
    Embryo                        names; in Gomocup's files only
    Yixin
    -1                            how the game ended for Piskvork's log; nothing here
    1,Freestyle2                  the winner (0: none), the rule and group; Gomocup's judge

Rows are counted from the bottom, as the engine's Gomocup dialect does: `1,1` is `a1`.

In Gomocup's files the moves of the opening come first, with a time of 0, and the winner's number
is 1 for whoever moves first after them: with an odd number of stones in the opening, 1 is the
second player of the game. The names are those of the first player and of the second.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from .. import rules
from ..records import Comment, Game, RecordError, Several
from .boards import board_of, from_start, newgame_of, only, rule_words, sized

DIGITS = 15
"""The most digits of a number; no board and no time needs more."""
HEADER = re.compile(r"Piskvorky (\d{1,4})x(\d{1,4}), *-?\d+:-?\d+, *(\d+)")
MOVE = re.compile(r"(\d+),(\d+)(?:,(-?\d+))?")
WINNER = re.compile(r"([0-3]),(([A-Za-z]+)(?![A-Za-z])\w*)")
RESULTS = {"1": "p1win", "2": "p2win", "0": "draw", "3": "draw"}
OTHER = {"p1win": "p2win", "p2win": "p1win"}
RULES = {"freestyle": "freestyle", "fastgame": "freestyle", "standard": "standard"}


def opened_by_second(times: Sequence[float]) -> bool:
    """Whether the second player makes the first move after an opening, whose moves take no time."""
    opening = next((at for at, time in enumerate(times) if time), 0)
    return opening % 2 == 1


def read(text: str, source: str, newgame: str) -> Iterator[Game]:
    """The games of a file; there is usually one."""
    return Several(_games(text, source, newgame))


def _games(text: str, source: str, newgame: str) -> Iterator[Game | RecordError]:
    game: Game | None = None
    wrong: RecordError | None = None
    names: list[str] = []
    swapped = False
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        move, winner = MOVE.fullmatch(line), WINNER.fullmatch(line)
        if line.startswith("Piskvorky "):
            if game is not None:
                yield wrong or _named(game, names, swapped)
            game, names, wrong = Game("gomoku", source=source, lines=[number]), [], None
            try:
                swapped = _begin(game, line, newgame)
            except RecordError as error:
                wrong = error
        elif wrong:
            continue
        elif game is None:
            if line:
                raise RecordError(f"{source}, line {number}: expected a line 'Piskvorky 20x20, …'")
        elif move and not names:
            game.lines.append(number)
            board = board_of(game)
            short = all(len(digits) <= DIGITS for digits in move.groups(""))
            cell = (int(move[1]) - 1, int(move[2]) - 1) if short else None
            if cell is None or not board.on_board(cell):
                place = f"{game.where()}, line {number}"
                wrong = RecordError(f"{place}: {line} is outside the board")
                continue
            game.moves.append(board.name(cell))
            game.comments.append(Comment(time=float(move[3] or 0)))
        elif winner and len(names) != 1:
            rule_name = winner[3].lower()
            if rule_name not in RULES:
                place = f"{source}, line {number}"
                wrong = RecordError(f"{place}: the rule {winner[2]} is not known")
                continue
            _judged(game, RESULTS[winner[1]], RULES[rule_name])
        elif line and (len(names) < 2 or not re.fullmatch(r"-?\d+", line)):
            names.append(line)
    if game is None:
        raise RecordError(f"{source}: no line 'Piskvorky 20x20, …'")
    yield wrong or _named(game, names, swapped)


def _begin(game: Game, line: str, newgame: str) -> bool:
    """Fills in the rules that the first line tells; whether the second player named began."""
    header = HEADER.match(line)
    if header is None:
        raise RecordError(f"{game.where()}: expected a line 'Piskvorky 20x20, …'")
    words = rule_words(newgame)[1] if newgame.startswith("gomoku") else {}
    rule = {key: words[key] for key in ("rule", "line") if key in words}
    # Piskvork plays on until the board is full.
    words = {**sized(int(header[1]), int(header[2]), 15), **rule, "tie": "full"}
    game.newgame = newgame_of("gomoku", words)
    board_of(game)
    return header[3] == "1"


def _judged(game: Game, result: str, rule: str) -> None:
    """Fills in what Gomocup's judge says: the rule, and the winner as it counts them."""
    name, told = rule_words(game.newgame)
    if rule == "standard":
        told["rule"] = rule
    game.newgame = newgame_of(name, told)
    shown = on_the_board(game)
    if result in OTHER and shown in OTHER:
        # An engine that answered at once looks like a stone of the opening.
        result = shown
    elif opened_by_second([comment.time or 0 for comment in game.comments]):
        result = OTHER.get(result, result)
    game.result = result


def on_the_board(game: Game) -> str:
    """The result after the moves that are legal."""
    played = rules.game(game.newgame)
    for move in game.moves:
        if not played.is_legal(move):
            break
        played.play(move)
    return played.result()


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
        times = [round(comment.time or 0) for comment in game.all_comments()]
        for move, time in zip(from_start(game, "psq"), times):
            x, y = board.cell(move)
            lines.append(f"{x + 1},{y + 1},{time}")
        lines += [" ".join(name.split()) or "-" for name in game.players]
        lines.append("-1")
        if game.result != "none":
            result = game.result
            if opened_by_second(times):
                result = OTHER.get(result, result)
            winner = {"p1win": 1, "p2win": 2, "draw": 0}[result]
            lines.append(f"{winner},{told.get('rule', 'freestyle').capitalize()}")
    return "".join(f"{line}\n" for line in lines)
