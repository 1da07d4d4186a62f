"""The smallest public input that shows a failure, and what it may never be."""

import json
from pathlib import Path

import numpy as np
import pytest

from grader import storage
from grader.answers import answers_for, lookup
from grader.case import Case
from grader.errors import UsageError
from grader.explore import shrink as shrinking
from grader.explore.arrays import numbers
from grader.explore.domain import Domain, domain
from grader.explore.public import public_cases, takes_inputs
from grader.explore.shrink import Shrunk, State, shrink
from grader.model import Framework, Run, Submission
from grader.problem import Problem
from grader.sandbox import SandboxPool
from grader.sandbox.session import Session
from tests.grader import small
from tests.shipped import shipped

NUMPY, TORCH = Framework.NUMPY, Framework.TORCH


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine must not end a search."""
    monkeypatch.setattr(shrinking, "SECONDS", 120.0)


def mistake(problem: Problem, name: str, framework: Framework = NUMPY) -> Submission:
    """A known mistake, handed in."""
    source = next(m for m in problem.mistakes if m.name == name).sources[framework]
    return Submission(framework, source)


def shrunk(
    slug: str,
    name: str,
    sandbox: SandboxPool,
    framework: Framework = NUMPY,
    case: str | None = None,
) -> Shrunk:
    """What shrinking makes of a known mistake of the bank."""
    problem = shipped(slug)
    return shrink(problem, mistake(problem, name, framework), sandbox, case)


def allowed(problem: Problem, framework: Framework, sandbox: SandboxPool) -> Domain:
    """What the public cases of a problem allow."""
    public = public_cases(problem, framework, sandbox)
    return domain(problem, [answer.case for answer in public])


@pytest.mark.parametrize(
    ("slug", "name", "framework", "most"),
    [
        ("masked_attention", "no_scale", NUMPY, 12),
        ("masked_attention", "hidden_row_nan", TORCH, 6),
        ("masked_attention", "padding_on_queries", NUMPY, 12),
        ("self_attention", "no_scale", NUMPY, 24),
        ("stable_softmax", "axis_of_the_sum_lost", NUMPY, 6),
        ("linear_attention", "no_normaliser", TORCH, 6),
        ("padding_mask", "polarity_inverted", NUMPY, 4),
        ("relative_position_attention", "bias_multiplied", TORCH, 14),
        ("split_and_merge_heads", "split_without_transpose", NUMPY, 12),
    ],
)
def test_a_known_mistake_is_shown_with_a_few_numbers(
    slug: str, name: str, framework: Framework, most: int, sandbox: SandboxPool
) -> None:
    found = shrunk(slug, name, sandbox, framework)
    assert found.state is State.SHRUNK
    assert found.case is not None
    assert 0 < found.numbers == numbers(found.case) <= most
    assert found.numbers <= found.numbers_before
    assert found.findings
    assert found.outputs[0].differs


def test_sizes_that_share_a_letter_are_cut_together(sandbox: SandboxPool) -> None:
    found = shrunk("masked_attention", "softmax_over_queries", sandbox)
    assert found.case is not None
    q, k, v = (found.case.inputs[name] for name in ("q", "k", "v"))
    assert q.shape[0] == k.shape[0] == v.shape[0] == 1
    assert q.shape[2] == k.shape[2]
    assert k.shape[1] == v.shape[1] > 1  # over a single key it does not show


def test_values_are_whole_zero_or_one_where_that_shows_it(sandbox: SandboxPool) -> None:
    found = shrunk("masked_attention", "root_of_key_count", sandbox)
    assert found.case is not None
    entries = np.concatenate([array.reshape(-1) for array in found.case.inputs.values()])
    assert set(entries) <= {0.0, 1.0}


def test_a_mask_that_plays_no_part_is_left_out(sandbox: SandboxPool) -> None:
    found = shrunk("masked_attention", "no_scale", sandbox, case="both masks")
    assert found.case is not None
    assert "padding_mask" not in found.case.inputs
    assert not found.case.options


def test_the_parameters_of_a_module_follow_its_sizes(sandbox: SandboxPool) -> None:
    found = shrunk("self_attention_module", "no_scale", sandbox, TORCH)
    assert found.case is not None
    width = found.case.inputs["x"].shape[-1]
    assert found.case.init["d_model"] == width < 4
    assert {array.shape for array in found.case.state.values()} == {(width, width)}


def test_arguments_without_arrays_become_smaller(sandbox: SandboxPool) -> None:
    found = shrunk("sparse_mask", "band_one_short", sandbox)
    assert found.case is not None
    n, stride = (int(found.case.options[name] or 0) for name in ("n", "stride"))
    assert n <= 6 and stride >= 1  # of at least nine


@pytest.mark.parametrize(
    ("slug", "framework"),
    [("additive_mask", NUMPY), ("most_attended", NUMPY), ("cross_attention", TORCH)],
)
def test_no_candidate_leaves_the_domain(
    slug: str, framework: Framework, sandbox: SandboxPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is asked of a submission, the statement allows."""
    problem = shipped(slug)
    asked: list[Case] = []
    record(monkeypatch, asked)
    limits = allowed(problem, framework, sandbox)
    for each in problem.mistakes[::6]:
        if framework in each.sources:
            shrink(problem, Submission(framework, each.sources[framework]), sandbox)
    assert len(asked) > 100
    for case in asked:
        assert [c.sentence() for c in limits.complaints(case)] == []
        if slug == "additive_mask" and "mask" in case.inputs:
            assert (case.inputs["mask"] > -1e6).any(axis=-1).all()  # each query sees a key
        if slug == "most_attended":
            assert 1 <= int(case.options["k"] or 0) <= case.inputs["x"].shape[0]


def record(monkeypatch: pytest.MonkeyPatch, asked: list[Case]) -> None:
    """Keeps every case that a session is asked."""
    ask = Session.ask

    def recorded(self: Session, case: Case) -> Run:
        asked.append(case)
        return ask(self, case)

    monkeypatch.setattr(Session, "ask", recorded)


def test_no_session_is_asked_a_hidden_case(
    sandbox: SandboxPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = shipped("additive_mask")
    answers = answers_for(problem, NUMPY, sandbox)
    hidden = {
        array.tobytes()
        for answer in answers.cases
        if not answer.case.sample and answer.case.name in answers.twins
        for name, array in answer.case.tensors().items()
        if not np.array_equal(array, answers.twins[answer.case.name].case.tensors().get(name))
    }
    asked: list[Case] = []
    record(monkeypatch, asked)
    for each in problem.mistakes[::3]:
        shrink(problem, Submission(NUMPY, each.sources[NUMPY]), sandbox)
    seen = {array.tobytes() for case in asked for array in case.tensors().values()}
    assert len(hidden) > 50
    assert len(seen) > 100
    assert not hidden & seen


def test_two_installations_show_the_same(
    sandbox: SandboxPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing that is shown depends on hidden inputs."""
    problem = shipped("additive_mask")
    told = []
    for number in (1, 2):
        monkeypatch.setattr(storage, "_SECRET", bytes([number]) * storage.LENGTH)
        lookup._answers.clear()
        found = [
            shrink(problem, Submission(NUMPY, each.sources[NUMPY]), sandbox).to_json()
            for each in problem.mistakes[::5]
        ]
        told.append(json.dumps(found))
    lookup._answers.clear()
    assert told[0] == told[1]


@pytest.mark.parametrize("slug", ["attention_by_hand"])
def test_where_nothing_is_drawn_nothing_is_made_smaller(slug: str, sandbox: SandboxPool) -> None:
    """Each expected value would be a part of the solution."""
    problem = shipped(slug)
    assert not takes_inputs(problem, public_cases(problem, NUMPY, sandbox))
    found = shrink(problem, Submission(NUMPY, "scores = weights = output = [[0]]\n"), sandbox)
    assert found.state is State.FIXED
    assert found.case is None and not found.outputs


def test_a_problem_whose_cases_are_all_fixed_is_found_out(
    tmp_path: Path, sandbox: SandboxPool
) -> None:
    """No list names such problems: two draws that are equal do."""
    fixed = small.CASES.replace("rng.standard_normal(shape)", "np.ones(shape)")
    drawn = small.problem(tmp_path / "drawn")
    constant = small.problem(tmp_path / "constant", cases=fixed)
    assert takes_inputs(drawn, public_cases(drawn, NUMPY, sandbox))
    assert not takes_inputs(constant, public_cases(constant, NUMPY, sandbox))


def test_a_hidden_case_in_which_nothing_is_drawn_cannot_be_named(
    tmp_path: Path, sandbox: SandboxPool
) -> None:
    cases = small.CASES + (
        '    yield Case("constant", inputs={"q": np.ones((2, 2), np.float32),'
        ' "k": np.ones((3, 2), np.float32)}, note="Nothing is drawn.")\n'
    )
    problem = small.problem(tmp_path, cases=cases)
    with pytest.raises(UsageError, match="hidden case 'constant'"):
        shrink(problem, Submission(NUMPY, small.STARTER), sandbox, "constant")
    with pytest.raises(UsageError, match=r"no case 'scald'; .* are 'scaled'"):
        shrink(problem, Submission(NUMPY, small.STARTER), sandbox, "scald")


def test_the_same_exception_remains(tmp_path: Path, sandbox: SandboxPool) -> None:
    source = (
        "def scores(q, k, scale=1.0):\n"
        "    if q.shape[0] > 3:\n"
        "        raise KeyError('long')\n"
        "    return (q @ k.T * scale).astype(q.dtype)\n"
    )
    found = shrink(small.problem(tmp_path), Submission(NUMPY, source), sandbox)
    assert found.case is not None
    assert found.case.inputs["q"].shape == (4, 2)  # a width of 1 is in no public case
    assert found.findings[0].parameters["type"] == "KeyError"


def test_an_exception_that_is_due_must_stay_due(sandbox: SandboxPool) -> None:
    problem = shipped("split_and_merge_heads")
    source = problem.references[NUMPY].replace("raise ValueError", "raise KeyError")
    found = shrink(problem, Submission(NUMPY, source), sandbox)
    assert found.case is not None
    assert found.case.raises == "ValueError"
    heads = found.case.options["num_heads"]
    assert isinstance(heads, int) and found.case.inputs["x"].shape[-1] % heads


def test_a_submission_that_dies_is_asked_a_few_times_only(
    tmp_path: Path, sandbox: SandboxPool
) -> None:
    source = "import os\ndef scores(q, k, scale=1.0):\n    os._exit(3)\n"
    found = shrink(small.problem(tmp_path), Submission(NUMPY, source), sandbox)
    assert found.findings[0].code == "exited"
    assert found.case is not None


def test_what_fails_only_after_another_call_is_shown_with_that_call(
    tmp_path: Path, sandbox: SandboxPool
) -> None:
    source = (
        "SEEN = {}\n"
        "def scores(q, k, scale=1.0):\n"
        "    if q.shape not in SEEN:\n"
        "        SEEN[q.shape] = (q @ k.T * scale).astype(q.dtype)\n"
        "    return SEEN[q.shape]\n"
    )
    again = (
        '    yield Case("again", inputs={"q": draw(rng, 5, 6), "k": draw(rng, 7, 6)},'
        ' note="The same shapes.")\n'
    )
    problem = small.problem(tmp_path, cases=small.CASES + again)
    found = shrink(problem, Submission(NUMPY, source), sandbox)
    assert found.state is State.SHRUNK
    assert found.case is not None
    assert found.case.before
    assert found.case.inputs["q"].shape == found.case.before["q"].shape


def test_what_cannot_be_repeated_is_said_to_need_earlier_calls(
    tmp_path: Path, sandbox: SandboxPool
) -> None:
    source = (
        "CALLS = []\n"
        "def scores(q, k, scale=1.0):\n"
        "    CALLS.append(1)\n"
        "    return (q @ k.T * scale * (len(CALLS) < 3)).astype(q.dtype)\n"
    )
    found = shrink(small.problem(tmp_path), Submission(NUMPY, source), sandbox)
    assert found.state is State.EARLIER_CALLS


@pytest.mark.parametrize(
    ("source", "state"),
    [
        (small.REFERENCE, State.NOTHING_FAILS),
        ("def scores(q, k:\n", State.NOT_LOADED),
        ("def score(q, k):\n    return 0\n", State.NOT_LOADED),
        ("def scores(q, k, scale=1.0):\n    return bytearray(1 << 40)\n", State.COST),
    ],
)
def test_states_in_which_nothing_is_made_smaller(
    source: str, state: State, tmp_path: Path, sandbox: SandboxPool
) -> None:
    found = shrink(small.problem(tmp_path), Submission(NUMPY, source), sandbox)
    assert found.state is state
    assert bool(found.findings) is (state is not State.NOTHING_FAILS)


def test_statistics_of_random_draws_are_shown_as_they_are(sandbox: SandboxPool) -> None:
    found = shrunk("cross_attention", "dropout_on_output", sandbox, TORCH)
    assert found.state is State.DRAWS
    assert found.case is not None and found.case.draws


def test_expected_values_are_those_of_the_reference(tmp_path: Path, sandbox: SandboxPool) -> None:
    problem = small.problem(tmp_path)
    found = shrink(problem, mistake(problem, "doubled"), sandbox)
    assert found.case is not None
    q, k = (found.case.inputs[name].astype(np.float64) for name in ("q", "k"))
    scale = float(found.case.options.get("scale", 1.0) or 0.0)
    assert np.allclose(found.outputs[0].expected, q @ k.T * scale, atol=1e-12)
    assert np.allclose(found.outputs[0].got, 2 * (q @ k.T) * scale, atol=1e-5)


def test_a_candidate_on_which_the_reference_is_not_finite_is_not_taken(
    tmp_path: Path, sandbox: SandboxPool
) -> None:
    """The reference divides by what a smaller input makes 0."""
    reference = (
        "import numpy as np\n\n\ndef scores(q, k, scale=1.0):\n"
        "    with np.errstate(all='ignore'):\n"
        "        return (q @ k.T * scale / np.abs(q).sum()).astype(q.dtype)\n"
    )
    problem = small.problem(tmp_path, numpy=reference, mistakes="")
    found = shrink(problem, Submission(NUMPY, reference.replace("q @ k.T", "2 * q @ k.T")), sandbox)
    assert found.case is not None
    assert np.abs(found.case.inputs["q"]).sum() > 0
    assert np.isfinite(found.outputs[0].expected).all()


def test_json_holds_what_a_page_shows(sandbox: SandboxPool) -> None:
    found = shrunk("masked_attention", "hidden_row_nan", sandbox, TORCH)
    data = json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert data["state"] == "shrunk"
    assert data["arguments"]["inputs"]["q"] == {
        "dtype": "float32",
        "shape": [1, 1, 1],
        "values": [[[1.0]]],
    }
    output = data["outputs"][0]
    assert output["got"]["values"] == [[["nan"]]]
    assert output["expected"]["values"] == [[[0.0]]]
    assert output["wrong"] == [[[True]]]
    assert data["findings"][0]["code"] == "not_finite"


def test_calls_are_bounded(
    tmp_path: Path, sandbox: SandboxPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shrinking, "CALLS", 5)
    problem = small.problem(tmp_path)
    found = shrink(problem, mistake(problem, "doubled"), sandbox)
    assert found.state is State.SHRUNK
    assert found.calls == 5
