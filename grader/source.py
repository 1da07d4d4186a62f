"""A learner's file -> source text, or a sentence that says why it cannot be judged."""

from pathlib import Path

from grader.errors import SubmissionError

# the longest source, on a laptop and by default in the service
MAX_BYTES = 64 * 1024


def read(path: Path) -> str:
    """The text of a file. Raises `SubmissionError` for what is no Python text at all."""
    try:
        if path.is_dir():
            raise SubmissionError(f"{path}: this is a directory; name the Python file in it")
        if path.stat().st_size > MAX_BYTES:
            raise SubmissionError(
                f"{path}: {path.stat().st_size / 1024:.0f} KiB of source; at most"
                f" {MAX_BYTES // 1024} KiB are judged"
            )
        return text(path.read_bytes(), str(path))
    except FileNotFoundError:
        raise SubmissionError(
            f"{path}: no such file; `grade start PROBLEM` writes one to begin with"
        ) from None
    except OSError as error:
        raise SubmissionError(f"{path}: cannot be read: {error.strerror}") from None


def text(data: bytes, name: str) -> str:
    """Bytes as source text, decoded once, here. Raises `SubmissionError`."""
    if b"\0" in data:
        at = data.index(b"\0")
        raise SubmissionError(
            f"{name}: holds a NUL byte at offset {at}; this is no Python source (is it a binary"
            " file?)"
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SubmissionError(
            f"{name}: not UTF-8 text (byte {error.start}); save it as UTF-8"
        ) from None
