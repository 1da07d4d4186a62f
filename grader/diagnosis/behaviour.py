"""What a failing submission does in public cases, small enough to be kept, and whether two do the
same.

Equal programs that round differently must fall together, so a tensor is kept as a number with the
room around it, not as a hash. docs/design/groups.md has the reasons.
"""

import hashlib
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from grader.answers import Answer, Answers
from grader.diagnosis.equality import bounds
from grader.diagnosis.matching import Evidence, costly
from grader.model import Ended, Outcome, Run

MOST_CASES = 64
MOST_TENSORS = 64
NEVER_CALLED = (Ended.NOT_LOADED, Ended.FORBIDDEN, Ended.LOST)
LARGEST = np.finfo(np.float64).max ** 0.5  # a projection of larger numbers overflows

Behaviour = Mapping[str, Any]


def behaviour(answers: Answers, evidence: Sequence[Evidence]) -> Behaviour | None:
    """Returns what a submission does in the cases that it fails, as plain JSON types.

    None when it was called in none of them in public. A case about cost counts only where nothing
    else fails, since a busy machine decides it, too.
    """
    public = {a.case.name: answers.twins.get(a.case.name, a) for a in answers.cases}
    failed = [each for each in evidence if each.verdict is not Outcome.ACCEPTED]
    kept = [each for each in failed if not costly(public[each.case])] or failed
    if not any(each.run is not None and each.run.ended not in NEVER_CALLED for each in kept):
        return None
    left = MOST_TENSORS
    cases = []
    for each in kept[:MOST_CASES]:
        tensors = dict(list(_tensors(public[each.case], each))[:left])
        left -= len(tensors)
        cases.append({"case": each.case, "does": _does(each), "tensors": tensors})
    return {"cases": cases, "failed": len(kept)}


def _does(each: Evidence) -> list[str]:
    """Returns the verdict and how the public call ended, with its exception."""
    run = each.run
    if run is None:
        return [str(each.verdict)]
    words = [str(each.verdict), str(each.public), str(run.ended)]
    if run.error is not None and run.error.type:
        text = hashlib.sha256(run.error.text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
        words += [run.error.type[:80], text]
    return words


def _tensors(answer: Answer, each: Evidence) -> Iterator[tuple[str, list[Any]]]:
    """Yields each tensor: form, projection, and how far equal ones may be from that."""
    run = each.run
    if run is None or each.public is Outcome.ACCEPTED:
        return
    whole = {n: t for n, t in run.tensors.items() if n in answer.expected}
    numbers = bounds(replace(run, tensors={n: _finite(t) for n, t in whole.items()}), answer)
    for name, tensor in whole.items():
        value, room = numbers.get(name, (0.0, 0.0))
        yield name, [_form(run, name, tensor), _plain(value), _plain(room)]


def _form(run: Run, name: str, tensor: np.ndarray) -> str:
    """Returns what has to be equal: shape, kind of number, and how many are not finite."""
    kind = "i" if tensor.dtype.kind == "u" else tensor.dtype.kind
    odd = (0, 0)
    if kind == "f":
        odd = int(np.isnan(tensor).sum()), int(np.isinf(tensor).sum())
    return json.dumps([kind, list(tensor.shape), *odd])


def _finite(tensor: np.ndarray) -> np.ndarray:
    if tensor.dtype.kind != "f":
        return tensor
    with np.errstate(invalid="ignore"):  # a NaN that signals, which a program can make of bytes
        wide = tensor.astype(np.float64)
    kept = np.where(np.isfinite(wide), wide, 0.0).clip(-LARGEST, LARGEST)
    return kept.astype(tensor.dtype)


def _plain(number: float) -> float | None:
    return number if math.isfinite(number) else None


def form(seen: Behaviour) -> str:
    """Returns what is equal of all that are alike: everything but the numbers."""
    return json.dumps(
        [seen["failed"], [(c["case"], c["does"], _forms(c["tensors"])) for c in seen["cases"]]]
    )


def _forms(tensors: Mapping[str, Sequence[Any]]) -> list[tuple[str, Any]]:
    return sorted((name, parts[0]) for name, parts in tensors.items())


def alike(one: Behaviour, other: Behaviour) -> bool:
    """Checks that two behaviours of one form have equal numbers, up to tolerance."""
    return all(
        _near(parts, theirs["tensors"][name])
        for ours, theirs in zip(one["cases"], other["cases"], strict=True)
        for name, parts in ours["tensors"].items()
    )


def _near(ours: Sequence[Any], theirs: Sequence[Any]) -> bool:
    if ours[1] is None or theirs[1] is None:
        return ours[1] is theirs[1]
    room = max(ours[2] or 0.0, theirs[2] or 0.0)
    return bool(abs(ours[1] - theirs[1]) <= room)
