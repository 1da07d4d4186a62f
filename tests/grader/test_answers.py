"""Answers: the tolerance is measured, the cache may be lost or broken at any time, hidden inputs
hang on the installation's secret.
"""

import dataclasses
import resource
import subprocess
import sys
import threading
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from grader import answers, storage
from grader.answers import (
    FLOOR,
    MARGIN,
    STATISTIC_MARGIN,
    Answers,
    answers_for,
    generate,
    generate_anew,
    lookup,
    sample_answers,
)
from grader.cache import IN_MEMORY
from grader.case import Case
from grader.comparison.compare import Expected
from grader.errors import ProblemError
from grader.model import Ended, Failure, Framework, Limits, Run
from grader.problem import Problem
from grader.sandbox import SandboxPool
from tests.conftest import ROOT
from tests.grader import small
from tests.grader.small import FakeRoom, returned

NUMPY, TORCH = Framework.NUMPY, Framework.TORCH
EPS = float(np.finfo(np.float32).eps)
CASE = Case(
    "one", inputs={"q": np.ones((1, 2), np.float32), "k": np.ones((3, 2), np.float32)}, note="x"
)


@pytest.fixture
def problem(tmp_path: Path) -> Problem:
    """The small problem, never seen by any cache."""
    return dataclasses.replace(small.problem(tmp_path), digest=uuid.uuid4().hex)


def exact_plus(noise: float, value: object = 3.0) -> Callable[[Case], Run]:
    """A reference whose float32 is off by `noise`."""

    def program(case: Case) -> Run:
        wide = case.inputs["q"].dtype == np.float64
        whole = np.full((1, 3), value, np.float64 if wide else np.float32)
        return returned(case.name, scores=whole if wide else whole + np.float32(noise))

    return program


def computed(
    problem: Problem, *programs: Callable[[Case], Run], cases: tuple[Case, ...] = (CASE,)
) -> Answers:
    """The answers that these references (one for each framework) give."""
    sources = [problem.references[f] for f in problem.frameworks]
    return answers_for(
        problem, NUMPY, FakeRoom(list(cases), dict(zip(sources, programs, strict=True)))
    )


def test_a_reference_has_four_times_the_limits(problem: Problem) -> None:
    room = FakeRoom([CASE], {problem.references[NUMPY]: exact_plus(0.0)})
    small_limits = Limits(wall_s=2, cpu_s=3, memory_mib=64, output_mib=8, text_kib=16, total_s=5)
    answers_for(dataclasses.replace(problem, limits=small_limits), NUMPY, room)
    wide = Limits(wall_s=8, cpu_s=12, memory_mib=256, output_mib=16, text_kib=16, total_s=20)
    assert {job.limits for job in room.jobs} == {wide}


# ----------------------------------------------------------------------------------------------------------------------
# tolerance


def expected(found: Answers, name: str = "scores") -> Expected:
    return found.cases[0].expected[name]


def test_the_answer_is_the_reference_in_float64(problem: Problem) -> None:
    found = expected(computed(problem, exact_plus(0.25)))
    assert (found.values.dtype, found.dtype, found.values.tolist()) == (
        np.float64,
        "float32",
        [[3.0, 3.0, 3.0]],
    )


def test_the_tolerance_is_a_margin_over_the_noise(problem: Problem) -> None:
    found = expected(computed(problem, exact_plus(0.25)))
    assert (found.noise, found.tolerance) == (0.25, MARGIN * 0.25)


def test_a_quiet_reference_still_gets_a_few_units_in_the_last_place(problem: Problem) -> None:
    found = expected(computed(problem, exact_plus(0.0)))
    assert (found.noise, found.tolerance) == (0.0, FLOOR * EPS * 3.0)


def test_small_answers_are_compared_on_a_scale_of_their_own(problem: Problem) -> None:
    found = expected(computed(problem, exact_plus(0.0, 1e-9)))
    assert found.tolerance == FLOOR * EPS * answers.SMALL


@pytest.mark.torch
def test_the_noise_of_the_other_framework_counts(tmp_path: Path) -> None:
    both = small.problem(
        tmp_path,
        toml=small.TOML.replace('["numpy"]', '["numpy", "torch"]'),
        torch="# torch",
        mistakes="",
    )
    found = expected(
        computed(
            dataclasses.replace(both, digest=uuid.uuid4().hex), exact_plus(0.25), exact_plus(0.5)
        )
    )
    assert (found.noise, found.tolerance) == (0.5, MARGIN * 0.5)


def test_inputs_are_moved_by_about_a_unit_in_the_last_place(problem: Problem) -> None:
    """A reference that magnifies its input's rounding is given room for it."""

    def sensitive(case: Case) -> Run:
        q = case.inputs["q"]
        return returned(case.name, scores=(1e4 * (q[:, :1] - 1) + np.zeros((1, 3))).astype(q.dtype))

    found = expected(computed(problem, sensitive))
    assert 0 < found.noise <= 1e4 * EPS
    assert found.tolerance == MARGIN * found.noise


def test_an_earlier_call_is_as_wide_as_the_call(problem: Problem) -> None:
    """A module takes its dtype from the tensors of its case: those of the earlier call go along."""
    seen = []

    def program(case: Case) -> Run:
        seen.append((case.inputs["q"].dtype, case.before["q"].dtype))
        return returned(case.name, scores=np.ones((1, 3), case.inputs["q"].dtype))

    computed(problem, program, cases=(dataclasses.replace(CASE, before=CASE.inputs),))
    assert set(seen) == {(np.dtype(np.float64),) * 2, (np.dtype(np.float32),) * 2}


def test_a_tolerance_that_the_statement_gives_wins(problem: Problem) -> None:
    found = expected(computed(dataclasses.replace(problem, tolerance=0.005), exact_plus(0.25)))
    assert (found.tolerance, found.noise) == (0.005, 0.25)


def test_what_is_not_finite_makes_no_noise(problem: Problem) -> None:
    found = expected(computed(problem, exact_plus(0.25, np.array([[-np.inf, 1.0, 2.0]]))))
    assert (found.noise, found.values.tolist()) == (0.25, [[-np.inf, 1.0, 2.0]])


@pytest.mark.parametrize(
    "value", [np.array([[1, 2, 3]]), np.array([[True, False, True]])], ids=["integers", "booleans"]
)
def test_what_is_counted_is_exact(problem: Problem, value: np.ndarray) -> None:
    found = expected(computed(problem, lambda case: returned(case.name, scores=value)))
    assert (found.tolerance, found.dtype, found.values.tolist()) == (
        0.0,
        value.dtype.name,
        value.tolist(),
    )


def test_an_input_must_come_back_as_it_was(problem: Problem) -> None:
    case = dataclasses.replace(CASE, wants=("after.q",))
    found = computed(
        problem,
        lambda case: returned(case.name, **{"after.q": case.inputs["q"] + 1}),
        cases=(case,),
    )
    held = expected(found, "after.q")
    assert (held.tolerance, held.dtype, held.values.tolist()) == (0.0, "float32", [[1.0, 1.0]])


def test_a_statistic_has_the_spread_of_other_draws(problem: Problem) -> None:
    case = dataclasses.replace(CASE, draws=10)
    draws = iter(np.linspace(0.0, 0.3, 100))

    def program(case: Case) -> Run:
        shift = 0.0 if case.inputs["q"].dtype == np.float32 else next(draws)
        return returned(
            case.name,
            **{"mean.scores": np.full((1, 3), 1 + shift), "spread.scores": np.ones((1, 3))},
        )

    found = computed(problem, program, cases=(case,))
    assert set(found.cases[0].expected) == {"mean.scores", "spread.scores"}
    held = expected(found, "mean.scores")
    assert 0 < held.noise < 0.3 and held.tolerance == STATISTIC_MARGIN * held.noise


def test_a_case_that_must_raise_has_no_tensors(problem: Problem) -> None:
    case = dataclasses.replace(CASE, raises="ValueError")
    raising = computed(
        problem,
        lambda case: Run(
            case.name, Ended.RAISED, error=Failure("MyError", bases=("MyError", "ValueError"))
        ),
        cases=(case,),
    )
    assert raising.cases[0].expected == {}


def test_a_limit_of_cpu_is_a_multiple_of_the_references(problem: Problem) -> None:
    cases = (dataclasses.replace(CASE, cpu_factor=3.0), dataclasses.replace(CASE, name="two"))
    found = computed(
        problem, lambda case: dataclasses.replace(exact_plus(0)(case), cpu_ms=50.0), cases=cases
    )
    assert found.cpu_limits() == {"one": 150.0}


def test_a_very_quick_reference_does_not_make_a_limit_of_nothing(problem: Problem) -> None:
    found = computed(problem, exact_plus(0), cases=(dataclasses.replace(CASE, cpu_factor=3.0),))
    assert found.cpu_limits() == {"one": 3.0}


def test_a_case_that_wants_only_gradients_is_not_for_numpy(problem: Problem) -> None:
    found = computed(
        problem,
        exact_plus(0),
        cases=(CASE, dataclasses.replace(CASE, name="gradients", wants=("grad.q",))),
    )
    assert [a.case.name for a in found.cases] == ["one"]


# -----------------------------------------------------------------------------------------------------
# what cases.py may not do

CASE_ERRORS = {
    "two of one name": ((CASE, CASE), "two cases are called 'one'; rename one"),
    "none": ((), "yields no case"),
    "an unknown entry": (
        (dataclasses.replace(CASE, call="attend"),),
        "case 'one' calls 'attend'; problem.toml has scores",
    ),
    "an unknown second entry": (
        (dataclasses.replace(CASE, then="attend"),),
        "case 'one' calls 'attend'; problem.toml has scores",
    ),
    "a parameter not given": (
        (dataclasses.replace(CASE, inputs={"q": CASE.inputs["q"]}),),
        "case 'one' does not give 'k'",
    ),
    "a parameter too many": (
        (dataclasses.replace(CASE, options={"mask": True}),),
        "case 'one' gives 'mask', which scores does not take",
    ),
    "an unknown tensor": (
        (dataclasses.replace(CASE, wants=("output",)),),
        "case 'one' wants 'output'; it can want scores, grad.NAME, after.NAME",
    ),
    "a statistic of one call": (
        (dataclasses.replace(CASE, wants=("mean.scores",)),),
        "case 'one' wants 'mean.scores'; it can want scores, grad.NAME, after.NAME",
    ),
    "an unknown statistic": (
        (dataclasses.replace(CASE, draws=9, wants=("median.scores",)),),
        (
            "case 'one' wants 'median.scores'; it can want scores, mean.NAME, least.NAME,"
            " most.NAME, spread.NAME"
        ),
    ),
    "a parameter not given before": (
        (dataclasses.replace(CASE, before={"q": CASE.inputs["q"]}),),
        "case 'one' does not give 'k' before",
    ),
    "a parameter too many before": (
        (dataclasses.replace(CASE, before={**CASE.inputs, "v": CASE.inputs["q"]}),),
        "case 'one' gives 'v' before, which scores does not take",
    ),
    "an unknown gradient": (
        (dataclasses.replace(CASE, wants=("grad.v",)),),
        "case 'one' wants 'grad.v'",
    ),
    "an unknown input after": (
        (dataclasses.replace(CASE, wants=("after.v",)),),
        "case 'one' wants 'after.v'",
    ),
}


@pytest.mark.parametrize(("cases", "words"), CASE_ERRORS.values(), ids=CASE_ERRORS.keys())
def test_wrong_cases(problem: Problem, cases: tuple[Case, ...], words: str) -> None:
    with pytest.raises(ProblemError) as error:
        computed(problem, exact_plus(0), cases=cases)
    assert str(error.value).startswith(f"{problem.folder / 'cases.py'}: {words}")


BAD_CASES = {
    "does not parse": ("def cases(rng:", "SyntaxError: '(' was never closed (line 1)"),
    "no function": ("x = 1", "NameError: cases.py defines no function cases(rng)"),
    "raises while loading": (
        "import numpy as np\nx = 1 / 0",
        "ZeroDivisionError: division by zero (line 2)",
    ),
    "raises": ("def cases(rng):\n    yield 1 / 0", "ZeroDivisionError: division by zero (line 2)"),
    "yields no Case": (
        "def cases(rng):\n    yield 5",
        (
            "CaseError: cases.py yields Case objects, but its case 1 is int: 5; write yield"
            " Case('its name', inputs=...) (line 2)"
        ),
    ),
    "yields a list of cases": (
        (
            "from grader.case import Case\ndef some():\n    yield [Case('a'), Case('b')]\n"
            "def cases(rng):\n    yield Case('c')\n    yield from some()"
        ),
        "CaseError: cases.py yields Case objects, but its case 2 is list: [Case(name=",
    ),
    "returns a list of no cases": (
        "def cases(rng):\n    return ['a']",
        "CaseError: cases.py yields Case objects, but its case 1 is str: 'a'; write yield",
    ),
    "no generator": (
        "def cases(rng):\n    return None",
        "TypeError: 'NoneType' object is not iterable",
    ),
    "a set for an array": (
        "from grader.case import Case\ndef cases(rng):\n    yield Case('a', inputs={'q': {1.0}})",
        (
            "CaseError: case 'a': inputs['q'] is set; give a numpy array of booleans, integers or"
            " floats (line 3)"
        ),
    ),
    "an array of objects": (
        (
            "import numpy as np\nfrom grader.case import Case\ndef cases(rng):\n    yield Case('a',"
            " inputs={'q': np.array([None])})"
        ),
        "CaseError: case 'a': inputs['q'] is object; give a numpy array",
    ),
    "an array among the options": (
        (
            "import numpy as np\nfrom grader.case import Case\ndef cases(rng):\n    yield Case('a',"
            " options={'q': np.ones(2)})"
        ),
        "CaseError: case 'a': options['q'] is ndarray; give a plain bool, int, float, str or None",
    ),
    "an unknown layout": (
        (
            "import numpy as np\nfrom grader.case import Case\ndef cases(rng):\n    yield Case('a',"
            " {'q': np.ones(2)}, layout={'q': 'f'})"
        ),
        (
            "CaseError: case 'a': layout['q'] = 'f'; name an input and one of contiguous, strided,"
            " transposed, readonly"
        ),
    ),
    "an unknown field": (
        "from grader.case import Case\ndef cases(rng):\n    yield Case('a', input={})",
        "TypeError: Case.__init__() got an unexpected keyword argument 'input'",
    ),
    "no name": (
        "from grader.case import Case\ndef cases(rng):\n    yield Case('')",
        "CaseError: case '': a case needs a name and points",
    ),
    "points below 0": (
        "from grader.case import Case\ndef cases(rng):\n    yield Case('a', points=-1)",
        "CaseError: case 'a': a case needs a name and points of 0 or more",
    ),
    **{
        f"a field of another type: {field}": (
            f"from grader.case import Case\ndef cases(rng):\n    yield Case('a', {field})",
            f"CaseError: case 'a': {field.replace('=', ' = ', 1)}; give {due} (line 3)",
        )
        for field, due in {
            "rule=5": "a text",
            "note=None": "a text",
            "wants='output'": "a list or tuple of texts",
            "labels=(1, 2)": "a list or tuple of texts",
            "draws=-3": "a whole number of 0 or more",
            "memory_mib=30.5": "a whole number from 1 to 1000000",
            "memory_mib=-5": "a whole number from 1 to 1000000",
            "cpu_factor='10'": "a number above 0",
        }.items()
    },
    "too many": (
        (
            "from grader.case import Case\ndef cases(rng):\n    yield from (Case(str(i)) for i in"
            " range(10**6))"
        ),
        "it yields more than 500 cases",
    ),
    "imports the bank": (
        "import reference",
        "ModuleNotFoundError: No module named 'reference' (line 1)",
    ),
    "ends the process": ("import os\nos._exit(0)", "ended with died"),
}


@pytest.mark.parametrize(("source", "words"), BAD_CASES.values(), ids=BAD_CASES.keys())
def test_a_cases_file_that_fails_is_the_instructors_to_mend(
    sandbox: SandboxPool, problem: Problem, source: str, words: str
) -> None:
    with pytest.raises(ProblemError) as error:
        answers_for(dataclasses.replace(problem, cases=source), NUMPY, sandbox)
    assert str(error.value).startswith(f"{problem.folder / 'cases.py'}: {words}")


def test_a_reference_that_returns_something_else_is_named(
    sandbox: SandboxPool, problem: Problem
) -> None:
    broken = dataclasses.replace(
        problem, references={NUMPY: "def scores(q, k, scale=1.0):\n    return 'none'\n"}
    )
    with pytest.raises(
        ProblemError,
        match=r"^reference/scores/numpy.py: case 'two by three': scores is a text; say so in",
    ):
        answers_for(broken, NUMPY, sandbox)


# --------------------------------------------------------------------------------------------------------------------------
# cache


@pytest.fixture
def forget(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Lose what is in memory; only the disk remains."""
    return lookup._answers.clear


def same(one: Answers, two: Answers) -> bool:
    """Bit for bit, with dtypes."""
    if [a.case.to_meta() for a in one.cases] != [a.case.to_meta() for a in two.cases]:
        return False
    pairs = [
        (a.case.tensors(), b.case.tensors()) for a, b in zip(one.cases, two.cases, strict=True)
    ]
    pairs += [
        ({n: e.values for n, e in a.expected.items()}, {n: e.values for n, e in b.expected.items()})
        for a, b in zip(one.cases, two.cases, strict=True)
    ]
    tensors = all(
        a.keys() == b.keys()
        and all(a[n].dtype == b[n].dtype and a[n].tobytes() == b[n].tobytes() for n in a)
        for a, b in pairs
    )
    rest = [
        [(n, e.dtype, e.tolerance, e.noise) for n, e in a.expected.items()]
        for x in (one, two)
        for a in x.cases
    ]
    return tensors and rest[: len(rest) // 2] == rest[len(rest) // 2 :]


def test_what_is_cached_is_what_was_computed(
    sandbox: SandboxPool, problem: Problem, forget: Callable[[], None]
) -> None:
    fresh = answers_for(problem, NUMPY, sandbox)
    assert answers_for(problem, NUMPY, sandbox) is fresh  # memory
    forget()
    again = answers_for(problem, NUMPY, FakeRoom([], {}))  # disk: this room can compute nothing
    assert again is not fresh and same(again, fresh)


def path_of(problem: Problem) -> Path:
    (found,) = [
        p
        for p in (storage.cache_folder() / "answers").iterdir()
        if f"{storage.hidden_seed(problem.digest, 0):016x}" in p.name
    ]
    return found


BROKEN = {
    "empty": lambda data: b"",
    "cut": lambda data: data[: len(data) // 2],
    "noise": lambda data: bytes(255 - byte for byte in data),
    "other metadata": lambda data: data.replace(b"answers", b"swansea"),
    "another case": lambda data: data.replace(b"expected", b"selected"),
    "a huge header": lambda data: b"\xff" * 8 + data[8:],
}


@pytest.mark.parametrize("change", BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_file_is_computed_again(
    sandbox: SandboxPool,
    problem: Problem,
    forget: Callable[[], None],
    change: Callable[[bytes], bytes],
) -> None:
    fresh = answers_for(problem, NUMPY, sandbox)
    path = path_of(problem)
    broken = change(path.read_bytes())
    path.write_bytes(broken)
    forget()
    assert same(answers_for(problem, NUMPY, sandbox), fresh)
    assert path.read_bytes() != broken


def test_a_directory_in_the_place_of_the_file_costs_only_time(
    sandbox: SandboxPool, problem: Problem, forget: Callable[[], None]
) -> None:
    fresh = answers_for(problem, NUMPY, sandbox)
    path = path_of(problem)
    path.unlink()
    (path / "full").mkdir(parents=True)
    forget()
    assert same(answers_for(problem, NUMPY, sandbox), fresh)


def test_a_cache_that_cannot_be_written_costs_only_time(
    sandbox: SandboxPool,
    problem: Problem,
    forget: Callable[[], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "cache").write_text("a file where a folder should be")
    monkeypatch.setenv("GRADE_HOME", str(tmp_path / "home"))
    fresh = answers_for(problem, NUMPY, sandbox)
    forget()
    assert same(answers_for(problem, NUMPY, sandbox), fresh)


@pytest.mark.parametrize("allowed", [0, 512], ids=["no byte left", "half a file left"])
def test_a_full_disk_costs_only_time(sandbox: SandboxPool, tmp_path: Path, allowed: int) -> None:
    """A limit on the size of files is as near to a full disk as an ordinary user comes: writes
    fail, and the verdict is the same.
    """
    small.write(tmp_path)
    (tmp_path / "scores.py").write_text(small.REFERENCE)
    found = subprocess.run(
        [sys.executable, "-B", "-m", "grader.cli", "run", "scores.py", "--bank", str(tmp_path)],
        cwd=tmp_path,
        env={
            "GRADE_HOME": str(tmp_path / "home"),
            "PATH": "/usr/bin:/bin",
            "PYTHONPATH": str(ROOT),
        },
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (allowed, allowed)),
        capture_output=True,
        text=True,
        timeout=120,
    )
    told = (
        f"grade: {tmp_path / 'home'} cannot be written (File too large), so the hidden inputs are"
        " others in each run"
    )
    assert (found.returncode, found.stderr.partition(";")[0]) == (0, "" if allowed else told)
    assert "✓ accepted" in found.stdout
    assert not list((tmp_path / "home").glob("cache/answers/*"))


def test_no_draft_is_left_beside_a_file(sandbox: SandboxPool, problem: Problem) -> None:
    answers_for(problem, NUMPY, sandbox)
    assert all(
        p.suffix == ".safetensors"
        for p in path_of(problem).parent.iterdir()
        if not p.name.startswith("tmp")
    )
    assert path_of(problem).is_file()


def test_two_threads_compute_once(problem: Problem) -> None:
    started, both = threading.Event(), []

    def program(case: Case) -> Run:
        started.set()
        return exact_plus(0)(case)

    room = FakeRoom([CASE], {problem.references[NUMPY]: program})
    threads = [
        threading.Thread(target=lambda: both.append(answers_for(problem, NUMPY, room)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(both) == 4 and all(found is both[0] for found in both)
    # the hidden draw and the public one
    assert len(room.generated) == len(set(room.generated)) == 2


def test_a_draw_is_generated_once_for_all_frameworks(problem: Problem) -> None:
    room = FakeRoom([CASE], {})
    for framework in Framework:
        assert [c.name for c in generate(problem, framework, room, 5)] == [CASE.name]
    assert room.generated == [(NUMPY, 5)]
    generate_anew(problem, NUMPY, room, 5)  # what `verify` compares it with
    generate(dataclasses.replace(problem, cases=problem.cases + "# other"), NUMPY, room, 5)
    assert len(room.generated) == 3


def test_memory_is_bounded(problem: Problem) -> None:
    for i in range(IN_MEMORY + 5):
        computed(dataclasses.replace(problem, digest=f"{problem.digest}{i}"), exact_plus(0))
    assert len(lookup._answers) == IN_MEMORY


def test_samples_with_their_answers(sandbox: SandboxPool, problem: Problem) -> None:
    ((case, tensors),) = sample_answers(problem, sandbox)
    assert case.name == "two by three"
    np.testing.assert_allclose(
        tensors["scores"], case.inputs["q"] @ case.inputs["k"].T, rtol=1e-6, atol=1e-6
    )


# -------------------------------------------------------------------------------------------------------------
# secret and seeds


def inputs(sandbox: SandboxPool, problem: Problem, seed: int = 0) -> list[list[float]]:
    return [a.case.inputs["q"].tolist() for a in answers_for(problem, NUMPY, sandbox, seed).cases]


def other_home(path: Path, patch: pytest.MonkeyPatch) -> None:
    patch.setenv("GRADE_HOME", str(path))
    patch.setattr(storage, "_SECRET", None)
    patch.setattr(storage, "_trouble", "")


def test_a_copy_under_another_name_has_public_inputs_of_its_own(
    sandbox: SandboxPool, problem: Problem
) -> None:
    copy = dataclasses.replace(problem, slug=f"{problem.slug}_copy")
    one, two = (answers_for(which, NUMPY, sandbox).twins for which in (problem, copy))
    assert one.keys() == two.keys()
    assert all(one[n].case.inputs["q"].tolist() != two[n].case.inputs["q"].tolist() for n in one)


def test_hidden_inputs_hang_on_seed_digest_and_secret(
    sandbox: SandboxPool,
    problem: Problem,
    forget: Callable[[], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = inputs(sandbox, problem)
    forget()
    assert inputs(sandbox, problem) == first
    found = [
        first,
        inputs(sandbox, problem, seed=1),
        inputs(sandbox, dataclasses.replace(problem, digest="other")),
    ]
    forget()
    other_home(tmp_path / "home", monkeypatch)
    found.append(inputs(sandbox, problem))
    assert all(one != two for i, one in enumerate(found) for two in found[:i])


def test_the_secret_is_32_bytes_that_only_the_owner_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other_home(tmp_path / "home", monkeypatch)
    found = storage.installation_secret()
    path = tmp_path / "home" / "secret"
    assert (len(found), path.read_bytes(), path.stat().st_mode & 0o777) == (32, found, 0o600)
    assert [p.name for p in path.parent.iterdir()] == ["secret"]
    monkeypatch.setattr(storage, "_SECRET", None)
    assert storage.installation_secret() == found


def test_threads_that_need_the_first_secret_get_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(20):
        other_home(tmp_path / f"home {number}", monkeypatch)
        start = threading.Barrier(8)

        def ask(start: threading.Barrier = start) -> bytes:
            start.wait(10)
            return storage.installation_secret()

        with ThreadPoolExecutor(8) as pool:
            found = {future.result() for future in [pool.submit(ask) for _ in range(8)]}
        assert found == {(tmp_path / f"home {number}" / "secret").read_bytes()}


def test_without_a_place_to_write_the_secret_lasts_for_the_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "home").write_text("a file")
    other_home(tmp_path / "home" / "deeper", monkeypatch)
    found = storage.installation_secret()
    assert len(found) == 32 and storage.installation_secret() is found


SHOW = "from grader.storage import installation_secret; print(installation_secret().hex())"


def test_processes_that_start_together_agree_on_one_secret(tmp_path: Path) -> None:
    environment = {"GRADE_HOME": str(tmp_path / "home"), "PYTHONPATH": str(ROOT)}
    started = [
        subprocess.Popen(
            [sys.executable, "-c", SHOW], env=environment, stdout=subprocess.PIPE, text=True
        )
        for _ in range(6)
    ]
    found = {process.communicate(timeout=60)[0] for process in started}
    assert len(found) == 1
    assert len(found.pop().strip()) == 64


def test_a_hidden_seed_is_one_that_numpy_takes() -> None:
    seeds = {storage.hidden_seed(digest, seed) for digest in ("a", "b") for seed in range(50)}
    assert len(seeds) == 100 and all(0 <= seed < 2**63 for seed in seeds)


FOLDERS = [
    ({"GRADE_HOME": "/g"}, "/g", "/g/cache"),
    ({"XDG_DATA_HOME": "/d", "XDG_CACHE_HOME": "/c"}, "/d/attention-judge", "/c/attention-judge"),
    ({"HOME": "/h"}, "/h/.local/share/attention-judge", "/h/.cache/attention-judge"),
]


@pytest.mark.parametrize(
    ("environment", "data", "cache"), FOLDERS, ids=["GRADE_HOME", "XDG", "HOME"]
)
def test_folders(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], data: str, cache: str
) -> None:
    for name in ("GRADE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert (str(storage.data_folder()), str(storage.cache_folder())) == (data, cache)
