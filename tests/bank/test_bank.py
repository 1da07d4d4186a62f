"""Every problem of the bank is fit to use: what `grade verify` demands, and what the issue of the
bank asks of its folders.
"""

import ast
import functools
import importlib.util
import math
import re
from collections.abc import Iterator

import numpy as np
import pytest

from grader.case import Case
from grader.model import Framework, Kind
from grader.mutation.record import FILE, read
from grader.problem import Problem, track_order
from grader.problem.standard import NOTES_ZH
from grader.sandbox import SandboxPool
from grader.verify import Fitness, verify
from tests.conftest import ROOT, SLUGS
from tests.shipped import shipped, whole_bank

ENGLISH, CHINESE = re.compile(r"[A-Za-z]{3,}"), re.compile(r"[\u4e00-\u9fff]")
STYLES = 3  # right solutions in different styles, in each framework
MISTAKES, CASES = 8, 10
SEEDS = 5
GUESSES = 2**20  # right answers that a hidden case must be able to have
# Hidden cases that are a single point by nature. Everything else is drawn, so it has a public twin
# that explains it.
POINTS = {
    "causal_mask": {"one by one"},
    "sliding_window_mask": {"one position, window 0, causal"},
    "sparse_mask": {"one position, stride 1"},
    "attention_by_hand": {
        "the scores of cat",
        "the scores of sat",
        "the scores",
        "the weights",
        "the output",
    },
}


def problem(slug: str) -> Problem:
    return shipped(slug)


@functools.cache
def fitness(slug: str, sandbox: SandboxPool) -> Fitness:
    """The findings of one problem, as `grade verify` has them."""
    return verify(problem(slug), sandbox, counted=read(ROOT / "docs" / FILE))


@pytest.mark.parametrize("slug", SLUGS)
def test_fit_to_use(slug: str, sandbox: SandboxPool) -> None:
    found = fitness(slug, sandbox)
    assert [f"rule {f.rule}: {f.where}: {f.text}" for f in found.findings] == []
    assert [m.framework for m in found.matrices] == list(found.problem.frameworks)


def cases_of(slug: str, sandbox: SandboxPool) -> dict[Framework, list[Case]]:
    return {
        matrix.framework: [a.case for a in matrix.cases]
        for matrix in fitness(slug, sandbox).matrices
    }


@pytest.mark.parametrize("slug", SLUGS)
def test_cases_and_samples(slug: str, sandbox: SandboxPool) -> None:
    for cases in cases_of(slug, sandbox).values():
        samples = sum(case.sample for case in cases)
        # a row of it can be guessed, so several are one case
        by_hand = problem(slug).kind is Kind.VALUES
        assert len(cases) >= (8 if by_hand else CASES) and 2 <= samples <= 3
        assert all(
            max((a.size for a in case.inputs.values()), default=0) <= 64
            for case in cases
            if case.sample
        )


@pytest.mark.parametrize("slug", SLUGS)
def test_mistakes_with_hints(slug: str) -> None:
    found = problem(slug)
    for framework in found.frameworks:
        known = [m for m in found.mistakes if framework in m.sources]
        assert len(known) >= MISTAKES
    hints = [m.hint for m in found.mistakes]
    assert len(set(hints)) == len(hints)
    assert all(len(hint) >= 20 for hint in hints)


@pytest.mark.parametrize("slug", SLUGS)
def test_a_hint_does_not_give_the_line_to_type(slug: str) -> None:
    """What a mistake leaves out of the reference, or puts into it, is not in its hint as code."""
    found = problem(slug)
    for mistake in found.mistakes:
        for framework, source in mistake.sources.items():
            own = [
                line.strip()
                for line in found.references[framework].splitlines()
                if line.strip() and line not in source.splitlines()
            ]
            assert not any(len(line) > 12 and line in mistake.hint for line in own), mistake.name


@pytest.mark.parametrize("slug", SLUGS)
def test_words_in_chinese(slug: str, sandbox: SandboxPool) -> None:
    """That none is missing is for `verify` to say; here: they are there, they are Chinese, and no
    two of them are alike.
    """
    found = problem(slug)
    words = found.words["zh"]
    assert set(words.hints) == {m.name for m in found.mistakes}
    own = {case.name for cases in cases_of(slug, sandbox).values() for case in cases}
    assert set(words.notes) == own | {*NOTES_ZH}
    for texts in (words.hints, {name: words.names[name] for name in own}):
        assert len(set(texts.values())) == len(texts)
    plain = {
        name for name, text in {**words.hints, **words.notes}.items() if not CHINESE.search(text)
    }
    assert plain == set()


@pytest.mark.parametrize("slug", SLUGS)
def test_statements(slug: str) -> None:
    found = problem(slug)
    assert set(found.statements) == {"en", "zh"} and found.title_zh
    english, chinese = found.statements["en"], found.statements["zh"]
    assert english.startswith(f"# {found.title}\n") and chinese.startswith(f"# {found.title_zh}\n")
    assert len(CHINESE.findall(chinese)) > 100 and len(CHINESE.findall(english)) == 0
    samples = re.findall(r"\[\[sample: .*?\]\]", english)
    assert samples and samples == re.findall(r"\[\[sample: .*?\]\]", chinese)
    assert found.source in english or re.findall(r"https?://\S+", found.source)


@pytest.mark.parametrize("slug", SLUGS)
def test_a_statement_names_every_parameter_and_result(slug: str) -> None:
    found = problem(slug)
    for language, text in found.statements.items():
        for entry in found.entries:
            names = [p.name for p in (*entry.init, *entry.params)] + [
                n for n in entry.returns if len(entry.returns) > 1
            ]
            missing = [name for name in names if not re.search(rf"\b{re.escape(name)}\b", text)]
            assert not missing, (language, entry.name)


@pytest.mark.parametrize("slug", SLUGS)
def test_a_statement_shows_every_sample(slug: str, sandbox: SandboxPool) -> None:
    found = problem(slug)
    samples = {
        case.name for cases in cases_of(slug, sandbox).values() for case in cases if case.sample
    }
    shown = set(re.findall(r"\[\[sample: (.*?)\]\]", found.statements["en"]))
    assert shown and shown <= samples


@pytest.mark.parametrize("slug", SLUGS)
def test_a_statement_holds_no_line_of_the_reference(slug: str) -> None:
    found = problem(slug)
    for reference in found.references.values():
        body = [
            line.strip()
            for line in reference.splitlines()
            if line.startswith("    ") and "return" in line
        ]
        assert not any(
            len(line) > 20 and line in text for line in body for text in found.statements.values()
        )


@pytest.mark.parametrize("slug", SLUGS)
def test_starters_leave_the_work_and_say_what_it_is(slug: str) -> None:
    found = problem(slug)
    for framework, starter in found.starters.items():
        for entry in found.entries if found.kind is not Kind.VALUES else ():
            assert re.search(rf"\b(def|class) {entry.name}\b", starter), framework
        assert len(starter) < len(found.references[framework]) + 400


@pytest.mark.parametrize("slug", SLUGS)
def test_right_and_wrong_solutions_are_kept_beside_the_tests(slug: str) -> None:
    folder = ROOT / "tests" / "bank" / "solutions" / slug
    for framework in problem(slug).frameworks:
        assert len(list(folder.glob(f"right_*_{framework}.py"))) >= STYLES, framework
    assert list(folder.glob("wrong_*.py"))


CORE = """
    stable_softmax single_query_attention scaled_dot_product_attention self_attention causal_mask
    padding_mask multi_head_attention cross_attention split_and_merge_heads linear_attention
    rotary_embedding layer_norm
""".split()


@pytest.mark.parametrize("slug", CORE)
def test_a_core_problem_shows_two_other_styles_that_say_what_is_different(slug: str) -> None:
    found = problem(slug)
    for framework in found.frameworks:
        others = [right.source for right in found.right if right.framework is framework]
        assert len(others) == 2, framework
        for source in others:
            first, *rest = source.splitlines()
            assert re.fullmatch(r"# \w.{20,98}\.", first)
            assert ast.unparse(ast.parse(source)) != ast.unparse(
                ast.parse(found.references[framework])
            )
            assert len(rest) <= 50


# ------------------------------------------------------------------------------------------------------------------
# the bank as a whole


def test_25_problems_in_four_tracks() -> None:
    bank = whole_bank()
    assert len(bank) >= 25
    assert set(track_order(ROOT)) == {p.track for p in bank}
    places = [(p.track, p.order) for p in bank]
    assert len(set(places)) == len(places)


def test_what_a_problem_builds_on_comes_before_it() -> None:
    seen: set[str] = set()
    for found in whole_bank():
        assert set(found.requires) <= seen, found.slug
        seen.add(found.slug)


def test_titles_differ() -> None:
    bank = whole_bank()
    assert len({p.title for p in bank}) == len({p.title_zh for p in bank}) == len(bank)


def test_the_page_of_the_bank_knows_every_problem() -> None:
    page = ROOT / "docs" / "bank.md"
    if not page.exists():
        pytest.skip("docs/bank.md is not written yet (make verify)")
    text = page.read_text(encoding="utf-8")
    for found in whole_bank():
        for framework in found.frameworks:
            assert f"| {found.slug} | {framework} |" in text


# ------------------------------------------------------------------------------------------------------------------
# what seeds may change


@functools.cache
def drawn(slug: str, seed: int) -> tuple[Case, ...]:
    """The cases of one of our own problems, drawn here and not in the room."""
    spec = importlib.util.spec_from_file_location(
        f"cases_of_{slug}", problem(slug).folder / "cases.py"
    )
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return tuple(module.cases(np.random.default_rng(seed)))


def facts(case: Case) -> tuple[object, ...]:
    """Everything that a case holds, as one comparable value."""
    return repr(case.to_meta()), {
        name: (a.dtype, a.shape, a.tobytes()) for name, a in case.tensors().items()
    }


@pytest.mark.parametrize("slug", SLUGS)
def test_every_seed_draws_the_same_list_of_cases(slug: str) -> None:
    """A hidden case and its twin are matched by name; what they are about may not differ."""
    told = [
        [
            (c.name, c.note, c.sample, c.points, c.call, c.then, c.wants, c.raises)
            for c in drawn(slug, seed)
        ]
        for seed in range(SEEDS)
    ]
    assert all(names == told[0] for names in told)


@pytest.mark.parametrize("slug", SLUGS)
def test_every_hidden_case_is_drawn(slug: str) -> None:
    """The same under every seed: no twin, so no explanation and no named mistake."""
    runs = [drawn(slug, seed) for seed in range(SEEDS)]
    fixed = {
        row[0].name
        for row in zip(*runs, strict=True)
        if all(facts(case) == facts(row[0]) for case in row)
    }
    samples = {case.name for case in runs[0] if case.sample}
    assert fixed - samples == POINTS.get(slug, set())


@pytest.mark.parametrize("slug", SLUGS)
def test_inputs_looked_at_afterwards_are_float64(slug: str) -> None:
    """A conversion to float64 does not copy them, so that a write in place reaches the caller."""
    dtypes = {
        str(case.inputs[name].dtype)
        for case in drawn(slug, 0)
        for name in (want.removeprefix("after.") for want in case.wants if "after." in want)
        if case.inputs[name].dtype.kind == "f"
    }
    assert not dtypes or "float64" in dtypes


# -------------------------------------------------------------------------------------------------------------------------------
# cost


def costs() -> Iterator[tuple[str, Case]]:
    for slug in SLUGS:
        yield from (
            (slug, case)
            for case in drawn(slug, 0)
            if case.memory_mib is not None or case.cpu_factor is not None
        )


def longest(case: Case) -> int:
    return max((size for array in case.inputs.values() for size in array.shape), default=0)


def is_prime(n: int) -> bool:
    return n > 1 and all(n % d for d in range(2, math.isqrt(n) + 1))


def test_a_cost_is_judged_by_time_at_a_ragged_size() -> None:
    """Memory alone lets code pass that compares every pair in blocks; a size that blocks divide
    lets it forget the last one.
    """
    found = list(costs())
    assert {slug for slug, _ in found} >= {
        "batched_queries",
        "linear_attention",
        "causal_linear_attention",
    }
    for slug, case in found:
        assert case.cpu_factor is not None and case.cpu_factor <= 10, f"{slug}: {case.name}"
        assert is_prime(longest(case)), f"{slug}: {case.name}"
        beside = [
            longest(c) for c in drawn(slug, 0) if c.cpu_factor is None and 500 < longest(c) < 5000
        ]
        assert any(is_prime(size) for size in beside), f"{slug}: no ragged middle size"


# -----------------------------------------------------------------------------------------------------------------------------
# by hand


def test_no_hidden_case_by_hand_can_be_guessed() -> None:
    """Pass or fail is all that is told of a hidden case, so its right answer must be one of very
    many.
    """
    found = problem("attention_by_hand")
    tables: dict[str, list[list[float]]] = {}
    exec(compile(found.references[Framework.NUMPY], "reference", "exec"), tables)
    assert found.tolerance is not None
    step = 2 * found.tolerance  # answers nearer than this are taken for one
    shown = {(case.wants[0], case.options["row"]) for case in drawn(found.slug, 0) if case.sample}
    for case in drawn(found.slug, 0):
        if case.sample:
            continue
        (name,) = case.wants
        rows = [case.options["row"]] if "row" in case.options else range(len(tables[name]))
        hidden = [row for row in rows if (name, row) not in shown]
        widest = max(abs(number) for row in tables[name] for number in row)
        a_row = {
            "scores": (2 * widest / step) ** 3,
            "weights": (1 / step) ** 2 / 2,  # three numbers that sum to 1
            "output": triangle([(2, 0), (0, 1), (1, 4)]) / step**2,  # a mean of the three values
        }[name]
        assert a_row ** len(hidden) >= GUESSES, case.name


def triangle(corners: list[tuple[float, float]]) -> float:
    """Its area."""
    (ax, ay), (bx, by), (cx, cy) = corners
    return abs((bx - ax) * (cy - ay) - (cx - ax) * (by - ay)) / 2
