"""Smart Game Format (https://www.red-bean.com/sgf/), FF[4].

SGF numbers its games. It has Gomoku (4); pente.org counts its own from 100 (`pente_org.KINDS`),
and writes cells by name (`W[K10]`). For Pentago, Teeko and Dag en Nacht there is no number and no
program that would read one, so they are refused.

Of variations, the first is read. A comment on a move keeps what an engine said of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from .. import rules
from ..records import Comment, Game, RecordError, Several, attempt
from .boards import board_of, cell_of, newgame_of, only, rule_words, sized
from .pente_org import cell_here, kind_numbered, kind_of, relaxed

PENTE_ORG = 100
"""From here on pente.org counts its games."""

TAGS = {
    "site": "PC",
    "event": "EV",
    "round": "RO",
    "date": "DT",
    "timecontrol": "TM",
}
"""A record's tags and the properties that hold them."""

SETUP = {"AB": "black", "AW": "white", "AE": ""}
"""The properties that put stones on the board or take them off, and whose the stones are."""

BEGIN = re.compile(r"\(\s*;")
"""How a game begins; what stands before the first one is no part of it."""
SIZE = re.compile(r"(\d{1,4})(?::(\d{1,4}))?")
BLANKS = re.compile(r"\s*")
TOKEN = re.compile(r"(?:([();])|([A-Za-z]+)|\[((?:\\.|[^\]\\])*)\])", re.DOTALL)


def trees(text: str, source: str) -> Iterator[list[tuple[int, dict[str, list[str]]]]]:
    """The main line of each game: its nodes, each with the line of the file it begins on."""
    first = BEGIN.search(text)
    depth, at = 0, first.start() if first else 0
    line = 1 + text.count("\n", 0, at)
    nodes: list[tuple[int, dict[str, list[str]]]] = []
    closed = False
    name = ""
    while True:
        blanks = BLANKS.match(text, at)
        start = blanks.end() if blanks else at
        line += text.count("\n", at, start)
        if start == len(text):
            break
        token = TOKEN.match(text, start)
        if token is None:
            raise RecordError(
                f"{source}, line {line}: this is not SGF: {text[start : start + 20]!r}"
            )
        sign, word, value = token.groups()
        if sign == "(":
            depth += 1
            if depth == 1:
                nodes, closed = [], False
        elif sign == ")":
            depth -= 1
            # What follows the first end of a line of play is a variation of it.
            closed = True
            if depth == 0:
                yield nodes
        elif depth == 0:
            raise RecordError(f"{source}, line {line}: expected '(' before a game")
        elif sign == ";":
            if not closed:
                nodes.append((line, {}))
        elif word:
            # Older files write small letters between the capitals.
            name = "".join(letter for letter in word if letter.isupper())
        elif not closed:
            if not nodes or not name:
                raise RecordError(f"{source}, line {line}: a value without a property")
            nodes[-1][1].setdefault(name, []).append(unescaped(value))
        at = token.end()
        line += text.count("\n", start, at)
    if depth:
        raise RecordError(f"{source}, line {line}: {depth} ')' missing at the end")


def read(text: str, source: str, newgame: str) -> Iterator[Game]:
    """The games of a file; what is no SGF ends it."""
    found = trees(text, source)
    return Several(attempt(lambda nodes=nodes: _game(nodes, source, newgame)) for nodes in found)


def _game(nodes: list[tuple[int, dict[str, list[str]]]], source: str, newgame: str) -> Game:
    if not nodes:
        raise RecordError(f"{source}: a game without a node")
    line, root = nodes[0]
    one = {name: values[0].strip() for name, values in root.items()}
    number = one.get("GM", "1")
    game = Game(_newgame(one, number, newgame, f"{source}, line {line}"), source=source)
    game.lines = [line]
    named = number != "4"
    # On pente.org White begins in all games.
    first, second = ("W", "B") if named else ("B", "W")
    game.players = (one.get(f"P{first}", ""), one.get(f"P{second}", ""))
    game.result = _result(one.get("RE", ""), first)
    game.reason = _reason(one.get("RE", ""))
    tags = {tag: one[key] for tag, key in TAGS.items() if one.get(key, "-") not in ("", "-")}
    ratings = {"p1rating": one.get(f"{first}R", ""), "p2rating": one.get(f"{second}R", "")}
    tags.update((tag, value) for tag, value in ratings.items() if value)
    game.tags = tags
    board = board_of(game)
    there = game.newgame if named else ""
    game.opening, due = _opening(nodes, board, source, there, first)
    for at, node in nodes:
        for colour in ("B", "W"):
            for point in node.get(colour, []):
                place = f"{source}, line {at}, move {len(game.moves) + 1}"
                if colour != due:
                    raise RecordError(f"{place}: {colour}[{point}], but it is the other's turn")
                due = "W" if due == "B" else "B"
                game.moves.append(_cell(board, point, place, there))
                game.lines.append(at)
                game.comments.append(Comment.parse(" ".join(node.get("C", [""])[0].split())))
    if not any(game.comments):
        game.comments = []
    return relaxed(game) if named else game


def _opening(
    nodes: list[tuple[int, dict[str, list[str]]]],
    board: rules.Rules,
    source: str,
    there: str,
    first: str,
) -> tuple[str, str]:
    """Where a game begins, as after `position`, and the colour that is to move.

    Stones may be set up in any node before the first move.
    """
    stones: list[str] = []
    player = first
    begun = False
    for at, node in nodes:
        place = f"{source}, line {at}"
        for key, owner in SETUP.items():
            if key in node and (begun or not owner):
                why = "stones can be put on the board before the first move alone"
                raise RecordError(f"{place}: {key}[{node[key][0]}]: {why}")
            if key in node:
                stones.append(owner)
                for point in node[key]:
                    stones += _cells(board, point, place, there)
        if not begun:
            player = node.get("PL", [player])[0].strip()[:1].upper()
        begun = begun or "B" in node or "W" in node
    if not stones:
        return "startpos", first
    turn = {"B": "black", "W": "white"}.get(player, "black")
    return f"stones {' '.join(stones)} turn {turn}", player


def _newgame(one: dict[str, str], number: str, otherwise: str, place: str) -> str:
    told_size = SIZE.fullmatch(one.get("SZ", "19" if number != "4" else "15"))
    if told_size is None:
        raise RecordError(f"{place}: no size SZ[{one['SZ']}]")
    width, height = int(told_size[1]), int(told_size[2] or told_size[1])
    size = sized(width, height, 15)
    if number == "4":
        told = rule_words(otherwise)[1] if otherwise.startswith("gomoku") else {}
        kept = {key: told[key] for key in ("line", "rule", "tie") if key in told}
        if one.get("RU", "").lower().split() == ["freestyle"]:
            kept.pop("rule", None)
        return newgame_of("gomoku", {**size, **kept, **_rules(one.get("RU", ""), place)})
    plain = int(number) - PENTE_ORG if re.fullmatch(r"\d{1,4}", number) else 0
    kind = kind_numbered(plain) if plain > 0 else None
    if kind is None:
        raise RecordError(f"{place}: the game GM[{number}] is not known here")
    name, words = rule_words(kind.newgame)
    if name == "gomoku":
        return newgame_of(name, {**size, "tie": "full"})
    words.update(sized(width, height, 19))
    words.update(_rules(one.get("RU", ""), place))
    return newgame_of(name, words)


def _rules(text: str, place: str) -> dict[str, str]:
    """The rules that RU tells in the words of the engine; a plain name alone is one too."""
    words = text.lower().split()
    if words == ["renju"]:
        raise RecordError(f"{place}: renju is not known here")
    if words in (["standard"], ["gomoku"], ["freestyle"]):
        return {"rule": "standard"} if words == ["standard"] else {}
    names = ("line", "rule", "tie", "tournament")
    pairs = dict(zip(words[::2], words[1::2]))
    return pairs if pairs and all(name in names for name in pairs) else {}


def _cell(board: rules.Rules, point: str, place: str, there: str) -> str:
    """The name of a cell: `hh` counts columns and rows from the top left, `K10` is a name.

    `there`: the game, if it is one of pente.org.
    """
    text = point.strip()
    if re.fullmatch(r"[A-Za-z]\d{1,2}", text):
        try:
            return cell_here(there, text.lower())
        except ValueError as error:
            raise RecordError(f"{place}: {error}") from None
    if re.fullmatch(r"[A-Za-z]{2}", text):
        order = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
        cell = (order.index(text[0]), board.height - 1 - order.index(text[1]))
        if board.on_board(cell):
            return board.name(cell)
    raise RecordError(f"{place}: {text!r} is no cell of the board")


def _cells(board: rules.Rules, points: str, place: str, there: str) -> list[str]:
    """The names of one cell, or of all in a rectangle: `aa:cc` tells two corners of it."""
    corners = [board.cell(_cell(board, point, place, there)) for point in points.split(":")]
    if len(corners) > 2:
        raise RecordError(f"{place}: {points!r} is no rectangle")
    (left, low), (right, high) = map(min, zip(*corners)), map(max, zip(*corners))
    return [board.name((x, y)) for y in range(low, high + 1) for x in range(left, right + 1)]


def _result(text: str, first: str) -> str:
    begin = text[:1].upper()
    if begin in ("0", "D"):
        return "draw"
    return {first: "p1win", {"B": "W", "W": "B"}[first]: "p2win"}.get(begin, "none")


def _reason(text: str) -> str:
    tail = text.partition("+")[2].lower()
    for start, reason in (("r", "resign"), ("t", "time"), ("f", "forfeit")):
        if tail.startswith(start):
            return reason
    return ""


def write(games: Iterable[Game]) -> str:
    """The text of the games, one after the other."""
    return "\n".join(_text(game) for game in games)


def _text(game: Game) -> str:
    name = only(game, ("gomoku", "pente"), "sgf")
    told = rule_words(game.newgame)[1]
    board = board_of(game)
    first, second = ("W", "B") if name == "pente" else ("B", "W")
    number = "4"
    if name == "pente":
        # The size has a property of its own.
        kind = kind_of(newgame_of(name, {"variant": told.pop("variant", "pente")}))
        number = str(PENTE_ORG + kind.number)
    size = str(board.width) if board.width == board.height else f"{board.width}:{board.height}"
    root = [("FF", "4"), ("GM", number), ("CA", "UTF-8"), ("AP", "Quintet"), ("SZ", size)]
    kept = [f"{key} {told[key]}" for key in ("line", "rule", "tie", "tournament") if key in told]
    root += [("RU", " ".join(kept))] if kept else []
    root += [(f"P{first}", game.players[0]), (f"P{second}", game.players[1])]
    root += [
        (f"{colour}R", game.tags[tag])
        for colour, tag in ((first, "p1rating"), (second, "p2rating"))
        if tag in game.tags
    ]
    root += [(key, game.tags[tag]) for tag, key in TAGS.items() if tag in game.tags]
    tail = {"resign": "Resign", "time": "Time", "forfeit": "Forfeit"}.get(game.reason, "")
    result = {"p1win": f"{first}+{tail}", "p2win": f"{second}+{tail}", "draw": "Draw"}
    root.append(("RE", result.get(game.result, "?")))
    base, moves = game.whole()
    start = rules.position(game.newgame, base)
    colours = [first, second]

    def point(move: str) -> str:
        x, y = cell_of(game, board, move)
        if name == "pente":
            return move.upper()
        order = "abcdefghijklmnopqrstuvwxyz"
        return order[x] + order[board.height - 1 - y]

    setup = ""
    if base != "startpos":
        if getattr(start, "captured", [0, 0]) != [0, 0]:
            raise RecordError(f"{game.where()}: sgf has no words for captured stones")
        for side, colour in enumerate(colours):
            cells = sorted(start.name(cell) for cell, who in start.stones.items() if who == side)
            if cells:
                setup += f"A{colour}" + "".join(f"[{point(cell)}]" for cell in cells)
        setup += f"PL[{colours[start.side]}]"
    texts = ["(;" + "".join(f"{key}[{escaped(value)}]" for key, value in root if value) + setup]
    for ply, (move, comment) in enumerate(zip(moves, game.all_comments())):
        said = f"C[{escaped(str(comment))}]" if comment else ""
        texts.append(f";{colours[(start.side + ply) % 2]}[{point(move)}]{said}")
    return "\n".join(texts) + ")\n"


def escaped(value: str) -> str:
    """A text as a property has it."""
    return value.replace("\\", "\\\\").replace("]", "\\]")


def unescaped(value: str) -> str:
    """The reverse of `escaped`; a line break after the sign is none."""
    return re.sub(r"\\(\r?\n|.)", lambda found: found[1].strip("\r\n"), value, flags=re.DOTALL)
