"""A statement's Markdown as HTML: formulas as MathML, code coloured by classes, `[[sample: NAME]]`
lines apart.

Raw HTML in a statement is shown as text: an instructor writes Markdown, and nothing of it runs.
`typeset.py` does the work, in a process of its own; what is too long, or takes too long there, is
shown as it was written.
"""

import hashlib
import logging
import re
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from pathlib import Path

from markupsafe import Markup, escape

from server.services.rendering.process_pool import HelperBusy, HelperFailed, ProcessPool

LONGEST_STATEMENT = 64 << 10  # characters; the longest shipped one has 4,200
LONGEST_SOURCE = 64 << 10
LONGEST_LINE = 4_000  # of a source: a longer one is data
LARGEST_REPLY = 1 << 20  # bytes: formulas are some twenty times as long as their LaTeX
HELPERS, SECONDS = 2, 5.0
TAG = re.compile(r"<[^>]*>")  # what is sanitised has no > in an attribute
AGAIN_S = 60.0  # a text that took too long is not tried again earlier

log = logging.getLogger("judge.statement")
_pool = ProcessPool(Path(__file__).with_name("typeset.py"), HELPERS, SECONDS, LARGEST_REPLY)
_failed: dict[bytes, float] = {}  # digest of a text that reached a limit: when it is tried again
_failed_lock = threading.Lock()
MOST_FAILED = 1000


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a statement: its HTML, or the name of the sample that stands here."""

    html: str = ""
    sample: str = ""


def render(markdown: str) -> tuple[Part, ...]:
    """The parts of a statement. Its first heading is left out: the page has it as its title."""
    try:
        return _rendered(markdown)
    except HelperFailed:
        return tuple(
            Part(html=_plain(piece)) if not sample else Part(sample=piece)
            for piece, sample in _pieces(markdown)
        )


def markdown_html(texts: tuple[str, ...]) -> tuple[Markup, ...]:
    """The HTML of several texts; what cannot be typeset is shown as it was written."""
    try:
        return _markdown(texts)
    except HelperFailed:
        return tuple(map(_plain, texts))


@lru_cache(maxsize=64)
def _markdown(texts: tuple[str, ...]) -> tuple[Markup, ...]:
    if sum(map(len, texts)) > LONGEST_STATEMENT:
        raise HelperFailed("too long")
    return tuple(Markup(html) for html in _typeset("statement", list(texts)))  # sanitised


def python_html(source: str) -> Markup:
    """Python source, coloured by Pygments' short classes."""
    try:
        return _coloured(source)
    except HelperFailed:
        return Markup('<div class="code"><pre><span></span>{}\n</pre></div>').format(
            source.strip("\n")
        )


def python_lines(source: str) -> tuple[Markup, ...]:
    """Each line of a Python source, coloured; a text of several lines is coloured in each.

    Blank lines at both ends are left out.
    """
    html = str(python_html(source))
    begin, end = html.find("<pre>") + len("<pre>"), html.rfind("\n</pre>")
    lines = html[begin:end].removeprefix("<span></span>").split("\n")
    plain = source.strip("\n").split("\n")
    if [unescape(TAG.sub("", line)) for line in lines] != plain:
        return tuple(map(escape, plain))
    return tuple(map(Markup, lines))  # sanitised, and no element goes on in the next line


def source_lines(source: str) -> tuple[Markup, ...]:
    """The same with the blank lines at both ends, so that the place of a line is its number."""
    count, blank = len(source.removesuffix("\n").split("\n")), (Markup(),)
    before = len(source) - len(source.lstrip("\n"))
    lines = blank * before + python_lines(source)
    return (lines + blank * (count - len(lines)))[:count]


@lru_cache(maxsize=128)
def _rendered(markdown: str) -> tuple[Part, ...]:
    if len(markdown) > LONGEST_STATEMENT:
        raise HelperFailed("too long")
    pieces = list(_pieces(markdown))
    html = iter(_typeset("statement", [piece for piece, sample in pieces if not sample]))
    # sanitised
    parts = [
        Part(sample=piece) if sample else Part(html=Markup(next(html))) for piece, sample in pieces
    ]
    return tuple(part for part in parts if part.sample or part.html.strip())


@lru_cache(maxsize=128)
def _coloured(source: str) -> Markup:
    if len(source) > LONGEST_SOURCE or any(
        len(line) > LONGEST_LINE for line in source.splitlines()
    ):
        raise HelperFailed("too long")
    return Markup(_typeset("python", [source])[0])  # sanitised


def _pieces(markdown: str) -> Iterator[tuple[str, bool]]:
    """(text, whether it is the name of a sample), without the first heading.

    A sample stands where it is first named.
    """
    lines: list[str] = []
    seen: set[str] = set()
    head, _, rest = markdown.lstrip().partition("\n")
    for line in (rest if head.startswith("# ") else markdown).split("\n"):
        name = _sample_name(line)
        if name and name not in seen:
            seen.add(name)
            yield "\n".join(lines), False
            yield name, True
            lines = []
        else:
            lines.append(line)
    yield "\n".join(lines), False


def _sample_name(line: str) -> str:
    """Of a line `[[sample: NAME]]`; else empty."""
    line = line.rstrip()
    return (
        line[len("[[sample:") : -2].strip(" ")
        if line.startswith("[[sample:") and line.endswith("]]")
        else ""
    )


def _plain(markdown: str) -> Markup:
    """As it was written."""
    return (
        Markup('<pre class="code"><code>{}</code></pre>').format(markdown)
        if markdown.strip()
        else Markup()
    )


def _typeset(kind: str, texts: list[str]) -> list[str]:
    """Fragments of sanitised HTML. Raises `HelperFailed`."""
    digest = hashlib.blake2b(
        "\0".join([kind, *texts]).encode("utf-8", "surrogatepass"), digest_size=16
    ).digest()
    if _failed.get(digest, 0.0) > time.monotonic():
        raise HelperFailed("it took too long a moment ago")
    try:
        reply = _pool.ask({"kind": kind, "texts": texts})
        if (
            isinstance(reply, list)
            and len(reply) == len(texts)
            and all(isinstance(html, str) for html in reply)
        ):
            return reply
        raise HelperFailed("the helper could not read it")
    except HelperBusy as error:
        log.warning("a %s is shown as plain text: %s", kind, error)
        raise
    except HelperFailed as error:
        log.warning(
            "a %s of %d characters is shown as plain text: %s", kind, sum(map(len, texts)), error
        )
        with _failed_lock:
            if len(_failed) >= MOST_FAILED:
                _failed.clear()
            _failed[digest] = time.monotonic() + AGAIN_S
        raise
