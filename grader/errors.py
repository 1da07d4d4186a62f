"""Everything that can go wrong, and whose fault it is.

    GradeError                  anything this project raises on purpose
    ├── UsageError              the caller's: an unknown problem, a missing file, a wrong flag
    ├── SubmissionError         the learner's file cannot be judged at all (binary, too large)
    ├── ProblemError            the instructor's: names the file, the key and the remedy
    └── JudgeError              ours: never scored, tried again, shown to the operator
        ├── RoomError           the sealed room could not be built
        └── RoomLost            the room died under a run; the run may be repeated

A learner's failing program is not an exception: it is a verdict (see `model.Outcome`).
"""


class GradeError(Exception):
    """The base of every error below; its text says what, where and what to do."""


class UsageError(GradeError):
    """The command or request cannot be carried out as given."""


class SubmissionError(GradeError):
    """The submission is not something that can be judged."""


class ProblemError(GradeError):
    """A problem folder is wrong. The text begins with the file."""


class JudgeError(GradeError):
    """The judge itself failed; nobody's score may change."""


class RoomError(JudgeError):
    """The sealed room cannot be built here; the text names the remedy."""


class RoomLost(JudgeError):
    """The room or its zygote died in mid-run."""
