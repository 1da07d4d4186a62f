"""The judge's sentences in Chinese, found by their English (docs/design/messages-in-chinese.md).

A verdict keeps English, and every program reads the same. Each form of sentence stands here once
beside its Chinese, with the same slots; what a submission said itself, and names of tensors and
cases, pass as they are. A sentence of the judge that is missing here stays English.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache

from grader.model import Outcome

OUTCOMES = {
    Outcome.ACCEPTED: "通过",
    Outcome.WRONG_ANSWER: "答案错误",
    Outcome.RUNTIME_ERROR: "运行错误",
    Outcome.TIME_LIMIT: "超出时间限制",
    Outcome.MEMORY_LIMIT: "超出内存限制",
    Outcome.OUTPUT_LIMIT: "超出输出限制",
    Outcome.COMPILE_ERROR: "编译错误",
    Outcome.RULE_VIOLATION: "违反规则",
    Outcome.JUDGE_ERROR: "评测机故障",
}

# What comes after "x: 3 of 9 values differ, by up to 1.5 (allowed 1e-06)".
PATTERNS = {
    "; it is the opposite of the answer": "；它与答案正好相反",
    "; it is right to single precision: something inside is float32": "；只在单精度上是对的：中间有一步是 float32",
    "; it is all zeros": "；全是零",
    "; every value is off by the same {number}": "；每个值都差了同一个数 {number}",
    "; every value is next to nothing": "；每个值都几乎是零",
    "; every value is {number} times what it should be": "；每个值都是应有值的 {number} 倍",
    "; it is the transpose of the answer": "；它是答案的转置",
    "; the rows are in reverse order": "；各行的次序颠倒了",
    "; the last axis is in reverse order": "；最后一个轴的次序颠倒了",
    "; the rows are shifted by one": "；各行错开了一行",
    "; the last axis is shifted by one": "；最后一个轴错开了一位",
    "; the values are right, but in another order": "；值都对，但次序不同",
    "; its columns sum to 1, not its rows": "；和为 1 的是它的列，而不是行",
    "; its rows sum to {least} to {most}, not to 1": "；各行的和在 {least} 到 {most} 之间，而不是 1",
}
BUSY = {
    "; it was waiting, not computing": "；它在等待，没有在计算",
    "; it was still computing": "；它还在计算",
}
SIZES = {", by up to {error} (allowed {allowed})": "，最大相差 {error}（允许 {allowed}）"}
DEFINES = {
    "; it defines nothing": "；它什么也没有定义",
    "; it defines {names}": "；它定义了 {names}",
}
AXES = {", that is ({letters})": "，即 ({letters})"}
PLACES = {
    ", in exactly the rows where {mask} leaves no visible key": "，恰好在 {mask} 没有留下可见键的那些行",
    ", in exactly the rows where {mask} hides a key": "，恰好在 {mask} 隐藏了键的那些行",
    ", at keys that {mask} hides only": "，只出现在 {mask} 隐藏的键上",
    ", in exactly the rows after the first key that {mask} hides": "，恰好在 {mask} 隐藏的第一个键之后的那些行",
    ", in exactly the rows from the first key on that {mask} hides": "，恰好从 {mask} 隐藏的第一个键起的那些行",
    ", in {steps}": "，{steps}",
}
KINDS = {"function": "函数", "class": "类", "value": "值"}
THINGS = {
    "nothing": "什么也没有",
    "something of another type": "另一种类型的东西",
    "a {kind} of {count}": "含 {count} 个元素的 {kind}",
    "one {kind}": "一个 {kind}",
}
ABSENT = {
    "no gradient: the result is detached from the inputs": "没有梯度：结果与输入断开了",
    "no gradient reaches it": "梯度传不到它",
}
EXCESS = {
    "more than {kib} KiB": "超过 {kib} KiB",
    "the result is larger than allowed": "结果超出了允许的大小",
    "a frame with {bytes} bytes of text; at most {limit} are allowed": "结果带有 {bytes} 字节的文字；最多允许 {limit} 字节",
    "a frame of {bytes} bytes; at most {limit} are allowed": "结果有 {bytes} 字节；最多允许 {limit} 字节",
}
STATES = {
    "missing: {names}": "缺少：{names}",
    "not asked for: {names}": "多余：{names}",
    "missing: {names}; not asked for: {others}": "缺少：{names}；多余：{others}",
}
SENTENCES = {
    # what holds another sentence (judge.py, outcome.py)
    "{passed} of {all} cases passed; first failure: {case}: {told}": "{all} 个用例通过了 {passed} 个；第一个失败：{case}：{told}",
    "{passed} of {all} cases passed": "{all} 个用例通过了 {passed} 个",
    "{told} (while the file was being loaded)": "{told}（发生在加载文件时）",
    "line {line}: {told}": "第 {line} 行：{told}",
    # shapes, types and numbers (compare.py)
    "{tensor} has shape {shape}; expected {expected}{axes?}": "{tensor} 的形状是 {shape}；应为 {expected}{axes?}",
    "{tensor} is {dtype}, though it was announced as {other}; expected {expected}": (
        "{tensor} 是 {dtype}，却声称是 {other}；应为 {expected}"
    ),
    "{tensor} is a {dtype}; expected a torch.Tensor ({expected})": "{tensor} 是 {dtype}；应为 torch.Tensor（{expected}）",
    "{tensor} is a {dtype}; expected an array of NumPy ({expected})": "{tensor} 是 {dtype}；应为 NumPy 数组（{expected}）",
    "{tensor} is None; expected a plain {expected} value. Does every path of the function return it?": (
        "{tensor} 是 None；应为普通的 {expected} 数值。函数的每条路径都返回它了吗？"
    ),
    "{tensor} is None; expected a plain {expected} array. Does every path of the function return it?": (
        "{tensor} 是 None；应为普通的 {expected} 数组。函数的每条路径都返回它了吗？"
    ),
    "{tensor} is of a type of its own; expected a plain {expected} value": "{tensor} 是自定义的类型；应为普通的 {expected} 数值",
    "{tensor} is of a type of its own; expected a plain {expected} array": "{tensor} 是自定义的类型；应为普通的 {expected} 数组",
    "{tensor} is a tensor of more than {count} axes; expected a plain {expected} value": (
        "{tensor} 的轴多于 {count} 个；应为普通的 {expected} 数值"
    ),
    "{tensor} is an empty tensor whose other axes are too large; expected a plain {expected} value": (
        "{tensor} 是空张量，其余的轴过大；应为普通的 {expected} 数值"
    ),
    "{tensor} is a tensor of more than {count} axes; expected a plain {expected} array": (
        "{tensor} 的轴多于 {count} 个；应为普通的 {expected} 数组"
    ),
    "{tensor} is an empty tensor whose other axes are too large; expected a plain {expected} array": (
        "{tensor} 是空张量，其余的轴过大；应为普通的 {expected} 数组"
    ),
    "{tensor} is {dtype}; expected a plain {expected} value": "{tensor} 是 {dtype}；应为普通的 {expected} 数值",
    "{tensor} is {dtype}; expected a plain {expected} array": "{tensor} 是 {dtype}；应为普通的 {expected} 数组",
    "{tensor} is {dtype}; expected integers": "{tensor} 是 {dtype}；应为整数",
    "{tensor} is {dtype}; expected {expected}": "{tensor} 是 {dtype}；应为 {expected}",
    "{tensor}: {absent}": "{tensor}：{absent}",
    "{tensor} has only {count} rows": "{tensor} 只有 {count} 行",
    "{tensor} has only {count} row": "{tensor} 只有 {count} 行",
    "{tensor} is missing: the call returned nothing": "缺少 {tensor}：调用什么也没有返回",
    "{tensor} is missing: the call returned {thing}": "缺少 {tensor}：调用返回了{thing}",
    "{tensor} is missing": "缺少 {tensor}",
    "{tensor} was modified by the call{place?}; work on a copy": "{tensor} 被调用修改了{place?}；请在副本上操作",
    "{tensor}: {count} of {all} values are NaN{place?}": "{tensor}：{all} 个值中有 {count} 个是 NaN{place?}",
    "{tensor}: {count} of {all} values are infinite{place?}": "{tensor}：{all} 个值中有 {count} 个是无穷大{place?}",
    "{tensor}: {count} of {all} values differ{size?}{place?}{pattern?}": "{tensor}：{all} 个值中有 {count} 个不对{size?}{place?}{pattern?}",
    "{tensor}: the value differs{size?}{place?}{pattern?}": "{tensor}：值不对{size?}{place?}{pattern?}",
    # how a run ended (outcome.py)
    "the call returned nothing; expected {count} values: {names}": "调用什么也没有返回；应返回 {count} 个值：{names}",
    "the call returned {thing}; expected {count} values: {names}": "调用返回了{thing}；应返回 {count} 个值：{names}",
    "the call must raise {error}, and raised something else: {told}": "调用应当抛出 {error}，却抛出了别的：{told}",
    "the call must raise {error}; it returned a value": "调用应当抛出 {error}，却返回了一个值",
    "not run: it ended in the same way in several cases before": "没有运行：前面已有好几个用例以同样的方式结束",
    "the module's parameters are not the ones that the statement names": "模块的参数不是题目所列的那些",
    "{kind} made a {other}; it must be a class derived from torch.nn.Module": "{kind} 造出了 {other}；它必须是继承 torch.nn.Module 的类",
    "{kind} is a class of its own; it must be a class derived from torch.nn.Module": "{kind} 是独立的类；它必须是继承 torch.nn.Module 的类",
    "the parameters have other names than the statement gives ({state})": "参数的名字与题目给出的不同（{state}）",
    "parameter {tensor} has shape {shape}; it must be {expected}": "参数 {tensor} 的形状是 {shape}；应为 {expected}",
    "this exercise is solved without imports": "这道题不得使用 import",
    "{rule} is what this exercise asks you to write": "{rule} 正是这道题要你自己写的",
    "the process was ended by this signal: {signal}": "进程被信号终止：{signal}",
    "the program ended its own process: {signal}": "程序自己结束了进程：{signal}",
    "no answer within the {seconds} s that the whole submission has": "整个提交共有 {seconds} 秒，在此之内没有回答",
    "not run: the cases before used all of the {seconds} s that the whole submission has": (
        "没有运行：前面的用例用完了整个提交的 {seconds} 秒"
    ),
    "no answer after {seconds} s{busy?}": "{seconds} 秒后仍没有回答{busy?}",
    "{used} ms of CPU; allowed {limit} ms, that is {times} times the reference's": (
        "用了 {used} 毫秒 CPU；允许 {limit} 毫秒，即参考答案的 {times} 倍"
    ),
    "{used} s of CPU; allowed {limit} s": "用了 {used} 秒 CPU；允许 {limit} 秒",
    "more than {memory} MiB of memory (line {line})": "超过 {memory} MiB 内存（第 {line} 行）",
    "more than {memory} MiB of memory": "超过 {memory} MiB 内存",
    "too much output: {excess}": "输出太多：{excess}",
    "what came out is not a result: the program wrote to the result channel itself": "出来的不是结果：程序自己写了结果通道",
    "the judge lost the room; this is not your fault, and nothing is scored": "评测机丢失了运行环境；这不是你的错，不计分",
    "the file defines no {kind} '{name}'{defines?}": "文件没有定义{kind} '{name}'{defines?}",
    "'{name}' must be a {kind}; the file makes it a value of type {type}": "'{name}' 必须是{kind}；文件里它是类型为 {type} 的值",
    "not implemented yet": "还没有实现",
    # what is said of a hidden case (redact.py)
    "it passes with the public inputs and fails with the hidden ones": "用公开的输入能通过，用隐藏的输入不能",
    "it fails with the hidden inputs; the public ones could not be tried": "用隐藏的输入不能通过；公开的输入没能试验",
    "the result could not be compared with the answer": "结果无法与答案比较",
    "a result is missing": "缺少一个结果",
    "a result is of another type than asked": "有一个结果的类型不符合要求",
    "a result has another shape than asked": "有一个结果的形状不符合要求",
    "a result has another dtype than asked": "有一个结果的 dtype 不符合要求",
    "a result is not finite where it must be": "有一个结果在应为有限值的地方不是有限值",
    "the values differ": "值不对",
    "an input was modified by the call": "有一个输入被调用修改了",
    "the call raised an exception": "调用抛出了异常",
    "the call raised another exception than it must": "调用抛出的异常不是应抛出的那个",
    "the call did not raise the exception that it must": "调用没有抛出应抛出的异常",
    "the program ended its own process, or a signal ended it": "程序结束了自己的进程，或被信号终止",
    "what came out is not a result": "出来的不是结果",
    "over the time limit: {times} times the reference's CPU time": "超出时间限制：参考答案 CPU 时间的 {times} 倍",
    "over the time limit: {seconds} s for a call, {limit} s of CPU and {total} s in all": (
        "超出时间限制：每次调用 {seconds} 秒，全部共 {limit} 秒 CPU、{total} 秒"
    ),
    "too much output": "输出太多",
    # the report (report.py)
    "{passed} of {all} cases, {score}/{most} points": "{passed} / {all} 个用例，{score}/{most} 分",
    "sample: {case}": "示例：{case}",
    "public inputs: {case}": "公开的输入：{case}",
    " (with public inputs)": "（用公开的输入）",
    "to reproduce it: {command}": "要重现它：{command}",
    "sample": "示例",
    "all cases": "全部用例",
    "{tensor}: expected": "{tensor}：期望",
    "under {ms} ms": "不到 {ms} ms",
    "got": "得到",
    "nothing to show": "没有可显示的",
    "printed": "打印的内容",
    "what it looks like": "看上去像是",
    "{mistake}, seen in {count} of {all} cases": "{mistake}，{all} 个用例中出现了 {count} 个",
    "sealed by {isolation}": "由 {isolation} 密封",
    "NOT SEALED: a plain process under your user": "没有密封：以你的用户运行的普通进程",
}

# sentences within sentences: the judge's own are four deep, a submission's words may be endless
DEEPEST = 6
_ORDINALS = {"second": 2, "third": 3}
_NOUNS = {  # an axis' name: its measure word and noun
    "batch": ("个", "样本"),
    "batches": ("个", "样本"),
    "head": ("个", "头"),
    "row": ("", "行"),
    "key": ("个", "键"),
    "feature": ("个", "特征"),
    "column": ("", "列"),
    "index": ("个", "下标"),
    "indices": ("个", "下标"),
}
_AXIS = r"(?:axis (?P<axis>\d+) )?(?P<noun>batch(?:es)?|heads?|rows?|keys?|features?|columns?|index|indices)"
_STEPS: tuple[tuple[str, str], ...] = (
    (rf"every {_AXIS} but the first", "{axis}除第一{m}{n}外的所有{n}"),
    (rf"every {_AXIS} but the last", "{axis}除最后一{m}{n}外的所有{n}"),
    (rf"every {_AXIS} but (?P<i>\d+)", "{axis}除第 {i} {m}{n}外的所有{n}"),
    (
        rf"every (?P<step>\w+) {_AXIS} from (?P<i>\d+) on",
        "{axis}从第 {i} {m}{n}起每 {step} {m}{n}中的一{unit}",
    ),
    (rf"{_AXIS} from (?P<i>\d+) on", "{axis}从第 {i} {m}{n}起的所有{n}"),
    (rf"{_AXIS} (?P<i>\d+) to (?P<j>\d+)", "在{axis}第 {i} 到第 {j} {m}{n}"),
    (rf"{_AXIS} (?P<i>\d+) only", "只在{axis}第 {i} {m}{n}"),
    (rf"(?P<i>\d+) of (?P<j>\d+) {_AXIS}", "在 {axis}{j} {m}{n}中的 {i} {unit}"),
    (rf"{_AXIS} (?P<i>\d+(?:, \d+)*)", "在{axis}第 {i} {m}{n}"),
)


def sentence(text: str, cases: Mapping[str, str] | None = None) -> str:
    """A sentence of the judge in Chinese; any other text as it is.

    `cases`: the names of the problem's cases in Chinese.
    """
    return _translate("SENTENCES", text, cases or {}, DEEPEST)


def _steps(text: str, cases: Mapping[str, str]) -> str:
    """`head 1 only, in rows 2 to 3` as `只在第 1 个头、在第 2 到第 3 行`."""
    return "、".join(_step(step) for step in text.split(", in "))


def _step(text: str) -> str:
    for pattern, chinese in _STEPS:
        found = re.fullmatch(pattern, text)
        if found:
            parts = found.groupdict()
            noun = parts["noun"]
            m, n = _NOUNS.get(noun) or _NOUNS[noun.removesuffix("s")]
            step = parts.get("step") or ""
            every = _ORDINALS.get(step) or step.removesuffix("th")
            axis = f"轴 {parts['axis']} 的" if parts["axis"] else ""
            i = (parts.get("i") or "").replace(", ", "、")
            return chinese.format(
                axis=axis, m=m, n=n, unit=m or n, i=i, j=parts.get("j"), step=every
            )
    return text


def _case(text: str, cases: Mapping[str, str]) -> str:
    return cases.get(text, text)


_TABLES = {
    "SENTENCES": SENTENCES,
    "axes": AXES,
    "place": PLACES,
    "size": SIZES,
    "pattern": PATTERNS,
    "busy": BUSY,
    "defines": DEFINES,
    "kind": KINDS,
    "thing": THINGS,
    "absent": ABSENT,
    "excess": EXCESS,
    "state": STATES,
    "told": SENTENCES,
}
_SPECIAL: dict[str, Callable[[str, Mapping[str, str]], str]] = {"steps": _steps, "case": _case}
# of a text that `fill` compares with forms: their slots take anything, which is quadratic in a
# hostile text
LONGEST = 1000
_SLOT = re.compile(r"\{(\w+)(\??)\}")
_SHAPES = {  # what a slot holds, where the rest of the sentence does not tell
    "tensor": r"[\w.]+",
    "count": r"\d+",
    "all": r"\d+",
    "line": r"\d+",
    "passed": r"\d+",
    # numbers, not anything: three slots of anything are cubic in an exception's text
    "used": r"[\d.,]+",
    "limit": r"[\d.,e+]+",
    "times": r"[\d.e+]+",
    "name": r"\w+",
    "place": r", (?:in|at) [^;]+?",
    "size": r", by up to [^(]+\(allowed [^)]+\)",
    "pattern": r"; .+",
    "absent": "|".join(map(re.escape, ABSENT)),
    "axes": r", that is \(.+\)",
    "busy": "|".join(map(re.escape, BUSY)),
    "defines": r"; it defines .+",
}


def _translate(table: str, text: str, cases: Mapping[str, str], depth: int) -> str:
    for pattern, chinese in _compiled(table) if depth else ():
        found = pattern.fullmatch(text)
        if found:
            parts = {
                name: _part(name, part, cases, depth - 1)
                for name, part in found.groupdict().items()
            }
            return _SLOT.sub(lambda slot: parts[slot[1]], chinese)  # noqa: B023
    return text


def _part(name: str, part: str | None, cases: Mapping[str, str], depth: int) -> str:
    if not part:
        return ""
    if name in _SPECIAL:
        return _SPECIAL[name](part, cases)
    return _translate(name, part, cases, depth) if name in _TABLES else part


@cache
def _compiled(table: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple(
        (re.compile(_pattern(english), re.DOTALL), chinese)
        for english, chinese in _TABLES[table].items()
    )


def fill(forms: Mapping[str, str], text: str) -> str | None:
    """A text in the form that it fits, its slots copied; None when it fits none.

    Any table of this kind will do.
    """
    if len(text) > LONGEST:
        return None
    for english, chinese in forms.items():
        found = _one(english).fullmatch(text)
        if found:
            parts = found.groupdict(default="")
            return _SLOT.sub(lambda slot: parts[slot[1]], chinese)  # noqa: B023
    return None


@cache
def _one(english: str) -> re.Pattern[str]:
    return re.compile(_pattern(english), re.DOTALL)


def _pattern(english: str) -> str:
    pieces: list[str] = []
    end = 0
    for slot in _SLOT.finditer(english):
        pieces.append(re.escape(english[end : slot.start()]))
        pieces.append(f"(?P<{slot[1]}>{_SHAPES.get(slot[1], '.+?')}){slot[2]}")
        end = slot.end()
    return "".join([*pieces, re.escape(english[end:])])


def forms() -> Iterable[str]:
    """Every English form that has its Chinese here."""
    return (english for table in _TABLES.values() for english in table)
