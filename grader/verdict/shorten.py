"""Cuts messages and findings, so that no submission makes a verdict of megabytes."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from grader.findings.sentences import sentences
from grader.model import CaseResult

MESSAGE_BYTES = 64 * 1024  # of all messages of a verdict together, as JSON; each stands there twice


def shortened(results: Sequence[CaseResult]) -> list[CaseResult]:
    """Messages and findings cut, so that no submission makes a verdict of megabytes."""
    most = MESSAGE_BYTES // max(1, len(results))
    return [r if len(r.message) * 12 <= most else _shortened_result(r, most) for r in results]


def _shortened_result(result: CaseResult, most: int) -> CaseResult:
    def cut(value: Any) -> Any:
        return _cut(value, most // 2) if isinstance(value, str) else value

    findings = tuple(
        replace(f, parameters={name: cut(value) for name, value in f.parameters.items()})
        for f in result.findings
    )
    return replace(result, findings=findings, message=_cut(sentences(findings), most))


def _cut(text: str, most: int) -> str:
    """The beginning of a text that takes at most so many bytes as JSON, where a character may take
    twelve.
    """
    while len(json.dumps(text)) > most:
        text = text[: len(text) * 3 // 4].rstrip() + " …"
    return text
