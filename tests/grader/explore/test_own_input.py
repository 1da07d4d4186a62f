"""Inputs of one's own: what is read, what is refused, and what nobody gets."""

import json
from pathlib import Path

import numpy as np
import pytest

from grader.explore import reading
from grader.explore.complaints import TEMPLATES, InputError, Wrong, complaint
from grader.explore.own_input import Tried, example, try_input
from grader.findings.catalogue import catalogue
from grader.inside.expressions import Fault
from grader.model import Framework, Outcome, Submission
from grader.problem import Problem
from grader.sandbox import SandboxPool
from tests.grader import small
from tests.shipped import shipped

NUMPY, TORCH = Framework.NUMPY, Framework.TORCH
SMALL = "q = [[1.0, 2.0], [0.0, 0.0]]\nk = [[3.0, 4.0], [0, 0], [0, 0]]"
QKV = "q = np.ones((1, 2, 3), np.float32)\nk = 2 * q\nv = [[[1, 2], [3, 5]]]\n"


def tried(
    slug: str,
    text: str,
    sandbox: SandboxPool,
    framework: Framework = NUMPY,
    source: str | None = None,
) -> Tried:
    """The reference, or another source, on these inputs."""
    problem = shipped(slug)
    submission = Submission(framework, source or problem.references[framework])
    return try_input(problem, submission, sandbox, text)


def refused(slug: str, text: str, sandbox: SandboxPool, framework: Framework = NUMPY) -> InputError:
    """What is wrong with these inputs."""
    with pytest.raises(InputError) as info:
        tried(slug, text, sandbox, framework)
    return info.value


def test_result_and_expected_result_stand_side_by_side(sandbox: SandboxPool) -> None:
    source = shipped("masked_attention").references[NUMPY] + (
        "\n_right = masked_attention\n"
        "def masked_attention(*args, **options):\n"
        "    output, weights = _right(*args, **options)\n"
        "    output[0, 1, 0] += 1\n"
        "    return output, weights\n"
    )
    found = tried("masked_attention", QKV, sandbox, source=source)
    assert found.verdict is Outcome.WRONG_ANSWER
    output = found.outputs[0]
    assert output.tensor == "output"
    assert np.allclose(output.expected, [[[2, 3.5], [2, 3.5]]])
    assert output.wrong is not None
    assert output.wrong.tolist() == [[[False, False], [True, False]]]
    assert not found.outputs[1].differs
    assert found.findings[0].code == "values_differ"


def test_the_reference_is_accepted_on_its_own_example(sandbox: SandboxPool) -> None:
    for slug, framework in (
        ("masked_attention", NUMPY),
        ("attention_module", TORCH),
        ("split_and_merge_heads", NUMPY),
        ("causal_mask", TORCH),
        ("relative_position_attention", TORCH),
    ):
        problem = shipped(slug)
        text = example(problem, framework, sandbox)
        assert tried(slug, text, sandbox, framework).verdict is Outcome.ACCEPTED, slug


def test_lists_take_the_dtype_of_the_arrays_beside_them(sandbox: SandboxPool) -> None:
    found = tried("masked_attention", QKV + "padding_mask = [[1, 0]]", sandbox)
    assert {name: a.dtype.name for name, a in found.case.inputs.items()} == {
        "q": "float32",
        "k": "float32",
        "v": "float32",
        "padding_mask": "bool",
    }
    wide = tried("masked_attention", QKV.replace("float32", "float64"), sandbox)
    assert wide.case.inputs["v"].dtype == np.float64


def test_sizes_and_parameters_of_a_module_follow_from_its_inputs(sandbox: SandboxPool) -> None:
    found = tried("attention_module", "x = torch.ones(1, 2, 3)", sandbox, TORCH)
    assert found.case.init == {"d_model": 3}
    assert found.case.state["W_q.weight"].shape == (3, 3)
    given = "x = torch.ones(1, 2, 3)\nW_q_weight = np.eye(3)"
    found = tried("attention_module", given, sandbox, TORCH)
    assert np.array_equal(found.case.state["W_q.weight"], np.eye(3))


def test_an_exception_that_the_statement_demands_is_the_expected_result(
    sandbox: SandboxPool,
) -> None:
    text = "x = np.ones((1, 2, 6), np.float32)\nnum_heads = 4"
    found = tried("split_and_merge_heads", text, sandbox)
    assert found.case.raises == "ValueError"
    assert found.verdict is Outcome.ACCEPTED


def test_beside_a_driver_the_entry_points_that_cases_call_take_inputs(
    sandbox: SandboxPool,
) -> None:
    direct = tried("int8_cache", "x = np.array([[[[1.27, 0.5]]]], np.float32)", sandbox)
    assert direct.case.call == "quantize"
    assert direct.outputs[0].expected.tolist() == [[[[127, 50]]]]
    driven = "q = np.ones((1, 1, 1, 2), np.float32)\nkeys = q\nvalues = q"
    assert tried("int8_cache", driven, sandbox).case.call == ""
    # the one that only the driver calls takes a function, which nobody can write down
    wrong = refused("generate", "call = 'generate'\nprompt = [1]\nmax_new = 2", sandbox)
    assert wrong.complaint.code is Wrong.MISSING


def test_what_a_submission_prints_is_shown(sandbox: SandboxPool, tmp_path: Path) -> None:
    problem = small.problem(tmp_path)
    source = small.REFERENCE.replace("    return", "    print('here', q.shape)\n    return")
    text = SMALL
    found = try_input(problem, Submission(NUMPY, source), sandbox, text)
    assert found.printed == "here (2, 2)\n"
    assert found.outputs[0].expected.tolist() == [[11.0, 0.0, 0.0], [0.0, 0.0, 0.0]]


def test_what_an_exception_says_is_told_whole(sandbox: SandboxPool) -> None:
    error = refused("masked_attention", "q = np.ones((2, 3)) @ np.ones((2, 3))", sandbox)
    assert "0, with gufunc signature" in str(error)
    assert str(error).endswith("(size 2 is different from 3)")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("q = (", Fault.SYNTAX),
        ("q = " + "(" * 5000 + "1" + ")" * 5000, Fault.SYNTAX),
        ("q = '\0'", Fault.SYNTAX),
        ("while True: pass", Fault.NOT_AN_ASSIGNMENT),
        ("import os", Fault.NOT_AN_ASSIGNMENT),
        ("q, k = 1, 2", Fault.NOT_AN_ASSIGNMENT),
        ("q = k = 1", Fault.NOT_SIMPLE),
        ("q = lambda: 1", Fault.NOT_SIMPLE),
        ("q = ().__class__", Fault.NOT_SIMPLE),
        ("q = __builtins__", Fault.NOT_SIMPLE),
        ("\n".join(f"a{i} = 1" for i in range(65)), Fault.TOO_MANY),
        ("q = 1 / 0", Fault.RAISED),
        ("q = open('/etc/passwd')", Fault.RAISED),
        ("q = [[1.0], [2.0, 3.0]]", Fault.NOT_A_VALUE),
        ("q = 'a' * 10**6", Fault.TOO_LARGE),
        ("q = np.ones((1, 2, 400_000))", Fault.TOO_LARGE),
        ("q = 2**100", Fault.TOO_LARGE),
        ("q = np.ones(10**10)", Fault.TOO_MUCH_MEMORY),
        ("q = sum(range(10**12))", Fault.TOO_LONG),
        ("mask = 3\n" + QKV, Wrong.UNKNOWN),
        ("q = [[[1.0]]]", Wrong.MISSING),
        (QKV + "padding_mask = 1", Wrong.NOT_AN_ARRAY),
        (QKV + "causal = [True]", Wrong.NOT_A_NUMBER),
        (QKV + "causal = 1", Wrong.TYPE),
        (QKV + "padding_mask = np.ones((1, 2))", Wrong.DTYPE),
        (QKV + "k = k.astype(np.float64)", Wrong.MIXED),
        (QKV + "padding_mask = [[True, False, True]]", Wrong.AXIS),
        (QKV + "padding_mask = [[[[[True, False]]]]]", Wrong.SHAPE),
        (QKV.replace("(1, 2, 3)", "(0, 2, 3)"), Wrong.AXIS),
        (QKV + "v = [[[nan, 1], [2, 3]]]", Wrong.NOT_FINITE),
        ("q = np.ones((1, 2, 3000), np.float32)\nk = q\nv = q", Wrong.TOO_MANY_NUMBERS),
    ],
)
def test_inputs_that_cannot_be_used_end_in_a_sentence(
    text: str, code: Fault | Wrong, sandbox: SandboxPool
) -> None:
    error = refused("masked_attention", text, sandbox)
    assert error.complaint.code == code
    assert len(str(error)) > 20 and "%(" not in str(error)
    assert "\n" not in str(error)


@pytest.mark.parametrize(
    ("slug", "text", "code"),
    [
        ("most_attended", "x = [[1.0, 2.0], [3.0, 4.0]]\nk = 3", Wrong.AT_MOST),
        ("most_attended", "x = [[1.0, 2.0], [3.0, 4.0]]\nk = 0", Wrong.NUMBER),
        ("causal_mask", "query_len = 10**9", Wrong.NUMBER),
        ("sparse_mask", "n = 4\nstride = 0", Wrong.NUMBER),
        ("attention_statistics", "weights = [[[0.5, -0.5]]]", Wrong.NEGATIVE),
        ("split_and_merge_heads", "x = [[[1.0]]]\nheads = 1", Wrong.UNSURE),
        (
            "additive_mask",
            "x = np.ones((2, 3))\nw_q = w = np.eye(3)",
            Fault.NOT_SIMPLE,
        ),
        (
            "additive_mask",
            "x = np.ones((2, 3))\nw_q = np.eye(3)\nw_k = w_q\nw_v = w_q\nmask = [[0, 0], [-1e9, -inf]]",
            Wrong.EMPTY_ROW,
        ),
        (
            "additive_mask",
            "x = np.ones((2, 3))\nw_q = 1e200 * np.eye(3)\nw_k = w_q\nw_v = w_q",
            Wrong.NO_ANSWER,
        ),
    ],
)
def test_what_the_statement_excludes_is_refused(
    slug: str, text: str, code: Fault | Wrong, sandbox: SandboxPool
) -> None:
    assert refused(slug, text, sandbox).complaint.code == code


def test_a_problem_that_is_always_asked_the_same_answers_no_inputs(sandbox: SandboxPool) -> None:
    for text in ("row = 1", "scores = 1", ""):
        assert refused("attention_by_hand", text, sandbox).complaint.code == Wrong.NOTHING_DRAWN
    with pytest.raises(InputError):
        example(shipped("attention_by_hand"), NUMPY, sandbox)


READING = [
    "q = np.load('{bank}/reference/scores/numpy.py', allow_pickle=True)",
    "q = np.fromfile('{bank}/reference/scores/numpy.py', np.uint8)",
    "q = np.genfromtxt('{bank}/problems/scores/cases.py', dtype=None)",
    "q = np.fromfile('{home}/secret', np.uint8)",
    "q = np.memmap('{bank}/reference/scores/numpy.py')",
    "q = np.lib.npyio.os.listdir('{bank}')",
    "q = np.testing.sys.modules['os'].environ['GRADE_HOME']",
    "q = [len(x) for x in np.testing.sys.modules['gc'].get_objects() if 'reference' in x]",
]


@pytest.mark.parametrize("expression", READING)
def test_an_expression_reads_nothing_of_the_problem(
    expression: str, sandbox: SandboxPool, tmp_path: Path
) -> None:
    """It is evaluated in a room that holds neither the bank nor a secret."""
    problem = small.problem(tmp_path / "bank")
    text = expression.format(bank=tmp_path / "bank", home=tmp_path)
    with pytest.raises(InputError) as info:
        try_input(problem, Submission(NUMPY, small.REFERENCE), sandbox, text)
    assert info.value.complaint.code in (Fault.RAISED, Fault.NOT_SIMPLE, Wrong.MISSING)
    assert "q.dtype" not in str(info.value)


def test_a_forged_reply_is_only_another_input(sandbox: SandboxPool, tmp_path: Path) -> None:
    """Whoever writes to the channel can send what a right reply could hold, and nothing else."""
    problem: Problem = small.problem(tmp_path)
    frame = '{"frame":"inputs","scalars":{"answer":1},"literals":[1,{}]}'
    write = "q = np.testing.sys.modules['os'].write(3, bytes_of)"
    header = f"np.array([{len(frame)}, 0, 0], np.uint32).tobytes()"
    text = f"frame = {frame!r}\nbytes_of = {header} + frame.encode()\n{write}"
    with pytest.raises(InputError) as info:
        try_input(problem, Submission(NUMPY, small.REFERENCE), sandbox, text)
    assert info.value.complaint.code in (Wrong.UNKNOWN, Fault.UNREADABLE, Fault.NOT_A_VALUE)


def test_the_error_of_a_reference_tells_its_type_only(sandbox: SandboxPool, tmp_path: Path) -> None:
    reference = small.REFERENCE.replace(
        "    return", "    if q[0, 0] == 7:\n        raise OSError('the secret line')\n    return"
    )
    problem = small.problem(tmp_path, numpy=reference, mistakes="")
    text = SMALL.replace("1.0", "7.0")
    with pytest.raises(InputError) as info:
        try_input(problem, Submission(NUMPY, small.REFERENCE), sandbox, text)
    assert info.value.complaint.code == Wrong.REFUSED
    assert info.value.complaint.parameters == {"error": "OSError"}


def test_a_submission_finds_no_expected_value(sandbox: SandboxPool, tmp_path: Path) -> None:
    """It runs in a child of its own, which holds the inputs and nothing else."""
    problem = small.problem(tmp_path)
    source = (
        "import gc\nimport numpy as np\n\ndef scores(q, k, scale=1.0):\n"
        "    found = [a for a in gc.get_objects() if isinstance(a, np.ndarray)]\n"
        "    right = [a for a in found if a.shape == (2, 3) and a[0, 0] == 11]\n"
        "    print('FOUND' if right else 'nothing')\n"
        "    return np.zeros((2, 3), np.float32)\n"
    )
    text = SMALL
    found = try_input(problem, Submission(NUMPY, source), sandbox, text)
    assert found.printed == "nothing\n"
    assert found.verdict is Outcome.WRONG_ANSWER


def test_json_holds_what_a_page_shows(sandbox: SandboxPool) -> None:
    found = tried("masked_attention", QKV, sandbox)
    data = json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert data["verdict"] == "accepted"
    assert data["arguments"]["inputs"]["v"]["values"] == [[[1.0, 2.0], [3.0, 5.0]]]
    assert data["outputs"][0]["got"]["shape"] == [1, 2, 2]
    assert data["outputs"][0]["expected"]["dtype"] == "float32"  # which it is not worked out in
    again = tried("masked_attention", data["python"], sandbox)
    assert again.to_json()["arguments"] == data["arguments"]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_complaint_has_a_sentence(language: str) -> None:
    texts = catalogue(language)
    assert set(TEMPLATES) == {*Fault, *Wrong}
    for code in (*Fault, *Wrong):
        keys = ("limit", "type", "known", "shape", "forms", "sizes", "letter", "size", "least")
        rest = (
            "axis",
            "value",
            "most",
            "at",
            "a",
            "b",
            "count",
            "problem",
            "seconds",
            "dtype",
            "due",
        )
        words = complaint(code, **dict.fromkeys((*keys, *rest), "7")).sentence(texts)
        assert "%(" not in words


def test_a_number_may_be_one_though_no_public_case_has_so_few(sandbox: SandboxPool) -> None:
    problem = shipped("causal_mask")
    submission = Submission(NUMPY, problem.references[NUMPY])
    assert try_input(problem, submission, sandbox, "query_len = 1").verdict is Outcome.ACCEPTED


@pytest.mark.parametrize("x", ["[1, 2]", "[5]", "[[1, 2], [3, 4]]"])
def test_a_size_may_be_smaller_than_in_any_public_case(x: str, sandbox: SandboxPool) -> None:
    assert tried("stable_softmax", f"x = {x}", sandbox).verdict is Outcome.ACCEPTED


@pytest.mark.parametrize("scale", ["2", "-1", "0", "-0.3"])
def test_a_number_that_counts_nothing_may_be_any(scale: str, sandbox: SandboxPool) -> None:
    text = f"q = [[1.0, 2.0]]\nk = [[3.0, 4.0], [0, 1]]\nv = [[1.0], [2]]\nscale = {scale}"
    assert tried("scaled_dot_product_attention", text, sandbox).verdict is Outcome.ACCEPTED


MISFITS = [
    (
        "masked_attention",
        QKV + "padding_mask = [[True, False, True]]",
        NUMPY,
        "padding_mask has length 3 along axis S (number 2 of 2); give it length 2 there",
    ),
    (
        "attention_module",
        "x = torch.ones(1, 2, 3)\nW_q_weight = np.ones((3, 4))",
        TORCH,
        "W_q_weight has length 4 along axis E (number 2 of 2); give it length 3 there",
    ),
    (
        "attention_module",
        "x = torch.ones(1, 2, 3)\nW_q_weight = np.ones(3)",
        TORCH,
        "W_q_weight has shape (3,); give it the axes (3, 3)",
    ),
]


@pytest.mark.parametrize(("slug", "text", "framework", "words"), MISFITS)
def test_a_shape_that_does_not_fit_names_the_axis_and_the_length_that_is_due(
    slug: str, text: str, framework: Framework, words: str, sandbox: SandboxPool
) -> None:
    assert words in str(refused(slug, text, sandbox, framework))


@pytest.mark.parametrize("hidden", [-3, 0, 12_000_000, 10**12])
def test_nothing_is_drawn_in_a_size_that_is_refused(hidden: int, sandbox: SandboxPool) -> None:
    text = f"x = np.ones((1, 1), np.float32)\nhidden = {hidden}"
    wrong = refused("feed_forward", text, sandbox, TORCH)
    assert wrong.complaint.code is Wrong.NUMBER


@pytest.mark.parametrize(
    ("shape", "before", "code"),
    [
        ((4, -3), 0, Wrong.SIZE),
        ((1 << 20, 2), 0, Wrong.TOO_MANY_NUMBERS),
        ((1024, 1024), 1, Wrong.TOO_MANY_NUMBERS),
    ],
)
def test_parameters_that_cannot_be_drawn_are_refused(
    shape: tuple[int, ...], before: int, code: Wrong
) -> None:
    """Where an exception is due for some sizes, those of a constructor may be any number."""
    with pytest.raises(InputError) as info:
        reading._check_sizes(shape, ("d_model", "E"), before)
    assert info.value.complaint.code is code
    reading._check_sizes((1024, 1024), ("d_model", "E"), 0)
