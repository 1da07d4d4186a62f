"""What the editor completes is what the pinned libraries have."""

import json
import re
from importlib.metadata import version

import pytest

from scripts import completions
from tests import ROOT

FILE = json.loads(completions.FILE.read_text())
NAMES = FILE["names"]


def test_the_versions_are_those_of_the_constraints() -> None:
    pinned = dict(
        re.findall(r"(?m)^(numpy|torch)==([\d.]+)", (ROOT / "constraints.txt").read_text())
    )
    assert FILE["versions"] == pinned


def test_the_file_is_what_the_installed_libraries_have() -> None:
    pytest.importorskip("torch", reason="PyTorch is not installed")
    installed = {name: version(name).partition("+")[0] for name in ("numpy", "torch")}
    if installed != FILE["versions"]:
        pytest.skip(f"other versions are installed: {installed}")
    assert completions.collected() == FILE


@pytest.mark.parametrize(
    ("owner", "line"),
    [
        ("numpy", "einsum(*operands, out=None, optimize=False, **kwargs)"),
        ("numpy", "float32(value=0, /)"),
        ("numpy", "linalg"),
        ("numpy.ndarray", "swapaxes(axis1, axis2, /)"),
        ("torch", "softmax(input, dim, *, dtype=None)"),
        ("torch", "float32"),
        ("torch.nn", "Sigmoid()"),
        ("torch.nn.functional", "softmax(input, dim=None, dtype=None)"),
        ("torch.Tensor", "masked_fill(mask, value)"),
        ("torch.nn.Module", "register_buffer(name, tensor, persistent=True)"),
    ],
)
def test_a_name_with_its_signature(owner: str, line: str) -> None:
    assert line in NAMES[owner]


def test_lines_are_short_and_have_no_private_names() -> None:
    for owner, lines in NAMES.items():
        for line in lines:
            name, _, call = line.partition("(")
            assert name.isidentifier() and not name.startswith("_"), (owner, line)
            assert not call or line.endswith(")"), (owner, line)
            assert not re.search(r"[(, ]_\w+[=,)]", call.replace(": _int=", "=")), (owner, line)
            assert len(call) <= completions.LONGEST, (owner, line)
