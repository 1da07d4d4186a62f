"""Collects the text that the model of the capstone learns: the project's own English.

    python scripts/model_text.py

It reads the prose of statements, lessons and documents, the hints of mistakes and the questions of
lessons, and writes every paragraph once to scripts/model_text.xz. The file is kept, so that the
weights can be trained again although the documents change.
"""

import lzma
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from grader.capstone.weights import ALPHABET

ROOT = Path(__file__).resolve().parent.parent
FILE = Path(__file__).with_name("model_text.xz")
PROSE = ("problems/*/statement.md", "lessons/*/lesson.md", "docs/*.md", "docs/design/*.md")
TABLES = ("problems/*/mistakes.toml", "lessons/*/questions.toml")
WORDS = ("hint", "text", "why")  # the keys of a table whose values are sentences
GENERATED = ("bank.md", "capstone.md")
ASCII = str.maketrans({"–": "-", "—": "-", "−": "-", "×": "x", "…": "...", "’": "'", "→": "->"})
REMOVED = (
    (r"```.*?```|\$\$.*?\$\$|<!--.*?-->", "\n"),
    (r"!?\[([^\]\[]*)\]\([^)]*\)", r"\1"),
    (r"^#+ |\*|`|\$", ""),
)
# what is left of a formula, a table or an address: such a paragraph is no prose
NO_PROSE = re.compile(r"[\\{}<>|]|http|\[\[|/\w+/")


def paragraphs() -> list[str]:
    """Returns the text: every paragraph once, in a fixed order."""
    texts = [p for pattern in PROSE for path in _files(pattern) for p in prose(path.read_text())]
    for pattern in TABLES:
        texts += [p for path in _files(pattern) for p in sentences(tomllib.loads(path.read_text()))]
    return list(dict.fromkeys(p for p in texts if p and not NO_PROSE.search(p) and _known(p)))


def _files(pattern: str) -> list[Path]:
    return [path for path in sorted(ROOT.glob(pattern)) if path.name not in GENERATED]


def _known(text: str) -> bool:
    return all(char in ALPHABET for char in text)


def prose(raw: str) -> Iterator[str]:
    """The paragraphs of a Markdown text, each on one line."""
    for pattern, instead in REMOVED:
        raw = re.sub(pattern, instead, raw, flags=re.DOTALL | re.MULTILINE)
    lines = ("" if line.startswith(("|", "[[", "    ")) else line for line in raw.splitlines())
    raw = re.sub(r"\n(?=\s*(-|\d+\.) )", "\n\n", "\n".join(lines).translate(ASCII))
    for part in re.split(r"\n\s*\n", raw):
        yield re.sub(r"^(-|\d+\.) ", "", " ".join(part.split()))


def sentences(value: object) -> Iterator[str]:
    """The hints, questions and explanations of a table."""
    if isinstance(value, dict):
        yield from (_plain(v) for k, v in value.items() if k in WORDS and isinstance(v, str))
        for each in value.values():
            yield from sentences(each)
    elif isinstance(value, list):
        for each in value:
            yield from sentences(each)


def _plain(text: str) -> str:
    return re.sub(r"[`$*]", "", " ".join(text.translate(ASCII).split()))


if __name__ == "__main__":
    FILE.write_bytes(lzma.compress("\n".join(paragraphs()).encode(), preset=9))
