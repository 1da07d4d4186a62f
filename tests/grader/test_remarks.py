"""remarks(): a dtype that was not asked for, once, with the line that probably makes it."""

import numpy as np
import pytest

from grader.answers import Answer
from grader.case import Case
from grader.comparison.compare import Expected
from grader.findings.finding import Finding
from grader.model import Framework, Run
from grader.verdict.remarks import remarks
from tests.grader.small import returned

DUE = Answer(
    Case("c", inputs={}, note="x"),
    {name: Expected(np.ones(2), "float32", 1e-6) for name in ("output", "weights")},
)


def said(source: str, run: Run, framework: Framework = Framework.NUMPY) -> list[Finding]:
    return list(remarks(source, framework, [(DUE, run), (DUE, run)]))


def wide(dtype: type = np.float64) -> Run:
    return returned("c", output=np.ones(2, dtype), weights=np.ones(2, dtype))


CAUSES = {
    "the textbook's line": ("import numpy as np\ns = s / np.sqrt(d_k)\n", ("np.sqrt", 2)),
    "a root before an array": ("a = np.zeros(3)\nb = numpy.sqrt(4)\n", ("np.sqrt", 2)),
    "an array without a dtype": ("a = np.zeros(3)\n", ("np.zeros", 1)),
    "an array with a dtype": ("a = np.zeros(3, dtype=q.dtype)\n", ("", None)),
    "a comment": ("# np.sqrt(2)\n", ("", None)),
    "nothing to be seen": ("return q * 2\n", ("", None)),
    "a float64 by name": ("q = q.astype(np.float64)\nw = np.sqrt(q)\n", ("", 1)),
    "one among the arrays": ("w = np.zeros(3, dtype='float64')\n", ("", 1)),
    "what keeps the dtype of an array": ("w = np.exp(s - s.max())\n", ("", None)),
}


@pytest.mark.parametrize(("source", "cause"), CAUSES.values(), ids=CAUSES.keys())
def test_the_probable_cause(source: str, cause: tuple[str, int | None]) -> None:
    (remark,) = said(source, wide())
    assert remark.parameters["tensor"] == "output, weights"
    assert (remark.parameters["cause"], remark.line) == cause


def test_what_was_asked_is_not_remarked_upon() -> None:
    assert said("np.sqrt(2)", wide(np.float32)) == []


def test_each_dtype_is_remarked_upon_once() -> None:
    run = returned("c", output=np.ones(2), weights=np.ones(2, np.float16))
    found = [(r.parameters["tensor"], r.parameters["dtype"]) for r in said("np.sqrt(2)", run)]
    assert found == [("output", "float64"), ("weights", "float16")]


def test_no_cause_is_named_in_torch() -> None:
    (remark,) = said("np.sqrt(2)", wide(), Framework.TORCH)
    assert (remark.parameters["cause"], remark.line) == ("", None)
