"""What can go wrong with an assembled model, as texts in no language yet."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from grader.capstone.parts import Part
from grader.errors import UsageError
from grader.findings.catalogue import Catalogue
from grader.findings.text import T_, Text, said
from grader.model import Ended, Failure
from grader.sandbox.assembly import LIMITS, BrokenPart


class ModelError(UsageError):
    """The model cannot write; `wrong` says why in any language."""

    def __init__(self, wrong: Text) -> None:
        super().__init__(wrong)
        self.wrong = wrong

    def sentence(self, words: Catalogue) -> str:
        """Returns what is wrong."""
        return said(self.wrong, words)


class PromptError(ModelError):
    """What was typed cannot be continued."""


class PartError(ModelError):
    """A part failed in the model. `slug` is its problem, "" where nobody knows which it was."""

    def __init__(self, slug: str, wrong: Text) -> None:
        super().__init__(wrong)
        self.slug = slug


@contextmanager
def broken(chosen: Sequence[Part]) -> Iterator[None]:
    """Turns what the room tells of a part into a `PartError`."""
    try:
        yield
    except BrokenPart as error:
        raise part_error(error, chosen) from None


def part_error(error: BrokenPart, chosen: Sequence[Part]) -> PartError:
    """Returns which part failed, and how."""
    cause = _cause(error.ended, error.error)
    if not error.slug:
        wrong = T_("the model stopped: %(cause)s; nobody can say in which part", cause=cause)
        return PartError("", wrong)
    own = any(part.own and part.problem.slug == error.slug for part in chosen)
    wrong = (
        T_("your part '%(part)s' failed in the model: %(cause)s", part=error.slug, cause=cause)
        if own
        else T_("the part '%(part)s' failed: %(cause)s", part=error.slug, cause=cause)
    )
    return PartError(error.slug, wrong)


def _cause(ended: Ended, error: Failure) -> Text:
    """How an exchange with the room ended."""
    match ended:
        case Ended.WALL_TIME | Ended.CPU_TIME:
            return T_("it took longer than %(seconds)d s", seconds=int(LIMITS.wall_s))
        case Ended.MEMORY:
            return T_("it took more than %(mib)d MiB of memory", mib=LIMITS.memory_mib)
        case Ended.OUTPUT:
            return T_("it printed too much")
        case Ended.RAISED:
            return _raised(error)
        case Ended.DIED:
            return T_("it ended the process (%(signal)s)", signal=error.type)
        case _:
            return T_("what came back was not an answer")


def _raised(error: Failure) -> Text:
    if error.type == "result":
        return T_("it returned a result of the wrong shape: %(shape)s", shape=error.text)
    told = f"{error.type}: {error.text}" if error.text else error.type
    if error.lineno is None:
        return T_("it raised %(error)s", error=told)
    return T_("it raised %(error)s (line %(line)d)", error=told, line=error.lineno)
