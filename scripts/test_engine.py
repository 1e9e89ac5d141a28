"""Tests of the client against engines that say what they are told to: python3 -m unittest.

Hardly anything here waits: an engine that is silent is asked with little patience.
"""

from __future__ import annotations

import ast
import asyncio
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from typing import Any, Callable
from unittest import mock

from quintet import AsyncEngine, Busy, Crashed, Engine, Info, Limit, Refused, Silent
from quintet.client import kill_session
from quintet.protocol import OptionSpec

STUB = """
import sys
owed = []
failed = []
for line in sys.stdin:
    line = line.strip()
    word = line.split(" ")[0]
    if line == "ugi":
        print("id name Stub 1")
        print("option name Hash type spin default 16 min 1 max 64")
        print("option name Move Overhead type spin default 10 min 0 max 50")
        print("option name Pente.Size type combo default a var a var b")
        print("option name Ponder type check default false")
        print("option name File type string default <empty>")
        print("option name Clear Hash type button")
        print("ugiok")
    elif line == "isready":
        print("readyok")
        for late in failed:
            print(late)
        failed = []
    elif line == "setoption name Hash value 99":
        print("error option Hash: 99 is too large")
    elif line == "query values":
        print("info string the table is being made")
        print("info depth 1 nodes 7")
        print("response a1=win1")
    elif line == "query moves":
        print("info string it will not be")
        print("error state not now")
    elif line == "query late":
        owed.append("response too late")
    elif line == "chat":
        print("info string well")
    elif line == "query fen":
        print("response 3/3/3 b")
    elif line == "go depth 1":
        print("info depth 1 multipv 1 score cp 12 lowerbound wdl 400 300 300 nodes 5 pv a1 b2")
        print("error internal one of two threads has failed")
        print("info depth 1 multipv 2 score cp -5 pv b2")
        print("info string solved by hand")
        print("info depth 1 currmove c3 currmovenumber 3")
        print("bestmove a1")
    elif line == "go infinite":
        for depth in range(1, 4):
            print(f"info depth {depth} score cp {depth} pv a{depth}")
        owed.append("bestmove a3")
    elif line == "go depth 2":
        owed.append("info depth 2 score cp 7 pv b1\\nbestmove b1")
    elif line == "go depth 4":
        failed = ["error internal it has failed", "bestmove c1"]
    elif word == "go":
        print("error move 'z9': there is no such cell")
    elif line in ("stop", "release"):
        for late in owed:
            print(late)
        owed = []
    elif line == "crash":
        sys.exit(3)
    elif line == "quit":
        break
    sys.stdout.flush()
"""

COMMAND = shlex.join([sys.executable, "-c", STUB])
# Says its arguments, a line each, and nothing else.
MUTE = [
    sys.executable,
    "-c",
    "import sys; print(*sys.argv[1:], sep='\\n', flush=True); sys.stdin.read()",
]
# Says something all the time, but never answers.
FLOOD = [sys.executable, "-c", "while True: print('info depth 1', flush=True)"]
# Has a process of its own, whose number is its name, and does not end when asked to.
WRAPPER = [
    sys.executable,
    "-c",
    """
import subprocess, sys, time
print("id name", subprocess.Popen(["sleep", "60"]).pid)
print("ugiok")
print("readyok", flush=True)
time.sleep(60)
""",
]
# The same, but it ends when asked to; what it has started is left.
LEAVER = [
    sys.executable,
    "-c",
    """
import subprocess
print("id name", subprocess.Popen(["sleep", "60"]).pid)
print("ugiok")
print("readyok", flush=True)
while input() != "quit":
    pass
""",
]
# Has a process of its own, whose number is its name, that outlives it and holds its output open.
HOLDER = [
    sys.executable,
    "-c",
    """
import subprocess, sys
print("id name", subprocess.Popen(["sleep", "60"], start_new_session=True).pid)
print("ugiok")
print("readyok", flush=True)
sys.stdin.read()
""",
]
# Keeps its options and has games whose rules are some of them.
GAMES = """
import sys
options = {"Game": "gomoku", "Pente.Size": "19", "File": '""'}
for line in sys.stdin:
    words = line.split()
    if line == "ugi\\n":
        print("option name Game type combo default gomoku var gomoku var pente")
        print("option name Pente.Size type spin default 19 min 7 max 19")
        print("option name File type string default <empty>")
        print("ugiok")
    elif line == "isready\\n":
        print("readyok")
    elif words[0] == "setoption":
        options[words[2]] = words[4] if words[2] != "File" else '"a = b"'
    elif words[0] == "newgame":
        options["Game"] = words[1]
        options["File"] = '"a = b"'
        if "size" in words:
            options["Pente.Size"] = words[3]
    elif line == "query options\\n":
        print("response", *(f"{name}={value}" for name, value in options.items()))
"""
# Starts, and reads nothing after that.
DEAF = [sys.executable, "-c", "import time; print('ugiok\\nreadyok', flush=True); time.sleep(60)"]
# Does not hear `stop`.
TALKER = [
    sys.executable,
    "-c",
    """
import time
print("ugiok\\nreadyok", flush=True)
while input() != "go infinite":
    pass
while True:
    print("info depth 1 score cp 5 pv a1", flush=True)
    time.sleep(0.001)
""",
]
# Begins to search, and hears nothing from then on.
HUNG = [
    sys.executable,
    "-c",
    """
import time
print("ugiok\\nreadyok", flush=True)
while input() != "go infinite":
    pass
print("info depth 1 score cp 5 pv a1", flush=True)
time.sleep(60)
""",
]
# Answers the first question by a line that is too long, and goes on.
LONG = [
    sys.executable,
    "-c",
    """
print("ugiok\\nreadyok", flush=True)
while not (line := input()).startswith("query "):
    pass
print("x" * 5000 + "\\nresponse late", flush=True)
input()
""",
]
# Says much when it is told what file to make after it.
WRITER = [
    sys.executable,
    "-c",
    """
print("ugiok\\nreadyok", flush=True)
while not (line := input()).startswith("write "):
    pass
for number in range(100_000):
    print("info string", number)
open(line[6:], "x").close()
""",
]


def runs(pid: int) -> bool:
    """Whether there is a process of this number that has not ended."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def ends(pid: int) -> bool:
    """Whether the process of this number ends soon."""
    end = time.monotonic() + 10.0
    while runs(pid) and time.monotonic() < end:
        time.sleep(0.01)
    return not runs(pid)


BY_PID = unittest.skipUnless(Path("/proc/self/stat").exists(), "processes are looked up in /proc")


class Sync(unittest.TestCase):
    """The client whose methods wait."""

    def setUp(self) -> None:
        self.log: list[str] = []
        self.engine = Engine(COMMAND, {"Ponder": True}, log=self.log.append)
        self.addCleanup(self.engine.quit)

    def test_lines_that_report_progress_are_no_answer(self) -> None:
        self.assertEqual(self.engine.ask("values"), "a1=win1")
        # Nothing is left over for the next question.
        self.assertEqual(self.engine.sync(), [])

    def test_a_refusal_is_raised_with_its_code(self) -> None:
        with self.assertRaises(Refused) as caught:
            self.engine.ask("moves")
        self.assertEqual((caught.exception.code, str(caught.exception)), ("state", "not now"))
        with self.assertRaisesRegex(Refused, "no such cell"):
            self.engine.go("nodes 7")
        self.assertEqual(self.engine.ask("fen"), "3/3/3 b")

    def test_options_are_those_of_the_new_game(self) -> None:
        with Engine([sys.executable, "-u", "-c", GAMES]) as engine:
            options = engine.options
            options.pente_size = 9
            self.assertEqual((options.game, options.pente_size, options.file), ("gomoku", 9, ""))
            engine.newgame("pente size 7")
            due = ("pente", 7, "a = b")
            self.assertEqual((options.game, options.pente_size, options.file), due)
            engine.restart()
            engine.newgame("gomoku")
            self.assertEqual((options.game, options.pente_size), ("gomoku", 7))

    def test_a_new_game_needs_no_answer_but_readyok(self) -> None:
        mute = GAMES.replace('"query options', '"query nothing')
        with Engine([sys.executable, "-u", "-c", mute]) as engine:
            engine.newgame("pente size 7", patience=10.0)
            self.assertEqual(engine.options.game, "gomoku")

    def test_options_are_attributes(self) -> None:
        options = self.engine.options
        self.assertEqual((options.hash, options.ponder, options.file), (16, True, ""))
        options.hash = 32
        options["Move Overhead"] = 20
        options.pente_size = "b"
        options.clear_hash = ""
        sent = [line[2:] for line in self.log if line.startswith("> setoption")]
        self.assertEqual(
            sent,
            [
                "setoption name Ponder value true",
                "setoption name Hash value 32",
                "setoption name Move Overhead value 20",
                "setoption name Pente.Size value b",
                "setoption name Clear Hash",
            ],
        )
        self.assertEqual((options["hash"], options.move_overhead), (32, 20))
        with self.assertRaises(Refused) as caught:
            options.hash = 99
        self.assertEqual((caught.exception.code, options.hash), ("option", 32))
        with self.assertRaises(AttributeError):
            _ = options.weather
        self.assertEqual(options.spec("Pente.Size").var, ("a", "b"))
        # The engine keeps the last value too.
        with Engine(COMMAND, [("hash", 16), ("Hash", 32)]) as other:
            self.assertEqual(other.options.hash, 32)
        self.assertEqual(len(options), 6)

    def test_a_new_process_gets_the_options_again(self) -> None:
        self.engine.options.hash = 32
        self.engine.options.clear_hash = ""
        self.log.clear()
        self.engine.restart()
        sent = [line for line in self.log if "setoption" in line]
        self.assertEqual(
            sent, ["> setoption name Ponder value true", "> setoption name Hash value 32"]
        )

    def test_an_answer_has_all_that_was_said(self) -> None:
        answer = self.engine.go(Limit(depth=1))
        self.assertEqual((answer.move, answer.info.bound), ("a1", "lowerbound"))
        self.assertEqual([info.cp for info in answer.lines], [12, -5])
        self.assertEqual(answer.remarks, ["solved by hand"])
        self.assertEqual(answer.complaints, ["error internal one of two threads has failed"])

    def test_an_analysis_is_a_stream_that_can_be_stopped(self) -> None:
        with self.engine.analysis() as analysis:
            depths = []
            for info in analysis:
                depths.append(info.depth)
                if info.depth == 2:
                    break
            with self.assertRaises(Busy):
                self.engine.ask("fen")
        self.assertEqual(depths, [1, 2])
        assert analysis.answer is not None
        self.assertEqual((analysis.answer.move, analysis.answer.info.depth), ("a3", 3))
        self.assertEqual(self.engine.ask("fen"), "3/3/3 b")

    def test_a_refused_analysis_leaves_the_engine_free(self) -> None:
        with self.assertRaises(Refused), self.engine.analysis("nodes 3") as analysis:
            analysis.wait()
        self.assertEqual(self.engine.ask("fen"), "3/3/3 b")

    def test_a_search_without_end_is_no_question(self) -> None:
        with self.assertRaises(ValueError):
            self.engine.go(Limit(infinite=True))

    def test_late_answers_are_passed_over(self) -> None:
        with self.assertRaises(Silent):
            self.engine.ask("late", patience=0.0)
        self.engine.send("release")
        self.assertEqual(self.engine.ask("fen"), "3/3/3 b")
        self.assertIn("< response too late", self.log)
        with self.assertRaises(Silent):
            self.engine.go("depth 2", patience=0.0)
        # Here it is `stop` that lets out what is late.
        self.assertEqual(self.engine.ask("fen"), "3/3/3 b")
        self.assertIn("< bestmove b1", self.log)
        with self.assertRaises(Silent), self.engine.analysis("depth 2", patience=0.0) as analysis:
            analysis.wait()
        self.assertEqual(self.engine.ask("fen"), "3/3/3 b")

    def test_a_start_has_a_limit_too(self) -> None:
        with self.assertRaises(Silent):
            Engine(MUTE, patience=0.0)
        # It greets, but is never ready.
        with self.assertRaises(Silent):
            Engine([*MUTE, "ugiok"], {"Hash": 1}, patience=0.2)

    def test_a_question_without_an_answer_is_named(self) -> None:
        with self.assertRaisesRegex(Silent, "no answer to 'chat' within 0.1 s"):
            self.engine.ask_line("chat", patience=0.1)

    def test_who_never_stops_talking_is_silent_too(self) -> None:
        with mock.patch("quintet.dialogue.LATE", 0.0), self.assertRaises(Silent):
            Engine(FLOOD, patience=0.05)

    def test_a_search_that_goes_on_after_stop_is_given_up(self) -> None:
        with mock.patch("quintet.dialogue.LATE", 0.0), Engine(TALKER) as engine:
            with self.assertRaises(Silent), engine.analysis(patience=0.1) as analysis:
                self.assertEqual(next(iter(analysis)).cp, 5)
            # Its answer is waited for before anything else is asked.
            with self.assertRaises(Silent):
                engine.do(patience=0.1)

    def test_who_does_not_read_is_silent(self) -> None:
        engine = Engine(DEAF)
        with self.assertRaises(Silent):
            engine.do("x" * 1_000_000, patience=0.1)
        engine.kill()

    def test_a_line_without_end_ends_the_engine(self) -> None:
        with mock.patch("quintet.pipes.LONGEST", 1000):
            with self.assertRaisesRegex(Crashed, "too long"):
                Engine([*MUTE, "x" * 1000])
            Engine([*MUTE, "x" * 900, "ugiok", "readyok"]).quit()

    def test_what_nobody_reads_is_not_heaped_up(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            written = Path(folder) / "written"
            with mock.patch("quintet.pipes.LONGEST", 1000), Engine(WRITER) as engine:
                engine.send(f"write {written}")
                self.assertEqual(engine.read(10.0).text, "info string 0")
                time.sleep(0.3)
                self.assertFalse(written.exists())

    def test_a_line_is_one_line(self) -> None:
        self.log.clear()
        for line in ("query fen\nquery fen", "query\rfen", "query fen\0"):
            with self.assertRaises(Refused) as caught:
                self.engine.ask_line(line)
            self.assertEqual(caught.exception.code, "syntax")
            with self.assertRaises(Refused):
                self.engine.do("query fen", line)
            with self.assertRaises(Refused):
                self.engine.analysis(Limit(searchmoves=(line,)))
        # None of it was sent, so nothing is left over.
        self.assertEqual(self.log, [])
        self.assertEqual(self.engine.sync(), [])

    @BY_PID
    def test_what_the_process_has_started_ends_with_it(self) -> None:
        engine = Engine(WRAPPER)
        child = int(engine.identity)
        self.assertTrue(runs(child))
        engine.kill()
        self.assertTrue(ends(child))

    @BY_PID
    def test_what_is_left_of_a_process_that_has_ended_ends_with_it(self) -> None:
        for end in (Engine.quit, Engine.kill):
            engine = Engine(LEAVER)
            child = int(engine.identity)
            if end is Engine.kill:
                engine.send("quit")
                assert engine._process is not None
                engine._process.wait(10.0)
            self.assertTrue(runs(child))
            end(engine)
            self.assertTrue(ends(child))

    def test_who_has_the_number_of_a_process_that_has_ended_is_not_killed(self) -> None:
        said = "import sys; print('ugiok\\nreadyok', flush=True); sys.stdin.read()"
        with Engine(MUTE[:2] + [said]) as other:
            self.assertFalse(kill_session(other.pid, gone=True))
            assert other._process is not None
            self.assertIsNone(other._process.poll())

    def test_an_exception_does_not_wait_for_an_engine_that_is_hung(self) -> None:
        with mock.patch("quintet.dialogue.LEAVING", 0.1), Engine(HUNG) as engine:
            began = time.monotonic()
            with self.assertRaises(KeyboardInterrupt), engine.analysis() as analysis:
                self.assertEqual(next(iter(analysis)).cp, 5)
                raise KeyboardInterrupt
            self.assertLess(time.monotonic() - began, 30.0)
            # Its answer is owed, and waited for before anything else is asked.
            self.assertEqual(engine._owed["bestmove"], 1)
            with self.assertRaises(Silent):
                engine.do(patience=0.1)

    def test_an_exception_leaves_an_engine_that_answers_free(self) -> None:
        with self.assertRaises(KeyError), self.engine.analysis():
            raise KeyError
        self.assertEqual(self.engine.ask("fen"), "3/3/3 b")

    def test_patience_is_an_argument_of_all_that_waits(self) -> None:
        with Engine(DEAF) as engine:
            for wait in (engine.facts, lambda **told: engine.newgame("gomoku", **told)):
                with self.assertRaisesRegex(Silent, "within 0.1 s"):
                    wait(patience=0.1)
        with Engine(DEAF) as engine, self.assertRaisesRegex(Silent, "within 0.1 s"):
            engine.position("startpos", ["a1"], patience=0.1)

    @BY_PID
    def test_an_end_that_is_given_up_leaves_no_process(self) -> None:
        engine = Engine(DEAF)
        pid, process = engine.pid, engine._process
        assert process is not None
        interrupted = mock.patch.object(process, "wait", side_effect=[KeyboardInterrupt, None])
        with interrupted, self.assertRaises(KeyboardInterrupt):
            engine.quit()
        self.assertTrue(ends(pid))
        process.wait()

    @BY_PID
    def test_engines_that_are_left_end_with_the_script(self) -> None:
        script = f"from quintet import Engine; print(Engine({DEAF}).pid)"
        folder = Path(__file__).resolve().parent
        done = subprocess.run(
            [sys.executable, "-c", script], cwd=folder, capture_output=True, text=True, check=True
        )
        self.assertTrue(ends(int(done.stdout)))

    def test_an_engine_that_was_ended_in_a_search_does_not_run(self) -> None:
        with self.engine.analysis():
            self.engine.quit()
        with self.assertRaisesRegex(Crashed, "does not run"):
            self.engine.ask("fen")

    def test_a_search_that_fails_late_still_has_its_move(self) -> None:
        with self.assertRaises(Silent):
            self.engine.go("depth 4", patience=0.0)
        self.assertEqual(self.engine.go("depth 1").move, "a1")
        self.assertIn("< bestmove c1", self.log)

    def test_the_end_of_the_process_is_told(self) -> None:
        with self.assertRaisesRegex(Crashed, "status 3"):
            self.engine.do("crash")
        self.engine.restart()
        self.assertEqual(self.engine.ask("fen"), "3/3/3 b")
        with self.assertRaisesRegex(Crashed, "cannot be started"):
            Engine(["no-such-engine-anywhere"])
        with self.assertRaises(Crashed):
            Engine("'unfinished")

    def test_the_log_is_a_transcript(self) -> None:
        self.log.clear()
        self.engine.ask("fen")
        self.assertEqual(self.log, ["> query fen", "< response 3/3/3 b"])


class Asynchronous(unittest.TestCase):
    """The client for asyncio."""

    def play(self, script: Callable[[AsyncEngine], Any]) -> None:
        """Runs a script with an engine."""

        async def run() -> None:
            async with AsyncEngine(COMMAND, {"Ponder": True}) as engine:
                await script(engine)

        asyncio.run(run())

    def test_questions_and_options(self) -> None:
        async def script(engine: AsyncEngine) -> None:
            self.assertEqual(await engine.ask("values"), "a1=win1")
            with self.assertRaises(Refused):
                await engine.ask("moves")
            await engine.set(hash=32, clear_hash="")
            self.assertEqual((engine.option("Hash"), engine.option("ponder")), (32, True))
            self.assertEqual((await engine.go("depth 1")).move, "a1")
            await engine.restart()
            self.assertEqual((engine.option("Hash"), engine.identity), (32, "Stub 1"))

        self.play(script)

    def test_an_analysis_is_a_stream_that_can_be_stopped(self) -> None:
        async def script(engine: AsyncEngine) -> None:
            async with engine.analysis() as analysis:
                async for info in analysis:
                    if info.depth == 2:
                        break
                with self.assertRaises(Busy):
                    await engine.ask("fen")
            assert analysis.answer is not None
            self.assertEqual(analysis.answer.move, "a3")
            self.assertEqual([info.depth for info in analysis.lines], [3])
            self.assertEqual(await engine.ask("fen"), "3/3/3 b")

        self.play(script)

    def test_a_start_has_a_limit_too(self) -> None:
        async def script(engine: AsyncEngine) -> None:
            with self.assertRaises(Silent):
                await AsyncEngine(MUTE, patience=0.0).start()
            with mock.patch("quintet.dialogue.LATE", 0.0), self.assertRaises(Silent):
                await AsyncEngine(FLOOD, patience=0.05).start()

        self.play(script)

    def test_a_wait_that_is_given_up_as_a_line_comes_loses_neither(self) -> None:
        async def script(engine: AsyncEngine) -> None:
            process = engine._process
            assert process is not None
            lines = asyncio.StreamReader()
            real, process.stdout = process.stdout, lines
            reading = asyncio.ensure_future(engine.read(10.0))
            await asyncio.sleep(0.01)
            lines.feed_data(b"late\n")
            reading.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await reading
            self.assertEqual((await engine.read(1.0)).text, "late")
            process.stdout = real
            self.assertEqual(await engine.ask("fen"), "3/3/3 b")

        self.play(script)

    def test_a_start_that_is_given_up_leaves_no_process(self) -> None:
        async def script(_: AsyncEngine) -> None:
            other = AsyncEngine(MUTE)
            with self.assertRaises(asyncio.TimeoutError):
                await asyncio.wait_for(other.start(), 0.05)
            with self.assertRaisesRegex(Crashed, "does not run"):
                other.send("isready")

        self.play(script)

    @BY_PID
    def test_an_end_that_is_given_up_leaves_no_process(self) -> None:
        async def script(_: AsyncEngine) -> None:
            other = AsyncEngine(DEAF)
            await other.start()
            assert other._process is not None
            pid = other._process.pid
            with self.assertRaises(asyncio.TimeoutError):
                await asyncio.wait_for(other.quit(), 0.05)
            self.assertTrue(ends(pid))

        self.play(script)

    def test_an_engine_that_was_ended_in_a_search_does_not_run(self) -> None:
        async def script(engine: AsyncEngine) -> None:
            async with engine.analysis():
                await engine.quit()
            with self.assertRaisesRegex(Crashed, "does not run"):
                await engine.ask("fen")

        self.play(script)

    def test_every_wait_has_an_end(self) -> None:
        async def script(engine: AsyncEngine) -> None:
            async with AsyncEngine(TALKER) as other:
                with mock.patch("quintet.dialogue.LATE", 0.0), self.assertRaises(Silent):
                    async with other.analysis(patience=0.1):
                        pass
            async with AsyncEngine(DEAF) as other:
                with self.assertRaises(Silent):
                    await other.do("x" * 1_000_000, patience=0.1)
                await other.kill()
            with self.assertRaises(Refused):
                await engine.ask("fen\nquery fen")

        self.play(script)

    def test_a_line_without_end_ends_the_engine(self) -> None:
        async def script(_: AsyncEngine) -> None:
            with mock.patch("quintet.aio.LONGEST", 1000):
                other = AsyncEngine(LONG)
                await other.start()
            with self.assertRaisesRegex(Crashed, "too long"):
                await other.ask("fen")
            # The rest of it is no answer to anything.
            with self.assertRaisesRegex(Crashed, "does not run"):
                await other.ask("moves")

        self.play(script)

    def test_a_task_that_is_cancelled_does_not_wait_for_an_engine_that_is_hung(self) -> None:
        async def script(_: AsyncEngine) -> None:
            async with AsyncEngine(HUNG) as other:
                begun = asyncio.Event()

                async def watch() -> None:
                    async with other.analysis() as analysis:
                        async for _ in analysis:
                            begun.set()

                with mock.patch("quintet.dialogue.LEAVING", 0.1):
                    task = asyncio.create_task(watch())
                    await begun.wait()
                    began = time.monotonic()
                    task.cancel()
                    with self.assertRaises(asyncio.CancelledError):
                        await task
                self.assertLess(time.monotonic() - began, 30.0)
                self.assertEqual((task.cancelled(), other._owed["bestmove"]), (True, 1))

        self.play(script)

    @BY_PID
    def test_what_is_left_of_a_process_that_has_ended_ends_with_it(self) -> None:
        async def script(_: AsyncEngine) -> None:
            async with AsyncEngine(LEAVER) as other:
                child = int(other.identity)
                self.assertTrue(runs(child))
            self.assertTrue(ends(child))

        self.play(script)

    @BY_PID
    def test_an_end_waits_for_nobody_else(self) -> None:
        async def script(_: AsyncEngine) -> None:
            other = AsyncEngine(HOLDER)
            await other.start()
            child = int(other.identity)
            try:
                await asyncio.wait_for(other.kill(), 30.0)
                self.assertTrue(runs(child))
            finally:
                os.kill(child, signal.SIGKILL)
            # Nor for what nobody reads.
            with mock.patch("quintet.aio.LONGEST", 1000):
                other = AsyncEngine(WRITER)
                await other.start()
            other.send("write /dev/null")
            await asyncio.sleep(0.5)
            await asyncio.wait_for(other.kill(), 30.0)

        self.play(script)

    def test_patience_is_an_argument_of_all_that_waits(self) -> None:
        async def script(engine: AsyncEngine) -> None:
            self.assertEqual(await engine.sync(), [])
            async with AsyncEngine(DEAF) as other:
                for wait in (
                    other.facts(patience=0.1),
                    other.newgame("gomoku", patience=0.1),
                    other.position("startpos", ["a1"], patience=0.1),
                ):
                    with self.assertRaisesRegex(Silent, "within 0.1 s|no answer"):
                        await wait

        self.play(script)

    def test_two_engines_think_at_a_time(self) -> None:
        async def script(engine: AsyncEngine) -> None:
            async with AsyncEngine(COMMAND) as other:
                answers = await asyncio.gather(engine.go("depth 1"), other.go("depth 1"))
            self.assertEqual([answer.move for answer in answers], ["a1", "a1"])

        self.play(script)

    def test_late_answers_are_passed_over(self) -> None:
        async def script(engine: AsyncEngine) -> None:
            with self.assertRaises(Silent):
                await engine.go("depth 2", patience=0.0)
            self.assertEqual(await engine.ask("fen"), "3/3/3 b")
            # A question that is cancelled is given up too.
            with self.assertRaises(asyncio.TimeoutError):
                await asyncio.wait_for(engine.ask("late"), 0.01)
            engine.send("release")
            self.assertEqual(await engine.ask("fen"), "3/3/3 b")

        self.play(script)

    def test_the_end_of_the_process_is_told(self) -> None:
        async def script(engine: AsyncEngine) -> None:
            with self.assertRaisesRegex(Crashed, "exit status 3"):
                await engine.do("crash")
            with self.assertRaisesRegex(Crashed, "cannot be started"):
                await AsyncEngine(["no-such-engine-anywhere"]).start()

        self.play(script)


class Versions(unittest.TestCase):
    """Python 3.9 is enough."""

    def test_nothing_is_newer(self) -> None:
        folder = Path(__file__).resolve().parent
        for path in [*folder.glob("*.py"), *folder.glob("quintet/**/*.py")]:
            tree = ast.parse(path.read_text("utf-8"), feature_version=(3, 9))
            for node in ast.walk(tree):
                named = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
                if named and node.func.id == "zip":
                    place = f"{path.name}, line {node.lineno}"
                    self.assertNotIn("strict", [word.arg for word in node.keywords], place)


class Words(unittest.TestCase):
    """Limits, options and lines as data."""

    def test_limits(self) -> None:
        for text in ("", "depth 3 nodes 10", "p1time 100 p2time -5 p1inc 1", "infinite"):
            self.assertEqual(str(Limit.parse(text)), text)
        self.assertEqual(
            str(Limit.parse("wtime 5 searchmoves a1 b1")), "p1time 5 searchmoves a1 b1"
        )
        self.assertEqual(Limit(movetime=500, p1time=9000).seconds, 0.5)
        self.assertEqual(Limit(p1time=9000, p2time=100).seconds, 9.0)
        self.assertIsNone(Limit(depth=3).seconds)
        self.assertTrue(Limit().endless)
        self.assertFalse(Limit(depth=3).endless)
        self.assertEqual(
            Limit.parse("searchmoves a1 b1 Depth 3"), Limit(depth=3, searchmoves=("a1", "b1"))
        )
        for text in (
            "searchmoves",
            "searchmoves depth 1",
            "depth",
            "depth x",
            "depth 1 depth 2",
            "for ever",
        ):
            with self.assertRaises(ValueError, msg=text):
                Limit.parse(text)

    def test_options(self) -> None:
        spec = OptionSpec.parse("option name A B type string default default min 3")
        assert spec is not None
        self.assertEqual((spec.name, spec.default, spec.min), ("A B", "default min 3", None))
        self.assertIsNone(OptionSpec.parse("option name Nothing"))

    def test_fields_of_info(self) -> None:
        info = Info.parse(
            "info depth 3 seldepth 9 currmove a1 currmovenumber 2 hashfull 5 tbhits 1"
        )
        self.assertEqual((info.seldepth, info.currmove, info.currmovenumber), (9, "a1", 2))
        self.assertEqual((info.hashfull, info.tbhits, info.scored), (5, 1, False))
        self.assertEqual(Info.parse("info string a  b").string, "a  b")
        self.assertEqual(Info.parse("info depth x score cp 1").cp, 1)

    def test_absurd_numbers_are_passed_over(self) -> None:
        for number in ("9" * 400, "-" + "9" * 5000, str(1 << 63)):
            words = f"score cp {number} wdl 1 {number} 2 nodes {number} mate {number}"
            self.assertEqual(Info.parse(f"info {words} depth 3 pv a1"), Info(depth=3, pv=["a1"]))
        self.assertEqual(Info.parse(f"info score cp {-1 << 63}").expected, 0.0)


if __name__ == "__main__":
    unittest.main()
