"""A page of HTML about annotated games: curves, mistakes, and boards drawn by the engine."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from .annotate import Annotated, Move, summary
from .client import Engine
from .protocol import position_line

WIDTH, HEIGHT = 720, 160
"""The curve, in pixels."""

STYLE = """
body { font: 16px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem;
  padding: 0 1rem; color: #222; background: #fff }
h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin-bottom: .2rem }
.game { border-top: 1px solid #ccc; padding: 1rem 0 2rem }
.side { display: flex; flex-wrap: wrap; gap: 1.5rem; align-items: flex-start }
.boards { width: min(26rem, 100%) } .boards svg { width: 100%; height: auto }
.curve { width: 100%; height: auto; background: #f6f4ef; cursor: pointer }
.controls { display: flex; gap: .5rem; align-items: center; margin: .5rem 0 }
.controls input { flex: 1 }
.text { flex: 1; min-width: 20rem }
table { border-collapse: collapse; font-size: .95rem } td, th { padding: .15rem .7rem .15rem 0;
  text-align: left; vertical-align: top }
tr[data-ply] { cursor: pointer } tr[data-ply]:hover { background: #f0ece2 }
.told { color: #555 } .bad { color: #b3261e; font-weight: 600 }
"""

SCRIPT = """
for (const game of document.querySelectorAll('.game')) {
  const slider = game.querySelector('input'), boards = game.querySelectorAll('.boards > div');
  const cursor = game.querySelector('.cursor'), told = game.querySelector('.now');
  const show = ply => {
    slider.value = ply = Math.max(0, Math.min(boards.length - 1, ply));
    boards.forEach((board, at) => board.hidden = at != ply);
    told.textContent = boards[ply].dataset.told;
    const x = cursor.dataset.width * ply / Math.max(1, boards.length - 1);
    cursor.setAttribute('x1', x); cursor.setAttribute('x2', x);
  };
  slider.oninput = () => show(+slider.value);
  game.querySelector('.back').onclick = () => show(+slider.value - 1);
  game.querySelector('.on').onclick = () => show(+slider.value + 1);
  for (const row of game.querySelectorAll('tr[data-ply]'))
    row.onclick = () => show(+row.dataset.ply);
  game.querySelector('.curve').onclick = event => {
    const box = event.currentTarget.getBoundingClientRect();
    show(Math.round((event.clientX - box.left) / box.width * (boards.length - 1)));
  };
  show(0);
}
"""


def curve(found: Annotated) -> str:
    """The expected score of the first player over the moves, with a dot at each mistake."""
    last = max(1, len(found.first) - 1)
    points = [
        (WIDTH * ply / last, HEIGHT * (1 - score))
        for ply, score in enumerate(found.first)
        if score is not None
    ]
    drawn = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dots = []
    for move in found.moves:
        score = found.first[move.ply]
        if move.mark and score is not None:
            x, y = WIDTH * move.ply / last, HEIGHT * (1 - score)
            said = escape(f"{move.ply}. {move.played} {move.mark}")
            dots.append(
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="#b3261e"><title>{said}</title>'
                "</circle>"
            )
    return (
        f'<svg class="curve" viewBox="0 -8 {WIDTH} {HEIGHT + 16}" role="img" '
        'aria-label="expected score of the first player">'
        f'<line x1="0" x2="{WIDTH}" y1="{HEIGHT / 2}" y2="{HEIGHT / 2}" stroke="#bbb"/>'
        f'<polyline points="{drawn}" fill="none" stroke="#1f5fa8" stroke-width="2.5"/>'
        f'{"".join(dots)}<line class="cursor" data-width="{WIDTH}" x1="0" x2="0" y1="-8" '
        f'y2="{HEIGHT + 8}" stroke="#555" stroke-dasharray="4 3"/></svg>'
    )


def boards(found: Annotated, engine: Engine) -> str:
    """The board in every position, each in an element that the page shows when asked."""
    game = found.game
    engine.do(f"newgame {game.newgame}", position_line(game.opening))
    drawn = []
    for ply in range(len(game.moves) + 1):
        if ply:
            engine.do(f"moves {game.moves[ply - 1]}")
        picture = engine.ask_line("display svg")
        score = found.first[ply]
        told = [
            f"{ply}. {game.moves[ply - 1]}{found.moves[ply - 1].mark}" if ply else "the opening"
        ]
        if score is not None:
            told.append(f"first player {100 * score:.0f} %")
        text = escape(", ".join(told), quote=True)
        drawn.append(f'<div data-told="{text}"{" hidden" if ply else ""}>{picture}</div>')
    return "\n".join(drawn)


def mistakes(moves: Sequence[Move]) -> str:
    """A table of the moves that have a mark."""
    rows = []
    for move in moves:
        if not move.mark or move.loss is None or move.before.answer is None:
            continue
        line = " ".join(move.best.pv[:6])
        rows.append(
            f'<tr data-ply="{move.ply}"><td>{move.ply}.</td>'
            f'<td class="bad">{escape(move.played)} {move.mark}</td>'
            f"<td>{100 * move.loss:.0f} %</td><td>{escape(move.before.answer.move)} "
            f'<span class="told">{escape(move.best.worth)}: {escape(line)}</span></td></tr>'
        )
    if not rows:
        return "<p>No move gave away 5 % or more.</p>"
    head = "<tr><th></th><th>played</th><th>lost</th><th>better, its score, the line</th></tr>"
    return f"<table>{head}{''.join(rows)}</table>"


def section(found: Annotated, number: int, engine: Engine) -> str:
    """The part of the page about one game."""
    game = found.game
    sides = engine_sides(found, engine)
    names = [f"{name or 'somebody'} ({side})" for name, side in zip(game.players, sides)]
    result = {"p1win": f"{sides[0]} wins", "p2win": f"{sides[1]} wins", "draw": "a draw"}
    ended = result.get(game.result, "not finished")
    reason = f", {game.reason}" if game.reason and game.reason != "rules" else ""
    about = "; ".join(f"{tag} {value}" for tag, value in game.tags.items())
    last = len(game.moves)
    return f"""<section class="game">
<h2>{number}. {escape(" – ".join(names))}: {escape(ended + reason)}</h2>
<p class="told">{escape(game.newgame)}{escape(f"; {about}" if about else "")}</p>
<div class="side"><div class="boards">
{boards(found, engine)}
</div>
<div class="text">
{curve(found)}
<div class="controls"><button class="back">&larr;</button>
<input type="range" min="0" max="{last}" value="0" aria-label="move">
<button class="on">&rarr;</button></div>
<p class="now"></p>
<p class="told">{escape(summary(found))}</p>
{mistakes(found.moves)}
</div></div>
</section>"""


def engine_sides(found: Annotated, engine: Engine) -> list[str]:
    """What the two sides are called."""
    engine.do(f"newgame {found.game.newgame}")
    return [str(side["name"]) for side in engine.facts()["sides"]]


def page(games: Sequence[Annotated], engine: Engine, limit: str) -> str:
    """The page."""
    sections = "\n".join(section(found, at, engine) for at, found in enumerate(games, 1))
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Games analysed by {escape(engine.identity)}</title><style>{STYLE}</style></head>
<body><h1>Games analysed by {escape(engine.identity)}</h1>
<p class="told">Each position was searched with {escape(limit)}. The curve is the expected score of
the first player, from 0 % at the bottom to 100 % at the top; red dots are moves that gave away 5 %
or more (?!), 10 % (?) or 20 % (??). The slider, the arrows, the curve and the lines of the table
lead to a position.</p>
{sections}
<script>{SCRIPT}</script></body></html>
"""
