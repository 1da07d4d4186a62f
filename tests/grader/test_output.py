"""Files that an option names: checked first, written whole or not at all."""

import errno
import os
from pathlib import Path

import pytest

from grader import output
from grader.errors import UsageError


def test_a_file_is_replaced_whole_and_keeps_its_mode_and_its_link(tmp_path: Path) -> None:
    file, link = tmp_path / "page.md", tmp_path / "link.md"
    file.write_text("old")
    file.chmod(0o640)
    link.symlink_to(file)
    output.check(link)
    assert file.read_text() == "old"
    output.write(link, b"new")
    assert (file.read_text(), file.stat().st_mode & 0o777) == ("new", 0o640)
    assert {path.name for path in tmp_path.iterdir()} == {"page.md", "link.md"}
    assert link.is_symlink()


def test_a_full_disk_leaves_no_stub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, data: bytes) -> int:
        path.touch()
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    file = tmp_path / "page.md"
    file.write_text("old")
    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(UsageError, match=r"page\.md: cannot be written: No space left on device"):
        output.write(file, b"new")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("page.md", "old")]


def test_a_device_is_written_as_it_is() -> None:
    output.check(Path(os.devnull))
    output.write(Path(os.devnull), b"new")
    assert not Path(os.devnull).is_file()


@pytest.mark.parametrize("name", [".", "missing/page.md"])
def test_a_place_that_cannot_be_written_is_refused_first(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match=r"cannot be written: .*; name a file in another place"):
        output.check(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_pipe_is_checked_without_opening_it(tmp_path: Path) -> None:
    """Its reader would take that for the end, and without a reader it would wait for ever."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    output.check(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    output.write(pipe, b"new")
    assert os.read(reader, 8) == b"new"
    os.close(reader)
