"""Mutation operators that put something around a value: casts, roundings, limits, transposes."""

import ast
from collections.abc import Iterator

from grader.model import Framework

ANY = {"sign": ("-{}", "~{}", "abs({})"), "cast": ("float({})", "int({})")}
WRAPS: dict[Framework, dict[str, tuple[str, ...]]] = {
    Framework.NUMPY: ANY
    | {
        "transpose": ("np.swapaxes({}, -1, -2)", "np.flip({}, -1)", "np.sort({})"),
        "squeeze": ("np.squeeze({})",),
        "float cast": (
            "{}.astype(np.float32)",
            "{}.astype(np.float16)",
            "{0}.astype(np.float32).astype({0}.dtype)",
            "{0}.astype(np.float16).astype({0}.dtype)",
            "{0}.astype(np.float64).astype({0}.dtype)",
        ),
        "integer cast": ("{}.astype(np.int64)", "{}.astype(np.int32)", "{}.astype(np.int8)"),
        "rounding": ("np.round({}, 6)", "np.round({}, 4)"),
        "clip": ("np.clip({}, -1e4, 1e4)", "np.clip({}, -100, 100)", "np.maximum({}, 1e-4)"),
        "fill": (
            "np.nan_to_num({})",
            "np.where({0} == 0, 1, {0})",
            "np.where(np.abs({0}) < 1e-4, 0, {0})",
        ),
    },
    Framework.TORCH: ANY
    | {
        "transpose": ("{}.transpose(-1, -2)", "{}.flip(-1)", "{}.sort(-1).values"),
        "squeeze": ("{}.squeeze()",),
        "float cast": (
            "{}.float()",
            "{}.half()",
            "{}.bfloat16()",
            "{0}.float().to({0}.dtype)",
            "{0}.half().to({0}.dtype)",
            "{0}.double().to({0}.dtype)",
        ),
        "integer cast": ("{}.long()", "{}.int()", "{}.to(torch.int8)"),
        "detach": ("{}.detach()",),
        "rounding": ("{}.round(decimals=6)", "{}.round(decimals=4)"),
        "clip": ("{}.clamp(-1e4, 1e4)", "{}.clamp(-100, 100)", "{}.clamp(min=1e-4)"),
        "fill": (
            "{}.nan_to_num()",
            "torch.where({0} == 0, 1, {0})",
            "torch.where({0}.abs() < 1e-4, 0, {0})",
        ),
    },
}
IMPORTS = {
    Framework.NUMPY: "\nimport numpy as np\n",
    Framework.TORCH: "\nimport torch\n",
}


def wrapped(node: ast.expr, framework: Framework) -> Iterator[tuple[str, str]]:
    """Yields the name of an operator and the text that stands in the place of a value."""
    text = f"({ast.unparse(node)})"
    for operator, forms in WRAPS[framework].items():
        for form in forms:
            yield operator, form.format(text)
