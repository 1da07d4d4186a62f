"""Makes the last step: known mistakes that the learner shows to be wrong by writing inputs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress

from grader.answers import Answer, Answers
from grader.diagnosis.fingerprints import mistake_runs
from grader.explore.arrays import MANY, as_python, numbers
from grader.explore.public import takes_inputs
from grader.model import Framework, Outcome
from grader.practice.changes import tells
from grader.practice.item import Beat, Step
from grader.practice.kills import expected, kills
from grader.practice.reading import MOST_INPUT_TEXT, MOST_INPUTS, AnswerError
from grader.problem import Problem
from grader.sandbox import Sandbox

MOST = MOST_INPUTS - 1  # mistakes: one input for each of them must be few enough
TRIED = 3  # cases for a mistake, the smallest first: what fails may not be in the inputs

Fails = Mapping[str, Sequence[str]]  # the public cases in which a mistake fails


@dataclass(frozen=True, slots=True)
class _Row:
    """A public case as a learner would write it, and the mistakes that fail on these inputs."""

    text: str
    sample: bool
    fails: frozenset[str]


def beats(
    problem: Problem, framework: Framework, answers: Answers, sandbox: Sandbox
) -> tuple[Beat, ...]:
    """Returns an item; none where no inputs that can be written show a mistake."""
    public = sorted(answers.twins.values(), key=lambda answer: numbers(answer.case))
    fails = _fails(problem, framework, answers, sandbox)
    if not fails or not takes_inputs(problem, tuple(public)):
        return ()
    rows = tuple(_rows(problem, framework, public, fails, sandbox))
    names = _chosen(fails, rows)
    if not names:
        return ()
    rows = tuple(replace(row, fails=row.fails & set(names)) for row in rows)
    example, right = _example(rows, len(names)), _cover(rows, names)
    return (Beat(f"{Step.BEAT}-1", framework, names, example, right),)


def _fails(problem: Problem, framework: Framework, answers: Answers, sandbox: Sandbox) -> Fails:
    """The mistakes that a hint is told of, as far as they fail in a public case of one call."""
    runs = mistake_runs(problem, answers, sandbox)
    once = {case for case, twin in answers.twins.items() if not twin.case.before}
    failed = {
        mistake.name: [
            case
            for case, known in runs.get(mistake.name, {}).items()
            if case in once and known.verdict is not Outcome.ACCEPTED
        ]
        for mistake in problem.mistakes
        if framework in mistake.sources and tells(mistake)
    }
    return {name: cases for name, cases in failed.items() if cases}


def _rows(
    problem: Problem,
    framework: Framework,
    public: Sequence[Answer],
    fails: Fails,
    sandbox: Sandbox,
) -> Iterator[_Row]:
    """Yields what some small public cases show when they are written down and judged anew."""
    texts = {answer.case.name: _text(answer) for answer in public}
    wanted = {name for cases in fails.values() for name in _smallest(texts, cases)}
    chosen = [a.case for a in public if a.case.name in wanted or a.case.sample]
    written = {
        case.name: answer
        for case in chosen
        if texts[case.name] and (answer := _again(problem, framework, texts[case.name], sandbox))
    }
    matrix = kills(problem, framework, fails, list(written.values()), sandbox)
    samples = {case.name for case in chosen if case.sample}
    for name, row in zip(written, matrix, strict=True):
        hit = compress(fails, row)
        yield _Row(texts[name], name in samples, frozenset(hit))


def _again(problem: Problem, framework: Framework, text: str, sandbox: Sandbox) -> Answer | None:
    """What is expected on inputs that are written down; None where they are refused."""
    try:
        return expected(problem, framework, [text], sandbox)[0]
    except AnswerError:
        return None


def _text(answer: Answer) -> str:
    """The inputs of a case; empty where they cannot be written, take too much of an answer, or lead
    to more numbers than a page tells: nobody finds a mistake that only a mask of 4097 keys shows.
    """
    if answer.case.nested or any(each.values.size > MANY for each in answer.expected.values()):
        return ""
    text = as_python(answer.case) or ""
    return text if len(text) <= MOST_INPUT_TEXT // MOST_INPUTS else ""


def _smallest(texts: Mapping[str, str], cases: Sequence[str]) -> list[str]:
    return [name for name, text in texts.items() if text and name in cases][:TRIED]


def _chosen(fails: Fails, rows: Sequence[_Row]) -> tuple[str, ...]:
    """The mistakes that inputs show, those that the fewest cases show first taken."""
    shown = frozenset[str]().union(*(row.fails for row in rows))
    rare = sorted((name for name in fails if name in shown), key=lambda name: len(fails[name]))
    return tuple(name for name in fails if name in rare[:MOST])


def _example(rows: Sequence[_Row], count: int) -> str:
    """The inputs to begin with: a sample on which few mistakes fail, or any case on which not all
    do.
    """
    best = min(rows, key=lambda row: (len(row.fails) == count, not row.sample, len(row.fails)))
    return best.text


def _cover(rows: Sequence[_Row], names: Sequence[str]) -> tuple[str, ...]:
    """Inputs that together show all of some mistakes, few of them."""
    left, chosen = set(names), list[str]()
    while left:
        best = max(rows, key=lambda row: len(row.fails & left))
        left -= best.fails
        chosen.append(best.text)
    return tuple(chosen)
