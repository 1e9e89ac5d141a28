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
from .boards import NOBODY, board_of, from_start, newgame_of, only, rule_words, sized

DIGITS = 15
"""The most digits of a number; no board and no time needs more."""
HEADER = re.compile(r"Piskvorky (\d{1,4})x(\d{1,4}), *-?\d+:-?\d+, *(\d+)")
MOVE = re.compile(r"(\d+),(\d+)(?:,(-?\d+))?")
WINNER = re.compile(r"([0-3]),(([A-Za-z]+)(?![A-Za-z])\w*)")
NUMBERS = re.compile(r"-?\d+\s*,")
"""How a move and a winner begin, and no name."""
END = "-1"
HEAD = "Piskvorky "
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
    swapped = ended = False
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        place = f"{source}, line {number}"
        move, winner = MOVE.fullmatch(line), WINNER.fullmatch(line)
        if line.startswith(HEAD):
            if game is not None:
                yield wrong or _named(game, names, swapped)
            game, names, wrong = Game("gomoku", source=source, lines=[number]), [], None
            ended = False
            try:
                swapped = _begin(game, line, newgame)
            except RecordError as error:
                wrong = error
        elif wrong or not line:
            continue
        elif game is None:
            raise RecordError(f"{place}: expected a line 'Piskvorky 20x20, …'")
        elif move and not names and not ended:
            game.lines.append(number)
            board = board_of(game)
            short = all(len(digits) <= DIGITS for digits in move.groups(""))
            cell = (int(move[1]) - 1, int(move[2]) - 1) if short else None
            if cell is None or not board.on_board(cell):
                wrong = RecordError(f"{game.where()}, line {number}: {line} is outside the board")
                continue
            game.moves.append(board.name(cell))
            game.comments.append(Comment(time=float(move[3] or 0)))
        elif winner and len(names) != 1:
            ended = True
            rule_name = winner[3].lower()
            if rule_name not in RULES:
                wrong = RecordError(f"{place}: the rule {winner[2]} is not known")
                continue
            _judged(game, RESULTS[winner[1]], RULES[rule_name])
        elif NUMBERS.match(line):
            due = "a winner" if names or ended else f"move {len(game.moves) + 1}"
            wrong = RecordError(f"{place}: expected {due}, found {line!r}")
        elif len(names) == 1 and line == END:
            wrong = RecordError(f"{place}: expected the second name, found {END}")
        elif line == END or (len(names) == 2 and re.fullmatch(r"-?\d+", line)):
            ended = True
        elif len(names) == 2 or ended:
            wrong = RecordError(f"{place}: expected {END} or the winner, found {line!r}")
        else:
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
    told.pop("rule", None)
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


def _named(game: Game, names: list[str], swapped: bool) -> Game | RecordError:
    if len(names) == 1:
        return RecordError(f"{game.where()}: the second name is missing")
    if names:
        first, second = ("" if name == NOBODY else name for name in names)
        game.players = (second, first) if swapped else (first, second)
    return game


def _name(game: Game, player: str) -> str:
    """The line of a player; `RecordError` for a name that would be read as something else."""
    name = " ".join(player.split()) or NOBODY
    if NUMBERS.match(name) or name == END or name.startswith(HEAD):
        raise RecordError(f"{game.where()}: psq cannot hold the name {name!r}")
    return name


def write(games: Iterable[Game]) -> str:
    """The text of the games, one after the other."""
    lines = []
    for game in games:
        only(game, ("gomoku",), "psq")
        told = rule_words(game.newgame)[1]
        if told.get("line", "5") != "5":
            raise RecordError(f"{game.where()}: psq has no words for rows of {told['line']}")
        board = board_of(game)
        lines.append(f"{HEAD}{board.width}x{board.height}, 0:0, 0")
        # Moves without any time are those of an opening.
        times = [(round(c.time) or 1) if c.time else 0 for c in game.all_comments()]
        for move, time in zip(from_start(game, "psq"), times):
            x, y = board.cell(move)
            lines.append(f"{x + 1},{y + 1},{time}")
        lines += [_name(game, player) for player in game.players]
        lines.append(END)
        if game.result != "none":
            result = game.result
            if opened_by_second(times):
                result = OTHER.get(result, result)
            winner = {"p1win": 1, "p2win": 2, "draw": 0}[result]
            lines.append(f"{winner},{told.get('rule', 'freestyle').capitalize()}")
    return "".join(f"{line}\n" for line in lines)
