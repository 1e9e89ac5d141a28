#!/usr/bin/env python3
"""Positions and games analysed: quintet/analyse.py does the work."""

from quintet.analyse import main
from quintet.command import run

if __name__ == "__main__":
    run("analyse.py", main)
