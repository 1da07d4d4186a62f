"""A learner's file -> source text, or a sentence that says why it cannot be judged."""

import codecs
import io
import math
import re
import tokenize
from pathlib import Path

from grader.errors import SubmissionError
from grader.findings.catalogue import N_
from grader.findings.text import T_

# the longest source, on a laptop and by default in the service
MAX_BYTES = 64 * 1024
DECLARATION = re.compile(rb"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")  # PEP 263
NO_PROGRAM = N_("%(path)s: no such file; `grade start PROBLEM` writes one to begin with")
NO_INPUTS = N_("%(path)s: no such file; `grade try PROBLEM FILE --example` writes inputs to change")
# what a file may say that it is written in: character sets, and none of the codecs that run a
# decoder of another kind over it (PEP 263 knows them all)
CHARACTER_SETS = re.compile(
    r"ascii|utf-8(-sig)?|(iso-?8859|cp|windows|koi8|mac|euc|big5|gb|johab|hz|shift|ptcp)\w*([-_]\w+)*"
)


def read(path: Path, missing: str = NO_PROGRAM) -> str:
    """The text of a file. Raises `SubmissionError` for what is no Python text at all; `missing` is
    what it says where there is no such file.
    """
    try:
        if path.is_dir():
            raise SubmissionError(
                T_("%(path)s: this is a directory; name the Python file in it", path=str(path))
            )
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)  # no more: a device may have no end
        if len(data) > MAX_BYTES:
            raise SubmissionError(
                T_(
                    "%(path)s: %(size)d KiB of source; at most %(most)d KiB are judged",
                    path=str(path),
                    size=math.ceil(max(path.stat().st_size, len(data)) / 1024),
                    most=MAX_BYTES // 1024,
                )
            )
        return text(data, str(path))
    except FileNotFoundError:
        raise SubmissionError(T_(missing, path=str(path))) from None
    except OSError as error:
        raise SubmissionError(
            T_("%(path)s: cannot be read: %(error)s", path=str(path), error=error.strerror)
        ) from None


def text(data: bytes, name: str) -> str:
    """Bytes as source text, decoded once, here. Raises `SubmissionError`."""
    if b"\0" in data:
        at = data.index(b"\0")
        raise SubmissionError(
            T_(
                "%(path)s: holds a NUL byte at offset %(at)d, so it is not Python source (is it a"
                " binary file?)",
                path=name,
                at=at,
            )
        )
    _check_declaration(data, name)
    declared = encoding(data)
    try:
        return data.decode(declared)
    except UnicodeDecodeError as error:
        known = "UTF-8" if declared.startswith("utf-8") else declared
        raise SubmissionError(
            T_(
                "%(path)s: not %(encoding)s text (byte %(at)d); save it as UTF-8",
                path=name,
                encoding=known,
                at=error.start,
            )
        ) from None


def _check_declaration(data: bytes, name: str) -> None:
    """Raises `SubmissionError` for a declared encoding with which Python refuses the file."""
    line, declared = _declaration(data)
    try:
        known = codecs.lookup(declared).name
        b"#".decode(known)  # refuses what is no encoding of text, or not one of bytes
        fits = known.startswith("utf-8") or not data.startswith(codecs.BOM_UTF8)
    except (LookupError, UnicodeError):
        fits = False
    if not fits:
        raise SubmissionError(
            T_(
                "%(path)s: line %(line)d declares the encoding '%(encoding)s', in which Python"
                " cannot read this file; remove that and save it as UTF-8",
                path=name,
                line=line,
                encoding=declared,
            )
        )


def _declaration(data: bytes) -> tuple[int, str]:
    """Returns the line and the name of the encoding that one of the first two lines declares."""
    for number, line in enumerate(data.removeprefix(codecs.BOM_UTF8).splitlines()[:2], 1):
        if match := DECLARATION.match(line):
            return number, match[1].decode()
        if line.strip() and not line.lstrip().startswith(b"#"):
            break
    return 0, "utf-8"


def encoding(data: bytes) -> str:
    """Returns the character set that the first two lines declare (PEP 263), else UTF-8."""
    try:
        charset = tokenize.detect_encoding(io.BytesIO(data).readline)[0]
    except SyntaxError:  # an unknown name, or no UTF-8: decoding says where
        return "utf-8-sig"
    return charset if CHARACTER_SETS.fullmatch(charset.lower()) else "utf-8-sig"
