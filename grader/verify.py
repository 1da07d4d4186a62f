"""Is this problem fit to use? The kill matrix and its rules (docs/problem-format.md, "What `grade
verify` demands").

A problem is fit when nothing wrong survives it (every mistake is killed, every hidden case kills),
nothing right is refused (the references pass with room to spare), and every failing learner can be
told which mistake it is (no two mistakes look alike).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from grader.answers import SMALL, Answer, Answers, answers_for, run_reference
from grader.baselines import BASELINES, baseline
from grader.case import Case
from grader.compare import compare
from grader.diagnose import diagnose
from grader.errors import ProblemError
from grader.findings.text import T_, Text
from grader.fingerprints import mistake_runs
from grader.inside.frames import DTYPES
from grader.matching import COSTS, Evidence, costly, same_tensors
from grader.model import Ended, Framework, Kind, Outcome, Run
from grader.outcome import judge_case
from grader.problem import Mistake, Problem, did_you_mean
from grader.sandbox import Job, Sandbox

ROOM_TO_SPARE = 10.0  # tolerance / the reference's own error, and nearest mistake / tolerance
# of the largest value: how far two references may be apart in float64. Not of the tolerance, which
# grows with it
AGREEMENT = 1e-6
STATISTIC_ROOM = 2.0  # the same where the answer is a statistic of random draws


@dataclass(frozen=True, slots=True)
class Finding:
    """One rule that is broken: where, and what to do."""

    rule: int
    where: Text | str
    text: Text | str


@dataclass(frozen=True, slots=True)
class CaseFacts:
    """What was measured of one case in one framework."""

    noise: float
    tolerance: float
    # distance to the nearest mistake, in the unit of the tolerance; None where none differs by
    # value
    nearest: float | None
    nearest_name: str = ""


@dataclass(frozen=True, slots=True)
class Matrix:
    """One framework's kill matrix: how each mistake is judged in each case."""

    framework: Framework
    cases: tuple[Answer, ...]
    verdicts: Mapping[str, Mapping[str, Outcome]]
    facts: Mapping[str, CaseFacts]


@dataclass(slots=True)
class Fitness:
    """Everything that `verify` found out about one problem."""

    problem: Problem
    findings: list[Finding] = field(default_factory=list)
    matrices: list[Matrix] = field(default_factory=list)

    @property
    def fit(self) -> bool:
        """May the problem be published?"""
        return not self.findings

    def add(self, rule: int, where: Text | str, text: Text | str) -> None:
        """Note a broken rule."""
        self.findings.append(Finding(rule, where, text))


Progress = Callable[[str], None]


def verify(
    problem: Problem, sandbox: Sandbox, seed: int = 0, progress: Progress = lambda step: None
) -> Fitness:
    """Run everything that the problem's folder holds, in the room, and apply the rules.

    Never raises for a problem's own faults.
    """
    found = Fitness(problem)
    _words(problem, found)
    answers: dict[Framework, Answers] = {}
    for framework in problem.frameworks:
        progress(f"{problem.slug}, {framework}: answers")
        try:
            answers[framework] = answers_for(problem, framework, sandbox, seed)
        except ProblemError as error:
            found.add(1, str(framework), str(error))
    if len(answers) < len(problem.frameworks):
        return found
    _agreement(problem, answers, found)
    signs: dict[Framework, dict[str, list[Run]]] = {}
    for framework in problem.frameworks:
        own = answers[framework]
        _reference(problem, own, sandbox, found)
        _starter(problem, own, sandbox, found)
        _sizes(problem, own, found)
        runs: dict[str, list[Run]] = {}
        verdicts: dict[str, dict[str, Outcome]] = {}
        for mistake in problem.mistakes:
            if framework in mistake.sources:
                progress(f"{problem.slug}, {framework}: mistake {mistake.name}")
                runs[mistake.name], verdicts[mistake.name] = _mistake(
                    problem, own, mistake, sandbox, found
                )
        signs[framework] = runs
        facts = _distances(problem, own, runs, found)
        found.matrices.append(Matrix(framework, own.cases, verdicts, facts))
        _shortcuts(problem, own, found)
    _translations(problem, found)
    _rules(problem, found)
    _useless(problem, found)
    _twins(problem, answers, signs, found)
    return found


def _words(problem: Problem, found: Fitness) -> None:
    for mistake in problem.mistakes:
        if not mistake.hint.strip():
            found.add(
                9,
                T_("mistake '%(mistake)s'", mistake=mistake.name),
                T_("has no hint; say what is wrong and what to look at"),
            )
    for language, words in problem.words.items():
        for mistake in problem.mistakes:
            if not words.hints.get(mistake.name, "").strip():
                found.add(
                    9,
                    f"hints.{language}.toml",
                    T_(
                        "has no hint for mistake '%(mistake)s'; add it under [mistakes]",
                        mistake=mistake.name,
                    ),
                )
    if not problem.mistakes:
        found.add(
            3,
            "mistakes.toml",
            T_("holds no mistake, so nothing shows that the cases can tell right from wrong"),
        )


def _translations(problem: Problem, found: Fitness) -> None:
    cases = dict.fromkeys(answer.case.name for matrix in found.matrices for answer in matrix.cases)
    for language, words in problem.words.items():
        file = f"hints.{language}.toml"
        for name in cases:
            if not (words.names.get(name, "").strip() and words.notes.get(name, "").strip()):
                found.add(
                    9,
                    file,
                    T_(
                        "has no name and note for case '%(case)s'; add them under [cases]",
                        case=name,
                    ),
                )
        for name in words.names:
            if name not in cases:
                found.add(
                    9,
                    file,
                    T_(
                        "speaks of case '%(case)s', which cases.py does not yield%(meant)s;"
                        " rename or remove it",
                        case=name,
                        meant=did_you_mean(name, cases),
                    ),
                )


def _rules(problem: Problem, found: Fitness) -> None:
    """Each rule of the statement has its cases, and what breaks one rule fails no other case."""
    names = problem.statement_rules.get("en", ())
    for language, others in problem.statement_rules.items():
        if len(others) != len(names):
            text = T_(
                "lists %(count)d rules, the English one %(english)d; make them equal",
                count=len(others),
                english=len(names),
            )
            found.add(10, f"statement.{language}.md", text)
    every = {a.case.name: a.case for matrix in found.matrices for a in matrix.cases}
    cases = list(every.values())
    hidden = {case.rule for case in cases if not case.sample}
    for name in names:
        if name not in hidden:
            found.add(
                10,
                T_("rule '%(rule)s'", rule=name),
                T_("no hidden case checks it; add one with rule= that name"),
            )
    for case in cases:
        if case.rule and case.rule not in names:
            text = T_(
                "carries the rule '%(rule)s', which statement.md does not list%(meant)s",
                rule=case.rule,
                meant=did_you_mean(case.rule, names),
            )
            found.add(10, T_("case '%(case)s'", case=case.name), text)
    for matrix in found.matrices:
        for mistake in problem.mistakes:
            if mistake.rule and mistake.name in matrix.verdicts:
                _one_rule(matrix, mistake, names, found)


def _one_rule(matrix: Matrix, mistake: Mistake, names: tuple[str, ...], found: Fitness) -> None:
    where = T_(
        "mistake '%(mistake)s' in %(framework)s", mistake=mistake.name, framework=matrix.framework
    )
    if mistake.rule not in names:
        text = T_(
            "breaks the rule '%(rule)s', which statement.md does not list%(meant)s",
            rule=mistake.rule,
            meant=did_you_mean(mistake.rule, names),
        )
        found.add(10, where, text)
        return
    rules = {answer.case.name: answer.case.rule for answer in matrix.cases}
    others = [
        f"'{case}'"
        for case, verdict in matrix.verdicts[mistake.name].items()
        if verdict is not Outcome.ACCEPTED and rules[case] != mistake.rule
    ]
    if others:
        text = T_(
            "breaks the rule '%(rule)s' and fails other cases: %(cases)s; let each case check one"
            " rule, or remove the mistake's rule",
            rule=mistake.rule,
            cases=", ".join(others),
        )
        found.add(10, where, text)


def _agreement(problem: Problem, answers: Mapping[Framework, Answers], found: Fitness) -> None:
    first, *others = problem.frameworks
    known = {a.case.name: a for a in answers[first].cases}
    for framework in others:
        for answer in answers[framework].cases:
            twin = known.get(answer.case.name)
            for name, expected in answer.expected.items():
                if twin is None or name not in twin.expected:
                    continue
                theirs, ours = twin.expected[name].values, expected.values
                room = (
                    expected.tolerance / STATISTIC_ROOM
                    if answer.case.draws
                    else AGREEMENT * max(_largest(ours), SMALL)
                )
                if theirs.shape != ours.shape or _distance(theirs, ours) > room:
                    found.add(
                        1,
                        T_("case '%(case)s'", case=answer.case.name),
                        T_(
                            "the references in %(first)s and %(framework)s disagree on"
                            " %(tensor)s; one of them is wrong",
                            first=first,
                            framework=framework,
                            tensor=name,
                        ),
                    )


def _largest(a: np.ndarray) -> float:
    wide = a.astype(np.float64)
    return float(np.abs(wide[np.isfinite(wide)]).max(initial=0.0))


def _distance(a: np.ndarray, b: np.ndarray) -> float:
    x, y = a.astype(np.float64), b.astype(np.float64)
    finite = np.isfinite(x) & np.isfinite(y)
    if not ((x == y) | finite | (np.isnan(x) & np.isnan(y))).all():
        return float("inf")
    return float(np.abs(x[finite] - y[finite]).max(initial=0.0))


def _reference(problem: Problem, answers: Answers, sandbox: Sandbox, found: Fitness) -> None:
    cases = [a.case for a in answers.cases]
    where = f"reference/{problem.slug}/{answers.framework}.py"
    limits = answers.cpu_limits()
    job = Job(
        problem.references[answers.framework],
        answers.framework,
        problem.kind,
        problem.entries,
        tuple(cases),
        problem.limits,
        problem.rules,
        seed=11,
        cpu_ms=limits,
    )
    runs = list(sandbox.run(job))
    for answer, run in zip(answers.cases, runs, strict=True):
        result = judge_case(problem, answers.framework, answer, run, limits.get(answer.case.name))
        if result.verdict is not Outcome.ACCEPTED:
            found.add(
                1,
                where,
                T_(
                    "case '%(case)s': %(verdict)s: %(text)s",
                    case=answer.case.name,
                    verdict=result.verdict,
                    text=result.findings[0] if result.findings else "",
                ),
            )
            continue
        room = STATISTIC_ROOM if answer.case.draws else ROOM_TO_SPARE
        for name, expected in answer.expected.items():
            error = _distance(run.tensors[name], expected.values)
            if error > expected.tolerance / room and expected.tolerance > 0:
                found.add(
                    1,
                    where,
                    T_(
                        "case '%(case)s': %(tensor)s is off by %(error)s, over 1/%(room)s of the"
                        " tolerance %(tolerance)s",
                        case=answer.case.name,
                        tensor=name,
                        error=f"{error:.2g}",
                        room=f"{room:g}",
                        tolerance=f"{expected.tolerance:.2g}",
                    ),
                )
        memory = answer.case.memory_mib or problem.limits.memory_mib
        if run.memory_mib > memory / 2 or run.wall_ms > problem.limits.wall_s * 500:
            used = T_(
                "%(memory)d of %(limit)d MiB and %(seconds).1f of %(wall)s s",
                memory=round(run.memory_mib),
                limit=memory,
                seconds=run.wall_ms / 1e3,
                wall=f"{problem.limits.wall_s:g}",
            )
            found.add(
                7,
                where,
                T_("case '%(case)s': %(used)s; over half", case=answer.case.name, used=used),
            )
    _repeatable(problem, answers, sandbox, cases, found)


def _repeatable(
    problem: Problem, answers: Answers, sandbox: Sandbox, cases: list[Case], found: Fitness
) -> None:
    try:
        twice = [
            run_reference(problem, answers.framework, sandbox, cases, "a second run")
            for _ in range(2)
        ]
    except ProblemError as error:
        found.add(6, f"reference/{problem.slug}/{answers.framework}.py", str(error))
        return
    for one, two in zip(*twice, strict=True):
        if any(
            not np.array_equal(
                one.tensors[n], two.tensors[n], equal_nan=one.tensors[n].dtype.kind == "f"
            )
            for n in one.tensors
        ):
            found.add(
                6,
                T_("case '%(case)s'", case=one.case),
                T_(
                    "two runs of the %(framework)s reference differ; seed what is random",
                    framework=answers.framework,
                ),
            )


def _starter(problem: Problem, answers: Answers, sandbox: Sandbox, found: Fitness) -> None:
    source = problem.starters[answers.framework]
    job = Job(
        source,
        answers.framework,
        problem.kind,
        problem.entries,
        tuple(a.case for a in answers.cases),
        problem.limits,
        problem.rules,
    )
    runs = list(sandbox.run(job))
    verdicts = [_verdict(problem, answers, a, r) for a, r in zip(answers.cases, runs, strict=True)]
    if all(v is Outcome.ACCEPTED for v in verdicts):
        found.add(
            2,
            f"starter_{answers.framework}.py",
            T_("is accepted as it is; it must leave the work to the learner"),
        )
    if (
        any(v in (Outcome.COMPILE_ERROR, Outcome.RULE_VIOLATION) for v in verdicts)
        and problem.kind is not Kind.VALUES
    ):
        found.add(
            2,
            f"starter_{answers.framework}.py",
            T_("does not load: %(verdict)s", verdict=verdicts[0]),
        )


def _sizes(problem: Problem, answers: Answers, found: Fitness) -> None:
    for answer in answers.cases:
        case = answer.case
        if not case.note.strip():
            found.add(
                9, T_("case '%(case)s'", case=case.name), T_("has no note; say why it exists")
            )
        if case.same:
            continue
        sizes: dict[str, int] = {}
        clash: Text | None = None
        for name, array in case.inputs.items():
            forms = problem.shapes.get(name, ())
            letters = next(
                (m for form in forms if (m := _bind(form, array.shape, sizes)) is not None), None
            )
            if forms and letters is None:
                clash = T_(
                    "%(tensor)s has shape %(shape)s, which is not %(forms)s",
                    tensor=name,
                    shape=array.shape,
                    forms=" or ".join(forms),
                )
                break
            sizes |= letters or {}
        twins = [
            f"{a} = {b} = {sizes[a]}"
            for a in sizes
            for b in sizes
            if a < b and sizes[a] == sizes[b]
        ]
        if clash or twins:
            found.add(
                8,
                T_("case '%(case)s'", case=case.name),
                T_(
                    "%(clash)s; make them differ, or say why not with same=",
                    clash=clash or twins[0],
                ),
            )


def _bind(form: str, shape: tuple[int, ...], known: Mapping[str, int]) -> dict[str, int] | None:
    letters = form.split()
    if letters[:1] == ["..."]:
        letters, shape = letters[1:], shape[max(0, len(shape) - len(letters) + 1) :]
    if len(letters) != len(shape):
        return None
    sizes: dict[str, int] = {}
    for letter, size in zip(letters, shape, strict=True):
        if letter.isdigit():
            if int(letter) != size:
                return None
        elif {**known, **sizes}.get(letter, size) != size:
            return None
        else:
            sizes[letter] = size
    return sizes


def _mistake(
    problem: Problem, answers: Answers, mistake: Mistake, sandbox: Sandbox, found: Fitness
) -> tuple[list[Run], dict[str, Outcome]]:
    limits = answers.cpu_limits()
    job = Job(
        mistake.sources[answers.framework],
        answers.framework,
        problem.kind,
        problem.entries,
        tuple(a.case for a in answers.cases),
        problem.limits,
        None,
        cpu_ms=limits,
    )
    runs = list(sandbox.run(job))
    judged = [
        judge_case(problem, answers.framework, a, r, limits.get(a.case.name)).verdict
        for a, r in zip(answers.cases, runs, strict=True)
    ]
    verdicts = {a.case.name: verdict for a, verdict in zip(answers.cases, judged, strict=True)}
    hidden = {verdicts[a.case.name] for a in answers.cases if not a.case.sample} - {
        Outcome.ACCEPTED
    }
    where = T_(
        "mistake '%(mistake)s' in %(framework)s", mistake=mistake.name, framework=answers.framework
    )
    if not hidden:
        found.add(3, where, T_("survives: no hidden case kills it; add a case that does"))
    elif mistake.verdict not in hidden:
        found.add(
            3,
            where,
            T_(
                "is killed as %(verdicts)s, not as %(due)s; correct the one or the other",
                verdicts=", ".join(sorted(hidden)),
                due=mistake.verdict,
            ),
        )
    else:
        public = mistake_runs(problem, answers, sandbox).get(mistake.name, {})
        evidence = []
        for answer, verdict in zip(answers.cases, judged, strict=True):
            name = answer.case.name
            theirs = None if costly(answer) or name not in answers.twins else public.get(name)
            evidence.append(
                Evidence(name, verdict, theirs.run, theirs.verdict)
                if theirs
                else Evidence(name, verdict)
            )
        told = [d.mistake for d in diagnose(problem, answers, evidence, sandbox)]
        seen = [e for e in evidence if e.verdict is not Outcome.ACCEPTED and e.run is not None]
        if not told and not seen and mistake.verdict not in COSTS:
            if problem.kind is not Kind.VALUES:
                found.add(
                    3,
                    where,
                    T_(
                        "fails only cases in which nothing is drawn, of which nothing may be"
                        " told; draw their inputs from `rng`, or add a sample"
                    ),
                )
        elif told != [mistake.name]:
            found.add(
                3,
                where,
                T_(
                    "is told %(other)s instead of its own hint; add a case that tells the two"
                    " apart",
                    other=" and ".join(told),
                )
                if told
                else T_(
                    "is told nothing instead of its own hint; add a case that tells the two apart"
                ),
            )
    return runs, verdicts


def _distances(
    problem: Problem, answers: Answers, runs: Mapping[str, list[Run]], found: Fitness
) -> dict[str, CaseFacts]:
    facts = {}
    for i, answer in enumerate(answers.cases):
        floats = [e for e in answer.expected.values() if e.tolerance > 0]
        nearest, name = None, ""
        for mistake, theirs in runs.items():
            ratio = _ratio(theirs[i], answer)
            if ratio is None or ratio <= 0.5:
                continue
            if nearest is None or ratio < nearest:
                nearest, name = ratio, mistake
        room = STATISTIC_ROOM if answer.case.draws else ROOM_TO_SPARE
        if nearest is not None and nearest < room:
            found.add(
                3,
                T_(
                    "case '%(case)s' in %(framework)s",
                    case=answer.case.name,
                    framework=answers.framework,
                ),
                T_(
                    "mistake '%(mistake)s' is only %(nearest)s tolerances away (at least"
                    " %(room)s): too noisy a case, or too slight a mistake",
                    mistake=name,
                    nearest=f"{nearest:.1f}",
                    room=f"{room:g}",
                ),
            )
        facts[answer.case.name] = CaseFacts(
            max((e.noise for e in floats), default=0.0),
            max((e.tolerance for e in floats), default=0.0),
            nearest,
            name,
        )
    return facts


def _ratio(run: Run, answer: Answer) -> float | None:
    """Distance in tolerances, over the tensor where it is largest; None where more than values
    differ.
    """
    if run.ended is not Ended.RETURNED or set(run.tensors) != set(answer.expected):
        return None
    ratios = []
    for name, expected in answer.expected.items():
        tensor = run.tensors[name]
        if (
            tensor.shape != expected.values.shape
            or not np.isfinite(tensor.astype(np.float64)).all()
        ):
            return None
        distance = _distance(tensor, expected.values)
        ratios.append(
            distance / expected.tolerance
            if expected.tolerance > 0
            else (float("inf") if distance else 0.0)
        )
    largest = max(ratios, default=0.0)
    return None if largest == float("inf") else largest


def _shortcuts(problem: Problem, answers: Answers, found: Fitness) -> None:
    for name in BASELINES:
        wrong = False
        for answer in answers.cases:
            if answer.case.raises or (answer.case.sample and problem.kind is not Kind.VALUES):
                continue
            for tensor, expected in answer.expected.items():
                given = baseline(name, tensor, answer)
                if expected.dtype in DTYPES:
                    given = given.astype(expected.dtype)
                wrong = wrong or bool(compare(tensor, given, expected.dtype, expected))
        if not wrong:
            found.add(
                3,
                T_(
                    "shortcut '%(shortcut)s' in %(framework)s",
                    shortcut=name,
                    framework=answers.framework,
                ),
                T_("is accepted by every hidden case; add one that it fails"),
            )


def _useless(problem: Problem, found: Fitness) -> None:
    kills: dict[str, int] = {}
    for matrix in found.matrices:
        for answer in matrix.cases:
            if not answer.case.sample:
                count = sum(
                    row[answer.case.name] is not Outcome.ACCEPTED
                    for row in matrix.verdicts.values()
                )
                kills[answer.case.name] = kills.get(answer.case.name, 0) + count
    for name, count in kills.items():
        if not count:
            found.add(
                4,
                T_("case '%(case)s'", case=name),
                T_("kills no mistake; add the mistake that it is there for, or drop the case"),
            )
    if not kills and problem.kind is not Kind.VALUES:
        found.add(4, "cases.py", T_("has no hidden case"))


def _twins(
    problem: Problem,
    answers: Mapping[Framework, Answers],
    signs: Mapping[Framework, Mapping[str, list[Run]]],
    found: Fitness,
) -> None:
    names = [m.name for m in problem.mistakes]
    for i, one in enumerate(names):
        for two in names[i + 1 :]:
            shared = [f for f in problem.frameworks if one in signs[f] and two in signs[f]]
            if shared and all(
                _alike(problem, answers[f], signs[f][one], signs[f][two]) for f in shared
            ):
                found.add(
                    5,
                    T_("mistakes '%(one)s' and '%(two)s'", one=one, two=two),
                    T_("are alike in every case; merge them or add a case that tells them apart"),
                )


def _verdict(problem: Problem, answers: Answers, answer: Answer, run: Run) -> Outcome:
    return judge_case(problem, answers.framework, answer, run, brief=True).verdict


def _alike(problem: Problem, answers: Answers, one: list[Run], two: list[Run]) -> bool:
    for answer, a, b in zip(answers.cases, one, two, strict=True):
        if _verdict(problem, answers, answer, a) is not _verdict(problem, answers, answer, b):
            return False
        if a.ended is not b.ended or (a.ended is Ended.RETURNED and not same_tensors(a, b, answer)):
            return False
        if a.ended is not Ended.RETURNED and (a.error.type if a.error else "") != (
            b.error.type if b.error else ""
        ):
            return False
    return True
