"""Cases with a limit on processor time: what is over it is measured again.

A busy machine must not refuse what a quiet one accepts.
"""

from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import replace

from grader.answers import CPU_TRIES, Answer, Answers, reference_cpu
from grader.model import Run
from grader.problem import Problem
from grader.sandbox import Job, Sandbox

# times its CPU limit a case may run on: the machine may be slower now than when the reference was
# measured
LENIENCE = 3.0


def room_limits(answers: Answers) -> dict[str, float]:
    """How long a case may compute before the room ends it, by its name: longer than is allowed."""
    return {name: LENIENCE * limit for name, limit in answers.cpu_limits().items()}


def timed_runs(
    problem: Problem, job: Job, answers: Answers, chosen: Sequence[Answer], sandbox: Sandbox
) -> Generator[tuple[Answer, Run, float | None], None, None]:
    """The run of each case and its CPU limit, if any. What is over it is measured again."""
    cpu_limits = answers.cpu_limits()
    with closing(sandbox.run(job)) as replies:  # type: ignore[type-var]
        for answer, run in zip(chosen, replies, strict=True):
            limit = cpu_limits.get(answer.case.name)
            if limit is not None and limit < run.cpu_ms:
                run, limit = _again(problem, job, answer, run, limit, sandbox)
            yield answer, run, limit


def _again(
    problem: Problem, job: Job, answer: Answer, run: Run, limit: float, sandbox: Sandbox
) -> tuple[Run, float]:
    """A case over its CPU limit is compared with the reference's time of now, and unless the room
    ended it, measured again: a moment in which all takes three times as long refuses nobody.
    """
    now = reference_cpu(problem, job.framework, answer.case, sandbox)
    limit = max(limit, (answer.case.cpu_factor or 0.0) * now)
    once_more = replace(job, cases=(answer.case,))
    for _ in range(CPU_TRIES - 1):
        if not limit < run.cpu_ms < LENIENCE * limit:
            break
        (again,) = sandbox.run(once_more)
        run = min(run, again, key=lambda r: r.cpu_ms)
    return run, limit
