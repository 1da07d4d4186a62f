"""A zip is believed in nothing: each refusal names the entry; nothing is written to disk; what is
taken comes back byte for byte.
"""

import io
import stat
import struct
import zipfile
from collections.abc import Callable
from typing import Any

import pytest

from grader.errors import ProblemError, UsageError
from server.services.problems import archive, files
from tests.server.instructors import FIT, SLUG, zip_of

TEXTS = {path: text.encode() for path, text in FIT.items()}


def made(
    *entries: tuple[str, bytes],
    mode: int = stat.S_IFREG | 0o644,
    method: int = zipfile.ZIP_DEFLATED,
) -> io.BytesIO:
    """A zip with these entries after those of a whole problem."""
    out = zip_of(FIT)
    with zipfile.ZipFile(out, "a") as opened:
        for name, content in entries:
            info = zipfile.ZipInfo("x")
            info.filename = info.orig_filename = name
            info.external_attr, info.compress_type = mode << 16, method
            opened.writestr(info, content)
    out.seek(0)
    return out


def lying() -> io.BytesIO:
    """A zip whose entry says that it is small and is not."""
    out = made(("problems/sigmoid_attention/big.md", bytes(700_000).replace(b"\0", b"a")))
    data = out.getvalue()
    return io.BytesIO(data.replace(struct.pack("<I", 700_000), struct.pack("<I", 7_000)))


def encrypted() -> io.BytesIO:
    """A zip whose last entry says that it needs a password."""
    data = bytearray(made(("problems/sigmoid_attention/secret.md", b"x")).getvalue())
    data[data.rindex(b"PK\x01\x02") + 8] |= 1
    return io.BytesIO(bytes(data))


def overwritten() -> bytes:
    """A zip with other bytes in the middle of a file."""
    data = bytearray(zip_of(FIT).getvalue())
    data[100:140] = b"\xff" * 40
    return bytes(data)


def many() -> io.BytesIO:
    """More entries than any problem has."""
    return made(*((f"problems/sigmoid_attention/f{i}.md", b"") for i in range(500)))


BASE = "problems/sigmoid_attention"
REFUSED: list[tuple[str, Callable[[], Any], str]] = [
    ("no zip", lambda: io.BytesIO(b"PK is not enough"), "this is not a zip, or its end is missing"),
    (
        "cut off",
        lambda: io.BytesIO(zip_of(FIT).getvalue()[:-40]),
        "this is not a zip, or its end is",
    ),
    ("beginning lost", lambda: io.BytesIO(zip_of(FIT).getvalue()[40:]), "the zip is damaged"),
    ("data overwritten", lambda: io.BytesIO(overwritten()), "the zip is damaged"),
    ("empty", lambda: zip_of({}), "no file in it"),
    (
        "parent path",
        lambda: made(("problems/../../etc/cron.md", b"x")),
        "'problems/../../etc/cron.md' is an absolute path or leads out",
    ),
    (
        "absolute path",
        lambda: made(("/etc/passwd.md", b"x")),
        "'/etc/passwd.md' is an absolute path",
    ),
    (
        "drive letter",
        lambda: made(("C:/problems/x.md", b"x")),
        "'C:/problems/x.md' has a backslash or a colon",
    ),
    ("backslash", lambda: made((f"{BASE}\\..\\x.md", b"x")), "has a backslash"),
    ("NUL in a name", lambda: made((f"{BASE}/a\0.md", b"x")), "control character"),
    (
        "link",
        lambda: made((f"{BASE}/link.md", b"/etc/passwd"), mode=stat.S_IFLNK | 0o777),
        f"'{BASE}/link.md' is a link",
    ),
    (
        "device",
        lambda: made((f"{BASE}/dev.md", b""), mode=stat.S_IFCHR | 0o666),
        f"'{BASE}/dev.md' is a device",
    ),
    ("encrypted", encrypted, "secret.md' is encrypted"),
    (
        "other compression",
        lambda: made((f"{BASE}/a.md", b"x" * 99), method=zipfile.ZIP_LZMA),
        f"'{BASE}/a.md' is compressed in a way",
    ),
    (
        "large file",
        lambda: made((f"{BASE}/big.md", b"a b" * 300_000)),
        f"'{BASE}/big.md' has 900,000 bytes",
    ),
    (
        "bomb",
        lambda: made((f"{BASE}/bomb.md", bytes(500_000))),
        f"'{BASE}/bomb.md' unpacks to more than 200 times",
    ),
    ("lies about its size", lying, "the zip is damaged|big.md"),
    ("many entries", many, "entries; at most 400"),
    (
        "too many files",
        lambda: zip_of({**FIT, **{f"problems/f{i}.md": "x" for i in range(120)}}),
        "at most 100 files",
    ),
    (
        "program",
        lambda: made((f"{BASE}/run.sh", b"rm")),
        "'problems/run.sh': a problem's files end in",
    ),
    (
        "hidden file",
        lambda: made((f"{BASE}/.bashrc.py", b"x")),
        "'problems/.bashrc.py': use letters",
    ),
    ("too deep", lambda: made((f"{BASE}/a/b/c.md", b"x")), "'problems/a/b/c.md' has no place"),
    ("outside", lambda: made(("README.md", b"x")), "'README.md' has no place here"),
    (
        "two problems",
        lambda: made(("problems/another_one/statement.md", b"x")),
        "one problem at a time",
    ),
    (
        "twice",
        lambda: made((f"{BASE}/statement.md", b"other")),
        f"'{BASE}/statement.md' is there twice",
    ),
    ("twice but for case", lambda: made((f"{BASE}/Statement.md", b"other")), "differ in case only"),
    ("bad slug", lambda: zip_of(FIT, "Sigmoid"), "'Sigmoid' is not a valid slug"),
    ("no text", lambda: made((f"{BASE}/a.md", b"caf\xe9")), "'problems/a.md' is not UTF-8 text"),
    ("NUL in a file", lambda: made((f"{BASE}/a.py", b"a\0b")), "'problems/a.py' has a NUL"),
]


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize(
    ("stream", "message"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED]
)
def test_refused_by_name(stream: Callable[[], io.BytesIO], message: str) -> None:
    with pytest.raises(UsageError) as told:
        archive.read_zip(stream())
    assert any(part in str(told.value) for part in message.split("|")), told.value


TAKEN = [
    ("as it is", lambda: zip_of(FIT)),
    ("below a folder", lambda: zip_of(FIT, top="my-bank/")),
    ("with folders of their own", lambda: made((f"{BASE}/mistakes/", b""))),
    (
        "with what a system adds",
        lambda: made(
            ("__MACOSX/x", b"junk"),
            (f"{BASE}/.DS_Store", b"\0"),
            (f"{BASE}/__pycache__/a.pyc", b"\0"),
        ),
    ),
]


@pytest.mark.parametrize("stream", [row[1] for row in TAKEN], ids=[row[0] for row in TAKEN])
def test_taken(stream: Callable[[], io.BytesIO]) -> None:
    assert archive.read_zip(stream()) == (SLUG, TEXTS)


@pytest.mark.parametrize("kept", [{}, {"reference/numpy.py": b"x = 1\n"}])
def test_a_draft_without_its_definition(kept: dict[str, bytes]) -> None:
    with pytest.raises(ProblemError, match=r"^problems/\w+/problem.toml: this file is missing"):
        files.read(kept, SLUG)


def test_export_gives_the_same_files_and_the_same_bytes() -> None:
    once = archive.write_zip(SLUG, TEXTS)
    assert archive.read_zip(io.BytesIO(once)) == (SLUG, TEXTS)
    assert archive.write_zip(SLUG, dict(reversed(TEXTS.items()))) == once


BAD_FORM = [
    (
        "nesting that exhausts the parser",
        "problems/problem.toml",
        "x = " + "[" * 50_000,
        "cannot be read",
    ),
    (
        "number that is too long",
        "problems/problem.toml",
        "x = " + "1" * 5000,
        "cannot be read|not valid TOML",
    ),
    (
        "limit above the machine",
        "problems/problem.toml",
        FIT["problems/problem.toml"] + "[limits]\nwall_s = 1e4\n",
        "wall_s is above 60",
    ),
    (
        "limit that is no number",
        "problems/problem.toml",
        FIT["problems/problem.toml"] + "[limits]\nwall_s = nan\n",
        "it must be a finite number",
    ),
    (
        "unknown key",
        "problems/problem.toml",
        "tolerence = 1\n" + FIT["problems/problem.toml"],
        "did you mean 'tolerance'",
    ),
    (
        "tolerance of everything",
        "problems/problem.toml",
        "tolerance = inf\n" + FIT["problems/problem.toml"],
        "'tolerance' is inf",
    ),
]


@pytest.mark.parametrize(
    ("path", "text", "message"), [row[1:] for row in BAD_FORM], ids=[row[0] for row in BAD_FORM]
)
def test_form_is_refused_in_the_authors_own_paths(path: str, text: str, message: str) -> None:
    with pytest.raises(files.ProblemError) as told:
        files.read({**TEXTS, path: text.encode()}, SLUG)
    assert any(part in str(told.value) for part in message.split("|")), told.value
    assert str(told.value).startswith(f"problems/{SLUG}/problem.toml")
    assert "/tmp" not in str(told.value)
