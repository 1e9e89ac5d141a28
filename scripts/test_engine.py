"""Tests of engine.py against an engine that says what it is told to: python3 -m unittest."""

from __future__ import annotations

import shlex
import sys
import unittest

from engine import Engine, Refused

STUB = """
import sys
for line in sys.stdin:
    line = line.strip()
    if line == "ugi":
        print("ugiok")
    elif line == "isready":
        print("readyok")
    elif line == "query values":
        print("info string the table is being made")
        print("info depth 1 nodes 7")
        print("response a1=win1")
    elif line == "query moves":
        print("info string it will not be")
        print("error state not now")
    elif line == "quit":
        break
    sys.stdout.flush()
"""


class Asking(unittest.TestCase):
    """What `Engine.ask` takes for the answer."""

    def setUp(self) -> None:
        self.engine = Engine(shlex.join([sys.executable, "-c", STUB]))
        self.addCleanup(self.engine.quit)

    def test_lines_that_report_progress_are_no_answer(self) -> None:
        self.assertEqual(self.engine.ask("values"), "a1=win1")
        # Nothing is left over for the next question.
        self.assertEqual(self.engine.sync(), [])

    def test_a_refusal_is_raised(self) -> None:
        with self.assertRaises(Refused) as caught:
            self.engine.ask("moves")
        self.assertEqual((caught.exception.code, str(caught.exception)), ("state", "not now"))


if __name__ == "__main__":
    unittest.main()
