"""The `grade` command: one module for each command, and how its results look in a terminal.

It may know everything in `grader`; nothing in `grader` outside this package knows it.
"""

import gc
import sys

# Nearly all that a command loads stays until it ends; to look through it over and over took a
# twentieth of the time of `grade run`.
gc.set_threshold(50_000, 20, 20)

try:
    from grader.cli.main import main
except KeyboardInterrupt:  # Ctrl-C while modules are imported is as quiet as later
    sys.exit(130)

__all__ = ["main"]
