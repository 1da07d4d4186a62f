"""Runs many mutants on the cases of a problem until one case refuses each of them."""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence

from grader.answers import Answer
from grader.model import Ended, Framework, Outcome, Run
from grader.mutation.mutant import Mutant
from grader.problem import Problem
from grader.sandbox import Job, Sandbox, with_sources
from grader.verdict.outcome import judge_case

GROWTH = 4  # each pass runs so many times the cases of the one before, on what is left
# programs that share a container share its time and memory: such an end is confirmed alone
SHARED = (Ended.CPU_TIME, Ended.WALL_TIME, Ended.MEMORY, Ended.DIED, Ended.LOST)


def size(answer: Answer) -> int:
    """Returns how many numbers a case has; one that is called very often counts so often."""
    numbers = sum(tensor.size for tensor in answer.case.tensors().values())
    scalars = sum(abs(value) for value in answer.case.options.values() if isinstance(value, int))
    return (numbers + scalars) * max(1, answer.case.draws)


def refusals(
    problem: Problem,
    framework: Framework,
    answers: Sequence[Answer],
    mutants: Sequence[Mutant],
    sandbox: Sandbox,
) -> dict[Mutant, Answer]:
    """Returns the smallest case that refuses a mutant, for each that is refused."""
    refused: dict[Mutant, Answer] = {}
    queue: deque[tuple[Mutant, Sequence[Answer]]] = deque()

    def jobs() -> Iterator[Job]:
        """Each pass is about the mutants that are left when it begins."""
        for chunk in _chunks(sorted(answers, key=size)):
            alive = [mutant for mutant in mutants if mutant not in refused]
            job = job_of(problem, framework, chunk)
            queue.extend((mutant, chunk) for mutant in alive)
            yield from with_sources(job, (mutant.source for mutant in alive))

    for runs in sandbox.survey(jobs()):
        mutant, chunk = queue.popleft()
        answer = _first_refusal(problem, framework, chunk, mutant, runs, sandbox)
        if answer is not None:
            refused[mutant] = answer
    return refused


def job_of(
    problem: Problem,
    framework: Framework,
    answers: Sequence[Answer],
    source: str = "",
    cpu_ms: Mapping[str, float] | None = None,
) -> Job:
    """Returns the job that runs a source on some cases, without the rules about names."""
    cases = tuple(answer.case for answer in answers)
    return Job(
        source,
        framework,
        problem.kind,
        problem.entries,
        cases,
        problem.limits,
        cpu_ms=cpu_ms,
        driver=problem.driver,
    )


def _chunks(answers: Sequence[Answer]) -> Iterator[Sequence[Answer]]:
    start, count = 0, 1
    while start < len(answers):
        yield answers[start : start + count]
        start, count = start + count, count * GROWTH


def _first_refusal(
    problem: Problem,
    framework: Framework,
    answers: Sequence[Answer],
    mutant: Mutant,
    runs: Sequence[Run],
    sandbox: Sandbox,
) -> Answer | None:
    for answer, run in zip(answers, runs, strict=True):
        if _accepted(problem, framework, answer, run):
            continue
        if run.ended in SHARED:
            (run,) = sandbox.run(job_of(problem, framework, [answer], mutant.source))
        if not _accepted(problem, framework, answer, run):
            return answer
    return None


def _accepted(problem: Problem, framework: Framework, answer: Answer, run: Run) -> bool:
    judged = judge_case(problem, framework, answer, run, brief=True)
    return judged.verdict is Outcome.ACCEPTED
