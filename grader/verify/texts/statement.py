"""Checks that a statement can be shown: its samples exist, its formulas can be set (rule 12)."""

import re
from collections.abc import Collection, Iterator

from pylatexenc.latex2text import get_default_latex_context_db as symbols
from pylatexenc.latexwalker import get_default_latex_context_db as commands

from grader.case import Case
from grader.findings.text import T_
from grader.model import Kind
from grader.problem import Problem, did_you_mean, samples_named
from grader.verify.fitness import Fitness

CODE = re.compile(r"^(```|~~~).*?^\1|`[^`\n]*`", re.MULTILINE | re.DOTALL)
FORMULA = re.compile(r"\$\$(.+?)\$\$|(?<![\\$])\$(?![\s$])([^$]+?)(?<![\s\\])\$", re.DOTALL)
TOKEN = re.compile(r"\\([A-Za-z]+)\*?|\\.|[{}]", re.DOTALL)
ENVIRONMENT = re.compile(r"\\begin\s*\{([^}]*)\}")
# what the pages and the terminal set and pylatexenc does not list
OTHER_COMMANDS = frozenset(
    "begin end left right middle operatorname frac tfrac dfrac binom text mathrm mathbf mathit"
    " big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr Biggl Biggr bmod pmod ne iff implies"
    " underbrace overbrace substack limits nolimits displaystyle textstyle mid".split()
)
ENVIRONMENTS = tuple(
    "matrix pmatrix bmatrix Bmatrix vmatrix Vmatrix smallmatrix array cases align align*"
    " split".split()
)


def check_statements(problem: Problem, cases: Collection[Case], fitness: Fitness) -> None:
    """Every language shows the same samples, each of which is one, and formulas that can be set."""
    samples = [case.name for case in cases if case.sample]
    hidden = {case.name for case in cases} - set(samples)
    if not samples and problem.kind is not Kind.VALUES:
        text = T_(
            "has no sample; let one small case have sample=True, so that learners see numbers"
        )
        fitness.add(12, "cases.py", text)
    for language, source in problem.statements.items():
        file = "statement.md" if language == "en" else f"statement.{language}.md"
        _check_samples(file, samples_named(source), samples, hidden, fitness)
        _check_formulas(file, source, fitness)
        if language != "en":
            _check_same(file, problem.statements["en"], source, fitness)


def _check_samples(
    file: str, named: Collection[str], samples: list[str], hidden: set[str], fitness: Fitness
) -> None:
    for name in named:
        if name in hidden:
            text = T_(
                "[[sample: %(case)s]] names a hidden case; give that case sample=True, or name"
                " another one",
                case=name,
            )
            fitness.add(12, file, text)
        elif name not in samples:
            text = T_(
                "[[sample: %(case)s]] names no case of cases.py%(meant)s; the samples are"
                " %(samples)s",
                case=name,
                meant=did_you_mean(name, samples),
                samples=", ".join(f"'{sample}'" for sample in samples) or "-",
            )
            fitness.add(12, file, text)


def _check_same(file: str, english: str, source: str, fitness: Fitness) -> None:
    ours, theirs = samples_named(source), samples_named(english)
    for name in dict.fromkeys(theirs):
        if name not in ours:
            text = T_(
                "does not show the sample '%(case)s', which statement.md shows; add the line"
                " [[sample: %(case)s]]",
                case=name,
            )
            fitness.add(12, file, text)
    for name in dict.fromkeys(ours):
        if name not in theirs:
            text = T_(
                "shows the sample '%(case)s', which statement.md does not show; remove it here or"
                " add it there",
                case=name,
            )
            fitness.add(12, file, text)


def _check_formulas(file: str, source: str, fitness: Fitness) -> None:
    for formula in _formulas(source):
        for name in dict.fromkeys(m[1] for m in TOKEN.finditer(formula) if m[1]):
            if not _known(name):
                text = T_(
                    r"'\%(command)s' in the formula '%(formula)s' is not TeX that can be shown; for"
                    r" the name of a function write \operatorname{%(command)s}",
                    command=name,
                    formula=_short(formula),
                )
                fitness.add(12, file, text)
        for name in ENVIRONMENT.findall(formula):
            if name not in ENVIRONMENTS:
                text = T_(
                    r"'\begin{%(name)s}' cannot be shown; there are %(known)s",
                    name=name,
                    known=", ".join(ENVIRONMENTS),
                )
                fitness.add(12, file, text)
        if not _closed(formula):
            text = T_(
                "the braces of the formula '%(formula)s' do not match; close each { with a }",
                formula=_short(formula),
            )
            fitness.add(12, file, text)


def _formulas(source: str) -> Iterator[str]:
    for block, inline in FORMULA.findall(CODE.sub("", source)):
        yield block or inline


def _known(command: str) -> bool:
    """Is this command set, on a page and in a terminal?"""
    return command in OTHER_COMMANDS or any(
        command in db.d[category]["macros"] for db in DATABASES for category in db.categories()
    )


DATABASES = (symbols(), commands())


def _closed(formula: str) -> bool:
    depth = 0
    for token in TOKEN.finditer(formula):
        depth += {"{": 1, "}": -1}.get(token[0], 0)
        if depth < 0:
            return False
    return depth == 0


def _short(formula: str) -> str:
    line = " ".join(formula.split())
    return line if len(line) <= 60 else line[:59] + "…"
