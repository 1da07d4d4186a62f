"""The `grade` command: one module for each command, and how its results look in a terminal.

It may know everything in `grader`; nothing in `grader` outside this package knows it.
"""

from grader.cli.main import main

__all__ = ["main"]
