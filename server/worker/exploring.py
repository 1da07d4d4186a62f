"""Carries out an exploration in the room: a trace, the smallest failing input, a learner's own,
what a program takes over the length of its inputs, or an answer to a practice item.

The functions of the core tell nothing of a hidden case but its public twin.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

from grader.errors import UsageError
from grader.explore.complaints import InputError
from grader.explore.curve import curve
from grader.explore.own_input import try_input
from grader.explore.shrink import shrink
from grader.explore.trace import trace
from grader.model import Submission
from grader.problem import Problem
from grader.sandbox import Sandbox
from server.messages import Message
from server.services.explorations import Exploration
from server.services.practice.answers import is_practice
from server.worker.practice import practise

Wanted = Mapping[str, Any]
Find = Callable[[str], Problem | None]  # a problem of the bank
LINEAR = "linear_attention"  # the problem with which attention is compared
LARGEST = 1 << 20  # bytes of what is kept
TOO_LARGE = Message("What was found is too large to be kept; make the source or the input smaller.")


def explore(
    problem: Problem, submission: Submission, sandbox: Sandbox, wanted: Wanted, find: Find
) -> Mapping[str, Any]:
    """Returns what a page shows: `result`, or `error` where the learner asked for what is not
    there.

    Raises what `judge` raises.
    """
    if is_practice(wanted):
        return practise(problem, submission.framework, sandbox, wanted)
    try:
        result = _result(problem, submission, sandbox, wanted, find)
    except InputError as error:
        wrong = error.complaint
        parameters = {name: str(value) for name, value in wrong.parameters.items()}
        return {"error": {"message": str(error), "code": wrong.code, "parameters": parameters}}
    except UsageError as error:
        return {"error": {"message": str(error)}}
    if len(json.dumps(result)) > LARGEST:
        return {"error": {"message": TOO_LARGE}}
    return {"result": result}


def _result(
    problem: Problem, submission: Submission, sandbox: Sandbox, wanted: Wanted, find: Find
) -> dict[str, Any]:
    case = wanted.get("case") or None
    match Exploration(wanted["kind"]):
        case Exploration.TRACE:
            return trace(problem, submission, sandbox, case).to_json()
        case Exploration.SHRINK:
            return shrink(problem, submission, sandbox, case).to_json()
        case Exploration.CURVE:
            return curve(problem, submission, sandbox, find(LINEAR)).to_json()
        case Exploration.TRY:
            tried = try_input(problem, submission, sandbox, wanted["inputs"])
            traced = trace(problem, submission, sandbox, tried.case)
            return {**tried.to_json(), "trace": traced.to_json()}
