"""The rules: which names are found, and by which ways; what is allowed; and what is known to slip
past.
"""

import ast

import pytest

from grader.inside import rules
from grader.judge import judge
from grader.model import Framework, Outcome, Submission
from grader.problem import Problem
from grader.sandbox import SandboxPool

SDPA = "torch.nn.functional.scaled_dot_product_attention"
FOUND = {
    "plain": ("import torch\ntorch.nn.functional.scaled_dot_product_attention(q, k, v)", SDPA, 2),
    "alias": ("import torch.nn.functional as F\nF.scaled_dot_product_attention(q, k, v)", SDPA, 2),
    "from": ("from torch.nn.functional import scaled_dot_product_attention", SDPA, 1),
    "from_as": (
        "from torch.nn.functional import scaled_dot_product_attention as harmless",
        SDPA,
        1,
    ),
    "from_module": (
        "from torch.nn import functional as F\nF.scaled_dot_product_attention",
        SDPA,
        2,
    ),
    "from_parent": ("from torch import nn\nnn.functional.scaled_dot_product_attention", SDPA, 2),
    "assigned_module": (
        "import torch\nF = torch.nn.functional\ng = F.scaled_dot_product_attention",
        SDPA,
        3,
    ),
    "assigned_twice": (
        "import torch\na = torch.nn\nb = a.functional\nb.scaled_dot_product_attention",
        SDPA,
        4,
    ),
    "assigned_to_both": (
        "import torch\na = b = torch.nn.functional\nb.scaled_dot_product_attention",
        SDPA,
        3,
    ),
    "annotated": (
        "import torch\nF: object = torch.nn.functional\nF.scaled_dot_product_attention",
        SDPA,
        3,
    ),
    "walrus": (
        "import torch\n(F := torch.nn.functional).softmax\nF.scaled_dot_product_attention",
        SDPA,
        3,
    ),
    "without_a_call": (
        "import torch.nn.functional as F\nhandlers = [F.scaled_dot_product_attention]",
        SDPA,
        2,
    ),
    "getattr": (
        "import torch.nn.functional as F\ngetattr(F, 'scaled_dot_product_attention')(q, k, v)",
        SDPA,
        2,
    ),
    "getattr_default": (
        "import torch.nn.functional as F\ngetattr(F, 'scaled_dot_product_attention', None)",
        SDPA,
        2,
    ),
    "getattr_of_getattr": (
        "import torch\ngetattr(getattr(torch.nn, 'functional'), 'scaled_dot_product_attention')",
        SDPA,
        2,
    ),
    "importlib": (
        (
            "import"
            " importlib\nimportlib.import_module('torch.nn.functional').scaled_dot_product_attention"
        ),
        SDPA,
        2,
    ),
    "importlib_from": (
        (
            "from importlib import"
            " import_module\nimport_module('torch.nn.functional').scaled_dot_product_attention"
        ),
        SDPA,
        2,
    ),
    "importlib_alias": (
        (
            "import importlib as i\nF ="
            " i.import_module('torch.nn.functional')\nF.scaled_dot_product_attention"
        ),
        SDPA,
        3,
    ),
    "dunder_import": ("__import__('torch').nn.functional.scaled_dot_product_attention", SDPA, 1),
    "in_a_function": (
        (
            "def f(q):\n    import torch.nn.functional as F\n    return"
            " F.scaled_dot_product_attention(q, q, q)"
        ),
        SDPA,
        3,
    ),
    "in_a_default": (
        "import torch\ndef f(q, g=torch.nn.functional.scaled_dot_product_attention): pass",
        SDPA,
        2,
    ),
    "in_a_decorator": (
        "import torch\n@torch.nn.functional.scaled_dot_product_attention\ndef f(): pass",
        SDPA,
        2,
    ),
    "module_class": (
        "import torch\ntorch.nn.MultiheadAttention(4, 2)",
        "torch.nn.MultiheadAttention",
        2,
    ),
    "inherited": (
        "from torch import nn\nclass A(nn.MultiheadAttention): pass",
        "torch.nn.MultiheadAttention",
        2,
    ),
    "transformer": (
        "import torch.nn as nn\nnn.TransformerEncoderLayer(4, 2)",
        "torch.nn.TransformerEncoderLayer",
        2,
    ),
    "flex": (
        "from torch.nn.attention.flex_attention import flex_attention",
        "torch.nn.attention.flex_attention.flex_attention",
        1,
    ),
    "native": (
        "import torch\ntorch._C._nn.scaled_dot_product_attention",
        "torch._C._nn.scaled_dot_product_attention",
        2,
    ),
    "operator": ("import torch\ntorch.ops.aten.scaled_dot_product_attention.default", None, 2),
    "transformers": ("import transformers", "transformers", 1),
    "transformers_deep": ("from transformers.models.bert import modeling_bert", None, 1),
    "flash_attn": ("from flash_attn import flash_attn_func", None, 1),
    "reference": ("from reference.causal_mask import numpy", None, 1),
    "star": ("from torch.nn.functional import *\nscaled_dot_product_attention(q, k, v)", SDPA, 2),
}
ALLOWED = {
    "softmax": "import torch\ntorch.softmax(x, -1)",
    "functional": "import torch.nn.functional as F\nF.softmax(x, -1)",
    "linear": "from torch import nn\nnn.Linear(2, 2)",
    "own_function": (
        "def scaled_dot_product_attention(q, k, v): return q\nscaled_dot_product_attention(1, 2, 3)"
    ),
    "own_method": (
        "class A:\n    def scaled_dot_product_attention(self): pass\n    def f(self):"
        " self.scaled_dot_product_attention()"
    ),
    "own_class": "class MultiheadAttention: pass\nMultiheadAttention()",
    "own_attribute": "class A:\n    def __init__(self): self.MultiheadAttention = 1",
    "in_text": (
        "print('torch.nn.functional.scaled_dot_product_attention')  # torch.nn.MultiheadAttention"
    ),
    "own_variable": "reference = 3\nreference + 1",
    "own_solver": "problems = []\nproblems.append(1)",
    "own_parameter": "def f(reference, jax): return reference.jax + jax.reference",
    "own_loop": "for transformers in range(3): transformers.real",
    "own_result": "import numpy as np\nsklearn = np.ones(3)\nsklearn.sum()",
    "star_and_own": (
        "from torch.nn.functional import *\ndef scaled_dot_product_attention(q): return"
        " q\nscaled_dot_product_attention(1)"
    ),
    "similar_name": "import torch\ntorch.nn.TransformerLike",
    "numpy": "import numpy as np\nnp.linalg.norm(x)",
}
# what gets past a reader of trees; nothing that the judge trusts is gained, and whoever writes this
# knows what it stands for
SLIPS = {
    "computed_name": (
        "import torch.nn.functional as F\ngetattr(F, 'scaled_dot_' + 'product_attention')(q, k, v)"
    ),
    "dictionary": (
        "import torch.nn.functional as F\nF.__dict__['scaled_dot_product_attention'](q, k, v)"
    ),
    "executed": "exec('import torch; torch.nn.functional.scaled_dot_product_attention')",
    "renamed_getattr": (
        "import torch.nn.functional as F\ng = getattr\ng(F, 'scaled_dot_product_attention')"
    ),
    "tuple": "import torch\nF, _ = torch.nn.functional, 0\n(lambda m: m)(F).softmax",
}


@pytest.mark.parametrize("name", FOUND)
def test_forbidden_name_is_found(name: str) -> None:
    source, expected, line = FOUND[name]
    found = rules.violation(ast.parse(source))
    assert found is not None
    assert found[1] == line
    assert expected in (None, found[0])


@pytest.mark.parametrize("name", ALLOWED)
def test_honest_source_breaks_no_rule(name: str) -> None:
    assert rules.violation(ast.parse(ALLOWED[name])) is None


@pytest.mark.parametrize("name", SLIPS)
def test_what_slips_past_is_known(name: str) -> None:
    assert rules.violation(ast.parse(SLIPS[name])) is None


@pytest.mark.parametrize(
    ("source", "forbid", "found"),
    [
        ("import torch\ntorch.softmax(x, 0)", ("torch.softmax",), "torch.softmax"),
        ("from torch import softmax", ("torch.softmax",), "torch.softmax"),
        (
            "import torch\ntorch.nn.functional.softmax(x)",
            ("torch.softmax",),
            "torch.nn.functional.softmax",
        ),
        ("import torch\ntorch.softmax_like(x)", ("torch.softmax",), None),
        ("import numpy as np\nnp.linalg.solve(a, b)", ("numpy.linalg",), "numpy.linalg.solve"),
        ("def softmax(x): return x\nsoftmax(1)", ("torch.softmax",), None),
        ("class S:\n    def softmax(self, x): return x\nS().softmax(1)", ("torch.softmax",), None),
        (
            "class S:\n    def softmax(self, x): return x\nimport torch\ntorch.softmax(1)",
            ("torch.softmax",),
            "torch.softmax",
        ),
        ("def softmax(x): return x.softmax(-1)", ("torch.softmax",), "x.softmax"),
    ],
    ids=(
        "plain from elsewhere prefix package own own_method own_method_and_theirs"
        " own_function_and_theirs".split()
    ),
)
def test_a_problem_forbids_more(source: str, forbid: tuple[str, ...], found: str | None) -> None:
    violation = rules.violation(ast.parse(source), forbid)
    assert (violation and violation[0]) == found


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("x = 1\nimport math", 2),
        ("from math import pi", 1),
        ("def f():\n    import os", 2),
        ("x = 1", None),
    ],
    ids="import from inner none".split(),
)
def test_a_problem_forbids_all_imports(source: str, line: int | None) -> None:
    violation = rules.violation(ast.parse(source), imports=False)
    assert violation == (None if line is None else ("import", line))


WAYS_TO_A_DRIVER = {
    "sys._getframe(1).f_locals": "f_locals",
    "from sys import _getframe as here": "sys._getframe",
    "import inspect\ninspect.stack()": "inspect.stack",
    "from inspect import currentframe": "inspect.currentframe",
    "def f_back(): ...\ntry: 1 / 0\nexcept Exception as e: e.__traceback__.tb_frame": (
        "e.__traceback__.tb_frame"
    ),
    "def f_back(): ...\nframe.f_back": "frame.f_back",
    "def g(step): return step.__closure__": "step.__closure__",
    "import gc\ngc.get_objects()": "gc.get_objects",
    "getattr(step, '__globals__')": "step.__globals__",
}


@pytest.mark.parametrize("source", WAYS_TO_A_DRIVER)
def test_what_leads_to_a_driver_is_found_where_there_is_one(source: str) -> None:
    tree = ast.parse(source)
    assert rules.violation(tree) is None
    found = rules.violation(tree, driven=True)
    assert found is not None
    assert found[0] == WAYS_TO_A_DRIVER[source]


@pytest.mark.parametrize(
    "source",
    [
        "import numpy as np\nnp.stack(rows) + np.trace(x)",
        "import gc\ngc.collect()",
        "import torch\ntorch.stack(rows)",
        "class Cache:\n    def stack(self): self.f_locals = 1",
    ],
)
def test_what_leads_nowhere_is_allowed_beside_a_driver(source: str) -> None:
    assert rules.violation(ast.parse(source), driven=True) is None


def test_every_forbidden_name_is_found_as_it_stands() -> None:
    for name in rules.FORBIDDEN:
        parent, _, last = name.rpartition(".")
        for source in (
            f"import {parent.split('.')[0]}\n{name}",
            f"from {parent} import {last}",
            f"import {parent} as alias\nalias.{last}",
        ):
            assert rules.violation(ast.parse(source)) is not None, source


@pytest.mark.parametrize("depth", [10, 50_000])
def test_a_deep_tree_is_no_recursion(depth: int) -> None:
    node: ast.expr = ast.Name("x", ast.Load())
    for _ in range(depth):
        node = ast.UnaryOp(ast.USub(), node)
    assert rules.violation(ast.Module([ast.Expr(node)], [])) is None


HONEST_TWICE = """
import torch
import torch.nn.functional as F

def scaled_dot_product_attention(q, k, v, scale=None):
    finished = F.__dict__["scaled_dot_" + "product_attention"]
    w = torch.softmax(q @ k.mT * (q.shape[-1] ** -0.5 if scale is None else scale), -1)
    return (w @ v, w) if finished else None
"""


@pytest.mark.parametrize(
    ("source", "applied", "verdict"),
    [
        (HONEST_TWICE, True, Outcome.ACCEPTED),
        (
            HONEST_TWICE.replace(
                'F.__dict__["scaled_dot_" + "product_attention"]', "F.scaled_dot_product_attention"
            ),
            True,
            Outcome.RULE_VIOLATION,
        ),
        (
            HONEST_TWICE.replace(
                'F.__dict__["scaled_dot_" + "product_attention"]', "F.scaled_dot_product_attention"
            ),
            False,
            Outcome.ACCEPTED,
        ),
    ],
    ids=["slips", "forbidden", "no_rules"],
)
def test_rules_in_the_room(
    source: str, applied: bool, verdict: Outcome, sandbox: SandboxPool, attention: Problem
) -> None:
    assert (
        judge(attention, Submission(Framework.TORCH, source), sandbox, rules=applied).verdict
        is verdict
    )


def test_a_forbidden_name_stops_the_source_before_it_runs(
    sandbox: SandboxPool, attention: Problem
) -> None:
    found = judge(
        attention,
        Submission(Framework.NUMPY, "print('ran')\nimport transformers\nraise SystemExit"),
        sandbox,
    )
    assert found.verdict is Outcome.RULE_VIOLATION
    assert found.cases[0].message == "line 2: transformers is what this exercise asks you to write"
    assert found.cases[0].printed == ""
