"""Tests of play.py and of its drawings, most of them with sessions at the prompt: unittest."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

import play
from quintet import Analysis, Answer, Engine, Info
from quintet.command import default_engine, run
from quintet.drawing import Drawing, palette

FOLDER = Path(__file__).resolve().parent
PLAIN = Drawing(colours=False, ascii_only=False, flip=False)
# Without Teeko's table, which takes seconds to make.
QUICK = "--option Teeko.Tablebase=false"
TEEKO = f"--newgame teeko {QUICK}"


# The engine, which ends or answers an illegal move when it is to search.
FAILING = """
import os, shlex, subprocess, sys
engine = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, text=True)
for line in sys.stdin:
    if not line.startswith("go "):
        engine.stdin.write(line)
        engine.stdin.flush()
    elif os.environ["FAULT"] == "crash":
        os._exit(3)
    else:
        print("bestmove z9", flush=True)
"""


def facts(**told: Any) -> dict[str, Any]:
    """The facts of a board of 3 by 2 cells."""
    fields = {"columns": 3, "rows": 2, "grid": "boxes", "shaded": [], "blocks": []}
    fields["cells"] = told.pop("cells", "a2 b2 c2 a1 b1 c1".split())
    fields.update({name: told.pop(name) for name in list(told) if name in fields})
    sides = [
        {"name": "dark", "letter": "d", "colour": "#000000", "stones": ["a1", "b1"]},
        {"name": "light", "letter": "l", "colour": "#ffffff", "stones": ["c2"]},
    ]
    return {"board": fields, "sides": sides, "last": None, "winning": [], "p1turn": False, **told}


class Boards(unittest.TestCase):
    """Boards as they are drawn."""

    def test_stones_and_coordinates(self) -> None:
        due = "     a  b  c\n  2  ·  ·  ○  2\n  1  ●  ●  ·  1\n     a  b  c"
        self.assertEqual(PLAIN.board(facts()), due)
        due = "     a  b  c\n  2  .  .  l  2\n  1  d  d  .  1\n     a  b  c"
        self.assertEqual(Drawing(False, True, False).board(facts()), due)

    def test_the_board_is_turned_round_for_the_second_player(self) -> None:
        turned = Drawing(False, False, True)
        due = "     c  b  a\n  1  ·  ●  ●  1\n  2  ○  ·  ·  2\n     c  b  a"
        self.assertEqual(turned.board(facts()), due)
        self.assertEqual(turned.board(facts(p1turn=True)), PLAIN.board(facts()))

    def test_crossings_and_shaded_cells(self) -> None:
        crossings = PLAIN.board(facts(grid="crossings"))
        self.assertIn("2 ─┼──┼──○─ 2", crossings)
        self.assertIn("2 ░░░ · ░○░ 2", PLAIN.board(facts(shaded=["a2", "c2"])))

    def test_the_last_move_and_the_row_are_marked(self) -> None:
        drawn = PLAIN.board(facts(last={"at": "c2"}, winning=["a1", "b1"]))
        self.assertIn("2  ·  · (○) 2", drawn)
        self.assertIn("1 [●][●] ·  1", drawn)
        # What was taken at once is not there any more.
        self.assertIn("2 (·) ·  ○  2", PLAIN.board(facts(last={"at": "a2"})))

    def test_numbered_cells_and_blocks(self) -> None:
        cells = [str(number) for number in range(9, 15)]
        blocks = [{"name": "left", "cells": ["9", "12"]}, {"name": "right", "cells": cells[1:3]}]
        drawn = PLAIN.board(facts(cells=cells, blocks=blocks))
        self.assertEqual(drawn.splitlines()[0], "     9   10 11")

    def test_colours_change_nothing_but_colours(self) -> None:
        shown = facts(last={"at": "c2"}, winning=["a1"], shaded=["b2"])
        drawn = Drawing(True, False, False).board(shown)
        self.assertEqual(palette("#ff0000"), 196)
        self.assertIn("48;5;", drawn)
        plain = re.sub("\033\\[[0-9;]*m", "", drawn)
        self.assertEqual(plain, PLAIN.board({**shown, "board": facts()["board"]}).replace("○", "●"))


class Words(unittest.TestCase):
    """Scores for people."""

    def test_scores_in_words(self) -> None:
        for line, due in [
            ("info score cp 100 nodes 3", "75 %"),
            ("info score cp 100 wdl 500 200 300 nodes 3", "60 %"),
            ("info score cp 0 proven", "a draw"),
            ("info score mate 3 proven", "wins within 3 plies"),
            ("info score mate 1 proven", "wins within 1 ply"),
            ("info score mate -4", "probably loses within 4 plies"),
            ("info score mate 0 proven", "has lost"),
            ("info depth 0 score mate 1 proven", "has won"),
            ("info depth 0 score mate -4", "probably loses within 4 plies"),
            ("info depth 0 score mate 1 proven pv a1", "wins within 1 ply"),
            ("info depth 3", "unknown"),
        ]:
            self.assertEqual(Info.parse(line).worth, due, line)


class Sessions(unittest.TestCase):
    """Lines typed at the prompt, and what is answered."""

    def play(self, *lines: str, arguments: str = "", status: int = 0) -> str:
        """The output of a session; two people play on 5x5 unless the arguments differ."""
        default = "--first human --second human --movetime 50"
        command = ["play.py", *default.split(), *shlex.split(arguments)]
        command += [] if "--newgame" in command else ["--newgame", "gomoku size 5 line 4"]
        typed = io.BytesIO("".join(f"{line}\n" for line in lines).encode())
        # Not a StringIO: that has no encoding, so the board would be drawn in ASCII.
        shown, errors = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
        with (
            mock.patch.object(sys, "argv", command),
            mock.patch.object(sys, "stdin", io.TextIOWrapper(typed, "utf-8")),
            contextlib.redirect_stdout(shown),
            contextlib.redirect_stderr(errors),
            self.assertRaises(SystemExit) as ended,
        ):
            run("play.py", play.main)
        self.assertEqual(ended.exception.code, status, errors.getvalue())
        shown.seek(0)
        said = shown.read()
        self.assertNotIn("\033", said, "colours are for terminals")
        return said

    def test_help_says_how_a_move_is_written(self) -> None:
        said = self.play("help", "rules")
        self.assertIn("- Moves: a stone on any empty cell, written as the cell: `h8`.", said)
        self.assertIn("resign            gives up", said)
        self.assertIn("Rules, for newgame gomoku", said)
        said = self.play("help", arguments=TEEKO)
        self.assertIn("drops one on an empty cell", said)
        self.assertIn("directions: `c3-d4`", said)

    def test_a_move_typed_wrong_is_answered_with_what_was_expected(self) -> None:
        said = self.play("z9", "c", "hnit", "c3 c4")
        self.assertIn("'z9': outside the board: cells go from a1 to e5", said)
        self.assertIn("A move is written like a1 ", said)
        self.assertIn("Did you mean: c1 c2 c3 c4 c5", said)
        self.assertIn("Did you mean: hint", said)
        self.assertIn("one move at a time", said)
        said = self.play("5", arguments="--newgame pentago")
        self.assertIn("Did you mean: 5-cw-tl 5-ccw-tl", said)

    def test_one_board_is_drawn_a_turn(self) -> None:
        # A reply by chance, but always the same one, and not on b2.
        said = self.play("c3", "b2", arguments="--second random:1 --option Seed=1")
        self.assertEqual(said.count("     a  b  c  d  e\n"), 2 * 3)
        self.assertEqual(said.count("white plays "), 2)

    def test_moves_are_taken_back_and_played_again(self) -> None:
        said = self.play("c3", "b2", "undo", "undo", "undo", "redo", "redo", "redo", "moves")
        self.assertIn("No move of a person lies before this one.", said)
        self.assertIn("nothing was taken back", said)
        boards = re.findall(r"\(.\)", said)
        self.assertEqual(boards, ["(●)", "(○)", "(●)", "(●)", "(○)"])
        said = self.play("c3", "b2", "undo 3", "moves")
        self.assertIn("`undo` takes nothing after it, found '3'", said)
        self.assertIn("a2 c2 d2 e2 a3 b3 d3", said)
        # Another move instead: nothing is left to play again.
        said = self.play("c3", "undo", "b2", "redo")
        self.assertIn("nothing was taken back", said)
        # With the engine, its answer goes too, and comes back as it was.
        said = self.play("c3", "undo", "redo", arguments="--second random:1")
        self.assertEqual(said.count("white plays "), 1)
        first, last = said.split("black to move> ")[1], said.split("black to move> ")[3]
        self.assertEqual(first.partition("\n\n")[2].strip(), last.strip())

    def test_a_row_ends_the_game_and_is_marked(self) -> None:
        said = self.play("a1", "a2", "b1", "b2", "c1", "c2", "d1", "e5", "undo", "new")
        self.assertIn("Black wins after 7 moves.  Row: a1 b1 c1 d1", said)
        self.assertIn("1 [●][●][●][●]─┼─ 1", said)
        self.assertIn("'e5': the game is over", said)
        after = said.split("game over> ")
        self.assertEqual(len(after), 3)
        self.assertTrue(after[2].rstrip().endswith("black to move> \nGood bye."), after[2])

    def test_a_side_resigns(self) -> None:
        said = self.play("c3", "resign", "resign", "b2", "hint", "undo", "b2")
        self.assertIn("White resigns: black wins after 1 move.", said)
        self.assertEqual(said.count("the game is over"), 3)
        self.assertIn("\nblack to move> ", said.split("game over> ")[-1])
        said = self.play("c3", "undo", "resign", "redo", "undo", "redo", "moves")
        self.assertEqual(said.count("the game is over"), 1)
        self.assertIn("white to move> a1 ", said)

    def test_a_hint_has_reasons(self) -> None:
        row = "a1 a5 b1 b5 c1 e5".split()
        said = self.play(*row, "hint", "a2", "hint", "moves")
        self.assertRegex(said, r"d1   \(wins within 1 ply, ")
        self.assertIn("  it wins at once\n", said)
        self.assertRegex(said, r"  it wins at once\n(  .*\n)*  the next best move, ")
        # White wins too; a game in which one has to defend.
        said = self.play("a1", "b3", "b1", "d4", "c1", "hint")
        self.assertIn("d1   (", said)
        self.assertIn("  it keeps black from winning with d1\n", said)

    def test_the_position_is_analysed(self) -> None:
        said = self.play("c3", "analyse 60", "analyse x")
        for rank in "123":
            self.assertRegex(said, rf"{rank}\. .*\d+ %.* \(win \d+, draw \d+, loss \d+\), depth ")
        self.assertIn("expected milliseconds, found 'x'", said)

    def test_an_interrupt_ends_the_analysis_and_not_the_game(self) -> None:
        wait, said = Analysis.wait, io.StringIO()
        waits = iter([KeyboardInterrupt])

        def interrupted(analysis: Analysis) -> Answer:
            for error in waits:
                raise error
            return wait(analysis)

        with Engine(default_engine()) as engine:
            engine.newgame("gomoku size 9")
            human = play.Side("human", "movetime 50")
            table = play.Table(engine, (human, human), "movetime 50", PLAIN)
            with (
                mock.patch.object(Analysis, "wait", interrupted),
                contextlib.redirect_stdout(said),
            ):
                table.do_analyse("99999999999")
                table.do_moves("")
        self.assertRegex(said.getvalue(), r"^1\. .* depth .*\n(.*\n)*a1 b1 ")

    def test_an_engine_that_fails_does_not_end_the_game(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            wrapper = Path(folder) / "wrapper.py"
            wrapper.write_text(FAILING, "utf-8")
            engine = f"{shlex.join([sys.executable, str(wrapper)])} {default_engine()}"
            arguments = [
                "--engine",
                engine,
                "--newgame",
                "gomoku size 5 line 4",
                "--second",
                "full",
            ]
            lines = ["c3", "moves", f"save {folder}/game", "level white full", "level"]
            free = "white to move> a1 b1 c1 d1 e1 a2 b2 c2 d2 e2 a3 b3 d3 e3"
            for fault, told in (("crash", "and was started again"), ("illegal", "'z9': ")):
                with mock.patch.dict(os.environ, FAULT=fault):
                    said = self.play(*lines, arguments=shlex.join(arguments))
                    self.assertIn(told, said)
                    self.assertIn("a person goes on", said.lower())
                    self.assertIn(free, said)
                    due = "newgame gomoku size 5 line 4\nposition startpos moves c3\n"
                    self.assertEqual(Path(folder, "game").read_text("utf-8"), due)
                    # In the middle of a command of a person.
                    said = self.play("c3", "hint", "moves", arguments=shlex.join(arguments[:4]))
                    self.assertIn(told, said)
                    self.assertIn(free, said)
                    # Nobody is there who could go on.
                    self.play(arguments=shlex.join([*arguments, "--first", "full"]), status=2)

    def test_a_name_that_no_file_can_have_is_a_mistake(self) -> None:
        said = self.play("load a\0b", "save a\0b", "c3", "moves")
        self.assertEqual(said.count("'a\\x00b' is no name of a file"), 2)
        self.assertIn("white to move> a1 ", said)

    def test_bytes_that_are_no_text_are_a_mistake(self) -> None:
        command = [sys.executable, str(FOLDER / "play.py"), *"--first human --second human".split()]
        ran = subprocess.run(
            [*command, "--newgame", "gomoku size 5 line 4"],
            input=b"c3\n\xff\nmoves\n",
            capture_output=True,
            env={**os.environ, "PYTHONIOENCODING": "utf-8:strict"},
        )
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn("\ufffd': expected", ran.stdout.decode("utf-8"))
        self.assertIn("white to move> a1 b1 ", ran.stdout.decode("utf-8"))

    def test_games_of_other_programs(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for name in ("game.sgf", "game.psq", "game.jsonl"):
                file = Path(folder) / name
                newgame = "--newgame 'gomoku size 15 tie full'"
                said = self.play("h8", "g7", f"save {file}", f"save {file}", arguments=newgame)
                self.assertIn(f"Saved 2 moves in {file}.", said)
                self.assertIn(f"{file} exists", said)
                said = self.play(f"load {file}", "h8", "i9", arguments=TEEKO)
                self.assertIn("'h8': ", said)
            given = Path(folder) / "given.sgf"
            self.play("h8", "resign", f"save {given}", arguments="--newgame 'gomoku size 15'")
            self.assertIn("RE[B+Resign]", given.read_text("utf-8"))
            given.write_text("(;GM[4]PB[Ren\u00e9];B[hh])", "latin-1")
            said = self.play(f"load {given}", "moves", arguments=TEEKO)
            self.assertIn(f"{given}: characters were lost", said)
            self.assertIn("white to move> a1 b1 ", said)
            bad = Path(folder) / "bad.sgf"
            bad.write_text("(;GM[1])", "utf-8")
            said = self.play("c3", f"load {bad}", f"save {folder}/a.psq")
            self.assertIn("the game GM[1]", said)
            self.assertIn("psq has no words for rows of 4", said)

    def test_games_are_saved_and_loaded(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file, other = Path(folder) / "game", Path(folder) / "other"
            self.play("c3", "b2", f"save {file}", "a1", f"save {file}", "undo", f"save {file}")
            due = "newgame gomoku size 5 line 4\nposition startpos moves c3 b2\n"
            self.assertEqual(file.read_text("utf-8"), due)
            for name in ("game.txt", "game.TXT"):
                text = Path(folder) / name
                self.play("c3", "b2", f"save {text}")
                self.assertEqual(text.read_text("utf-8"), due)
                # As other programs write it, with a sign before it.
                text.write_text(due, "utf-8-sig")
                self.assertIn("2 ─┼─(○)", self.play(f"load {text}"))
            other.write_text("shopping list\n", "utf-8")
            bad = Path(folder) / "bad"
            bad.write_text("newgame teeko\nposition startpos moves zz\n", "utf-8")
            said = self.play(
                *(f"load {other}", f"save {other}", f"load {folder}/none", "load", "save"),
                *(f"load {bad}", "a1-b1", f"load {file}", "moves"),
                arguments=f"--newgame pentago {QUICK}",
            )
            self.assertEqual(other.read_text("utf-8"), "shopping list\n")
            self.assertEqual(said.count(f"{other} is no game"), 2)
            self.assertIn(f"{folder}/none: No such file", said)
            self.assertIn("expected a file: `save FILE`", said)
            self.assertIn("'zz': expected", said)
            # The game before is still there.
            self.assertIn("'a1-b1': expected a hole", said)
            self.assertIn("2 ─┼─(○)", said)
            self.assertIn("black to move> a1 b1 c1 ", said)

    def test_levels_change(self) -> None:
        said = self.play(
            *("level", "level 3", "level white 3:7", "level", "level white nobody"),
            *("level green full", "c3", "level white human", "b2", "a1"),
        )
        self.assertIn("black: human; white: human", said)
        self.assertIn("the engine plays neither side: `level white 3`", said)
        self.assertIn("black: human; white: 3 (movetime 7)", said)
        self.assertIn("no level 'nobody'; there are: human full", said)
        self.assertIn("expected `level black|white SIDE`", said)
        self.assertEqual(said.count("white plays "), 1)
        self.assertIn("white to move> ", said)

    def test_a_person_proposes_and_the_engine_chooses(self) -> None:
        lines = ("c3", "c3 d4 z9", "c3 d4 c3", "c3 d4 b2", "c1 b5 c5", "first")
        arguments = "--newgame gomoku --opening swap2 --second full --nodes 200 --max-plies 6"
        said = self.play(*lines, arguments=arguments)
        self.assertIn("swap2: 3 stones, black and white by turns, such as `a1 ", said)
        self.assertIn("3 stones> expected 3 stones, found 'c3'", said)
        self.assertIn("'z9': outside the board", said)
        self.assertIn("'c3': the cell is occupied", said)
        self.assertRegex(said, r"The engine chooses: (first|second|put \w+ \w+)\n")
        self.assertRegex(said, r"\n(black: human; white: full|black: full.*; white: human)")

    def test_the_engine_proposes_and_a_person_chooses(self) -> None:
        # The engine may have taken three of these cells itself.
        puts = [f"put a{row} b{row}" for row in range(1, 5)]
        lines = ("third", "put a1", "put a1 a1", *puts, "undo")
        arguments = "--newgame gomoku --opening swap2 --first full --nodes 200"
        said = self.play(*lines, arguments=arguments)
        self.assertRegex(said, r"The engine proposes: \w+ \w+ \w+\n")
        self.assertIn("first          plays on as the first player, black", said)
        self.assertIn("expected first, second or put CELL CELL, found 'third'", said)
        self.assertIn("found 'put a1'", said)
        self.assertIn("'a1': the cell is occupied", said)
        self.assertRegex(said, r"The engine chooses: (first|second)\n")
        # The stones of the opening are not taken back.
        self.assertIn("No move of a person lies before this one.", said)

    def test_a_choice_decides_who_plays_first(self) -> None:
        arguments = "--newgame 'pente tournament off' --opening d --first full --nodes 200"
        said = self.play("put a1 b1", "first", arguments=arguments)
        self.assertIn("expected first or second, found 'put a1 b1'", said)
        self.assertRegex(said, r"white: human; black: full .*\n(.*\n)+white to move> ")
        said = self.play("second", arguments=arguments)
        self.assertRegex(said, r"white: full .*; black: human\n(.*\n)+white plays ")

    def test_a_game_is_opened_by_a_command(self) -> None:
        lines = ("opening d", "opening", "c3", "opening swap2", "a1 b2 c4", "put a2 a3", "second")
        said = self.play(*lines, "undo", "new", "quit", arguments="--newgame gomoku")
        self.assertIn("Gomoku is not opened by d", said)
        self.assertIn("expected `opening d|swap2`", said)
        self.assertIn("black: human; white: human", said)
        self.assertTrue(said.endswith("3 stones> Good bye.\n"), said)

    def test_no_stones_of_an_opening_end_the_game(self) -> None:
        arguments = "--newgame 'gomoku size 3 line 3' --opening swap2"
        said = self.play("a1 b1 a2", "put b2 a3", "put b2 c3", "first", arguments=arguments)
        self.assertIn("the game would be over after these stones", said)
        self.assertIn("white to move> ", said)

    def test_what_is_not_opened_by_a_protocol_is_told(self) -> None:
        self.play(arguments=f"{TEEKO} --opening d", status=2)
        self.play(arguments="--newgame pente --opening d", status=2)
        self.play(arguments="--opening swap2 --position startpos", status=2)

    def test_a_side_is_a_strength(self) -> None:
        arguments = "--first 2:5 --second 20:5 --max-plies 6"
        self.assertIn("Ended after 6 moves.", self.play(arguments=arguments))
        self.play(arguments="--first 21", status=2)


if __name__ == "__main__":
    unittest.main()
