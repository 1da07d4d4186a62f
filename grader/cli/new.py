"""`grade new SLUG`: a problem folder that explains itself, and fails `verify` until filled in; or a
copy of another problem.
"""

import keyword
import re
from collections.abc import Mapping
from pathlib import Path

from grader.errors import UsageError
from grader.findings.text import T_
from grader.model import Kind
from grader.problem import SHIPPED, bank_root, load
from grader.problem.files import contents

TEMPLATES = Path(__file__).resolve().parent / "template"
TEMPLATE = TEMPLATES / "function"  # a function in NumPy
# what lies over it, or instead of it; the later ones replace files of the earlier ones
LAYERS: Mapping[tuple[Kind, bool], tuple[str, ...]] = {
    (Kind.FUNCTION, False): ("function",),
    (Kind.FUNCTION, True): ("function", "torch"),
    (Kind.MODULE, False): ("module",),
    (Kind.MODULE, True): ("module",),
    (Kind.CLASS, False): ("class",),
    (Kind.CLASS, True): ("class", "class_torch"),
}
PARTS = ("problems", "reference")
SLUG = re.compile(r"[a-z][a-z0-9_]{2,60}")


def create(
    bank: Path, slug: str, like: str = "", kind: Kind = Kind.FUNCTION, torch: bool = False
) -> list[Path]:
    """Writes a problem under a slug, from the template of its kind (with `torch`: in PyTorch too),
    or as a copy of the problem `like`; returns the files written.

    Raises `UsageError` and writes nothing when the name is bad or taken, or when there is nothing
    to copy; `ProblemError` when that is malformed.
    """
    if not SLUG.fullmatch(slug):
        words = T_(
            "'%(slug)s' is not a valid slug; use 3 to 60 lower-case letters, digits and"
            " underscores, e.g. causal_mask",
            slug=slug,
        )
        raise UsageError(words)
    if keyword.iskeyword(slug):  # a function is named after it
        taken = T_("'%(slug)s' is a keyword of Python; choose another slug", slug=slug)
        raise UsageError(taken)
    root = bank_root(bank)
    for folder in (root / "problems" / slug, root / "reference" / slug):
        if folder.exists():
            raise UsageError(
                T_("%(folder)s exists and is not touched; choose another slug", folder=str(folder))
            )
    written = []
    for name, content in (_copied(bank, like) if like else _template(kind, torch)).items():
        part, _slash, path = name.partition("/")
        target = root / part / slug / path
        text = re.sub(rf"\b{re.escape(like or 'SLUG')}\b", slug, content.decode())
        text = text if like else re.sub(r"\bCLASS\b", class_name(slug), text)
        _write(target, text)
        written.append(target)
    return written


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        words = T_("%(path)s: cannot be written: %(reason)s", path=str(path), reason=error.strerror)
        raise UsageError(words) from None


def class_name(slug: str) -> str:
    """Returns the name of the class in a scaffold: `RunningSum` of `running_sum`."""
    return "".join(word.capitalize() for word in slug.split("_"))


def _template(kind: Kind, torch: bool) -> Mapping[str, bytes]:
    files: dict[str, bytes] = {}
    for layer in LAYERS[kind, torch]:
        files |= contents(*(TEMPLATES / layer / part for part in PARTS))
    return files


def _copied(bank: Path, slug: str) -> Mapping[str, bytes]:
    """Returns the files of a problem of this bank, or of the one beside this package. Raises
    `UsageError` and `ProblemError` as `load` does.
    """
    known = [root for root in (bank_root(bank), SHIPPED) if (root / "problems" / slug).is_dir()]
    folder = load(known[0] if known else bank, slug).folder
    return contents(folder, folder.parents[1] / "reference" / slug)
