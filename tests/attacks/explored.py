"""Hostile submissions that are looked into: traced, shrunk, and tried on inputs of one's own.

`python -m tests.attacks.explored [NAME…]` prints what came of each. Whatever a submission does, an
exploration ends within its bounds with a page or an error, tells no number of a hidden case, reads
nothing that a judged submission may not read, and leaves the room as it was.
"""

import json
import re
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from grader.answers import answers_for, public_answers
from grader.errors import UsageError
from grader.explore.complaints import InputError
from grader.explore.own_input import try_input
from grader.explore.shrink import shrink
from grader.explore.trace import trace
from grader.model import Framework, Outcome, Submission
from grader.problem import Problem, load
from grader.sandbox import SandboxPool, open_sandbox
from tests.attacks import matrix
from tests.attacks.matrix import BANK, Attack, at_rest, honest, raw_controls, settled, warm

LONGEST_S = 120.0  # of one exploration, on a busy machine
LARGEST = 1 << 20  # characters of what is shown
DIGITS = 6  # a number with as many is nobody's guess
Explore = Callable[[Problem, Attack, SandboxPool], Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Explored:
    """What came of one exploration of an attack; `faults` must be empty."""

    attack: str
    kind: str
    seconds: float
    said: str
    faults: tuple[str, ...]


def _traced(problem: Problem, attack: Attack, rooms: SandboxPool) -> Mapping[str, Any]:
    return trace(problem, _submission(attack), rooms, rules=attack.rules).to_json()


def _shrunk(problem: Problem, attack: Attack, rooms: SandboxPool) -> Mapping[str, Any]:
    return shrink(problem, _submission(attack), rooms, rules=attack.rules).to_json()


def _tried(problem: Problem, attack: Attack, rooms: SandboxPool) -> Mapping[str, Any]:
    inputs = _inputs(problem, attack.framework, rooms)
    return try_input(problem, _submission(attack), rooms, inputs, rules=attack.rules).to_json()


KINDS: Mapping[str, Explore] = {"trace": _traced, "shrink": _shrunk, "try": _tried}


def explored(attack: Attack, kind: str, rooms: SandboxPool) -> Explored:
    """Look into an attack, judge an honest submission, and compare the machine with before."""
    problem = load(BANK, attack.problem)
    limited = replace(problem, limits=attack.limits) if attack.limits else problem
    warm(attack.problem, attack.framework, rooms)
    hidden = hidden_numbers(problem, attack.framework, rooms)
    before, started = at_rest(rooms, attack.framework), time.monotonic()
    try:
        said = json.dumps(KINDS[kind](limited, attack, rooms), ensure_ascii=False)
    except (InputError, UsageError) as error:
        said = str(error)
    seconds = time.monotonic() - started
    faults = [*_faults(said, seconds, hidden)]
    if honest(problem, attack.framework, rooms) is not Outcome.ACCEPTED:
        faults.append("the next honest submission is not accepted")
    faults += settled(before, rooms, attack.framework)
    return Explored(attack.name, kind, seconds, said, tuple(faults))


def hidden_numbers(problem: Problem, framework: Framework, rooms: SandboxPool) -> frozenset[str]:
    """The numbers of the hidden cases and their answers, as text, that are in no public case."""
    answers = answers_for(problem, framework, rooms)
    public = public_answers(problem, framework, rooms)
    known = [a for each in public for a in _arrays(each)]
    secret = [a for each in answers.cases if not each.case.sample for a in _arrays(each)]
    return _numbers(secret) - _numbers(known)


def _arrays(answer: Any) -> list[np.ndarray]:
    return [*answer.case.tensors().values(), *(e.values for e in answer.expected.values())]


def _numbers(arrays: list[np.ndarray]) -> frozenset[str]:
    floats = (a.ravel()[:64] for a in arrays if a.dtype.kind == "f")
    texts = (f"{abs(float(x)):.{DIGITS}g}" for array in floats for x in array if np.isfinite(x))
    return frozenset(text for text in texts if len(text.strip("0.")) >= DIGITS)


def _faults(said: str, seconds: float, hidden: frozenset[str]) -> list[str]:
    faults = list(raw_controls(said)) + re.findall(r"(?:FOUND|BREACH) [^\"]{,80}", said)
    if seconds > LONGEST_S:
        faults.append(f"took {seconds:.0f} s")
    if len(said) > LARGEST:
        faults.append(f"{len(said)} characters")
    shown = {f"{abs(float(x)):.{DIGITS}g}" for x in re.findall(r"\d+\.\d{4,}(?:e-?\d+)?", said)}
    faults += [f"shows {number}, of a hidden case" for number in sorted(shown & hidden)[:3]]
    return faults


def _submission(attack: Attack) -> Submission:
    return Submission(attack.framework, attack.source)


def _inputs(problem: Problem, framework: Framework, rooms: SandboxPool) -> str:
    """The arguments of the first sample, as a learner writes them down."""
    case = next(a.case for a in public_answers(problem, framework, rooms) if a.case.sample)
    given = {name: array.tolist() for name, array in case.inputs.items()} | dict(case.options)
    return "\n".join(f"{name} = {value!r}" for name, value in given.items())


def main(names: list[str]) -> int:
    """Prints a line for each exploration; returns how many have faults."""
    wrong = 0
    with open_sandbox() as rooms:
        for attack in matrix.attacks(names):
            for kind in KINDS:
                found = explored(attack, kind, rooms)
                wrong += bool(found.faults)
                told = "; ".join(found.faults) or "as it should be"
                print(f"{attack.name:32} {kind:8} {found.seconds:6.2f} s  {told}", flush=True)
    return wrong


if __name__ == "__main__":
    sys.exit(min(1, main(sys.argv[1:])))
