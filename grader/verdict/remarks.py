"""What is worth saying of a submission that fails no case: a dtype that was not asked for, and the
line that probably makes it.

Only of public cases: which dtype a submission chooses in a hidden one may depend on what is hidden.
"""

import re
from collections.abc import Iterable

from grader.answers import Answer
from grader.findings.codes import Code
from grader.findings.finding import Finding, finding
from grader.model import Framework, Run
from grader.verdict.outcome import tolerated

# NumPy functions that return a float64 for a Python number, and that make one unless told otherwise
OF_A_NUMBER = ("sqrt", "float64")
MAKES = ("zeros", "ones", "empty", "full", "eye", "identity", "tri", "linspace", "array")
_CALL = re.compile(rf"\b(?:np|numpy)\.({'|'.join((*OF_A_NUMBER, *MAKES))})\(")
# where a float64 is asked for by name
NAMED = re.compile(r"\b(?:astype\(|dtype\s*=)\s*[\"']?(?:(?:np|numpy)\.)?(?:float(?:64)?|double)\b")
LONGEST = 1000  # lines that are searched


def remarks(
    source: str, framework: Framework, results: Iterable[tuple[Answer, Run]]
) -> tuple[Finding, ...]:
    """Each remark once, with its probable cause."""
    by_dtypes: dict[tuple[str, str], list[str]] = {}
    for answer, run in results:
        for name in tolerated(answer, run):
            names = by_dtypes.setdefault((run.dtypes[name], answer.expected[name].dtype), [])
            if name not in names:
                names.append(name)
    cause = _cause(source) if framework is Framework.NUMPY else None
    return tuple(_remark(*dtypes, names, cause) for dtypes, names in by_dtypes.items())


def _remark(dtype: str, due: str, names: list[str], cause: tuple[str, int] | None) -> Finding:
    call, line = cause if cause is not None and dtype == "float64" else ("", None)
    tensors = ", ".join(names)
    return finding(Code.OTHER_DTYPE, line, tensor=tensors, dtype=dtype, due=due, cause=call)


def _cause(source: str) -> tuple[str, int] | None:
    """The call that probably makes a float64, and its line: one of a number before one that makes
    an array. No call, but the line, where a float64 is asked for by name.
    """
    lines = [line.partition("#")[0][:LONGEST] for line in source.splitlines()[:LONGEST]]
    named = next((number for number, line in enumerate(lines, 1) if NAMED.search(line)), None)
    if named is not None:
        return "", named
    calls = [
        (call.group(1), number)
        for number, line in enumerate(lines, 1)
        for call in _CALL.finditer(line)
        if call.group(1) in OF_A_NUMBER or "dtype" not in line
    ]
    likely = [call for call in calls if call[0] in OF_A_NUMBER] or calls
    return (f"np.{likely[0][0]}", likely[0][1]) if likely else None
