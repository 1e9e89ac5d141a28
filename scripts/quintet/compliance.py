"""Does an engine keep what protocol/README.md promises to clients?

Each check talks to a fresh process of the engine, in UGI, UCI or the Gomocup protocol, whichever
of them it answers. What is checked is what every client of that language relies on; Quintet's own
extensions are asked for in UGI, and an engine that lacks them lacks nothing else. A check that an
engine fails by a limit of one or two seconds is made once more, for the machine may have been busy.
"""

from __future__ import annotations

import itertools
import re
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Callable

from .client import Engine
from .dialogue import Steps
from .errors import Crashed, EngineError, Silent
from .protocol import Info, OptionSpec


class Fault(Exception):
    """What an engine does not keep."""


class Late(Fault):
    """Too late by a limit of the check's own, which a busy machine may make a good engine miss."""


class Probe(Engine):
    """An engine that is asked nothing when it starts."""

    def _shake_hands(self, patience: float | None) -> Steps[None]:
        return
        yield 0.0

    def until(self, *first: str, patience: float) -> list[str]:
        """The lines up to one that begins with one of these words."""
        lines: list[str] = []
        end = time.monotonic() + patience
        while True:
            try:
                line = self.read(end - time.monotonic()).text
            except Silent:
                found = f"; it said {lines[-1]!r} last" if lines else ""
                raise Fault(f"no {' or '.join(first)} within {patience:g} s{found}") from None
            lines.append(line)
            if line.split(" ")[0] in first:
                return lines

    def ended(self, patience: float) -> int:
        """The exit status, once the output has ended."""
        end = time.monotonic() + patience
        try:
            while True:
                self.read(end - time.monotonic())
        except Crashed:
            pass
        except Silent:
            raise Fault(f"it still runs after {patience:g} s") from None
        assert self._process is not None
        try:
            return self._process.wait(patience)
        except subprocess.TimeoutExpired:
            raise Fault(f"its output has ended, and it still runs after {patience:g} s") from None


@dataclass
class Bench:
    """What a check works with."""

    command: str
    newgame: str
    patience: float

    def begin(self, *lines: str) -> Probe:
        """A fresh process that has been sent these lines."""
        probe = Probe(self.command)
        for line in lines:
            probe.send(line)
        return probe

    def ugi(self, *lines: str) -> Probe:
        """A fresh process after its handshake in UGI, with these lines carried out."""
        probe = self.begin("ugi")
        probe.until("ugiok", patience=self.patience)
        self.carried_out(probe, *lines)
        return probe

    def carried_out(self, probe: Probe, *lines: str) -> list[str]:
        """What is said to these lines."""
        for line in (*lines, "isready"):
            probe.send(line)
        return probe.until("readyok", patience=self.patience)[:-1]

    def answer(self, probe: Probe, line: str) -> list[str]:
        """The lines up to `bestmove`, after a `go`."""
        probe.send(line)
        try:
            return probe.until("bestmove", "error", patience=self.patience)
        except Fault as error:
            raise Fault(f"`{line}`: {error}") from None


def need(kept: bool, otherwise: str, error: type[Fault] = Fault) -> None:
    """A fault unless something is so."""
    if not kept:
        raise error(otherwise)


Checks = Iterator[tuple[str, Callable[[Bench], None]]]


def handshake_of(word: str, done: str) -> Callable[[Bench], None]:
    """The check of a handshake."""

    def check(bench: Bench) -> None:
        with bench.begin(word) as probe:
            lines = probe.until(done, patience=bench.patience)
            need(any(line.startswith("id name ") for line in lines), "no line `id name …`")
            need(any(line.startswith("id author ") for line in lines), "no line `id author …`")
            if word == "uci":
                # Many engines greet with their name; every client passes over it.
                lines = list(itertools.dropwhile(lambda line: not line.startswith("id "), lines))
            for line in lines[:-1]:
                known = line.startswith("id ") or OptionSpec.parse(line) is not None
                need(known or not line.strip(), f"a line that is no id and no option: {line!r}")
            probe.send("quit")
            status = probe.ended(bench.patience)
            need(status == 0, f"after `quit` its exit status is {status}")

    return check


def end_of_input(bench: Bench) -> None:
    with bench.begin() as probe:
        assert probe._process is not None and probe._process.stdin is not None
        probe._process.stdin.close()
        status = probe.ended(bench.patience)
        need(status == 0, f"the exit status is {status}")


def readiness_of(*begin: str) -> Callable[[Bench], None]:
    """The check of `isready` in all spellings, after the line that a client begins with."""

    def check(bench: Bench) -> None:
        with bench.begin(*begin) as probe:
            if begin:
                probe.until(f"{begin[0]}ok", patience=bench.patience)
            for line in ("isready", "", "   isready  ", "isready\r"):
                # `send` refuses the carriage return.
                probe._send(line)
                if not line:
                    continue
                try:
                    lines = probe.until("readyok", patience=bench.patience)
                except Fault as error:
                    raise Fault(f"{line!r}: {error}") from None
                need(lines == ["readyok"], f"it also says {lines[0]!r}")

    return check


def silence(bench: Bench) -> None:
    with bench.begin("isready") as probe:
        lines = probe.until("readyok", patience=bench.patience)
        need(lines == ["readyok"], f"before it is asked it says {lines[0]!r}")


def answers_of_a_search(bench: Bench, probe: Probe) -> None:
    lines = bench.answer(probe, "go depth 1")
    words = lines[-1].split()
    need(words[0] == "bestmove", f"`go depth 1` is answered by {lines[-1]!r}")
    need(len(words) in (2, 4), f"it says {lines[-1]!r}")
    infos = [Info.parse(line) for line in lines if line.startswith("info ")]
    need(any(info.scored for info in infos), "no `info` line has a score")
    pv = next((info.pv for info in reversed(infos) if info.pv), [words[1]])
    need(pv[0] == words[1], f"the last line of play begins with {pv[0]}, but it plays {words[1]}")


def answers_while_searching(bench: Bench, probe: Probe) -> None:
    probe.send("go infinite")
    probe.send("isready")
    lines = probe.until("readyok", patience=bench.patience)
    early = [line for line in lines if line.startswith("bestmove")]
    need(not early, "`go infinite` is answered without a `stop`")
    probe.send("stop")
    lines = probe.until("bestmove", patience=bench.patience)
    probe.send("stop")
    rest = bench.carried_out(probe)
    more = [line for line in rest if line.startswith("bestmove")]
    need(not more, "a `stop` without a search is answered by another `bestmove`")


def answers_at_once(bench: Bench, probe: Probe) -> None:
    for limits in ("movetime 0", "nodes 1", "depth 0", "movetime 50"):
        began = time.monotonic()
        line = bench.answer(probe, f"go {limits}")[-1]
        need(line.startswith("bestmove"), f"`go {limits}` is answered by {line!r}")
        used = time.monotonic() - began
        need(used < 2.0, f"`go {limits}` took {used:.1f} s", Late)


def leaves_while_searching(bench: Bench, probe: Probe) -> None:
    probe.send("go infinite")
    probe.send("quit")
    status = probe.ended(bench.patience)
    need(status == 0, f"the exit status is {status}")


def searching(check: Callable[[Bench, Probe], None], dialect: str) -> Callable[[Bench], None]:
    """A check of a search from the start position of the game."""

    def run(bench: Bench) -> None:
        if dialect == "ugi":
            with start(bench) as probe:
                check(bench, probe)
            return
        with bench.begin("uci") as probe:
            probe.until("uciok", patience=bench.patience)
            bench.carried_out(probe, "ucinewgame", "position startpos")
            check(bench, probe)

    return run


def start(bench: Bench) -> Probe:
    """An engine at the start of the game; one that does not know `newgame` at that of its own."""
    probe = bench.ugi()
    bench.carried_out(probe, f"newgame {bench.newgame}", "uginewgame", "position startpos")
    return probe


def questions(bench: Bench) -> None:
    with start(bench) as probe:
        for what, values in (
            ("p1turn", ("true", "false")),
            ("gameover", ("true", "false")),
            ("result", ("none", "p1win", "p2win", "draw")),
        ):
            probe.send(f"query {what}")
            line = probe.until("response", "error", patience=bench.patience)[-1]
            need(
                line.split() in [["response", value] for value in values],
                f"`query {what}` is answered by {line!r}",
            )


def plays_legal_moves(bench: Bench) -> None:
    """Plays a game against itself and has its own answers accepted."""
    with start(bench) as probe:
        moves: list[str] = []
        while len(moves) < 40:
            probe.send("query gameover")
            line = probe.until("response", "error", patience=bench.patience)[-1]
            known = line in ("response true", "response false")
            need(known, f"`query gameover` is answered by {line!r}")
            if line == "response true":
                break
            line = bench.answer(probe, "go nodes 100")[-1]
            need(line.startswith("bestmove "), f"`go nodes 100` is answered by {line!r}")
            moves.append(line.split()[1])
            said = bench.carried_out(probe, f"position startpos moves {' '.join(moves)}")
            bad = [line for line in said if line.startswith("error")]
            need(not bad, f"it plays {moves[-1]} and refuses it: {bad[:1]}")
        need(bool(moves), "the game is over where it begins")
        if line == "response true":
            line = bench.answer(probe, "go depth 1")[-1]
            need(line.startswith("bestmove"), f"at the end of the game `go` gets {line!r}")


def refusals(bench: Bench) -> None:
    with start(bench) as probe:
        before = bench.carried_out(probe, "query fen")
        for line in (
            "nosuchcommand",
            "position startpos moves zz99",
            "go depth x",
            "setoption name NoSuchOption value 1",
            "query nosuchthing",
        ):
            said = bench.carried_out(probe, line)
            errors = [text for text in said if text.startswith("error ")]
            need(len(errors) == 1 and len(said) == 1, f"{line!r} is answered by {said}")
        after = bench.carried_out(probe, "query fen")
        need(before == after, "a refused line changed the position")


def case_of_words(bench: Bench) -> None:
    with bench.begin("UGI", "  IsReady ") as probe:
        probe.until("ugiok", patience=bench.patience)
        probe.until("readyok", patience=bench.patience)


def undone(bench: Bench) -> None:
    with start(bench) as probe:
        before = bench.carried_out(probe, "query fen")
        need(bool(before) and before[0].startswith("response "), f"`query fen` gets {before}")
        moves = bench.carried_out(probe, "query moves")
        told = bool(moves) and moves[0].startswith("response ") and len(moves[0].split()) > 1
        need(told, f"`query moves` gets {moves}")
        move = moves[0].split()[1]
        bench.carried_out(probe, f"moves {move}")
        after = bench.carried_out(probe, "query fen")
        need(before != after, f"`moves {move}` changes nothing")
        need(bench.carried_out(probe, "undo", "query fen") == before, "`undo` does not lead back")
        fen = before[0].partition(" ")[2]
        said = bench.carried_out(probe, f"position fen {fen}", "query fen")
        need(said == before, f"`position fen {fen}` leads to {said}")


def ugi_checks() -> Checks:
    yield "handshake and quit", handshake_of("ugi", "ugiok")
    yield "nothing is said before it is asked for", silence
    yield "isready, blanks, an empty line, CR LF", readiness_of()
    yield "the end of the input ends it", end_of_input
    yield "p1turn, gameover and result", questions
    yield "go: a score, one bestmove, the line of play", searching(answers_of_a_search, "ugi")
    yield "infinite, isready and stop", searching(answers_while_searching, "ugi")
    yield "limits of nothing are answered at once", searching(answers_at_once, "ugi")
    yield "quit ends a search", searching(leaves_while_searching, "ugi")
    yield "its own moves are legal, to the end of a game", plays_legal_moves
    yield "bad lines get one error and change nothing", refusals
    yield "case does not matter in commands", case_of_words
    yield "query fen, query moves, moves, undo, position fen", undone


def uci_checks() -> Checks:
    yield "handshake and quit", handshake_of("uci", "uciok")
    yield "isready, blanks, an empty line, CR LF", readiness_of("uci")
    yield "the end of the input ends it", end_of_input
    yield "go: a score, one bestmove, the line of play", searching(answers_of_a_search, "uci")
    yield "infinite, isready and stop", searching(answers_while_searching, "uci")
    yield "limits of nothing are answered at once", searching(answers_at_once, "uci")
    yield "quit ends a search", searching(leaves_while_searching, "uci")


MOVE = re.compile(r"(\d+),(\d+)")
TALK = ("MESSAGE", "DEBUG")


def gomocup_reply(bench: Bench, probe: Probe, *lines: str) -> str:
    """What is said to these lines, but for messages."""
    for line in lines:
        probe.send(line)
    end = time.monotonic() + bench.patience
    while True:
        try:
            said = probe.read(end - time.monotonic()).text.strip()
        except Silent:
            raise Fault(f"no answer to {lines[-1]!r} within {bench.patience:g} s") from None
        if said.split(" ")[0].upper() not in TALK:
            return said


def gomocup_move(bench: Bench, probe: Probe, *lines: str) -> tuple[int, int]:
    """The move that these lines get."""
    said = gomocup_reply(bench, probe, *lines)
    found = MOVE.fullmatch(said)
    need(found is not None, f"{lines[-1]!r} is answered by {said!r}")
    assert found is not None
    cell = (int(found[1]), int(found[2]))
    need(max(cell) < 15, f"it moves to {said}, outside the board")
    return cell


def gomocup_start(bench: Bench) -> Probe:
    """An engine on an empty board of 15x15 with 200 ms a move."""
    probe = bench.begin()
    said = gomocup_reply(bench, probe, "START 15")
    need(said == "OK", f"`START 15` is answered by {said!r}")
    for line in ("INFO timeout_turn 200", "INFO timeout_match 0", "INFO rule 0"):
        probe.send(line)
    return probe


def gomocup_game(bench: Bench) -> None:
    with gomocup_start(bench) as probe:
        taken = {gomocup_move(bench, probe, "BEGIN")}
        for _ in range(6):
            x, y = next((x, 0) for x in range(15) if (x, 0) not in taken)
            taken.add((x, y))
            cell = gomocup_move(bench, probe, f"TURN {x},{y}")
            need(cell not in taken, f"it moves to {cell}, which is taken")
            taken.add(cell)


def gomocup_board(bench: Bench) -> None:
    with gomocup_start(bench) as probe:
        board = ("BOARD", "7,7,1", "8,8,2", "7,8,1", "8,7,2", "DONE")
        cell = gomocup_move(bench, probe, *board)
        need(cell not in {(7, 7), (8, 8), (7, 8), (8, 7)}, f"it moves to {cell}, which is taken")
        said = gomocup_reply(bench, probe, "RESTART")
        need(said == "OK", f"`RESTART` is answered by {said!r}")
        gomocup_move(bench, probe, "BEGIN")


def gomocup_win(bench: Bench) -> None:
    with gomocup_start(bench) as probe:
        four = [f"{x},7,1" for x in range(5, 9)] + [f"{x},9,2" for x in (3, 5, 7, 9)]
        cell = gomocup_move(bench, probe, "BOARD", *four, "DONE")
        need(cell in {(4, 7), (9, 7)}, f"with four in a row it moves to {cell}")


def gomocup_errors(bench: Bench) -> None:
    with gomocup_start(bench) as probe:
        said = gomocup_reply(bench, probe, "NOSUCHCOMMAND")
        need(said.startswith("UNKNOWN"), f"an unknown command is answered by {said!r}")
        x, y = gomocup_move(bench, probe, "BEGIN")
        said = gomocup_reply(bench, probe, f"TURN {x},{y}")
        need(said.startswith("ERROR"), f"a stone on a taken cell is answered by {said!r}")
    with bench.begin() as probe:
        said = gomocup_reply(bench, probe, "START 1000")
        need(said.startswith("ERROR"), f"`START 1000` is answered by {said!r}")


def gomocup_about(bench: Bench) -> None:
    with bench.begin() as probe:
        said = gomocup_reply(bench, probe, "ABOUT")
        need('name="' in said, f"`ABOUT` is answered by {said!r}")


def gomocup_time(bench: Bench) -> None:
    with gomocup_start(bench) as probe:
        gomocup_move(bench, probe, "BEGIN")
        began = time.monotonic()
        gomocup_move(bench, probe, "TURN 0,0")
        used = time.monotonic() - began
        need(used < 1.2, f"with 200 ms it takes {1000 * used:.0f}", Late)


def gomocup_end(bench: Bench) -> None:
    with gomocup_start(bench) as probe:
        probe.send("END")
        try:
            probe.ended(min(bench.patience, 2.0))
        except Fault as error:
            raise Late(str(error)) from None


def gomocup_checks() -> Checks:
    yield "START, BEGIN and TURN", gomocup_game
    yield "BOARD and RESTART", gomocup_board
    yield "ABOUT", gomocup_about
    yield "UNKNOWN and ERROR", gomocup_errors
    yield "four in a row are completed", gomocup_win
    yield "timeout_turn", gomocup_time
    yield "END ends it", gomocup_end


LANGUAGES = {"ugi": ugi_checks, "uci": uci_checks, "gomocup": gomocup_checks}


def spoken(bench: Bench) -> str:
    """The language that an engine answers."""
    said = ""
    for language, greeting, done in (
        ("ugi", "ugi", "ugiok"),
        ("uci", "uci", "uciok"),
        ("gomocup", "START 15", "OK"),
    ):
        try:
            with bench.begin(greeting) as probe:
                probe.until(done, patience=min(bench.patience, 5.0))
            return language
        except (Fault, Crashed) as error:
            said = str(error)
    raise EngineError(f"it answers neither `ugi` nor `uci` nor `START 15`: {said}")


def report(command: str, newgame: str, patience: float) -> int:
    """Prints what an engine keeps and what not; the exit status is 1 if there is such."""
    bench = Bench(command, newgame, patience)
    language = spoken(bench)
    print(f"{command} speaks {language}")
    faults = checks = 0
    for name, check in LANGUAGES[language]():
        checks += 1
        try:
            # Once more, for a machine that was busy.
            try:
                check(bench)
            except Late:
                check(bench)
        except (Fault, EngineError) as error:
            faults += 1
            print(f"FAILS  {name}: {error}", flush=True)
        else:
            print(f"ok     {name}", flush=True)
    print(f"{checks - faults} of {checks} kept")
    return 1 if faults else 0
