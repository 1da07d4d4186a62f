"""The codes of the API's errors as docs/server.md lists them."""

import re
from pathlib import Path

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "server.md"


def listed() -> dict[str, set[int]]:
    """Returns the statuses of each code; none for one that comes with any."""
    text = DOCUMENT.read_text(encoding="utf-8")
    section = text.split("### Codes of errors\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \| .+ \|$", section, re.MULTILINE)
    assert len({code for code, _ in rows}) == len(rows), "a code is listed twice"
    return {code: {int(status) for status in re.findall(r"\d+", told)} for code, told in rows}


CODES = listed()
