"""Regular expressions, formatting, Unicode, text wrapping."""

import re
import string
import textwrap
import unicodedata


def work():
    found = re.sub(r"(\w+)", lambda m: m[1].title(), "scaled dot product")
    return (
        found == "Scaled Dot Product"
        and f"{3.14159:>8.2f}" == "    3.14"
        and unicodedata.normalize("NFC", "e\u0301") == "é"
        and textwrap.fill("a b", 1) == "a\nb"
        and len(string.digits) == 10
    )
