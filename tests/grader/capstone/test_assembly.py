"""Assembled models in the room: the same text from every right part, and what is told of others."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from grader.capstone import check
from grader.capstone.parts import SLUGS, parts
from grader.capstone.trouble import PartError, PromptError
from grader.capstone.weights import HEADS, LAYERS
from grader.capstone.writing import LONGEST, MOST, Prompt, Writer, writer
from grader.findings.catalogue import catalogue
from grader.model import Framework, Submission
from grader.problem import Problem
from grader.sandbox import SandboxPool, assembly
from tests.bank.test_solutions import RIGHT, framework
from tests.shipped import shipped

PROMPT = check.PROMPTS[0]
STYLES = {slug: [path for path in RIGHT if path.parent.name == slug] for slug in SLUGS}
ROUNDS = max(len(paths) for paths in STYLES.values())


@pytest.fixture(scope="module")
def problems() -> Mapping[str, Problem]:
    return {slug: shipped(slug) for slug in SLUGS}


@pytest.fixture(scope="module")
def due(problems: Mapping[str, Problem], sandbox: SandboxPool) -> Mapping[str, str]:
    """What the references write."""
    return check.expected(problems, sandbox)


def solution(slug: str, number: int) -> Submission:
    """One of the right solutions that are kept beside the tests."""
    path = STYLES[slug][number % len(STYLES[slug])]
    return Submission(framework(path), path.read_text(encoding="utf-8"))


@pytest.mark.torch
def test_the_reference_writes_what_it_writes(
    problems: Mapping[str, Problem], sandbox: SandboxPool, due: Mapping[str, str]
) -> None:
    with writer(parts(problems), sandbox) as model:
        found = check.compare(model, due)
    assert [each.right for each in found] == [True] * len(check.PROMPTS)
    assert all(len(each.text) == check.COUNT and " " in each.text.strip() for each in found)


@pytest.mark.torch
@pytest.mark.slow
@pytest.mark.parametrize("number", range(ROUNDS))
def test_every_right_style_writes_the_same(
    problems: Mapping[str, Problem], sandbox: SandboxPool, due: Mapping[str, str], number: int
) -> None:
    own = {slug: solution(slug, number) for slug in SLUGS}
    chosen = parts(problems, own)
    assert all(part.own for part in chosen)
    with writer(chosen, sandbox) as model:
        (found,) = check.compare(model, {PROMPT: due[PROMPT]})
    assert found.right, found


@pytest.mark.torch
def test_a_wrong_part_writes_something_else(
    problems: Mapping[str, Problem], sandbox: SandboxPool, due: Mapping[str, str]
) -> None:
    """So the comparison can fail: here values are never moved by where they stand."""
    still = "def apply_rope(x, positions, base=10000.0):\n    return x\n"
    chosen = parts(problems, {"rotary_embedding": Submission(Framework.NUMPY, still)})
    with writer(chosen, sandbox) as model:
        (found,) = check.compare(model, {PROMPT: due[PROMPT]})
    assert not found.right
    assert found.text[: found.same] == due[PROMPT][: found.same]
    assert found.text[found.same] != due[PROMPT][found.same]


BROKEN = {
    "raises": (
        "rms_norm",
        "def rms_norm(x, gain, eps):\n    raise ValueError('no norm today')\n",
        "your part 'rms_norm' failed in the model: it raised ValueError: no norm today (line 2)",
    ),
    "shape": (
        "rms_norm",
        "def rms_norm(x, gain, eps):\n    return x[..., :1]\n",
        "your part 'rms_norm' failed in the model: it returned a result of the wrong shape:"
        " [1, 128, 1]; due is [1, 128, 128]",
    ),
    "ends": (
        "stable_softmax",
        "import os\ndef softmax(x, axis=-1):\n    os._exit(3)\n",
        "your part 'stable_softmax' failed in the model: it ended the process (exit 3)",
    ),
    "loops": (
        "stable_softmax",
        "def softmax(x, axis=-1):\n    while True:\n        pass\n",
        "your part 'stable_softmax' failed in the model: it took longer than 1 s",
    ),
    "missing": (
        "sampling",
        "def another():\n    pass\n",
        "your part 'sampling' failed in the model: it raised KeyError: 'next_token'",
    ),
    "module": (
        "feed_forward",
        "class FeedForward:\n    def __init__(self, d_model, hidden, kind='gelu'):\n        pass\n",
        "your part 'feed_forward' failed in the model: it raised not_a_module",
    ),
    "syntax": (
        "kv_cache",
        "class CachedAttention(\n",
        "your part 'kv_cache' failed in the model: it raised SyntaxError: '(' was never closed"
        " (line 1)",
    ),
    "pair": (
        "kv_cache",
        "from torch import nn\nclass CachedAttention(nn.Module):\n"
        "    def __init__(self, d_model, num_heads=1):\n        super().__init__()\n"
        "        for n in 'qkvo':\n"
        "            setattr(self, f'W_{n}', nn.Linear(d_model, d_model, bias=False))\n"
        "    def forward(self, x, cache=None):\n        return x\n",
        "your part 'kv_cache' failed in the model: it returned a result of the wrong shape: not"
        " (output, cache)",
    ),
}


@pytest.mark.parametrize(("slug", "source", "told"), BROKEN.values(), ids=BROKEN)
def test_a_part_that_fails_is_named(
    problems: Mapping[str, Problem],
    sandbox: SandboxPool,
    monkeypatch: pytest.MonkeyPatch,
    slug: str,
    source: str,
    told: str,
) -> None:
    short = replace(assembly.LIMITS, wall_s=1)
    monkeypatch.setattr("grader.sandbox.assembly.LIMITS", short)
    monkeypatch.setattr("grader.capstone.trouble.LIMITS", short)
    kind = Framework.TORCH if "nn" in source else Framework.NUMPY
    chosen = parts(problems, {slug: Submission(kind, source)})
    with pytest.raises(PartError) as caught, writer(chosen, sandbox):
        pass
    assert (caught.value.slug, str(caught.value)) == (slug, told)
    assert caught.value.sentence(catalogue("zh")) != told


@pytest.mark.torch
def test_a_part_that_fails_later_is_named_too(
    problems: Mapping[str, Problem], sandbox: SandboxPool
) -> None:
    """It is called once, as long as the context, before anything is written."""
    source = "def next_token(logits, temperature, top_k, top_p, u):\n    return len(logits)\n"
    chosen = parts(problems, {"sampling": Submission(Framework.NUMPY, source)})
    with pytest.raises(PartError, match="96 is not a token"), writer(chosen, sandbox) as model:
        list(model.write(Prompt("The ", 3)))


@pytest.mark.torch
def test_a_part_may_print(problems: Mapping[str, Problem], sandbox: SandboxPool) -> None:
    """What it prints goes nowhere; more than a run may print would end it."""
    reference = problems["rms_norm"].references[Framework.NUMPY]
    source = reference.replace("    rms =", "    print('x' * 10_000)\n    rms =")
    assert source != reference
    chosen = parts(problems, {"rms_norm": Submission(Framework.NUMPY, source)})
    with writer(chosen, sandbox) as model:
        assert len("".join(model.write(Prompt("The ", 20)))) == 20


@pytest.fixture
def model(problems: Mapping[str, Problem], sandbox: SandboxPool) -> object:
    with writer(parts(problems), sandbox) as found:
        yield found


@pytest.mark.torch
def test_the_seed_decides_what_is_drawn(model: Writer) -> None:
    def text(seed: int, temperature: float) -> str:
        return "".join(model.write(Prompt("The mask ", 60, temperature, seed)))

    assert text(1, 1.0) == text(1, 1.0)
    assert text(1, 1.0) != text(2, 1.0)
    assert text(1, 0.0) == text(2, 0.0)


@pytest.mark.torch
def test_more_is_written_than_the_context_holds(model: Writer) -> None:
    assert len("".join(model.write(Prompt("Why ", 300)))) == 300


@pytest.mark.torch
def test_a_map_for_each_layer_and_head(model: Writer) -> None:
    maps = model.maps("A mask")
    assert [m.shape for m in maps] == [(HEADS, 7, 7)] * len(LAYERS)
    np.testing.assert_allclose([m.sum(axis=-1) for m in maps], 1, atol=1e-5)


@pytest.mark.parametrize(
    ("prompt", "told"),
    [
        (Prompt("a" * (LONGEST + 1)), f"the prompt is longer than {LONGEST} characters"),
        (Prompt("softmax ≤ 1"), "the model does not know the character '≤'"),
        (Prompt("a", 0), f"the model writes from 1 to {MOST} characters"),
        (Prompt("a", MOST + 1), f"the model writes from 1 to {MOST} characters"),
        (Prompt("a", 1, -0.1), "the temperature is a number from 0 to 2"),
        (Prompt("a", 1, float("nan")), "the temperature is a number from 0 to 2"),
    ],
)
def test_a_prompt_that_cannot_be_continued_is_refused(prompt: Prompt, told: str) -> None:
    with pytest.raises(PromptError, match="^" + told):
        list(Writer(None).tokens(prompt))  # type: ignore[arg-type]
