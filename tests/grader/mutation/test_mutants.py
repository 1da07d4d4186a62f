"""Each operator makes the mutants that it is there for, and all of them compile and differ."""

import ast

import pytest

from grader.model import Framework
from grader.mutation import mutants
from tests.conftest import ROOT

REFERENCES = sorted((ROOT / "reference").glob("*/*.py"))


def changes(body: str, framework: Framework = Framework.NUMPY) -> dict[str, str]:
    """The changed texts of a function with the parameters x and y, by operator and new text."""
    source = f"import numpy as np\n\n\ndef f(x, y=None):\n{body}"
    return {f"{m.operator}: {m.after}": m.before for m in mutants(source, framework)}


@pytest.mark.parametrize(
    ("line", "mutant"),
    [
        ("return x + y", "operator: (x - y)"),
        ("return x - y", "operator: (y - x)"),
        ("return x @ y", "operator: (x * y)"),
        ("return x < y", "comparison: (x <= y)"),
        ("return x < y", "comparison: (~(x < y))"),
        ("return ~x", "sign: (x)"),
        ("return x[0]", "constant: (1)"),
        ("return x[1:]", "index: (x[1 + 1:])"),
        ("return x[:, None]", "index: (x[None, :])"),
        ("return x * 1.5", "constant: ('1.5')"),
        ("return x.sum(axis=0)", "call: (x.sum(axis=-1))"),
        ("return x.sum(axis=0, keepdims=True)", "call: (x.sum(axis=0))"),
        ("return x.max()", "call: (x.min())"),
        ("return x.T", "attribute: (x)"),
        ("return np.inf * x", "attribute: (1e9)"),
        ("return np.maximum(x, y)", "call: (np.maximum(y, x))"),
        ("return x", "swapped name: (y)"),
        ("return x, y", "order: ((y, x,))"),
        ("return x if y is None else y", "branch: (y)"),
        ("return np.einsum('ij,jk->ik', x, y)", "constant: ('ij,jk->jk')"),
        ("return x", "transpose: (np.swapaxes((x), -1, -2))"),
        ("return x", "squeeze: (np.squeeze((x)))"),
        ("return x", "float cast: ((x).astype(np.float32))"),
        ("return x", "clip: (np.clip((x), -1e4, 1e4))"),
        ("return x", "rounding: (np.round((x), 6))"),
        ("return x", "fill: (np.where((x) == 0, 1, (x)))"),
        ("x = x + 1; return x", "dropped statement: pass"),
        ("x = x + y; return x", "in place: x += y; x = x"),
        ("x = x * 2; return x", "writes an input: x[...] = x;"),
    ],
)
def test_a_line_has_the_mutant(line: str, mutant: str) -> None:
    assert mutant in changes(f"    {line}\n")


def test_a_value_is_remembered_for_each_combination_of_shapes() -> None:
    (text,) = (name for name in changes("    z = x + y\n    return z\n") if "_kept" in name)
    for found in mutants("def f(x):\n    z = x + 1\n    return z\n", Framework.NUMPY):
        if found.operator == "remembered":
            namespace: dict[str, object] = {}
            exec(found.source, namespace)
            call = namespace["f"]
            assert callable(call) and (call(1.0), call(1.0)) == (2.0, 2.0)
    assert text.startswith("remembered: _kept.setdefault(('z', getattr(x, 'shape', x)")


def test_torch_has_detached_and_in_place_mutants() -> None:
    found = changes("    z = x.masked_fill(y, 0)\n    return z\n", Framework.TORCH)
    assert {"detach: ((z).detach())", "in place: x.masked_fill_(y, 0)"} <= found.keys()


def test_the_line_is_that_of_the_change() -> None:
    (found,) = (
        m
        for m in mutants('"""Σ of √."""\n\n\ndef f(x):\n    return x.max()\n', Framework.NUMPY)
        if m.after == "(x.min())"
    )
    assert (found.line, found.before, str(found)) == (
        5,
        "x.max()",
        "line 5: `x.max()` → `(x.min())`",
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "path", REFERENCES[::9], ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_mutants_of_a_reference_compile_and_differ(path: object) -> None:
    source = path.read_text(encoding="utf-8")  # type: ignore[attr-defined]
    found = mutants(source, Framework(path.stem))  # type: ignore[attr-defined]
    texts = {ast.unparse(ast.parse(mutant.source)) for mutant in found}
    assert len(texts) == len(found) > 100
    assert ast.unparse(ast.parse(source)) not in texts
