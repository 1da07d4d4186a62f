"""Runs the model of the capstone in the room: it continues a prompt, or is compared with the
reference.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from grader.capstone import check
from grader.capstone.parts import Part, parts
from grader.capstone.trouble import ModelError, PartError
from grader.capstone.weights import FILE
from grader.capstone.writing import Prompt, writer
from grader.findings.text import text_json
from grader.model import Submission
from grader.problem import Problem
from grader.sandbox import Sandbox

Wanted = Mapping[str, Any]


def run_model(
    problems: Mapping[str, Problem],
    own: Mapping[str, Submission],
    wanted: Wanted,
    sandbox: Sandbox,
    on_text: Callable[[str], None],
) -> dict[str, Any]:
    """Returns what a page shows: `result`, or `error` where a part failed.

    Raises what `judge` raises.
    """
    chosen = parts(problems, own)
    try:
        if wanted["name"]:
            return {"result": _compared(chosen, problems, sandbox)}
        return {"result": _written(chosen, Prompt(**wanted["prompt"]), sandbox, on_text)}
    except ModelError as error:
        part = error.slug if isinstance(error, PartError) else ""
        return {"error": text_json(error.wrong), "part": part}


def _written(
    chosen: tuple[Part, ...], prompt: Prompt, sandbox: Sandbox, on_text: Callable[[str], None]
) -> dict[str, Any]:
    text = ""
    with writer(chosen, sandbox) as model:
        maps = model.maps(prompt.text)
        for character in model.write(prompt):
            text += character
            on_text(text)
    return {"text": text, "parts": _parts(chosen), "maps": [_hundredths(m) for m in maps]}


def _hundredths(heads: np.ndarray) -> list[list[list[int]]]:
    """The weights of each head in hundredths; a row ends at its own character."""
    rounded = np.round(heads * 100).astype(int)
    return [[row[: i + 1].tolist() for i, row in enumerate(head)] for head in rounded]


def _compared(
    chosen: tuple[Part, ...], problems: Mapping[str, Problem], sandbox: Sandbox
) -> dict[str, Any]:
    due = check.expected(problems, sandbox)
    with writer(chosen, sandbox) as model:
        compared = check.compare(model, due)
    return {
        "parts": _parts(chosen),
        "compared": [{"prompt": c.prompt, "same": c.same, "count": check.COUNT} for c in compared],
        "right": all(each.right for each in compared),
        "weights": hashlib.sha256(FILE.read_bytes()).hexdigest(),
    }


def _parts(chosen: Sequence[Part]) -> list[dict[str, Any]]:
    return [
        {
            "part": part.problem.slug,
            "own": part.own,
            "framework": str(part.submission.framework),
            "digest": part.digest,
            "problem": part.problem.digest,
        }
        for part in chosen
    ]
