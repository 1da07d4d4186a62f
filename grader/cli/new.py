"""`grade new SLUG`: a problem folder that explains itself, and fails `verify` until filled in."""

import re
from pathlib import Path

from grader.cli.language import _
from grader.errors import UsageError
from grader.problem import bank_root

TEMPLATE = Path(__file__).resolve().parent / "template"
SLUG = re.compile(r"[a-z][a-z0-9_]{2,60}")


def create(bank: Path, slug: str) -> list[Path]:
    """Copy the template under a slug; returns the files written.

    Raises `UsageError` and writes nothing when the name is bad or taken.
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
    written = []
    for source in sorted(TEMPLATE.rglob("*")):
        if source.is_file() and source.suffix in (".toml", ".md", ".py"):
            part, *rest = source.relative_to(TEMPLATE).parts
            target = root / part / slug / Path(*rest)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(
                source.read_text(encoding="utf-8").replace("SLUG", slug), encoding="utf-8"
            )
            written.append(target)
    return written
