"""`grade new SLUG`: a problem folder that explains itself, and fails `verify` until filled in; or a
copy of another problem.
"""

import re
from collections.abc import Mapping
from pathlib import Path

from grader.cli.language import _
from grader.errors import UsageError
from grader.problem import bank_root, load
from grader.problem.files import contents

TEMPLATE = Path(__file__).resolve().parent / "template"
SHIPPED = Path(__file__).resolve().parents[2]
PARTS = ("problems", "reference")
SLUG = re.compile(r"[a-z][a-z0-9_]{2,60}")


def create(bank: Path, slug: str, like: str = "") -> list[Path]:
    """Writes a problem under a slug, from the template or as a copy of the problem `like`; returns
    the files written.

    Raises `UsageError` and writes nothing when the name is bad or taken, or when there is nothing
    to copy; `ProblemError` when that is malformed.
    """
    if not SLUG.fullmatch(slug):
        words = _(
            "'%(slug)s' is no slug; use 3 to 60 lower-case letters, digits and underscores, e.g."
            " causal_mask"
        )
        raise UsageError(words % {"slug": slug})
    root = bank_root(bank)
    for folder in (root / "problems" / slug, root / "reference" / slug):
        if folder.exists():
            raise UsageError(
                _("%(folder)s exists and is not touched; choose another slug") % {"folder": folder}
            )
    found = _copied(bank, like) if like else contents(*(TEMPLATE / part for part in PARTS))
    written = []
    for name, content in found.items():
        part, _slash, path = name.partition("/")
        target = root / part / slug / path
        target.parent.mkdir(parents=True, exist_ok=True)
        text = re.sub(rf"\b{re.escape(like or 'SLUG')}\b", slug, content.decode())
        target.write_text(text, encoding="utf-8")
        written.append(target)
    return written


def _copied(bank: Path, slug: str) -> Mapping[str, bytes]:
    """Returns the files of a problem of this bank, or of the one beside this package. Raises
    `UsageError` and `ProblemError` as `load` does.
    """
    known = [root for root in (bank_root(bank), SHIPPED) if (root / "problems" / slug).is_dir()]
    folder = load(known[0] if known else bank, slug).folder
    return contents(folder, folder.parents[1] / "reference" / slug)
