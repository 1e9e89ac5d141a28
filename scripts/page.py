#!/usr/bin/env python3
"""A board in the browser: a local page to play and analyse on.

The page (page.html) knows no game: all that it draws the engine says in `display json` and `go`.
"""

from __future__ import annotations

import argparse
import json
import threading
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from quintet import Analysis, Crashed, Engine, EngineError, Silent, command, position_line

COMMANDS = ("newgame", "position", "moves", "undo")  # Nothing that names a file.


class Desk:
    """An engine, the game on it, and the search that looks at the position."""

    def __init__(self, engine: Engine, limits: str) -> None:
        self.engine, self.limits, self.lock = engine, limits, threading.Lock()
        self.look(time.time_ns() // 1_000_000)  # More than an earlier server's: tabs stay open.

    def do(self, *lines: str, seen: str = "") -> bool:
        """Runs lines and looks where they lead; whether they were meant for what is there."""
        with self.lock:
            version, old, analysis, search = self.view
            if seen not in ("", str(version)):
                return False
            try:
                analysis.stop()
                search.join()
                self.engine.do(*lines)
            except (Crashed, Silent):  # A new process goes on from where the game was.
                search.join()
                self.engine.restart()
                self.engine.do(f"newgame {old['rules']}", position_line(**old["history"]), *lines)
            finally:
                self.look(version + 1)
            return True

    def look(self, version: int) -> None:
        """Begins to search the position; its version, facts and search change together."""
        facts, analysis = self.engine.facts(), self.engine.analysis(self.limits)
        search = threading.Thread(target=self.watch, args=[analysis], daemon=True)
        self.trouble = ""
        search.start()
        self.view = version, facts, analysis, search

    def watch(self, analysis: Analysis) -> None:
        """Hears a search to its end."""
        try:
            analysis.wait()
        except EngineError as error:
            self.trouble = str(error)

    def state(self, seen: str, done: bool = True) -> str:
        """What a page shows, as JSON; with the facts if `seen` is not their version."""
        version, facts, analysis, search = self.view
        searching, lines = search.is_alive(), analysis.lines  # If it has ended, these are its last.
        share = lines[0].expected if lines else None
        fields = {
            "version": version,
            "lines": [{"worth": i.worth, "depth": i.depth, "pv": i.pv} for i in lines if i.pv],
            "bar": share if facts["p1turn"] or share is None else 1 - share,
            "searching": searching,
            "error": self.trouble if done else "the position has changed since",
            "facts": None if seen == str(version) else facts,
        }
        return json.dumps(fields)


class Handler(BaseHTTPRequestHandler):
    """Answers the page."""

    desk: Desk

    def do_GET(self) -> None:
        path, _, seen = self.path.partition("?seen=")
        if path == "/":
            self.reply(200, Path(__file__).with_suffix(".html").read_text("utf-8"), "text/html")
        elif path == "/state":
            self.reply(200, self.desk.state(seen))
        else:
            self.send_error(404)

    def do_POST(self) -> None:
        try:
            if not 0 <= (length := int(self.headers.get("Content-Length", ""))) <= 1 << 20:
                return self.reply(413, json.dumps({"error": "a line has at most a MiB"}))
            line = json.loads(self.rfile.read(length))
            # A page from elsewhere cannot send this type of text unasked.
            if self.headers.get("Content-Type") != "application/json" or not isinstance(line, str):
                raise ValueError("expected a line as JSON")
            if "\n" in line or line.split(" ")[0] not in COMMANDS:
                raise ValueError(f"expected one of {', '.join(COMMANDS)}")
            done = self.desk.do(line, seen=self.path.partition("?seen=")[2])
            self.reply(200 if done else 409, self.desk.state("", done))
        except (EngineError, ValueError, RecursionError, ConnectionError) as error:
            self.reply(400, json.dumps({"error": str(error)}))

    def parse_request(self) -> bool:
        """Refuses whoever asks by a name that is not this machine's own but leads here."""
        parsed = super().parse_request()
        if parsed and self.headers.get("Host", "").split(":")[0] not in ("localhost", "127.0.0.1"):
            self.send_error(403)
            return False
        return parsed

    def reply(self, status: int, text: str, kind: str = "application/json") -> None:
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        with suppress(ConnectionError):  # Whoever has left needs no answer.
            self.end_headers()
            self.wfile.write(text.encode())

    def log_message(self, *_: object) -> None: ...


def main() -> int:
    """Runs the script; the exit status."""
    parser = argparse.ArgumentParser(prog="page.py", description=__doc__)
    command.add_engine_argument(parser)
    parser.add_argument("--port", type=command.at_least(0, 65535), default=8400, help="0: any free")
    command.add_limit_arguments(parser.add_argument_group("how long to look at a position (30 s)"))
    arguments = parser.parse_args()
    with Engine(arguments.engine, [("MultiPV", "3")]) as engine:
        Handler.desk = Desk(engine, str(command.limits_of(arguments, "movetime 30000")))
        with ThreadingHTTPServer(("127.0.0.1", arguments.port), Handler) as server:
            print(f"http://localhost:{server.server_port}/   (Ctrl-C ends)", flush=True)
            server.serve_forever()
    return 0


if __name__ == "__main__":
    command.run("page.py", main)
