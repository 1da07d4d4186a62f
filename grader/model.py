"""Every value that crosses a boundary of the judge, and the JSON of a verdict.

Facts (`Run`: what the room reported) and judgements (`CaseResult`, `Verdict`) are different types
on purpose.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from grader.findings.finding import Finding, read_findings
from grader.findings.sentences import findings_json

if TYPE_CHECKING:  # the command line lists and finds problems without NumPy
    import numpy as np

    from grader.case import Case

JSON_VERSION = 2
READABLE = (1, JSON_VERSION)  # version 1 has sentences only


ISOLATIONS = ("bubblewrap", "docker", "process")  # what builds the room


class Framework(StrEnum):
    """What a solution is written in."""

    NUMPY = "numpy"
    TORCH = "torch"


class Kind(StrEnum):
    """What a problem asks for."""

    FUNCTION = "function"  # a function that is called
    MODULE = "module"  # an nn.Module that is built, loaded and called
    CLASS = "class"  # a class of any kind, whose objects a driver uses
    VALUES = "values"  # module-level names that are read


class Outcome(StrEnum):
    """The verdict of a case or of a submission."""

    ACCEPTED = "accepted"
    WRONG_ANSWER = "wrong_answer"
    RUNTIME_ERROR = "runtime_error"
    TIME_LIMIT = "time_limit_exceeded"
    MEMORY_LIMIT = "memory_limit_exceeded"
    OUTPUT_LIMIT = "output_limit_exceeded"
    COMPILE_ERROR = "compile_error"
    RULE_VIOLATION = "rule_violation"
    JUDGE_ERROR = "judge_error"


class Ended(StrEnum):
    """How one call in the room ended: a fact, not yet a judgement."""

    RETURNED = "returned"
    RAISED = "raised"  # the call raised; `error` has the exception
    BAD_STATE = "bad_state"  # the module's parameters are not the ones asked for
    NOT_LOADED = "not_loaded"  # the source does not parse, import or define the entry
    FORBIDDEN = "forbidden"  # the source breaks a rule
    DIED = "died"  # the process ended; `error.type` is the signal or exit status
    WALL_TIME = "wall_time"
    CPU_TIME = "cpu_time"
    MEMORY = "memory"
    OUTPUT = "output"  # more bytes than allowed
    GARBLED = "garbled"  # what came out is not a frame that was due
    LOST = "lost"  # the room died: our failure


class Phase(StrEnum):
    """Where in a submission's life something happened."""

    IMPORT = "import"
    CALL = "call"


@dataclass(frozen=True, slots=True)
class Limits:
    """What one submission may use. MiB are 2**20 bytes."""

    wall_s: float = 10.0  # one call, and the import
    cpu_s: float = 20.0  # all cases of one child together
    memory_mib: int = 512  # on top of the warm interpreter
    output_mib: int = 64  # tensors of one case
    text_kib: int = 64  # what may be printed in a run
    total_s: float = 60.0  # the whole submission


SERVER_LIMITS = Limits(  # the most that a server gives
    wall_s=60.0, cpu_s=120.0, memory_mib=2048, output_mib=256, text_kib=1024, total_s=300.0
)


@dataclass(frozen=True, slots=True)
class Failure:
    """An exception or a death, as told by the room. Every string is capped and hostile."""

    type: str
    text: str = ""
    lineno: int | None = None
    bases: tuple[str, ...] = ()
    trace: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)  # names and sizes


@dataclass(frozen=True, slots=True)
class Run:
    """What the room reported of one case."""

    case: str
    ended: Ended
    tensors: "Mapping[str, np.ndarray]" = field(default_factory=dict)
    # the true dtype, or the type's name where it is no plain tensor
    dtypes: Mapping[str, str] = field(default_factory=dict)
    error: Failure | None = None
    phase: Phase = Phase.CALL
    wall_ms: float = 0.0
    cpu_ms: float = 0.0
    memory_mib: float = 0.0
    resident_mib: float = 0.0  # the peak of what was in use, above the loaded program
    printed: str = ""
    executed: bool = True  # False: it was not run; what happened before is taken to happen again
    modified: bool = False  # an input was written to


class Twin(StrEnum):
    """What the public twin of a failed hidden case says; `NOT_ASKED` for samples and for what is
    told without one.
    """

    NOT_ASKED = ""
    FAILS = "fails"  # the twin fails too: message and tensors are the twin's
    PASSES = "passes"  # it fails with hidden inputs only, and nothing more is said
    # nothing is drawn in this case, so it has no twin; only the kind of finding is said
    NONE = "none"


@dataclass(frozen=True, slots=True)
class CaseResult:
    """The judgement of one case.

    `got`, `expected` and `due` are for the report of a sample or a twin and never leave the process
    as JSON.
    """

    name: str
    verdict: Outcome
    sample: bool
    points: int
    max_points: int
    wall_ms: float
    cpu_ms: float
    memory_mib: float
    message: str
    note: str = ""
    got: "Mapping[str, np.ndarray]" = field(default_factory=dict)
    expected: "Mapping[str, np.ndarray]" = field(default_factory=dict)
    printed: str = ""
    case: "Case | None" = None
    twin: Twin = Twin.NOT_ASKED
    findings: tuple[Finding, ...] = ()
    due: Mapping[str, str] = field(default_factory=dict)  # by tensor: the dtype to give it


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """A known mistake that a failing submission makes, the cases that show it, and the rule of the
    statement that it breaks ("": the definition itself).

    A `guess` is a mistake that fails in the same cases and in the same manner, with other numbers.
    """

    mistake: str
    hint: str
    cases: tuple[str, ...]
    rule: str = ""
    guess: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judge's answer to one submission; the same object for page, API, command line and CI."""

    problem: str
    digest: str
    framework: Framework
    verdict: Outcome
    score: int
    max_score: int
    isolation: str
    seed: int
    cases: tuple[CaseResult, ...]
    diagnoses: tuple[Diagnosis, ...]
    message: str
    cpu_ms: float = 0.0  # of all cases together, for a leaderboard; not in the JSON
    remarks: tuple[Finding, ...] = ()  # what fails no case and is worth saying
    # of a failure that nothing explains, see `diagnosis/behaviour.py`; not in the JSON
    behaviour: Mapping[str, Any] | None = None

    @property
    def diagnosis(self) -> Diagnosis | None:
        """The first diagnosis."""
        return next(iter(self.diagnoses), None)

    def to_json(self) -> dict[str, Any]:
        """The object documented in docs/verdict.md, made of plain JSON types."""
        return {
            "version": JSON_VERSION,
            "problem": self.problem,
            "digest": self.digest,
            "framework": str(self.framework),
            "verdict": str(self.verdict),
            "score": self.score,
            "max_score": self.max_score,
            "isolation": self.isolation,
            "seed": self.seed,
            "cases": [
                {
                    "name": c.name,
                    "verdict": str(c.verdict),
                    "sample": c.sample,
                    "points": c.points,
                    "max_points": c.max_points,
                    "wall_ms": round(c.wall_ms, 3),
                    "cpu_ms": round(c.cpu_ms, 3),
                    "memory_mib": round(c.memory_mib, 2),
                    "message": c.message,
                    "findings": findings_json(c.findings),
                    "twin": str(c.twin),
                }
                for c in self.cases
            ],
            "diagnosis": next((_plain(d) for d in self.diagnoses), None),
            "diagnoses": [_plain(d) for d in self.diagnoses],
            "remarks": findings_json(self.remarks),
            "message": self.message,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Verdict":
        """The inverse of `to_json`.

        Raises `ValueError` for another version and `KeyError` for a missing field.
        """
        if data["version"] not in READABLE:
            raise ValueError(
                f"verdict version {data['version']} is newer than {JSON_VERSION}; update this"
                " program"
            )
        first = data["diagnosis"]
        diagnoses = data.get("diagnoses", [] if first is None else [first])
        return cls(
            problem=data["problem"],
            digest=data["digest"],
            framework=Framework(data["framework"]),
            verdict=Outcome(data["verdict"]),
            score=data["score"],
            max_score=data["max_score"],
            isolation=data["isolation"],
            seed=data["seed"],
            cases=tuple(
                CaseResult(
                    **{
                        **case,
                        "verdict": Outcome(case["verdict"]),
                        "twin": Twin(case.get("twin", "")),
                        "findings": read_findings(case),
                    }
                )
                for case in data["cases"]
            ),
            diagnoses=tuple(
                Diagnosis(
                    d["mistake"],
                    d["hint"],
                    tuple(d["cases"]),
                    d.get("rule", ""),
                    d.get("guess", False),
                )
                for d in diagnoses
            ),
            message=data["message"],
            remarks=read_findings({"findings": data.get("remarks", ())}),
        )


def _plain(diagnosis: Diagnosis) -> dict[str, Any]:
    return {**asdict(diagnosis), "cases": list(diagnosis.cases)}


@dataclass(frozen=True, slots=True)
class Submission:
    """What a learner hands in."""

    framework: Framework
    source: str
