"""The project's own documents for authors of problems and lessons, as HTML.

They are set as statements are. Then headings get the identifiers that links name, and links lead to
the documents that are shown here; a link to anything else of the repository is left as text.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from markupsafe import Markup

from server.messages import Message
from server.services.rendering import statement

FOLDER = Path(__file__).parents[3] / "docs"
# as the first heading of each says
TITLES = {
    "problem-format": Message("The format of a problem"),
    "add-a-problem": Message("Add a problem"),
    "lessons": Message("Writing a lesson"),
}
HEADING = re.compile(r"<h([23])>(.*?)</h\1>", re.DOTALL)
SECTION = re.compile(r'<h2 id="([^"]*)">(.*?)</h2>', re.DOTALL)
LINK = re.compile(r' href="([\w./-]+)?(#[\w-]+)?"(?: rel="noopener")?')

Address = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Document:
    """One document; `sections` are its headings of the second level, by identifier."""

    name: str
    title: str
    html: Markup
    sections: dict[str, Markup]


def titles() -> dict[str, str]:
    """The documents that are there, by name; an installation may come without its documentation."""
    return {name: title for name, title in TITLES.items() if (FOLDER / f"{name}.md").is_file()}


def document(name: str, address: Address) -> Document | None:
    """A document with its links; None when there is none of that name."""
    if name not in titles():
        return None
    body = _text(name).partition("\n")[2]
    html = HEADING.sub(_identified, str(statement.markdown_html((body,))[0]))
    sections = {key: Markup(text) for key, text in SECTION.findall(html)}
    linked = Markup(LINK.sub(lambda link: _link(link, address), html))  # sanitised before
    return Document(name, TITLES[name], linked, sections)


def about(path: str) -> str:
    """The section of the format that explains a file of a draft; of `driver_numpy.py` the one on
    drivers, empty for the rest.
    """
    file = path.rpartition("/")[2]
    sections = {
        section(line[3:]) for line in _text("problem-format").splitlines() if line[:3] == "## "
    }
    wanted = "drivers" if file.startswith("driver_") else section(file)
    return wanted if wanted in sections else ""


def section(heading: str) -> str:
    """The identifier of a heading, as GitHub makes it: `cases.py` is `casespy`."""
    plain = re.sub(r"<[^>]*>", "", heading).lower()
    return re.sub(r"[^\w -]", "", plain).strip().replace(" ", "-")


def _identified(heading: re.Match[str]) -> str:
    level, text = heading.groups()
    return f'<h{level} id="{section(text)}">{text}</h{level}>'


def _link(link: re.Match[str], address: Address) -> str:
    file, anchor = link[1] or "", link[2] or ""
    name = file.removesuffix(".md")
    if file and name not in titles():
        return ""
    return f' href="{address(name) if file else ""}{anchor}"'


@lru_cache(maxsize=len(TITLES))
def _text(name: str) -> str:
    return (FOLDER / f"{name}.md").read_text(encoding="utf-8")
