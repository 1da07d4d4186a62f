"""A verdict in Chinese: each form of sentence beside what a learner reads, and the proof that none
is missing.
"""

import ast
import re
from collections.abc import Iterator

import pytest

from grader import chinese, redact
from grader.chinese import sentence
from grader.model import Outcome
from grader.problem import Words
from grader.translate import ENGLISH, Translator
from tests.conftest import ROOT
from tests.grader import test_explain

SENTENCES = [
    ("output has shape (2, 3); expected (3, 2)", "output 的形状是 (2, 3)；应为 (3, 2)"),
    (
        "output has shape (2, 3); expected (3, 2), that is (L, D)",
        "output 的形状是 (2, 3)；应为 (3, 2)，即 (L, D)",
    ),
    ("output is float64; expected float32", "output 是 float64；应为 float32"),
    ("indices is float64; expected integers", "indices 是 float64；应为整数"),
    (
        "x is float32, though it was announced as float64; expected float64",
        "x 是 float32，却声称是 float64；应为 float64",
    ),
    (
        "x is a numpy.ndarray; expected a torch.Tensor (float32)",
        "x 是 numpy.ndarray；应为 torch.Tensor（float32）",
    ),
    (
        "x is a torch.Tensor; expected an array of NumPy (float32)",
        "x 是 torch.Tensor；应为 NumPy 数组（float32）",
    ),
    (
        "x is of a type of its own; expected a plain float32 array",
        "x 是自定义的类型；应为普通的 float32 数组",
    ),
    (
        "x is a tensor of more than 16 axes; expected a plain float32 array",
        "x 的轴多于 16 个；应为普通的 float32 数组",
    ),
    (
        "x is an empty tensor whose other axes are too large; expected a plain float32 value",
        "x 是空张量，其余的轴过大；应为普通的 float32 数值",
    ),
    ("x is complex64; expected a plain float32 value", "x 是 complex64；应为普通的 float32 数值"),
    ("weights has only 2 rows", "weights 只有 2 行"),
    ("weights is missing: the call returned one Tensor", "缺少 weights：调用返回了一个 Tensor"),
    ("weights is missing", "缺少 weights"),
    ("grad.q: no gradient reaches it", "grad.q：梯度传不到它"),
    (
        "q was modified by the call, in row 1; work on a copy",
        "q 被调用修改了，在第 1 行；请在副本上操作",
    ),
    ("q was modified by the call; work on a copy", "q 被调用修改了；请在副本上操作"),
    (
        "output: 15 of 15 values differ, by up to 0.435 (allowed 6.5e-06)",
        "output：15 个值中有 15 个不对，最大相差 0.435（允许 6.5e-06）",
    ),
    (
        "x: 3 of 9 values differ, by up to 1.5 (allowed 1e-06), in head 1 only, in rows 2 to 3; it is all zeros",
        "x：9 个值中有 3 个不对，最大相差 1.5（允许 1e-06），只在第 1 个头、在第 2 到第 3 行；全是零",
    ),
    (
        "mask: 3 of 9 values differ; it is the transpose of the answer",
        "mask：9 个值中有 3 个不对；它是答案的转置",
    ),
    ("x: the value differs, by up to 2 (allowed 1e-06)", "x：值不对，最大相差 2（允许 1e-06）"),
    (
        "x: 1 of 9 values are NaN, in exactly the rows where mask leaves no visible key",
        "x：9 个值中有 1 个是 NaN，恰好在 mask 没有留下可见键的那些行",
    ),
    (
        "the call returned a tuple of 3; expected 2 values: output, weights",
        "调用返回了含 3 个元素的 tuple；应返回 2 个值：output, weights",
    ),
    (
        "the call must raise ValueError, and raised something else: line 3: TypeError: no",
        "调用应当抛出 ValueError，却抛出了别的：第 3 行：TypeError: no",
    ),
    ("line 5: ValueError: operands do not fit", "第 5 行：ValueError: operands do not fit"),
    ("line 5: not implemented yet", "第 5 行：还没有实现"),
    (
        "it passes with the public inputs and fails with the hidden ones",
        "用公开的输入能通过，用隐藏的输入不能",
    ),
    (
        "line 1: torch.softmax is what this exercise asks you to write",
        "第 1 行：torch.softmax 正是这道题要你自己写的",
    ),
    ("no answer after 10 s; it was still computing", "10 秒后仍没有回答；它还在计算"),
    (
        "no answer after 10 s (while the file was being loaded)",
        "10 秒后仍没有回答（发生在加载文件时）",
    ),
    (
        "90 ms of CPU; allowed 30 ms, that is 3 times the reference's",
        "用了 90 毫秒 CPU；允许 30 毫秒，即参考答案的 3 倍",
    ),
    ("more than 512 MiB of memory (line 9)", "超过 512 MiB 内存（第 9 行）"),
    (
        "too much output: a frame with 70000 bytes of text; at most 65536 are allowed",
        "输出太多：结果带有 70000 字节的文字；最多允许 65536 字节",
    ),
    ("too much output: more than 64 KiB", "输出太多：超过 64 KiB"),
    (
        "the file defines no function 'softmax'; it defines f, g",
        "文件没有定义函数 'softmax'；它定义了 f, g",
    ),
    ("the file defines no class 'A'; it defines nothing", "文件没有定义类 'A'；它什么也没有定义"),
    (
        "'softmax' must be a function; the file makes it a value of type int",
        "'softmax' 必须是函数；文件里它是类型为 int 的值",
    ),
    ("the process was ended by this signal: SIGSEGV", "进程被信号终止：SIGSEGV"),
    (
        "1 of 13 cases passed; first failure: five words: output is missing",
        "13 个用例通过了 1 个；第一个失败：五个词：缺少 output",
    ),
    ("13 of 13 cases passed", "13 个用例通过了 13 个"),
    ("Seven words that the judge never says", "Seven words that the judge never says"),
    ("", ""),
]
# what may stay: names and numbers
OWN = re.compile(r"\b(?:NaN|in|x|mask|padding_mask|e|inf)\b|[\d.]+e[+-]?\d+")


@pytest.mark.parametrize(
    ("english", "words"), SENTENCES, ids=[s[0][:60] or "nothing" for s in SENTENCES]
)
def test_sentence(english: str, words: str) -> None:
    assert sentence(english, {"five words": "五个词"}) == words


def places_and_patterns() -> Iterator[str]:
    """Every ending that the tests of explain.py know."""
    yield from (row[3] for row in test_explain.PLACES)
    yield from (row[3] for row in test_explain.TOUCHED.values())
    yield from (row[4] for row in test_explain.LOOKS)
    yield from (row[2] for row in test_explain.MASKS)
    yield from (
        ", in 6 of 30 rows",
        ", in every third row from 0 on",
        ", in rows 5 to 19",
        ", in every 5th batch from 1 on",
    )


@pytest.mark.parametrize("ending", [e for e in dict.fromkeys(places_and_patterns()) if e])
def test_no_english_is_left_of_where_and_what(ending: str) -> None:
    said = sentence(f"x: 3 of 9 values differ, by up to 1.5 (allowed 1e-06){ending}")
    assert said.startswith("x：9 个值中有 3 个不对，最大相差 1.5（允许 1e-06）")
    assert re.findall(r"[A-Za-z]{2,}", OWN.sub("", said)) == []


STEPS = {"_which", "_plural", "_ordinal", "_name", "_root"}  # held by the test above
FILES = ("compare.py", "explain.py", "outcome.py", "judge.py", "redact.py")


def said_by(name: str) -> Iterator[str]:
    """The pieces of sentences in a file of the judge: two words or more, not in a docstring."""
    tree = ast.parse((ROOT / "grader" / name).read_text(encoding="utf-8"))
    for function in (
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name not in STEPS
    ):
        told = [
            part
            for line in function.body
            for part in ast.walk(line)
            if not isinstance(line, ast.Raise)
        ]
        raised = {
            id(part)
            for node in told
            if isinstance(node, ast.Raise) or _logs(node)
            for part in ast.walk(node)
        }
        docstring = ast.get_docstring(function, clean=False)
        for part in told:
            words = (
                part.value if isinstance(part, ast.Constant) and id(part) not in raised else None
            )
            if isinstance(words, str) and words != docstring and re.search(r"[a-z]+ [a-z]+", words):
                yield words.removeprefix(": ")


def _logs(node: ast.AST) -> bool:
    """Is this a call such as `log.exception(…)`, which an operator reads?"""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and ast.unparse(node.func.value) == "log"
    )


@pytest.mark.parametrize("name", FILES)
def test_every_sentence_of_the_judge_has_its_chinese(name: str) -> None:
    known = " | ".join(chinese.forms())
    missing = [words for words in said_by(name) if words not in known]
    if name == "redact.py":
        missing += [
            words
            for words in (redact.ONLY_HIDDEN, redact.UNEXPLAINED, *redact.KINDS.values())
            if words not in known
        ]
    assert missing == [], "add these to grader/chinese.py"


def test_every_slot_comes_back() -> None:
    for table in (
        chinese.SENTENCES,
        chinese.PATTERNS,
        chinese.PLACES,
        chinese.STATES,
        chinese.THINGS,
    ):
        for english, words in table.items():
            assert sorted(re.findall(r"\{\w+\??\}", english)) == sorted(
                re.findall(r"\{\w+\??\}", words)
            ), english


def test_every_outcome_has_its_chinese() -> None:
    assert set(chinese.OUTCOMES) == set(Outcome)


HOSTILE = [
    "line 1: ",
    "x: 3 of 9 values differ, in head 1",
    "; it defines ",
    "x is x; expected x",
    ": ",
    "1 of 1 cases passed; first failure: ",
]


@pytest.mark.parametrize("words", HOSTILE)
def test_a_submission_that_speaks_like_the_judge_gains_nothing(words: str) -> None:
    """Sentences within sentences without end: neither endless work nor endless depth."""
    assert sentence(f"line 1: ValueError: {words * (4000 // len(words))}").startswith(
        "第 1 行：ValueError"
    )
    assert sentence(words * (4000 // len(words)))


def test_words_that_nobody_translated_stay_english() -> None:
    half = Translator("zh", Words(hints={"no_scale": "缩放"}, names={"one": "一"}))
    assert (half.case("one"), half.case("two"), half.note("one", "Why.")) == ("一", "two", "Why.")
    assert (half.hint("no_scale", "Scale?"), half.hint("other", "Other?")) == ("缩放", "Other?")
    assert (ENGLISH.case("one"), ENGLISH.message("got"), ENGLISH.outcome(Outcome.TIME_LIMIT)) == (
        "one",
        "got",
        "time limit exceeded",
    )
