"""A problem as a zip or a dropped folder: `problems/<slug>/…` and `reference/<slug>/…`, perhaps
below one folder of any name.

What a zip says of itself is not believed: entries are counted, and bytes are counted while they
come out. Nothing is written to disk.
"""

import io
import stat
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from typing import IO

from grader.errors import UsageError
from server.messages import Message
from server.services.problems.files import (
    FILE_BYTES,
    MOST_FILES,
    TOTAL_BYTES,
    Files,
    check_all,
    check_slug,
)

ZIP_BYTES = 2 << 20
MOST_ENTRIES = 4 * MOST_FILES
RATIO = 200  # bytes out for each byte in; text that repeats itself reaches 100
CHUNK = 1 << 16
EPOCH = (1980, 1, 1, 0, 0, 0)  # so that the same files give the same zip

Entry = tuple[str, IO[bytes]]


def read_zip(stream: IO[bytes]) -> tuple[str, dict[str, bytes]]:
    """(slug, files) of a zip. Raises `UsageError` naming the entry that cannot be taken."""
    stream.seek(0, io.SEEK_END)
    if stream.tell() > ZIP_BYTES:
        raise UsageError(
            Message("the zip has more than %(most)s bytes", code="zip_too_large", most=ZIP_BYTES)
        )
    try:
        with zipfile.ZipFile(stream) as archive:
            infos = archive.infolist()
            if len(infos) > MOST_ENTRIES:
                raise UsageError(
                    Message(
                        "the zip has %(count)s entries; at most %(most)s are accepted",
                        code="zip_too_many_entries",
                        count=len(infos),
                        most=MOST_ENTRIES,
                    )
                )
            return gather(
                (info.orig_filename, archive.open(info)) for info in infos if _regular(info)
            )
    except (
        zipfile.BadZipFile,
        NotImplementedError,
        RuntimeError,
        EOFError,
        OSError,
        ValueError,
        zipfile.LargeZipFile,
        zlib.error,
    ):
        raise UsageError(_unreadable(stream)) from None


def _unreadable(stream: IO[bytes]) -> Message:
    """What is wrong with a zip, in our own words: Python's are in English."""
    if zipfile.is_zipfile(stream):
        return Message("the zip is damaged; make it again", code="zip_damaged")
    return Message("this is not a zip, or its end is missing", code="not_a_zip")


def _regular(info: zipfile.ZipInfo) -> bool:
    """Whether an entry is a file; folders are passed over, anything else is refused by name."""
    name, mode = info.orig_filename, info.external_attr >> 16
    shown = name[:200]
    if stat.S_ISLNK(mode):
        raise UsageError(
            Message(
                "'%(path)s' is a link; put the file itself into the zip",
                code="entry_not_a_file",
                path=shown,
            )
        )
    if mode and stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise UsageError(
            Message(
                "'%(path)s' is a device or pipe, not a file", code="entry_not_a_file", path=shown
            )
        )
    if info.flag_bits & 0x1:
        raise UsageError(Message("'%(path)s' is encrypted", code="entry_encrypted", path=shown))
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise UsageError(
            Message(
                "'%(path)s' is compressed in a way that is not accepted; use plain zip",
                code="entry_compression",
                path=shown,
            )
        )
    if info.file_size > FILE_BYTES:
        raise UsageError(
            Message(
                "'%(path)s' has %(size)s bytes; at most %(most)s are accepted",
                code="file_too_large",
                path=shown,
                size=info.file_size,
                most=FILE_BYTES,
            )
        )
    if info.file_size > RATIO * max(info.compress_size, 1):
        raise UsageError(
            Message(
                "'%(path)s' unpacks to more than %(ratio)s times its size",
                code="entry_expands_too_much",
                path=shown,
                ratio=RATIO,
            )
        )
    return not name.endswith("/")


def gather(entries: Iterable[Entry]) -> tuple[str, dict[str, bytes]]:
    """(slug, files) of entries with their names as sent.

    Raises `UsageError` naming the entry that cannot be taken.
    """
    problems: dict[str, dict[str, bytes]] = {}
    top, total = None, 0
    for name, stream in entries:
        parts = _parts(name)
        if not _wanted(parts):
            continue
        prefix = next(
            (i for i, part in enumerate(parts) if part in ("problems", "reference")), None
        )
        if (
            prefix is None
            or prefix > 1
            or len(parts) < prefix + 3
            or (top is not None and parts[:prefix] != top)
        ):
            raise UsageError(
                Message(
                    "'%(path)s' has no place here; a zip holds problems/<slug>/… and"
                    " reference/<slug>/…",
                    code="file_misplaced",
                    path=name[:200],
                )
            )
        top = parts[:prefix]
        group, slug, *rest = parts[prefix:]
        content = _content(name, stream, TOTAL_BYTES - total)
        total += len(content)
        files = problems.setdefault(slug, {})
        if "/".join((group, *rest)) in files:
            raise UsageError(
                Message("'%(path)s' is there twice", code="duplicate_file", path=name[:200])
            )
        files["/".join((group, *rest))] = content
        if len(problems) > 1:
            raise UsageError(
                Message(
                    "'%(path)s': one problem at a time; there are %(slugs)s",
                    code="several_problems",
                    path=name[:200],
                    slugs=", ".join(sorted(problems)),
                )
            )
    if not problems:
        raise UsageError(
            Message(
                "there is no file in it; a zip holds problems/<slug>/… and reference/<slug>/…",
                code="zip_empty",
            )
        )
    ((slug, files),) = problems.items()
    check_slug(slug)
    check_all(files)
    return slug, files


def _parts(name: str) -> list[str]:
    shown = name[:200]
    if any(ord(c) < 32 or ord(c) == 127 for c in name):
        raise UsageError(
            Message(
                "%(path)s has a control character in its name",
                code="invalid_path",
                path=repr(shown),
            )
        )
    if "\\" in name or ":" in name:
        raise UsageError(
            Message(
                "'%(path)s' has a backslash or a colon in its name; use / between folders",
                code="invalid_path",
                path=shown,
            )
        )
    parts = name.split("/")
    if name.startswith("/") or any(part in ("", ".", "..") for part in parts):
        raise UsageError(
            Message(
                "'%(path)s' is an absolute path or leads out of the zip",
                code="invalid_path",
                path=shown,
            )
        )
    return parts


def _wanted(parts: list[str]) -> bool:
    """What systems add by themselves is passed over."""
    return parts[0] != "__MACOSX" and parts[-1] != ".DS_Store" and "__pycache__" not in parts


def _content(name: str, stream: IO[bytes], left: int) -> bytes:
    """Read to the end or to the cap, whichever is first."""
    cap, content = min(FILE_BYTES, left), bytearray()
    with stream:
        while chunk := stream.read(CHUNK):
            content += chunk
            if len(content) > cap:
                raise UsageError(
                    Message(
                        "'%(path)s' makes it too large: %(one)s bytes a file, %(all)s together",
                        code="problem_too_large",
                        path=name[:200],
                        one=FILE_BYTES,
                        all=TOTAL_BYTES,
                    )
                )
    return bytes(content)


def write_zip(slug: str, files: Files) -> bytes:
    """The zip of a problem; reading it gives the same files, and the same files give the same
    bytes.
    """
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for path, content in sorted(files.items()):
            group, _, rest = path.partition("/")
            info = zipfile.ZipInfo(f"{group}/{slug}/{rest}", EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = (stat.S_IFREG | 0o644) << 16
            archive.writestr(info, content)
    return out.getvalue()


def spool(stream: IO[bytes]) -> IO[bytes]:
    """A request's body as something that can be sought in, capped. Raises `UsageError`."""
    kept = io.BytesIO()
    for chunk in _chunks(stream):
        kept.write(chunk)
        if kept.tell() > ZIP_BYTES:
            raise UsageError(
                Message(
                    "the zip has more than %(most)s bytes", code="zip_too_large", most=ZIP_BYTES
                )
            )
    kept.seek(0)
    return kept


def _chunks(stream: IO[bytes]) -> Iterator[bytes]:
    while chunk := stream.read(CHUNK):
        yield chunk
