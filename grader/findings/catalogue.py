"""Message catalogues: grader/locale/<language>/LC_MESSAGES/grader.mo, read when first needed.

English is the source text in the code and needs no file. A further language is a further folder.
"""

import gettext
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "locale"
DOMAIN = "grader"
ENGLISH = "en"

Catalogue = gettext.NullTranslations


def languages() -> tuple[str, ...]:
    """Returns the languages that have a catalogue, English first."""
    return ENGLISH, *sorted(path.parent.parent.name for path in FOLDER.glob(f"*/*/{DOMAIN}.mo"))


def catalogue(language: str) -> Catalogue:
    """Returns the catalogue of a language; without one, every text stays English."""
    return _load(language, FOLDER)


@cache
def _load(language: str, folder: Path) -> Catalogue:
    if language == ENGLISH or not language.replace("_", "").isalnum():
        return Catalogue()
    return gettext.translation(DOMAIN, folder, [language], fallback=True)


def N_(text: str) -> str:
    """Marks a text for extraction; it is translated where it is used."""
    return text


def NP_(singular: str, plural: str) -> tuple[str, str]:
    """Marks a text with a plural for extraction."""
    return singular, plural


def C_(context: str, text: str) -> tuple[str, str]:
    """Marks a text for extraction that means something else elsewhere."""
    return context, text
