#!/usr/bin/env python3
"""Engine against engine: quintet/match.py does the work."""

from quintet.command import run
from quintet.match import main

if __name__ == "__main__":
    run("match.py", main)
