"""Every value that a program computes in a public case, and the first step at which it goes wrong.

It compares values with those of the reference, which is traced in a container of its own. It never
shows the reference's code. See docs/design/trace.md.
"""

from grader.explore.trace.result import Trace
from grader.explore.trace.run import trace
from grader.explore.trace.words import wrong_step_from_json, wrong_step_json, wrong_step_text
from grader.explore.trace.wrong import WrongStep

__all__ = [
    "Trace",
    "WrongStep",
    "trace",
    "wrong_step_from_json",
    "wrong_step_json",
    "wrong_step_text",
]
