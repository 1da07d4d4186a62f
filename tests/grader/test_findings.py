"""Every finding: its JSON, its sentence in English, and what a learner reads in Chinese."""

import json
import re

import pytest

from grader.findings import phrases
from grader.findings.catalogue import catalogue, languages
from grader.findings.codes import (
    COARSE,
    PARAMETERS,
    REDACTED,
    Came,
    Code,
    Pattern,
    Place,
)
from grader.findings.finding import (
    Detail,
    Finding,
    detail,
    finding,
    from_json,
    read_findings,
    to_json,
)
from grader.findings.sentences import sentence, sentences
from grader.model import CaseResult, Outcome, Verdict
from grader.problem import Words
from grader.verdict.translate import ENGLISH, OUTCOMES, Translator, translator

PLAIN = {"tensor": "x", "expected": "float32", "scalar": False}
ROW = {"axis": "row", "number": None}
HEAD = {"axis": "head", "number": None}


def differs(*where: Detail, pattern: Detail | None = None, **given: object) -> Finding:
    """Values that differ."""
    values = {"tensor": "x", "count": 3, "total": 9, "largest": 1.5, "allowed": 1e-6, "at": (0,)}
    return finding(Code.VALUES_DIFFER, **{**values, **given}, where=where, pattern=pattern)


SENTENCES: list[tuple[Finding, str, str]] = [
    (
        finding(Code.WRONG_SHAPE, tensor="output", shape=(2, 3), expected=(3, 2), axes=()),
        "output has shape (2, 3); expected (3, 2)",
        "output 的形状是 (2, 3)；应为 (3, 2)",
    ),
    (
        finding(Code.WRONG_SHAPE, tensor="output", shape=(2,), expected=(), axes=("L", "D")),
        "output has shape (2,); expected (), that is (L, D)",
        "output 的形状是 (2,)；应为 ()，即 (L, D)",
    ),
    (
        finding(Code.WRONG_DTYPE, tensor="output", dtype="float64", expected="float32"),
        "output is float64; expected float32",
        "output 是 float64；应为 float32",
    ),
    (
        finding(Code.WRONG_DTYPE, tensor="indices", dtype="float64", expected="int"),
        "indices is float64; expected integers",
        "indices 是 float64；应为整数",
    ),
    (
        finding(
            Code.FALSE_DTYPE, tensor="x", dtype="float32", announced="float64", expected="float64"
        ),
        "x is float32, though it was announced as float64; expected float64",
        "x 是 float32，却声称是 float64；应为 float64",
    ),
    (
        finding(Code.WRONG_FRAMEWORK, tensor="x", type="numpy.ndarray", expected="float32"),
        "x is a numpy.ndarray; expected a torch.Tensor (float32)",
        "x 是 numpy.ndarray；应为 torch.Tensor（float32）",
    ),
    (
        finding(Code.WRONG_FRAMEWORK, tensor="x", type="torch.Tensor", expected="float32"),
        "x is a torch.Tensor; expected an array of NumPy (float32)",
        "x 是 torch.Tensor；应为 NumPy 数组（float32）",
    ),
    (
        finding(Code.RETURNED_NONE, **PLAIN),
        "x is None; expected a plain float32 array. Does every path of the function return it?",
        "x 是 None；应为普通的 float32 数组。函数的每条路径都返回它了吗？",
    ),
    (
        finding(Code.WRONG_TYPE, **PLAIN, type="solution.Yes"),
        "x is of type solution.Yes; expected a plain float32 array",
        "x 的类型是 solution.Yes；应为普通的 float32 数组",
    ),
    (
        finding(Code.TOO_MANY_AXES, **PLAIN, limit=16),
        "x is a tensor of more than 16 axes; expected a plain float32 array",
        "x 的轴多于 16 个；应为普通的 float32 数组",
    ),
    (
        finding(Code.EMPTY_TOO_LARGE, tensor="x", expected="float32", scalar=True),
        "x is an empty tensor whose other axes are too large; expected a plain float32 value",
        "x 是空张量，其余的轴过大；应为普通的 float32 数值",
    ),
    (
        finding(
            Code.UNUSABLE_DTYPE, tensor="x", dtype="complex64", expected="float32", scalar=True
        ),
        "x is complex64; expected a plain float32 value",
        "x 是 complex64；应为普通的 float32 数值",
    ),
    (
        finding(Code.MISSING, tensor="weights", came=detail(Came.ROWS, count=2)),
        "weights has only 2 rows",
        "weights 只有 2 行",
    ),
    (
        finding(Code.MISSING, tensor="weights", came=detail(Came.ROWS, count=1)),
        "weights has only 1 row",
        "weights 只有 1 行",
    ),
    (
        finding(Code.MISSING, tensor="weights", came=detail(Came.ONE, type="Tensor")),
        "weights is missing: the call returned one Tensor",
        "缺少 weights：调用返回了一个 Tensor",
    ),
    (
        finding(Code.MISSING, tensor="weights", came=detail(Came.NOTHING)),
        "weights is missing: the call returned nothing",
        "缺少 weights：调用什么也没有返回",
    ),
    (
        finding(Code.MISSING, tensor="weights", came=detail(Came.ITEMS, type="tuple", count=3)),
        "weights is missing: the call returned a tuple of 3",
        "缺少 weights：调用返回了含 3 个元素的 tuple",
    ),
    (finding(Code.MISSING, tensor="weights", came=None), "weights is missing", "缺少 weights"),
    (
        finding(Code.UNEXPECTED, tensor="cache.k[2]"),
        "cache.k[2] is returned, but the answer ends before it",
        "返回了 cache.k[2]，但答案里没有它",
    ),
    (
        finding(Code.TEXT_DIFFERS, tensor="text", text="'a'", expected="'b'"),
        "text is 'a'; expected 'b'",
        "text 是 'a'，应为 'b'",
    ),
    (
        finding(Code.MISSING, tensor="grad.q", came=detail(Came.UNREACHED)),
        "grad.q: no gradient reaches it",
        "grad.q：梯度传不到它",
    ),
    (
        finding(Code.MISSING, tensor="grad.q", came=detail(Came.DETACHED)),
        "grad.q: no gradient: the result is detached from the inputs",
        "grad.q：没有梯度：结果与输入断开了",
    ),
    (
        finding(
            Code.WRONG_COUNT,
            came=detail(Came.ITEMS, type="tuple", count=3),
            expected=("output", "weights"),
        ),
        "the call returned a tuple of 3; expected 2 values: output, weights",
        "调用返回了含 3 个元素的 tuple；应返回 2 个值：output, weights",
    ),
    (
        finding(Code.WRONG_COUNT, came=detail(Came.NOTHING), expected=("output", "weights")),
        "the call returned nothing; expected 2 values: output, weights",
        "调用什么也没有返回；应返回 2 个值：output, weights",
    ),
    (
        finding(Code.WRONG_COUNT, came=None, expected=("output", "weights")),
        "the call returned something of another type; expected 2 values: output, weights",
        "调用返回了另一种类型的东西；应返回 2 个值：output, weights",
    ),
    (
        finding(
            Code.INPUT_MODIFIED, tensor="q", at=(1,), where=(detail(Place.ONE_OF_TWO, **ROW, at=1),)
        ),
        "q was modified by the call, in row 1; work on a copy",
        "q 被调用修改了，在第 1 行；请在副本上操作",
    ),
    (
        finding(Code.INPUT_MODIFIED, tensor="q", at=(1,), where=()),
        "q was modified by the call; work on a copy",
        "q 被调用修改了；请在副本上操作",
    ),
    (
        finding(Code.INPUT_MODIFIED_IN, case="one word"),
        "an input was modified by the call in the case 'one word'; work on a copy",
        "在用例“one word”中，有一个输入被调用修改了；请在副本上操作",
    ),
    (
        differs(tensor="output", count=15, total=15, largest=0.43512, allowed=6.51e-06),
        "output: 15 of 15 values differ, by up to 0.435 (allowed 6.5e-06)",
        "output：15 个值中有 15 个不对，最大相差 0.435（允许 6.5e-06）",
    ),
    (
        differs(
            detail(Place.ONLY, **HEAD, at=1),
            detail(Place.RANGE, **ROW, first=2, last=3),
            pattern=detail(Pattern.ALL_ZEROS),
        ),
        "x: 3 of 9 values differ, by up to 1.5 (allowed 1e-06), in head 1 only, in rows 2 to 3; it is all zeros",
        "x：9 个值中有 3 个不对，最大相差 1.5（允许 1e-06），只在第 1 个头、在第 2 到第 3 行；全是零",
    ),
    (
        differs(pattern=detail(Pattern.FACTOR, factor=0.99875, root="")),
        "x: 3 of 9 values differ, by up to 1.5 (allowed 1e-06); every value is 0.999 times what it"
        " should be",
        "x：9 个值中有 3 个不对，最大相差 1.5（允许 1e-06）；每个值都是应有值的 0.999 倍",
    ),
    (
        differs(pattern=detail(Pattern.FACTOR, factor=0.999625, root="")),
        "x: 3 of 9 values differ, by up to 1.5 (allowed 1e-06); every value is 0.999625 times what"
        " it should be",
        "x：9 个值中有 3 个不对，最大相差 1.5（允许 1e-06）；每个值都是应有值的 0.999625 倍",
    ),
    (
        differs(tensor="mask", largest=None, allowed=None, pattern=detail(Pattern.TRANSPOSED)),
        "mask: 3 of 9 values differ; it is the transpose of the answer",
        "mask：9 个值中有 3 个不对；它是答案的转置",
    ),
    (
        differs(count=1, total=1, largest=2.0),
        "x: the value differs, by up to 2 (allowed 1e-06)",
        "x：值不对，最大相差 2（允许 1e-06）",
    ),
    (
        differs(largest=float("inf")),
        "x: 3 of 9 values differ, by up to inf (allowed 1e-06)",
        "x：9 个值中有 3 个不对，最大相差 inf（允许 1e-06）",
    ),
    (
        finding(
            Code.NOT_FINITE,
            tensor="x",
            nan=True,
            count=1,
            total=9,
            at=(0,),
            where=(detail(Place.MASK_LEAVES_NO_KEY, mask="mask"),),
        ),
        "x: 1 of 9 values are NaN, in exactly the rows where mask leaves no visible key",
        "x：9 个值中有 1 个是 NaN，恰好在 mask 没有留下可见键的那些行",
    ),
    (
        finding(Code.NOT_FINITE, tensor="x", nan=False, count=1, total=9, at=(0,), where=()),
        "x: 1 of 9 values are infinite",
        "x：9 个值中有 1 个是无穷大",
    ),
    (
        finding(
            Code.OTHER_DTYPE, 4, tensor="x, y", dtype="float64", due="float32", cause="np.sqrt"
        ),
        "line 4: float64 where float32 was due: x, y. `np.sqrt` of a Python number gives a float64;"
        " `math.sqrt` keeps float32",
        "第 4 行：应为 float32，却是 float64：x, y。`np.sqrt` 作用于 Python 数会得到"
        " float64；`math.sqrt` 则保持 float32",
    ),
    (
        finding(Code.OTHER_DTYPE, tensor="x", dtype="float64", due="float32", cause="np.zeros"),
        "float64 where float32 was due: x. `np.zeros` makes a float64 array unless it is given a"
        " dtype",
        "应为 float32，却是 float64：x。`np.zeros` 不给 dtype 时会生成 float64 数组",
    ),
    (
        finding(Code.OTHER_DTYPE, tensor="x", dtype="float16", due="float32", cause=""),
        "float16 where float32 was due: x. The values count all the same",
        "应为 float32，却是 float16：x。数值照样计分",
    ),
    (
        finding(Code.NOT_COMPARABLE),
        "the result could not be compared with the answer",
        "结果无法与答案比较",
    ),
    (
        finding(Code.RAISED_IN_DRIVER, type="TypeError", text="no", at="y, c = f(x)"),
        "the driver, which calls your code, ended at `y, c = f(x)`: TypeError: no",
        "调用你的代码的驱动程序在 `y, c = f(x)` 处终止：TypeError: no",
    ),
    (
        finding(Code.RAISED_ANOTHER, 3, due="ValueError", type="TypeError", text="no"),
        "the call must raise ValueError, and raised something else: line 3: TypeError: no",
        "调用应当抛出 ValueError，却抛出了别的：第 3 行：TypeError: no",
    ),
    (
        finding(Code.NOT_RAISED, due="ValueError"),
        "the call must raise ValueError; it returned a value",
        "调用应当抛出 ValueError，却返回了一个值",
    ),
    (
        finding(Code.RAISED, 5, type="ValueError", text="operands do not fit %d %(x)s"),
        "line 5: ValueError: operands do not fit %d %(x)s",
        "第 5 行：ValueError: operands do not fit %d %(x)s",
    ),
    (finding(Code.RAISED, type="KeyError", text=""), "KeyError", "KeyError"),
    (finding(Code.NOT_IMPLEMENTED, 5), "line 5: not implemented yet", "第 5 行：还没有实现"),
    (
        finding(Code.NOT_A_MODULE, entry="Probe", made=""),
        "Probe is a class of its own; it must be a class derived from torch.nn.Module",
        "Probe 是独立的类；它必须是继承 torch.nn.Module 的类",
    ),
    (
        finding(Code.NOT_A_MODULE, entry="Probe", made="int"),
        "Probe made a int; it must be a class derived from torch.nn.Module",
        "Probe 造出了 int；它必须是继承 torch.nn.Module 的类",
    ),
    (
        finding(Code.PARAMETER_NAMES, missing=("W",), unexpected=("V", "U")),
        "the parameters have other names than the statement gives (missing: W; not asked for: V, U)",
        "参数的名字与题目给出的不同（缺少：W；多余：V, U）",
    ),
    (
        finding(Code.PARAMETER_NAMES, missing=("W", "V"), unexpected=()),
        "the parameters have other names than the statement gives (missing: W, V)",
        "参数的名字与题目给出的不同（缺少：W, V）",
    ),
    (
        finding(Code.PARAMETER_NAMES, missing=(), unexpected=("V",)),
        "the parameters have other names than the statement gives (not asked for: V)",
        "参数的名字与题目给出的不同（多余：V）",
    ),
    (
        finding(Code.PARAMETER_SHAPE, parameter="W", shape=(2, 3), expected=(2, 2)),
        "parameter W has shape (2, 3); it must be (2, 2)",
        "参数 W 的形状是 (2, 3)；应为 (2, 2)",
    ),
    (
        finding(Code.WRONG_PARAMETERS),
        "the module's parameters are not the ones that the statement names",
        "模块的参数不是题目所列的那些",
    ),
    (
        finding(Code.KILLED, signal="SIGSEGV"),
        "the process was ended by this signal: SIGSEGV",
        "进程被信号终止：SIGSEGV",
    ),
    (
        finding(Code.EXITED, status="exit 7"),
        "the program ended its own process: exit 7",
        "程序自己结束了进程：exit 7",
    ),
    (
        finding(Code.PROCESS_ENDED),
        "the program ended its own process, or a signal ended it",
        "程序结束了自己的进程，或被信号终止",
    ),
    (
        finding(Code.CHANNEL_WRITTEN),
        "what came out is not a result: the program wrote to the result channel itself",
        "出来的不是结果：程序自己写了结果通道",
    ),
    (finding(Code.NOT_A_RESULT), "what came out is not a result", "出来的不是结果"),
    (
        finding(Code.JUDGE_LOST),
        "the judge lost the room; this is not your fault, and nothing is scored",
        "评测机丢失了运行环境；这不是你的错，不计分",
    ),
    (
        finding(Code.RAISED, 1, type="ModuleNotFoundError", text="No module named 'scipy'"),
        "line 1: ModuleNotFoundError: No module named 'scipy'. A solution can import the standard"
        " library and NumPy, and one in PyTorch also torch",
        "第 1 行：ModuleNotFoundError: No module named 'scipy'。答案可以导入标准库和 NumPy；用 PyTorch"
        " 写的还可以导入 torch",
    ),
    (
        finding(Code.NOT_DEFINED, name="softmax", kind="function", defines=("f", "g")),
        "the file defines no function 'softmax'; it defines f, g",
        "文件没有定义函数 'softmax'；它定义了 f, g",
    ),
    (
        finding(Code.NOT_DEFINED, name="A", kind="class", defines=()),
        "the file defines no class 'A'; it defines nothing",
        "文件没有定义类 'A'；它什么也没有定义",
    ),
    (
        finding(Code.WRONG_KIND, name="softmax", kind="function", type="int"),
        "'softmax' must be a function; the file makes it a value of type int",
        "'softmax' 必须是函数；文件里它是类型为 int 的值",
    ),
    (
        finding(Code.SYNTAX_ERROR, 2, type="SyntaxError", text="invalid syntax", excerpt="\n  a b"),
        "line 2: SyntaxError: invalid syntax\n  a b",
        "第 2 行：SyntaxError: invalid syntax\n  a b",
    ),
    (
        finding(Code.FORBIDDEN_NAME, 1, name="torch.softmax"),
        "line 1: torch.softmax is what this exercise asks you to write",
        "第 1 行：torch.softmax 正是这道题要你自己写的",
    ),
    (
        finding(Code.FORBIDDEN_FRAME, 3, name="sys._getframe"),
        "line 3: sys._getframe leads to the code that calls yours; work from what your code is"
        " given alone",
        "第 3 行：sys._getframe 通向调用你代码的代码；请只使用传给你代码的内容",
    ),
    (
        finding(Code.FORBIDDEN_IMPORT, 1),
        "line 1: this exercise is solved without imports",
        "第 1 行：这道题不得使用 import",
    ),
    (
        finding(Code.NO_ANSWER, seconds=10.0, computing=True),
        "no answer after 10 s; it was still computing",
        "10 秒后仍没有回答；它还在计算",
    ),
    (
        finding(Code.NO_ANSWER, seconds=2.5, computing=False),
        "no answer after 2.5 s; it was waiting, not computing",
        "2.5 秒后仍没有回答；它在等待，没有在计算",
    ),
    (
        Finding(Code.NO_ANSWER, {"seconds": 10.0, "computing": None}, loading=True),
        "no answer after 10 s (while the file was being loaded)",
        "10 秒后仍没有回答（发生在加载文件时）",
    ),
    (
        finding(Code.OVER_TOTAL_TIME, seconds=60.0),
        "no answer within the 60 s that the whole submission has",
        "整个提交共有 60 秒，在此之内没有回答",
    ),
    (
        finding(Code.NOT_RUN),
        "not run: it ended in the same way in several cases before",
        "没有运行：前面已有好几个用例以同样的方式结束",
    ),
    (
        finding(Code.NOT_RUN_IN_TIME, seconds=60.0),
        "not run: the cases before used all of the 60 s that the whole submission has",
        "没有运行：前面的用例用完了整个提交的 60 秒",
    ),
    (
        finding(Code.OVER_CPU_TIME, used_s=4.12, limit_s=4.0),
        "4.1 s of CPU; allowed 4 s",
        "用了 4.1 秒 CPU；允许 4 秒",
    ),
    (
        finding(Code.OVER_REFERENCE_TIME, used_ms=90.2, limit_ms=30.1, times=3.0),
        "90 ms of CPU; allowed 30 ms, that is 3 times the reference's",
        "用了 90 毫秒 CPU；允许 30 毫秒，即参考答案的 3 倍",
    ),
    (
        finding(Code.OVER_TIME_LIMITS, wall_s=3.0, cpu_s=4.0, total_s=60.0),
        "over the time limit: 3 s for a call, 4 s of CPU and 60 s in all",
        "超出时间限制：每次调用 3 秒，全部共 4 秒 CPU、60 秒",
    ),
    (
        finding(Code.OVER_CPU_FACTOR, times=3.0),
        "over the time limit: 3 times the reference's CPU time",
        "超出时间限制：参考答案 CPU 时间的 3 倍",
    ),
    (
        finding(Code.OVER_MEMORY, 9, limit_mib=512),
        "more than 512 MiB of memory (line 9)",
        "超过 512 MiB 内存（第 9 行）",
    ),
    (
        finding(Code.OVER_MEMORY, limit_mib=512),
        "more than 512 MiB of memory",
        "超过 512 MiB 内存",
    ),
    (
        finding(Code.PRINTED_TOO_MUCH, limit_kib=64),
        "too much output: more than 64 KiB",
        "输出太多：超过 64 KiB",
    ),
    (
        finding(Code.RESULT_TOO_LARGE),
        "too much output: the result is larger than allowed",
        "输出太多：结果超出了允许的大小",
    ),
    (
        finding(Code.TEXT_TOO_LARGE, bytes=70000, limit=65536),
        "too much output: a frame with 70000 bytes of text; at most 65536 are allowed",
        "输出太多：结果带有 70000 字节的文字；最多允许 65536 字节",
    ),
    (
        finding(Code.TENSORS_TOO_LARGE, bytes=70000, limit=65536),
        "too much output: a frame of 70000 bytes; at most 65536 are allowed",
        "输出太多：结果有 70000 字节；最多允许 65536 字节",
    ),
    (finding(Code.OVER_OUTPUT), "too much output", "输出太多"),
    (
        finding(Code.ONLY_HIDDEN),
        "it passes with the public inputs and fails with the hidden ones",
        "用公开的输入能通过，用隐藏的输入不能",
    ),
    (
        finding(Code.UNEXPLAINED),
        "it fails with the hidden inputs; the public ones could not be tried",
        "用隐藏的输入不能通过；公开的输入没能试验",
    ),
    # without parameters: of a hidden case that has no public twin
    (Finding(Code.MISSING), "a result is missing", "缺少一个结果"),
    (
        Finding(Code.WRONG_TYPE),
        "a result is of another type than asked",
        "有一个结果的类型不符合要求",
    ),
    (
        Finding(Code.WRONG_SHAPE),
        "a result has another shape than asked",
        "有一个结果的形状不符合要求",
    ),
    (
        Finding(Code.WRONG_DTYPE),
        "a result has another dtype than asked",
        "有一个结果的 dtype 不符合要求",
    ),
    (
        Finding(Code.NOT_FINITE),
        "a result is not finite where it must be",
        "有一个结果在应为有限值的地方不是有限值",
    ),
    (Finding(Code.VALUES_DIFFER), "the values differ", "值不对"),
    (Finding(Code.INPUT_MODIFIED), "an input was modified by the call", "有一个输入被调用修改了"),
    (Finding(Code.RAISED), "the call raised an exception", "调用抛出了异常"),
    (
        Finding(Code.RAISED_ANOTHER),
        "the call raised another exception than it must",
        "调用抛出的异常不是应抛出的那个",
    ),
    (
        Finding(Code.NOT_RAISED),
        "the call did not raise the exception that it must",
        "调用没有抛出应抛出的异常",
    ),
]
CHINESE = catalogue("zh")
ROWS = pytest.mark.parametrize(
    ("found", "english", "chinese"), SENTENCES, ids=[row[1][:60] for row in SENTENCES]
)


@ROWS
def test_sentence(found: Finding, english: str, chinese: str) -> None:
    assert (sentence(found), sentence(found, CHINESE)) == (english, chinese)


@ROWS
def test_json_gives_the_finding_back(found: Finding, english: str, chinese: str) -> None:
    told = json.loads(json.dumps(to_json(found), allow_nan=False))
    assert from_json(told) == found
    assert sentence(from_json(told)) == english


def test_every_code_is_in_the_table() -> None:
    assert {found.code for found, _, _ in SENTENCES} == set(Code)
    assert {found.code for found, _, _ in SENTENCES if found.bare} == set(REDACTED)


def test_every_code_has_parameters_and_a_template() -> None:
    codes = [*Code, *Came, *Place, *Pattern]
    assert len({str(code) for code in codes}) == len(codes) == len(PARAMETERS)
    assert set(phrases.SENTENCES) == set(Code) and set(phrases.BARE) == set(REDACTED)
    assert set(phrases.DETAILS) >= {*Place, *Pattern}
    # of a hidden case without a twin: the code, and nothing that a submission could choose
    for code in COARSE.values():
        assert code in REDACTED or not PARAMETERS[code]


@pytest.mark.parametrize(
    ("code", "parameters"),
    [(Code.KILLED, {}), (Code.KILLED, {"signal": "SIGSEGV", "at": 1}), (Place.ONLY, {"at": 1})],
    ids=str,
)
def test_a_finding_has_exactly_its_parameters(code: Code, parameters: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"has the parameters \w+"):
        (finding if isinstance(code, Code) else detail)(code, **parameters)  # type: ignore[operator]


GOOD = to_json(differs(detail(Place.ONLY, **HEAD, at=1), pattern=detail(Pattern.ALL_ZEROS)))
UNREADABLE = {
    "an unknown code": {**GOOD, "code": "unheard_of"},
    "no code": {"line": 3},
    "a detail's code": {"code": "only"},
    "a parameter that is missing": {**GOOD, "count": None},
    "a number as text": {**GOOD, "largest": "1.5"},
    "true as a number": {**GOOD, "total": True},
    "an unknown place": {**GOOD, "where": [{"code": "everywhere"}]},
    "a place that is none": {**GOOD, "where": ["row 1"]},
    "an unknown axis": {**GOOD, "where": [{**GOOD["where"][0], "axis": "time"}]},
    "a pattern of another kind": {**GOOD, "pattern": {"code": "only", **HEAD, "at": 1}},
    "an index that is text": {**GOOD, "at": ["0"]},
    "a line that is text": {**GOOD, "line": "5"},
    "a phase that is text": {**GOOD, "loading": "yes"},
    "no parameters where some are due": {"code": "killed"},
}


@pytest.mark.parametrize("data", UNREADABLE.values(), ids=UNREADABLE.keys())
def test_what_is_no_finding_is_not_read(data: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        from_json(data)
    # such a case is told in the words that came with it
    case = {"message": "as it came", "findings": [data]}
    assert read_findings(case) == () and Translator("zh").stored(case) == "as it came"


@pytest.mark.parametrize("findings", [None, 5, "text", ["text"], [None]], ids=str)
def test_findings_that_are_no_list_are_none(findings: object) -> None:
    assert read_findings({"findings": findings}) == ()


# --------------------------------------------------------------------------------------------------
# places and patterns

# what may stay: names and numbers
OWN = re.compile(r"\b(?:NaN|float32|x|mask|padding_mask|e|inf)\b|[\d.]+e[+-]?\d+")
AXES = {"axis": "index", "number": 1}
PLACES = [
    (detail(Place.ONLY, **AXES, at=2), "in axis 1 index 2 only", "只在轴 1 的第 2 个下标"),
    (
        detail(Place.ALL_BUT_FIRST, **HEAD),
        "in every head but the first",
        "除第一个头外的所有头",
    ),
    (detail(Place.ALL_BUT_LAST, **ROW), "in every row but the last", "除最后一行外的所有行"),
    (detail(Place.ALL_BUT, **ROW, at=2), "in every row but 2", "除第 2 行外的所有行"),
    (detail(Place.FROM, **HEAD, at=2), "in heads from 2 on", "从第 2 个头起的所有头"),
    (
        detail(Place.EVERY_NTH, **ROW, step=3, at=0),
        "in every third row from 0 on",
        "从第 0 行起每 3 行中的一行",
    ),
    (
        detail(Place.EVERY_NTH, axis="batch", number=None, step=5, at=1),
        "in every 5th batch from 1 on",
        "从第 1 个样本起每 5 个样本中的一个",
    ),
    (detail(Place.LIST, **ROW, positions=(0, 3)), "in rows 0, 3", "在第 0, 3 行"),
    (detail(Place.SHARE, **ROW, count=6, total=30), "in 6 of 30 rows", "在 30 行中的 6 行"),
    (
        detail(Place.SHARE, **AXES, count=6, total=30),
        "in 6 of 30 axis 1 indices",
        "在 轴 1 的30 个下标中的 6 个",
    ),
]


@pytest.mark.parametrize(("place", "english", "chinese"), PLACES, ids=[p[1] for p in PLACES])
def test_place(place: Detail, english: str, chinese: str) -> None:
    assert sentence(differs(place)).endswith(f"(allowed 1e-06), {english}")
    assert sentence(differs(place), CHINESE).endswith(f"（允许 1e-06），{chinese}")


def wholly(found: Finding) -> str:
    """The sentence in Chinese without the names that are in it."""
    return OWN.sub("", sentence(found, CHINESE))


def examples(code: Place | Pattern) -> Detail:
    """A detail with some value for each of its parameters."""
    values = {
        "axis": "head",
        "integer or null": None,
        "integer": 2,
        "number": 2.0,
        "string": "x",
        "list of integers": (0, 3),
    }
    return Detail(code, {name: values[kind] for name, kind in PARAMETERS[code].items()})


@pytest.mark.parametrize("code", [*Place, *Pattern])
def test_no_english_is_left_of_where_and_what(code: Place | Pattern) -> None:
    told = examples(code)
    found = differs(told) if isinstance(code, Place) else differs(pattern=told)
    assert re.findall(r"[A-Za-z]{2,}", wholly(found)) == []


# --------------------------------------------------------------------------------------------------
# verdicts


def case(outcome: Outcome, *findings: Finding, name: str = "five words") -> dict[str, object]:
    """A case as JSON."""
    result = CaseResult(
        name, outcome, True, 0, 1, 1.0, 1.0, 1.0, sentences(findings), findings=findings
    )
    return {**json.loads(json.dumps(_verdict(result).to_json()))["cases"][0]}


def _verdict(*cases: CaseResult) -> Verdict:
    from grader.model import Framework

    return Verdict(
        "p", "d", Framework.NUMPY, Outcome.WRONG_ANSWER, 0, 1, "process", 0, cases, (), "told"
    )


MISSING = finding(Code.MISSING, tensor="output", came=None)
NO = case(Outcome.WRONG_ANSWER, MISSING)
OK = case(Outcome.ACCEPTED, name="one")
SUMMARIES = {
    "a failure": (
        {"version": 2, "cases": [OK, NO], "message": "m"},
        "1 of 2 cases passed; first failure: five words: output is missing",
        "2 个用例通过了 1 个；第一个失败：五个词：缺少 output",
    ),
    "all passed": (
        {"version": 2, "cases": [OK, OK], "message": "m"},
        "2 of 2 cases passed",
        "2 个用例通过了 2 个",
    ),
    "a class that shows no words": (
        {"version": 2, "cases": [OK, {**NO, "message": "", "findings": []}], "message": "m"},
        "1 of 2 cases passed",
        "2 个用例通过了 1 个",
    ),
    "a class that shows the verdict only": (
        {"version": 2, "cases": [], "message": "As stored."},
        "As stored.",
        "As stored.",
    ),
    "version 1": (
        {"version": 1, "cases": [{**OK}, {**NO}], "message": "As stored."},
        "As stored.",
        "As stored.",
    ),
}


@pytest.mark.parametrize(
    ("verdict", "english", "chinese"), SUMMARIES.values(), ids=SUMMARIES.keys()
)
def test_summary(verdict: dict[str, object], english: str, chinese: str) -> None:
    words = Words(names={"five words": "五个词"})
    assert (ENGLISH.summary(verdict), Translator("zh", words).summary(verdict)) == (
        english,
        chinese,
    )


def test_a_case_of_version_1_is_told_in_its_own_words() -> None:
    old = {key: value for key, value in NO.items() if key != "findings"}
    assert Translator("zh").stored(old) == "output is missing"


def test_every_outcome_has_its_words() -> None:
    assert set(OUTCOMES) == set(Outcome)
    assert Translator("zh").outcome(Outcome.TIME_LIMIT) == "超出时间限制"


HOSTILE = ["line 1: ", "%(tensor)s", "%s" * 50, "; it defines ", ": ", "\x00"]


@pytest.mark.parametrize("words", HOSTILE, ids=repr)
def test_a_submission_that_speaks_like_the_judge_is_quoted(words: str) -> None:
    text = words * (4000 // len(words))
    found = finding(Code.RAISED, 1, type="ValueError", text=text)
    assert sentence(found, CHINESE) == f"第 1 行：ValueError: {text}"


def test_words_that_nobody_translated_stay_english() -> None:
    half = Translator("zh", Words(hints={"no_scale": "缩放"}, names={"one": "一"}))
    assert (half.case("one"), half.case("two"), half.note("one", "Why.")) == ("一", "two", "Why.")
    assert (half.hint("no_scale", "Scale?"), half.hint("other", "Other?")) == ("缩放", "Other?")
    assert (ENGLISH.case("one"), ENGLISH.gettext("got"), ENGLISH.outcome(Outcome.TIME_LIMIT)) == (
        "one",
        "got",
        "time limit exceeded",
    )


@pytest.mark.parametrize("language", ["en", "fr", "../zh", "", "zh/..", "z\0h"], ids=repr)
def test_a_language_without_a_catalogue_is_english(language: str) -> None:
    assert translator(None, language).gettext("got") == "got"


def test_languages_are_the_folders_with_a_catalogue() -> None:
    assert languages() == ("en", "zh")
