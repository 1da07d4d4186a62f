"""The model of the capstone: its size, its training program, and how sure it is of its text."""

import hashlib
import importlib.util
import lzma
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from grader.capstone.check import COUNT, PROMPTS
from grader.capstone.parts import SLUGS, reference
from grader.capstone.weights import ALPHABET, CONTEXT, FILE, HEADS, config, encode, shapes, weights
from grader.inside.assembly.model import Model
from grader.inside.assembly.parts import Part
from tests import ROOT
from tests.frameworks import REASON
from tests.shipped import shipped

torch = pytest.importorskip("torch", reason=REASON)

SURE = 0.05  # right programs differ by a thousandth of that in a logit of this model


@pytest.fixture(scope="module")
def model() -> Model:
    """The references, put together in this process."""
    sent = {slug: reference(shipped(slug)) for slug in SLUGS}
    parts = {slug: Part(slug, str(s.framework), s.source) for slug, s in sent.items()}
    return Model(parts, weights(), config())


def loaded(name: str) -> ModuleType:
    """A program of scripts/, as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / f"scripts/{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def training() -> ModuleType:
    """`scripts/train_model.py`."""
    return loaded("train_model")


def test_it_is_small() -> None:
    assert sum(np.prod(shape) for shape in shapes().values()) <= 1_000_000
    assert FILE.stat().st_size <= 2 * 2**20
    assert len(set(ALPHABET)) == len(ALPHABET) <= 100
    assert {name: array.shape for name, array in weights().items()} == shapes()
    assert all(np.isfinite(array).all() for array in weights().values())


def test_the_page_of_the_design_names_these_weights() -> None:
    page = (ROOT / "docs/design/capstone.md").read_text(encoding="utf-8")
    assert hashlib.sha256(FILE.read_bytes()).hexdigest() in page


@pytest.mark.slow
def test_the_room_computes_what_was_trained(model: Model, training: ModuleType) -> None:
    trained: Any = training.Model().eval()
    found = {name: torch.from_numpy(array.astype(np.float32)) for name, array in weights().items()}
    with torch.no_grad():
        trained.embedding.copy_(found["embedding"])
        trained.norm.copy_(found["norm"])
        for number, layer in enumerate(trained.layers):
            for name, weight in layer.weights.items():
                stored = next(n for n in found if n.replace(".", "_") == f"{number}_{name}")
                weight.copy_(found[stored])
        tokens = encode("\nEach query is compared with every key, and the weights of a row ")
        expected = trained(torch.tensor([tokens]))[0, -1]
    model.begin()
    at_once = model.logits(tokens)
    torch.testing.assert_close(at_once, expected, atol=1e-4, rtol=1e-4)
    model.begin()
    in_pieces = [model.logits(piece) for piece in (tokens[:7], tokens[7:8], tokens[8:])][-1]
    torch.testing.assert_close(in_pieces, expected, atol=1e-4, rtol=1e-4)


def test_the_training_text_is_prose_of_known_characters(training: ModuleType) -> None:
    found = lzma.decompress(training.TEXT.read_bytes()).decode().split("\n")
    assert len(set(found)) == len(found) > 2000
    assert set("".join(found)) <= set(ALPHABET)
    assert not [text for text in found if "$" in text or "|" in text or "http" in text]


def test_the_text_can_be_collected_again() -> None:
    collected = loaded("model_text").paragraphs()
    kept = lzma.decompress((ROOT / "scripts/model_text.xz").read_bytes()).decode().split("\n")
    assert len(set(collected) & set(kept)) > len(kept) / 2


@pytest.mark.slow
@pytest.mark.parametrize("prompt", PROMPTS)
def test_rounding_never_decides(model: Model, prompt: str) -> None:
    """The best character is better than the next one by far more than right programs differ."""
    model.begin()
    tokens = encode(f"\n{prompt}")
    for _ in range(COUNT):
        logits = model.logits(tokens)
        first, second = logits.topk(2).values.tolist()
        assert first - second > SURE
        tokens = [int(logits.argmax())]


@pytest.mark.slow
def test_a_long_text_goes_on_from_its_last_half(model: Model) -> None:
    tokens = encode("\n" + "The weights of a row sum to 1. " * 10)
    model.begin()
    for token in tokens:
        logits = model.logits([token])
        assert len(model.seen) <= CONTEXT
    kept = list(model.seen)
    model.begin()
    torch.testing.assert_close(model.logits(kept), logits, atol=1e-4, rtol=1e-4)


def test_maps_are_weights_of_what_came_before(model: Model) -> None:
    tokens = encode("\nA mask hides")
    maps = model.maps(tokens)
    assert [m.shape for m in maps.values()] == [(HEADS, len(tokens), len(tokens))] * 4
    for found in maps.values():
        np.testing.assert_allclose(found.sum(axis=-1), 1, atol=1e-5)
        assert not np.triu(found, 1).any()
