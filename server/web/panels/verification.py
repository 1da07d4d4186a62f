"""What the page of a draft says of a verification's findings, in the reader's language."""

from collections.abc import Mapping
from typing import Any

from grader.findings.catalogue import catalogue
from grader.findings.text import read_text, said
from server.messages import Message, stored
from server.web.texts import language, translate

LONGEST = 2000  # characters of a sentence


def finding_said(finding: Mapping[str, Any], part: str) -> str:
    """Returns the `where` or the `text` of a finding; one that has no data stays English."""
    data = finding.get("said", {}).get(part)
    if data is None:
        return str(finding[part])
    message = stored(data) if "plural" in data else read_text(data)
    if isinstance(message, Message):
        return translate(message)[:LONGEST]
    return said(message, catalogue(language()))[:LONGEST]
