"""Verdict, or why there is none -> what a machine reads: JSON, JUnit XML, Gradescope's
results.json.
"""

import json
import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from grader.errors import GradeError, JudgeError, ProblemError, SubmissionError
from grader.model import JSON_VERSION, CaseResult, Outcome, Verdict
from grader.verdict.translate import ENGLISH

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

FAULTS: Mapping[str, type[GradeError]] = MappingProxyType(
    {
        "submission": SubmissionError,
        "problem": ProblemError,
        "judge": JudgeError,
        "usage": GradeError,
    }
)
NO_XML = re.compile("[^\\t\\n\\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def as_json(verdict: Verdict, file: str | None = None) -> str:
    """One JSON object on one line; with its `file` when several are judged."""
    return _row(verdict.to_json(), file)


def refusal(error: GradeError, form: str, file: str | None = None) -> str:
    """A file without a verdict in one of the formats: whose fault that is, and why."""
    if form == "junit":
        return junit([(file or "grade", error)])
    fault = {"kind": kind(error), "message": str(error)}
    if form == "gradescope":
        extra = {"error": fault if file is None else {"file": file, **fault}}
        return _results(0, 0.0, str(error), extra, [])
    return _row({"version": JSON_VERSION, "error": fault}, file)


def kind(error: GradeError) -> str:
    """Whose fault an error is: submission, problem, judge or usage."""
    return next(kind for kind, fault in FAULTS.items() if isinstance(error, fault))


def _row(fields: Mapping[str, Any], file: str | None) -> str:
    return json.dumps(fields if file is None else {"file": file, **fields}, ensure_ascii=False)


def junit(results: Sequence[tuple[str, Verdict | GradeError]]) -> str:
    """JUnit XML (the Jenkins xunit schema): a suite for each file, a test case for each case. A
    file without a verdict is one test case with an error.
    """
    from xml.etree import ElementTree as ET

    root = ET.Element("testsuites")
    for file, result in results:
        suite = ET.SubElement(root, "testsuite")
        if isinstance(result, Verdict):
            _judged(suite, file, result)
        else:
            _refused(suite, file, result)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode")


def _judged(suite: "Element", file: str, verdict: Verdict) -> None:
    from xml.etree import ElementTree as ET

    errors = sum(r.verdict is Outcome.JUDGE_ERROR for r in verdict.cases)
    failures = sum(r.verdict is not Outcome.ACCEPTED for r in verdict.cases) - errors
    seconds = sum(r.wall_ms for r in verdict.cases) / 1e3
    _count(suite, f"{verdict.problem} {file}", len(verdict.cases), failures, errors, seconds)
    for r in verdict.cases:
        _case(suite, r, verdict.problem)
    if verdict.diagnoses:
        hints = "\n".join(diagnosis.hint for diagnosis in verdict.diagnoses)
        ET.SubElement(suite, "system-out").text = hints


def _refused(suite: "Element", file: str, error: GradeError) -> None:
    from xml.etree import ElementTree as ET

    _count(suite, file, tests=1, failures=0, errors=1, seconds=0.0)
    case = ET.SubElement(suite, "testcase", name="can be judged", classname=_xml(file))
    said = _xml(str(error))
    ET.SubElement(case, "error", type=kind(error), message=said[:500]).text = said


def _count(
    suite: "Element", name: str, tests: int, failures: int, errors: int, seconds: float
) -> None:
    suite.set("name", _xml(name))
    for key, number in (("tests", tests), ("failures", failures), ("errors", errors)):
        suite.set(key, str(number))
    suite.set("skipped", "0")
    suite.set("time", f"{seconds:.3f}")


def _case(suite: "Element", r: CaseResult, problem: str) -> None:
    from xml.etree import ElementTree as ET

    time = f"{r.wall_ms / 1e3:.3f}"
    case = ET.SubElement(suite, "testcase", name=r.name, classname=problem, time=time)
    if r.verdict is not Outcome.ACCEPTED:
        tag = "error" if r.verdict is Outcome.JUDGE_ERROR else "failure"
        message = r.message[:500]
        ET.SubElement(case, tag, type=str(r.verdict), message=message).text = r.message


def _xml(text: str) -> str:
    """A text with a question mark for each character that XML does not have."""
    return NO_XML.sub("?", text)


def gradescope(verdict: Verdict) -> str:
    """Gradescope's results.json (its autograder specification, "Output format")."""
    hint = "".join(f"\n\n{diagnosis.hint}" for diagnosis in verdict.diagnoses)
    tests = [
        {
            "name": r.name,
            "score": r.points,
            "max_score": r.max_points,
            "status": "passed" if r.verdict is Outcome.ACCEPTED else "failed",
            "output": r.message or ENGLISH.outcome(r.verdict),
            "output_format": "text",
            "visibility": "visible",
        }
        for r in verdict.cases
    ]
    seconds = round(sum(r.wall_ms for r in verdict.cases) / 1e3, 3)
    said = f"{ENGLISH.outcome(verdict.verdict)}: {verdict.message}{hint}"
    return _results(verdict.score, seconds, said, {"verdict": verdict.to_json()}, tests)


def _results(
    score: float, seconds: float, said: str, extra: Mapping[str, Any], tests: Sequence[Any]
) -> str:
    document = {
        "score": score,
        "execution_time": seconds,
        "output": said,
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "extra_data": extra,
        "tests": tests,
    }
    return json.dumps(document, ensure_ascii=False)
