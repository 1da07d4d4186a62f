"""Traces of submissions in the sealed room, and the first wrong step that they show."""

import json
import math
import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from grader import storage
from grader.answers import answers_for
from grader.case import Case
from grader.errors import UsageError
from grader.explore.trace import Trace, trace, wrong_step_text
from grader.explore.trace.relations import Relation
from grader.explore.trace.wrong import WrongStep
from grader.findings.catalogue import catalogue, languages
from grader.inside.instrument import HOOK, Kind
from grader.judge import judge
from grader.model import Ended, Framework, Outcome, Submission
from grader.problem import Problem
from grader.sandbox import SandboxPool
from tests.bank.places import edits, placed
from tests.conftest import ROOT
from tests.shipped import shipped


def of(
    problem: Problem, source: str, sandbox: SandboxPool, case: str | Case | None = None
) -> Trace:
    framework = Framework.TORCH if "import torch" in source else Framework.NUMPY
    return trace(problem, Submission(framework, source), sandbox, case)


def mistake(slug: str, name: str, framework: str, sandbox: SandboxPool) -> Trace:
    problem = shipped(slug)
    source = next(m for m in problem.mistakes if m.name == name).sources[Framework(framework)]
    return trace(problem, Submission(Framework(framework), source), sandbox)


MISTAKES = [
    ("scaled_dot_product_attention", "divided_by_d", "numpy", 10, Relation.OTHER_VALUE, "scale"),
    (
        "scaled_dot_product_attention",
        "keys_ask_queries",
        "numpy",
        11,
        Relation.TRANSPOSED,
        "scores",
    ),
    (
        "scaled_dot_product_attention",
        "weights_transposed",
        "numpy",
        14,
        Relation.TRANSPOSED,
        "weights",
    ),
    (
        "scaled_dot_product_attention",
        "normalised_as_a_whole",
        "numpy",
        13,
        Relation.ROWS_SCALED,
        "weights",
    ),
    (
        "scaled_dot_product_attention",
        "queries_scaled_in_place",
        "numpy",
        11,
        Relation.CHANGED_INPUT,
        "q",
    ),
    ("scaled_dot_product_attention", "float32_inside", "numpy", 9, Relation.ROUNDED, "q"),
    ("scaled_dot_product_attention", "no_softmax", "numpy", 12, Relation.STILL, "scores"),
    ("scaled_dot_product_attention", "weights_detached", "torch", 13, Relation.DETACHED, "weights"),
    ("masked_attention", "no_scale", "numpy", 13, Relation.FACTOR, "scores"),
    ("masked_attention", "polarity_inverted", "torch", 17, Relation.OPPOSITE, "visible"),
    (
        "multi_head_attention",
        "merge_without_transpose",
        "numpy",
        34,
        Relation.REORDERED,
        "merge_heads()",
    ),
    ("multi_head_attention", "values_not_projected", "torch", 19, Relation.EXCHANGED, "q"),
    ("self_attention", "one_projection_for_both", "numpy", 8, Relation.EXCHANGED, "q"),
]


@pytest.mark.parametrize(
    ("slug", "name", "framework", "line", "relation", "intermediate"),
    MISTAKES,
    ids=[f"{slug}-{name}" for slug, name, *_ in MISTAKES],
)
def test_the_first_wrong_step_is_where_the_mistake_is(
    slug: str,
    name: str,
    framework: str,
    line: int,
    relation: Relation,
    intermediate: str,
    sandbox: SandboxPool,
) -> None:
    found = mistake(slug, name, framework, sandbox).wrong
    assert found is not None
    assert (found.line, found.relation, found.intermediate) == (line, relation, intermediate)


OWN_WAY = """import numpy as np

def softmax(z):
    e = np.exp(z - z.max(axis=-1, keepdims=True))
    return e / e.sum(axis={axis}, keepdims=True)

def scaled_dot_product_attention(q, k, v, scale=None):
    s = np.einsum("...ld,...sd->...ls", q, k)
    if scale is None:
        scale = q.shape[-1] ** {power}
    s = s * scale
    return softmax(s) @ v, softmax(s)
"""


def test_a_learners_own_steps_are_compared_by_value(
    attention: Problem, sandbox: SandboxPool
) -> None:
    factor = of(attention, OWN_WAY.format(axis=-1, power=0.5), sandbox)
    assert factor.wrong is not None and factor.case.name == "five words"
    assert (factor.wrong.line, factor.wrong.relation) == (11, Relation.FACTOR)
    assert factor.wrong.factor == pytest.approx(4)
    assert (factor.wrong.root, factor.wrong.letter) == ("", "D")
    assert wrong_step_text(factor.wrong).startswith("line 8 is right; line 11, `s`: `scores`")
    assert not factor.wrong.guess


def test_the_axis_of_a_sum_is_found_within_a_line(attention: Problem, sandbox: SandboxPool) -> None:
    found = of(attention, OWN_WAY.format(axis=0, power=-0.5), sandbox)
    assert found.wrong is not None and found.wrong.guess
    assert (found.wrong.line, found.wrong.variable) == (5, "e.sum(axis=0, keepdims=True)")
    assert found.wrong.step in found.shown
    follows = {found.steps[i].name for i in found.follows}
    assert "softmax(s) @ v" in follows and "s" not in follows


def test_of_a_right_solution_no_step_is_called_wrong(
    attention: Problem, sandbox: SandboxPool
) -> None:
    found = of(attention, OWN_WAY.format(axis=-1, power=-0.5), sandbox)
    assert (found.verdict, found.wrong, found.findings) == (Outcome.ACCEPTED, None, ())
    named = {found.steps[i].name: m.known.name for i, m in found.matches.items() if m.right}
    assert named["s"] == "scores" and named["softmax(s) @ v"] == "output"


@pytest.mark.parametrize("slug", ["cross_attention", "self_attention_module"])
def test_methods_of_a_module_are_traced(slug: str, sandbox: SandboxPool) -> None:
    problem = shipped(slug)
    found = of(problem, problem.references[Framework.TORCH], sandbox)
    assert found.verdict is Outcome.ACCEPTED and not found.cut
    functions = {step.function for step in found.steps}
    assert {"__init__", "forward", "split_heads"} <= functions
    weights = next(s for s in found.steps if s.name == "weights")
    assert weights.shape is not None and len(weights.shape) == 4


def test_without_a_name_the_first_public_case_that_fails_is_traced(
    attention: Problem, sandbox: SandboxPool
) -> None:
    source = attention.references[Framework.NUMPY].replace("* scale", "* abs(scale)")
    found = of(attention, source, sandbox)
    assert found.case.name == "a scale of minus 0.3" and not found.case.sample
    twin = answers_for(attention, Framework.NUMPY, sandbox).twins[found.case.name]
    assert all(np.array_equal(found.case.inputs[n], a) for n, a in twin.case.inputs.items())


def test_a_case_that_does_not_exist_is_refused(attention: Problem, sandbox: SandboxPool) -> None:
    with pytest.raises(UsageError, match=r"has no case 'five word'; .* are 'five words'"):
        of(attention, attention.references[Framework.NUMPY], sandbox, "five word")


def test_a_hidden_case_without_a_public_twin_is_never_traced(sandbox: SandboxPool) -> None:
    problem = shipped("attention_by_hand")
    answers = answers_for(problem, Framework.NUMPY, sandbox)
    hidden = next(a.case.name for a in answers.cases if a.case.name not in answers.twins)
    with pytest.raises(UsageError, match="no public inputs"):
        of(problem, problem.references[Framework.NUMPY], sandbox, hidden)


def test_numbers_worked_by_hand_are_compared_with_no_step(sandbox: SandboxPool) -> None:
    """The tables of the reference hold the answers of hidden cases."""
    problem = shipped("attention_by_hand")
    source = problem.references[Framework.NUMPY].replace("-1.27", "9.99").replace("2.35", "9.99")
    found = of(problem, source, sandbox)
    assert (dict(found.matches), found.wrong) == ({}, None)
    assert "scores" in {step.name for step in found.steps}


def test_an_input_of_the_learners_own_is_traced(attention: Problem, sandbox: SandboxPool) -> None:
    values = {n: np.arange(8.0).reshape(2, 4) * s for n, s in (("q", 0.1), ("k", 0.2), ("v", 1.0))}
    own = Case("mine", inputs=values)
    right = of(attention, attention.references[Framework.NUMPY], sandbox, own)
    assert (right.verdict, right.wrong) == (Outcome.ACCEPTED, None)
    wrong = of(attention, OWN_WAY.format(axis=-1, power=-1), sandbox, own)
    assert wrong.verdict is Outcome.WRONG_ANSWER and wrong.wrong is not None
    assert (wrong.wrong.line, wrong.wrong.letter) == (11, "1/√D")


OTHER_RESULTS = {
    "one of two": ("return output, weights", "return output"),
    "one too many": ("return output, weights", "return output, weights, scores"),
    "a list of both in one": ("return output, weights", "return [[output, weights]]"),
}


@pytest.mark.parametrize("form", OTHER_RESULTS)
@pytest.mark.parametrize("framework", Framework)
def test_another_number_of_results_is_no_wrong_step(
    framework: Framework, form: str, attention: Problem, sandbox: SandboxPool
) -> None:
    """Every step is right, an argument above all; what is returned is what to look at."""
    source = attention.references[framework].replace(*OTHER_RESULTS[form])
    found = of(attention, source, sandbox)
    assert found.wrong is None or found.wrong.relation is Relation.RETURNED
    assert found.wrong is None or "return" in source.splitlines()[found.wrong.line - 1]
    # a mistake beside it is told all the same
    scaled = source.replace("1 / math.sqrt(d)", "1 / d")
    wrong = of(attention, scaled, sandbox).wrong
    assert wrong is not None and wrong.variable == "scale"


def test_a_wrong_result_is_compared_with_what_is_due_first(sandbox: SandboxPool) -> None:
    """Not with a step of the reference that has nearly the same values, too."""
    problem = shipped("stable_softmax")
    source = re.sub("return (.*)", r"return -(\1)", problem.references[Framework.NUMPY])
    wrong = of(problem, source, sandbox).wrong
    assert wrong is not None
    assert (wrong.intermediate, wrong.factor) == ("weights", pytest.approx(-1))


ROW_BY_ROW = """import numpy as np

def scaled_dot_product_attention(q, k, v, scale=None):
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    weights = np.empty((*q.shape[:-1], k.shape[-2]), q.dtype)
    output = np.zeros((*q.shape[:-1], v.shape[-1]), q.dtype)
    for i in range(q.shape[-2]):
        row = q[..., i, :]
        s = (k * row[..., None, :]).sum(axis=-1) * scale
        e = np.exp(s - s.max(axis=-1, keepdims=True))
        w = e / e.sum(axis=-1, keepdims=True)
        weights[..., i, :] = w
        output[..., i, :] = (w[..., None] * v).sum(axis=-2)
    return output, weights
"""
HEAD_BY_HEAD = """import torch

def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    D = q.shape[-1] // num_heads
    outs = []
    for h in range(num_heads):
        cols = slice(h * D, (h + 1) * D)
        qh, kh, vh = q @ w_q[:, cols], k @ w_k[:, cols], v @ w_v[:, cols]
        s = qh @ kh.transpose(-2, -1) / D ** 0.5
        w = torch.softmax(s, dim=-1)
        outs.append(w @ vh)
    return torch.cat(outs, dim=-1) @ w_o
"""
LOOPS = [
    ("scaled_dot_product_attention", ROW_BY_ROW, "* scale", "", 9, Relation.FACTOR),
    ("scaled_dot_product_attention", ROW_BY_ROW, "np.exp(", "np.exp2(", 10, Relation.UNKNOWN),
    ("scaled_dot_product_attention", ROW_BY_ROW, "= w\n", "= s\n", 12, Relation.STILL),
    (
        "scaled_dot_product_attention",
        ROW_BY_ROW,
        "v).sum(axis=-2)",
        "v).mean(axis=-2)",
        13,
        Relation.FACTOR,
    ),
    ("multi_head_attention", HEAD_BY_HEAD, " / D ** 0.5", "", 9, Relation.FACTOR),
    ("multi_head_attention", HEAD_BY_HEAD, "dim=-1)\n", "dim=-2)\n", 10, Relation.UNKNOWN),
]


@pytest.mark.parametrize(("slug", "source", "old", "new", "line", "relation"), LOOPS)
def test_in_a_loop_a_row_or_a_head_is_compared_with_that_of_the_reference(
    slug: str,
    source: str,
    old: str,
    new: str,
    line: int,
    relation: Relation,
    sandbox: SandboxPool,
) -> None:
    """The memory that it fills was blamed, whatever was wrong: it has no value yet."""
    wrong = of(shipped(slug), source.replace(old, new, 1), sandbox).wrong
    assert wrong is not None
    assert (wrong.line, wrong.relation) == (line, relation)


@pytest.mark.parametrize(
    ("slug", "source", "case"),
    [
        ("scaled_dot_product_attention", ROW_BY_ROW, "five words"),
        ("multi_head_attention", HEAD_BY_HEAD, "three words, two heads"),
    ],
)
def test_no_step_of_a_right_loop_is_called_wrong(
    slug: str, source: str, case: str, sandbox: SandboxPool
) -> None:
    assert of(shipped(slug), source, sandbox, case).wrong is None


def test_what_a_loop_takes_from_an_argument_is_no_wrong_step(sandbox: SandboxPool) -> None:
    """An item of it may be nearly a step of the reference."""
    assert (found := mistake("online_softmax", "maximum_of_the_last_block", "numpy", sandbox).wrong)
    assert (found.line, found.variable) == (11, "higher")
    assert (found := mistake("online_softmax", "nothing_rescaled", "numpy", sandbox).wrong)
    assert found.variable != "block"


@pytest.mark.parametrize("name", ["decay_squared", "mean_decay"])
def test_an_argument_that_is_given_another_value_is_named(name: str, sandbox: SandboxPool) -> None:
    """Rows that are scaled by it come later."""
    found = mistake("retention", name, "numpy", sandbox).wrong
    assert found is not None and (found.line, found.variable) == (10, "decay")


def test_a_line_that_raises_is_named(attention: Problem, sandbox: SandboxPool) -> None:
    source = attention.references[Framework.NUMPY].replace("np.swapaxes(k, -2, -1)", "k[:2]")
    found = of(attention, source, sandbox)
    assert found.verdict is Outcome.RUNTIME_ERROR and found.wrong is not None
    assert found.wrong.line == 11


ENTRY = "def scaled_dot_product_attention(q, k, v, scale=None):\n"
HOSTILE = {
    "no end": ENTRY + "    while True:\n        q = q + 1\n",
    "another hook": f"import sys\n{ENTRY}    sys.settrace(None)\n    globals()['{HOOK}'] = print\n    return q, q\n",
    "a forged trace": f"""
class Recorder:
    pass
{ENTRY}
    hook = globals()['{HOOK}']
    hook.result = lambda: ({{"frame": "trace", "cut": ["x"] * 9, "steps": [{{"line": 10 ** 40, "reads": [0] * 999, "name": "n" * 999}}] * 999}}, {{}})
    return q, q
""",
    "a huge trace": f"""
{ENTRY}
    hook = globals()['{HOOK}']
    hook.result = lambda: ({{"frame": "trace", "cut": [], "steps": ["n" * (1 << 20)]}}, {{}})
    return q, q
""",
    "a result for a trace": f"""
{ENTRY}
    hook = globals()['{HOOK}']
    hook.result = lambda: ({{"frame": "result", "index": 0, "ended": "returned"}}, {{}})
    return q, q
""",
    "an end in the trace": f"""
import os
{ENTRY}
    globals()['{HOOK}'].result = lambda: os._exit(0)
    return q, q
""",
    "many values": f"import numpy as np\n{ENTRY}"
    + "".join(f"    a{i} = np.zeros(4096)\n" for i in range(600))
    + "    return q, q\n",
    "nothing": "",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_whatever_a_program_does_to_its_trace_harms_nobody_else(
    name: str, attention: Problem, sandbox: SandboxPool
) -> None:
    found = of(attention, HOSTILE[name], sandbox, "five words")
    assert found.verdict is not Outcome.ACCEPTED
    assert len(json.dumps(found.to_json())) < 1 << 18
    if name == "no end":
        assert found.cut == ("time",) and found.steps[-1].count > 1
    # the room goes on, and the next one is judged as ever
    reference = attention.references[Framework.NUMPY]
    assert of(attention, reference, sandbox, "five words").verdict is Outcome.ACCEPTED


def test_a_program_that_never_stops_between_lines_is_ended(
    attention: Problem, sandbox: SandboxPool
) -> None:
    limits = replace(attention.limits, wall_s=1.0)
    problem = replace(attention, limits=limits)
    found = of(problem, f"{ENTRY}    sum(iter(int, 1))\n", sandbox, "five words")
    assert found.run.ended is Ended.WALL_TIME and found.steps == ()


NOTHING_TRACED = """import sys
assert "{hook}" not in globals() and sys.gettrace() is None
{reference}
"""


def test_nothing_is_traced_when_a_submission_is_judged(
    attention: Problem, sandbox: SandboxPool
) -> None:
    reference = attention.references[Framework.NUMPY]
    source = NOTHING_TRACED.format(hook=HOOK, reference=reference)
    assert (
        judge(attention, Submission(Framework.NUMPY, source), sandbox).verdict is Outcome.ACCEPTED
    )


@pytest.mark.torch
def test_the_rules_hold_for_a_trace_too(sandbox: SandboxPool) -> None:
    problem = shipped("stable_softmax")
    found = of(
        problem,
        "import torch\ndef softmax(x, axis=-1):\n    return torch.softmax(x, dim=axis)\n",
        sandbox,
    )
    assert found.verdict is Outcome.RULE_VIOLATION and found.steps == ()


def test_the_reference_is_named_and_never_shown(attention: Problem, sandbox: SandboxPool) -> None:
    found = mistake("scaled_dot_product_attention", "keys_reshaped", "numpy", sandbox)
    told = json.dumps(found.to_json(), ensure_ascii=False)
    secret = storage.hidden_seed(attention.digest, 0)
    assert "np.swapaxes" not in told and str(secret) not in told


def test_the_json_has_every_step_with_a_name(attention: Problem, sandbox: SandboxPool) -> None:
    found = of(attention, OWN_WAY.format(axis=-1, power=0.5), sandbox).to_json()
    again = json.loads(json.dumps(found, allow_nan=False))
    assert again["first_wrong_step"]["line"] == 11 and again["version"] == 1
    steps = {(s["variable"], s["line"]): s for s in again["steps"]}
    s = steps["s", 11]
    assert (s["dtype"], s["shape"], s["is"]) == ("float32", [5, 5], None)
    assert steps["s", 8]["is"] == {"intermediate": "scores", "relation": "same"}
    assert steps["softmax(s) @ v", 12]["follows"] and not s["follows"]
    assert np.array(s["values"]).shape == (5, 5) and math.isclose(
        max(map(max, s["values"])), s["range"][1]
    )
    assert all(step["kind"] != Kind.EXPRESSION for step in again["steps"])


def test_each_sentence_is_translated(attention: Problem, sandbox: SandboxPool) -> None:
    found = of(attention, OWN_WAY.format(axis=-1, power=0.5), sandbox).wrong
    assert found is not None
    for language in languages():
        text = wrong_step_text(found, catalogue(language))
        assert "scores" in text and "11" in text and ("reference" in text) == (language == "en")


@pytest.mark.parametrize("name", ["last_token_only", "weights_detached", "no_maximum_subtracted"])
def test_of_several_calls_the_first_wrong_result_counts(sandbox: SandboxPool, name: str) -> None:
    """A driver calls the module for each piece of a text; what it returns is not the module's."""
    problem = shipped("kv_cache")
    places = {mistake: (source, lines) for mistake, _, source, lines in edits(problem)}
    source, edited = places[name]
    found = trace(problem, Submission(Framework.TORCH, source), sandbox, rules=False)
    assert any(placed(found, lines) for lines in edited)


KEPT = [
    # no mask by its opposite, no number that a loop begins with, no half of a maximum, no detached
    # maximum, no numbers that are made of sizes alone
    ("grouped_query_attention", "hidden_by_ten_thousand_torch", lambda wrong: wrong.guess),
    ("alibi", "offset_never_below_zero_numpy", lambda wrong: wrong.guess),
    ("int8_cache", "half_steps_of_128_numpy", lambda wrong: wrong.variable != "x.max(-1)"),
    ("masked_attention", "weights_detached_in_the_product_torch", lambda wrong: wrong.line == 20),
    ("rotary_embedding", "positions_counted_on_torch", lambda wrong: wrong.line != 10),
    # every step is said to be right only where the result is
    ("attention_cost", "one_addition_less_a_row_numpy", lambda wrong: wrong.is_step),
    ("layer_norm", "root_of_eps_beside_sigma_numpy", lambda wrong: wrong.relation is SLIGHT),
]
SLIGHT = Relation.SLIGHT


@pytest.mark.parametrize(("slug", "name", "as_due"), KEPT, ids=[name for _, name, _ in KEPT])
def test_a_step_that_is_right_is_not_called_wrong(
    slug: str, name: str, as_due: Callable[[WrongStep | None], bool], sandbox: SandboxPool
) -> None:
    source = (ROOT / "tests" / "bank" / "solutions" / slug / f"wrong_{name}.py").read_text()
    found = of(shipped(slug), source, sandbox).wrong
    assert as_due(found), found
