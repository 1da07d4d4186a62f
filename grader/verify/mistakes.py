"""Checks that a known mistake is killed as it claims, and that a learner who makes it reads its own
hint (rule 3).
"""

from collections.abc import Iterator, Mapping, Sequence

from grader.answers import Answer, Answers
from grader.diagnosis.diagnose import diagnose
from grader.diagnosis.fingerprints import mistake_runs, run_mistakes
from grader.diagnosis.matching import COSTS, Evidence, Known, Runs, costly
from grader.findings.text import T_, Text
from grader.model import Kind, Outcome, Run
from grader.problem import Mistake, Problem
from grader.sandbox import Sandbox
from grader.verdict.outcome import judge_case
from grader.verify.fitness import Fitness


def drawn_for_mistakes(own: Answers) -> Answers:
    """Returns the cases in which the mistakes are judged. With seed 0 those of the public draw,
    where all of them run anyway, so that hints can be told; with another seed, and in cases about
    cost, the hidden ones.
    """
    if own.seed:
        return own
    cases = (a if costly(a) else own.twins.get(a.case.name, a) for a in own.cases)
    return Answers(own.framework, own.seed, tuple(cases), own.twins)


def judged(
    problem: Problem,
    answers: Answers,
    mistakes: Sequence[Mistake],
    sandbox: Sandbox,
    known: Runs | None = None,
) -> Iterator[tuple[Mapping[str, Run], dict[str, Outcome]]]:
    """Yields the runs of each mistake and their verdicts, by case. In cases about cost run those
    that are about cost, and those that nothing else kills; in a slow case also the first ones,
    until it kills one.

    `known` is what they do in the cases that are not about cost, where that has been run.
    """
    framework, limits = answers.framework, answers.cpu_limits()
    cases = [a.case for a in answers.cases]
    first_runs = (
        run_mistakes(problem, framework, mistakes, cases, sandbox, limits)
        if known is None
        else ({case: each.run for case, each in known[m.name].items()} for m in mistakes)
    )
    idle = [case for case in cases if case.slow]  # those that have killed no mistake yet
    for mistake, runs in zip(mistakes, first_runs, strict=True):
        verdicts = _verdicts(problem, answers, runs)
        others = [case for case in cases if case.name not in runs]
        if _kills(answers, verdicts) and mistake.verdict not in COSTS:
            others = [case for case in idle if case.name not in runs]
        if others:
            (more,) = run_mistakes(problem, framework, [mistake], others, sandbox, limits, True)
            runs = {
                case.name: (runs | more)[case.name] for case in cases if case.name in runs | more
            }
            verdicts = _verdicts(problem, answers, runs)
        idle = [c for c in idle if verdicts.get(c.name, Outcome.ACCEPTED) is Outcome.ACCEPTED]
        yield runs, verdicts


def check_mistake(
    problem: Problem,
    answers: Answers,
    mistake: Mistake,
    verdicts: dict[str, Outcome],
    sandbox: Sandbox,
    fitness: Fitness,
) -> None:
    """Notes a mistake that survives, is killed otherwise than it claims, or is told a wrong hint.
    `verdicts` are those of the cases in which it ran.
    """
    where = T_(
        "mistake '%(mistake)s' in %(framework)s", mistake=mistake.name, framework=answers.framework
    )
    text = _wrong_kill(answers, mistake, verdicts) or _wrong_hint(
        problem, answers, mistake, sandbox, verdicts
    )
    if text:
        fitness.add(3, where, text)


def _verdicts(problem: Problem, answers: Answers, runs: Mapping[str, Run]) -> dict[str, Outcome]:
    limits = answers.cpu_limits()
    ran = ((a, runs[a.case.name]) for a in answers.cases if a.case.name in runs)
    return {
        a.case.name: judge_case(
            problem, answers.framework, a, run, limits.get(a.case.name), brief=True
        ).verdict
        for a, run in ran
    }


def _kills(answers: Answers, verdicts: Mapping[str, Outcome]) -> set[Outcome]:
    """How the hidden cases kill a mistake."""
    samples = {a.case.name for a in answers.cases if a.case.sample}
    return {v for case, v in verdicts.items() if case not in samples} - {Outcome.ACCEPTED}


def _wrong_kill(answers: Answers, mistake: Mistake, verdicts: dict[str, Outcome]) -> Text | None:
    kills = _kills(answers, verdicts)
    if not kills:
        return T_("survives: no hidden case kills it; add a case that does")
    if mistake.verdict not in kills:
        return T_(
            "is killed as %(verdicts)s, not as %(due)s; change its edit, or name the verdict that"
            ' it gets in mistakes.toml: verdict = "%(verdict)s"',
            verdicts=", ".join(sorted(kills)),
            due=mistake.verdict,
            verdict=min(kills),
        )
    return None


def _wrong_hint(
    problem: Problem,
    answers: Answers,
    mistake: Mistake,
    sandbox: Sandbox,
    verdicts: dict[str, Outcome],
) -> Text | None:
    public = mistake_runs(problem, answers, sandbox).get(mistake.name, {})
    ran = (a for a in answers.cases if a.case.name in verdicts)
    evidence = [_evidence(answers, a, verdicts[a.case.name], public) for a in ran]
    named = [d.mistake for d in diagnose(problem, answers, evidence, sandbox)]
    seen = [e for e in evidence if e.verdict is not Outcome.ACCEPTED and e.run is not None]
    if not named and not seen and mistake.verdict not in COSTS:
        if problem.kind is Kind.VALUES:
            return None
        return T_(
            "fails only cases in which nothing is drawn, of which nothing may be"
            " told; draw their inputs from `rng`, or add a sample"
        )
    # what makes values wrong may cost too much as well, and then both are true
    costs = {m.name for m in problem.mistakes if m.verdict in COSTS}
    if [name for name in named if name == mistake.name or name not in costs] == [mistake.name]:
        return None
    if named:
        return T_(
            "is told %(other)s instead of its own hint; add a case that tells the two apart",
            other=" and ".join(named),
        )
    return T_("is told nothing instead of its own hint; add a case that tells the two apart")


def _evidence(
    answers: Answers, answer: Answer, verdict: Outcome, public: Mapping[str, Known]
) -> Evidence:
    """Returns what a diagnosis may see of one case: its public twin, where it has one."""
    name = answer.case.name
    own = None if costly(answer) or name not in answers.twins else public.get(name)
    return Evidence(name, verdict, own.run, own.verdict) if own else Evidence(name, verdict)
