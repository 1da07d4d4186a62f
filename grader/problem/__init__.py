"""Problems: reads the folder that an instructor wrote, checks its form, and returns a `Problem`.

Knows TOML and the layout of a bank. Runs no line of the folder's code, and does not judge whether a
problem is good enough to publish: that is `grader/verify/`.
"""

from grader.problem.bank import (
    SHIPPED,
    bank_root,
    default_bank,
    load,
    load_bank,
    slugs,
    teaching_order,
    track_order,
    tracks_beside,
)
from grader.problem.definition import (
    DIFFICULTIES,
    Driver,
    Edit,
    Entry,
    Mistake,
    Parameter,
    Problem,
    Right,
    Rules,
    Words,
)
from grader.problem.files import EXTENSIONS
from grader.problem.mistakes import changes, composed, edit_between
from grader.problem.spelling import did_you_mean
from grader.problem.translations import SAMPLE, samples_named

__all__ = [
    "DIFFICULTIES",
    "EXTENSIONS",
    "SAMPLE",
    "SHIPPED",
    "Driver",
    "Edit",
    "Entry",
    "Mistake",
    "Parameter",
    "Problem",
    "Right",
    "Rules",
    "Words",
    "bank_root",
    "changes",
    "composed",
    "default_bank",
    "did_you_mean",
    "edit_between",
    "load",
    "load_bank",
    "samples_named",
    "slugs",
    "teaching_order",
    "track_order",
    "tracks_beside",
]
