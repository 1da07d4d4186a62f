"""Measures how far each mistake is from the answers, in tolerances, and checks that none is too
near (rule 3): docs/design/tolerance.md says why these distances.
"""

from collections.abc import Mapping

import numpy as np

from grader.answers import Answer, Answers
from grader.comparison.compare import Expected, other_dtype, same_dtype
from grader.findings.text import T_
from grader.model import Ended, Framework, Run
from grader.verify.fitness import CaseFacts, Fitness

ROOM_TO_SPARE = 10.0  # tolerance / the reference's own error; a mistake, in one hidden case
STATISTIC_ROOM = 2.0  # the same where the answer is a statistic of random draws
SAME, APART = 0.5, 2.0  # tolerances: a mistake's result is right, or wrong, however it is rounded


def room_of(answer: Answer) -> float:
    """Returns the room that a case should leave, as a factor of its tolerance."""
    return STATISTIC_ROOM if answer.case.draws else ROOM_TO_SPARE


def largest(a: np.ndarray) -> float:
    """Returns the largest finite magnitude; 0.0 where there is none."""
    wide = a.astype(np.float64)
    return float(np.abs(wide[np.isfinite(wide)]).max(initial=0.0))


def distance(a: np.ndarray, b: np.ndarray) -> float:
    """Returns the largest difference; infinity where one is not finite and the other differs."""
    with np.errstate(invalid="ignore", over="ignore"):
        apart = float(np.abs(np.subtract(a, b, dtype=np.float64)).max(initial=0.0))
    if np.isfinite(apart):
        return apart
    x, y = a.astype(np.float64), b.astype(np.float64)
    finite = np.isfinite(x) & np.isfinite(y)
    if not ((x == y) | finite | (np.isnan(x) & np.isnan(y))).all():
        return float("inf")
    return float(np.abs(x[finite] - y[finite]).max(initial=0.0))


def check_distances(
    answers: Answers,
    runs: Mapping[str, Mapping[str, Run]],
    fitness: Fitness,
    whole: bool = True,
) -> dict[str, CaseFacts]:
    """Returns what was measured of each case; notes a mistake that is too near to an answer.

    Unless these are the `whole` of the cases, a mistake may be far away in another one.
    """
    slight = {m.name for m in fitness.problem.mistakes if m.slight}
    ratios = {
        a.case.name: {
            mistake: _ratio(own[a.case.name], a)
            for mistake, own in runs.items()
            if a.case.name in own
        }
        for a in answers.cases
    }
    facts = {}
    for answer in answers.cases:
        case = answer.case.name
        nearest, name = _nearest(ratios[case])
        bold = {m: ratio for m, ratio in ratios[case].items() if m not in slight}
        too_near, which = _nearest(bold)
        if too_near is not None and too_near < APART:
            _add_too_near(answers.framework, answer, too_near, which, fitness)
        floats = [e for e in answer.expected.values() if e.tolerance > 0]
        facts[case] = CaseFacts(
            max((e.noise for e in floats), default=0.0),
            max((e.tolerance for e in floats), default=0.0),
            nearest,
            name,
        )
    for mistake in runs if whole else ():
        own = {case: here[mistake] for case, here in ratios.items() if mistake in here}
        _check_far(answers, mistake, mistake in slight, own, fitness)
    return facts


def _check_far(
    answers: Answers,
    mistake: str,
    slight: bool,
    own: Mapping[str, float | None],
    fitness: Fitness,
) -> None:
    """A mistake that shows in values alone is far enough from the answer in one hidden case."""
    hidden = [
        (a, own[a.case.name]) for a in answers.cases if a.case.name in own and not a.case.sample
    ]
    ratios = [ratio for _, ratio in hidden if ratio is not None]
    shown = slight or any(ratio > SAME for ratio in ratios)
    if not shown or len(ratios) < len(hidden):
        return
    if any(ratio >= room_of(answer) for (answer, _), ratio in zip(hidden, ratios, strict=True)):
        return
    where = T_(
        "mistake '%(mistake)s' in %(framework)s", mistake=mistake, framework=answers.framework
    )
    text = T_(
        "no hidden case is %(room)s tolerances away (the most is %(most)s);"
        " add a case that shows it",
        room=f"{ROOM_TO_SPARE:g}",
        most=f"{max(ratios, default=0.0):.1f}",
    )
    fitness.add(3, where, text)


def _nearest(ratios: Mapping[str, float | None]) -> tuple[float | None, str]:
    """Returns how many tolerances away the nearest mistake that differs by value is, and which."""
    nearest, name = None, ""
    for mistake, ratio in ratios.items():
        if ratio is None or ratio <= SAME:
            continue
        if nearest is None or ratio < nearest:
            nearest, name = ratio, mistake
    return nearest, name


def _add_too_near(
    framework: Framework, answer: Answer, nearest: float, name: str, fitness: Fitness
) -> None:
    where = T_("case '%(case)s' in %(framework)s", case=answer.case.name, framework=framework)
    text = T_(
        "mistake '%(mistake)s' is only %(nearest)s tolerances away (at least"
        " %(room)s): too noisy a case, or too slight a mistake; draw inputs in which its result"
        " differs more, or, if it is always near, give it slight = true in mistakes.toml",
        mistake=name,
        nearest=f"{nearest:.1f}",
        room=f"{APART:g}",
    )
    fitness.add(3, where, text)


def _ratio(run: Run, answer: Answer) -> float | None:
    """Distance in tolerances, over the tensor where it is largest; None where more than values
    differ.
    """
    if run.ended is not Ended.RETURNED or set(run.tensors) != set(answer.expected):
        return None
    for name, expected in answer.expected.items():
        tensor = run.tensors[name]
        dtype = run.dtypes[name]
        fits = same_dtype(dtype, expected.dtype) or other_dtype(dtype, expected.dtype)
        finite = np.isfinite(tensor.astype(np.float64)).all()
        if tensor.shape != expected.values.shape or not finite or not fits:
            return None
    ratios = [_tolerances(run.tensors[name], e) for name, e in answer.expected.items()]
    most = max(ratios, default=0.0)
    return None if most == float("inf") else most


def _tolerances(tensor: np.ndarray, expected: Expected) -> float:
    apart = distance(tensor, expected.values)
    if expected.tolerance > 0:
        return apart / expected.tolerance
    return float("inf") if apart else 0.0
