#!/usr/bin/env python3
"""Game records from one format into another: quintet/convert.py does the work."""

from quintet.command import run
from quintet.convert import main

if __name__ == "__main__":
    run("convert.py", main)
