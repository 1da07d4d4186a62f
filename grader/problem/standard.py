"""Cases and mistakes that many problems share, which an author includes by name.

The cases themselves are made in the room, by `standard` of `grader.case`; here are their names and
notes in Chinese. A mistake is found in the reference by a pattern.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.errors import ProblemError
from grader.findings.text import T_, Text
from grader.model import Framework, Outcome
from grader.problem.definition import Edit, Mistake
from grader.problem.spelling import did_you_mean

NAMES_ZH = {
    "views with gaps": "有间隔的视图",
    "views, the first axis fastest": "视图，第一个轴变化最快",
    "read-only inputs": "只读的输入",
    "inputs in float64": "float64 的输入",
    "the inputs afterwards": "调用之后的输入",
    "a second call": "第二次调用",
}
NOTES_ZH = {
    "views with gaps": "输入的元素之间有间隔，切片就会这样。",
    "views, the first axis fastest": "输入在内存里的排列就像转置之后那样。",
    "read-only inputs": "在 NumPy 中，这些输入不许写入。",
    "inputs in float64": "结果的类型与输入相同。",
    "the inputs afterwards": "输入仍属于调用者。这里只看它们，它们是 float64。",
    "a second call": "之前用别的输入调用过。",
}
SHIFTED = r"\b(\w+) - \1\.max\([^()]+\)"  # scores - scores.max(axis=-1, keepdims=True)
SOFTMAX = r"\btorch\.softmax\((\w+), (?:dim=)?(-?\d+)\)"
ROOT = r" / (?:np|math|torch)\.sqrt\(([^()]+)\)"
RESULT = r"\breturn (\w+)(?=,|\n|$)"  # the first result, where it has a name


@dataclass(frozen=True, slots=True)
class Shared:
    """A mistake of many problems: for each framework a pattern and what replaces what it finds."""

    edits: Mapping[str, tuple[str, str]]
    hint: str
    hint_zh: str
    rule: str = ""  # where the statement lists it


MISTAKES: Mapping[str, Shared] = {
    "no_maximum_subtracted": Shared(
        {
            "numpy": (SHIFTED, r"\1"),
            "torch": (SOFTMAX, r"(torch.exp(\1) / torch.exp(\1).sum(\2, keepdim=True))"),
        },
        "The exponential of a large score overflows to infinity, and infinity over infinity is NaN."
        " A softmax does not change when a row is shifted.",
        "大分数的指数溢出成无穷，而无穷除以无穷是 NaN。一行整体平移，softmax 不变。",
        "Large scores",
    ),
    "maximum_of_everything": Shared(
        {
            "numpy": (SHIFTED, r"\1 - \1.max()"),
            "torch": (
                SOFTMAX,
                r"(torch.exp(\1 - \1.max()) / torch.exp(\1 - \1.max()).sum(\2, keepdim=True))",
            ),
        },
        "One maximum for the whole array is subtracted. A row whose scores are all far below it"
        " underflows to 0. Of what should the maximum be taken?",
        "整个数组减去的是同一个最大值。分数都远小于它的行会下溢成 0。最大值应该在哪里取？",
        "Large scores",
    ),
    "no_scale": Shared(
        {"numpy": (ROOT, ""), "torch": (ROOT, "")},
        "The dot products go into the softmax at full size. What keeps their spread near 1 when"
        " queries and keys get wider?",
        "点积原样送进了 softmax。查询和键变宽时，用什么让点积的波动保持在 1 左右？",
    ),
    "divided_by_width": Shared(
        {"numpy": (ROOT, r" / (\1)"), "torch": (ROOT, r" / (\1)")},
        "The scores shrink too much. The variance of a dot product grows with D; how does its"
        " spread grow?",
        "分数缩得太小了。点积的方差随 D 增长；它的标准差怎样增长？",
    ),
    "float32_results": Shared(
        {
            "numpy": (RESULT, r"return \1.astype(np.float32)"),
            "torch": (RESULT, r"return \1.float()"),
        },
        "float64 goes in and float32 comes out. The result should be as precise as the input: where"
        " is a type fixed?",
        "输入 float64，输出却是 float32。结果应当与输入一样精确：哪里把类型写死了？",
        "Keeps precision",
    ),
    "sizes_of_one_squeezed": Shared(
        {
            "numpy": (RESULT, r"return \1.squeeze()"),
            "torch": (RESULT, r"return \1.squeeze()"),
        },
        "Axes of size 1 are gone from the result. A single query is still a row: which call removes"
        " them?",
        "结果里大小为 1 的轴不见了。单个查询仍是一行：是哪个调用去掉了它们？",
        "Any size may be one",
    ),
}


def shared_mistakes(
    path: Path,
    names: Sequence[str],
    references: Mapping[Framework, str],
    rules: Sequence[str],
) -> tuple[Mistake, ...]:
    """Returns the mistakes that `standard` of a mistakes.toml names, as edits of the references. A
    mistake has its rule where it is one of these `rules`.

    Raises `ProblemError` where one is not known, or does not fit the references.
    """
    mistakes = []
    for name in names:
        if name not in MISTAKES:
            meant = did_you_mean(name, MISTAKES) or ": " + ", ".join(MISTAKES)
            words = T_(
                "%(path)s: 'standard' names '%(name)s', which is not a standard mistake%(meant)s",
                path=str(path),
                name=name,
                meant=meant,
            )
            raise ProblemError(words)
        mistakes.append(_mistake(path, name, references, rules))
    return tuple(mistakes)


def _mistake(
    path: Path, name: str, references: Mapping[Framework, str], rules: Sequence[str]
) -> Mistake:
    shared = MISTAKES[name]
    edits: dict[Framework, Edit] = {}
    for framework, source in references.items():
        pattern, replacement = shared.edits.get(str(framework), ("", ""))
        places = list(re.finditer(pattern, source)) if pattern else []
        if len(places) > 1:
            raise ProblemError(_unfit(path, name, framework, pattern, len(places)))
        for place in places:
            edits[framework] = Edit(*place.span(), place.expand(replacement))
    if not edits:
        framework = next(iter(references), Framework.NUMPY)
        pattern = shared.edits.get(str(framework), ("", ""))[0]
        raise ProblemError(_unfit(path, name, framework, pattern, 0))
    sources = {
        framework: references[framework][: edit.start]
        + edit.text
        + references[framework][edit.end :]
        for framework, edit in edits.items()
    }
    rule = shared.rule if shared.rule in rules else ""
    return Mistake(name, shared.hint, Outcome.WRONG_ANSWER, sources, rule=rule, edits=edits)


def _unfit(path: Path, name: str, framework: Framework, pattern: str, count: int) -> Text:
    return T_(
        "%(path)s: standard mistake '%(name)s' does not fit the reference in %(framework)s: the"
        " pattern %(expression)s occurs %(count)d times and must occur exactly once; write it as a"
        " [[mistake]] of your own instead",
        path=str(path),
        name=name,
        framework=str(framework),
        expression=pattern,
        count=count,
    )
