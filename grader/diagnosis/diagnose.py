"""Which known mistakes explain what a submission does? The learner is told their hints.

Only what is public is looked at: samples, public twins, and the verdicts of the cases. So a hint
tells nothing of hidden inputs.
"""

from collections.abc import Sequence
from itertools import chain

from grader.answers import Answers
from grader.diagnosis.fingerprints import AND, mistake_runs, mistakes_of, pair_runs, pairs_in
from grader.diagnosis.hypotheses import (
    TRIED,
    Hypothesis,
    Pair,
    best,
    consistent,
    likeliest,
    likely_pairs,
)
from grader.diagnosis.matching import (
    Evidence,
)
from grader.diagnosis.view import Rerun, View
from grader.model import Diagnosis, Outcome
from grader.problem import Problem
from grader.sandbox import Sandbox

FITTING = 6  # pairs that are run in every case
TURNS = 4  # of `TRIED` pairs each, where nothing is known and as long as none fits


def diagnose(
    problem: Problem,
    answers: Answers,
    evidence: Sequence[Evidence],
    sandbox: Sandbox,
    rerun: Rerun | None = None,
) -> tuple[Diagnosis, ...]:
    """The fewest known mistakes, at most `MOST`, that explain most of the failed cases.

    Different cases may show different mistakes. A case that one of them explains is no evidence
    against the others. () when nothing failed, or when they do not explain more than twice as many
    cases as contradict them: a wrong hint is worse than none.

    How they are weighed: docs/design/diagnosis.md. `rerun` runs the submission once more in a
    public case, with other random draws. A mistake whose results are random is named only where the
    submission's are random, too.
    """
    if all(each.verdict is Outcome.ACCEPTED for each in evidence):
        return ()
    view = View(problem, answers, evidence)
    runs = mistake_runs(problem, answers, sandbox)
    far = view.far(runs)
    variants = [
        view.variants(mistake, runs, far)
        for mistake in problem.mistakes
        if answers.framework in mistake.sources
    ]
    singles = [likeliest(each) for each in variants]
    chosen, explained = best(singles, view.failed)
    if view.unexplained(explained):
        every = list(chain.from_iterable(variants))
        pairs = _pairs(problem, answers, view, every, view.unexplained(explained), sandbox)
        if pairs:
            chosen, explained = best([*singles, *pairs], view.failed)
            singles += pairs
    if rerun is not None and any(view.mistakes[name].random for name in chosen):
        singles = [h for h in singles if not view.only_seems_random(h, rerun)]
        chosen, explained = best(singles, view.failed)
    if not chosen:
        return view.guess(runs, singles)
    told = [view.diagnosis(name, chosen, singles) for name in chosen]
    return tuple(sorted(told, key=lambda each: -len(each.cases)))


def _pairs(
    problem: Problem,
    answers: Answers,
    view: "View",
    singles: Sequence[Hypothesis],
    unexplained: int,
    sandbox: Sandbox,
) -> list[Hypothesis]:
    """Two mistakes at once, where that explains what each alone does not: the likeliest are tried
    in the smallest such case, those that fit in every case.
    """
    cases = view.smallest(unexplained)
    if not cases:
        return []
    # what only costs too much changes no value beside another mistake
    steady = [h for h in singles if not view.random_or_costly(h.names[0])]
    likely = likely_pairs(steady, view.bit(cases[0]), unexplained)
    # where some mistake shows, the likeliest pairs have it; else the right one may be any
    turns = 1 if any(h.surely for h in singles) else TURNS
    fits = _fitting(problem, answers, view, likely[: turns * TRIED], cases, sandbox)
    fits = fits[: min(FITTING, view.affordable(cases[0]))]
    pairs = [
        view.hypothesis(
            mistakes_of(pair), pair_runs(problem, answers, pair, sandbox), programs=pair
        )
        for pair in fits
    ]
    return [pair for pair in pairs if consistent(pair, singles)]


def _fitting(
    problem: Problem,
    answers: Answers,
    view: "View",
    likely: Sequence[Pair],
    cases: Sequence[str],
    sandbox: Sandbox,
) -> list[Pair]:
    """Of these pairs, those that do in some cases what the submission does: of so many at a time,
    until one of them fits.
    """
    likely = likely[: view.affordable(cases[0])]
    for first in range(0, len(likely), TRIED):
        fits = list(likely[first : first + TRIED])
        for case in cases:  # a case of one token tells few pairs apart
            fits = fits[: view.affordable(case)]
            runs = pairs_in(problem, answers, case, fits, sandbox)
            far = view.far(runs).get(case, ())
            fits = [
                pair
                for pair in fits
                if view.same(case, runs[AND.join(pair)].get(case), AND.join(pair) in far)
            ]
            if len(fits) <= FITTING:
                break
        if fits:
            return fits
    return []


__all__ = ["Rerun", "diagnose"]
