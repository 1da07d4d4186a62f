"""Read the standard library's own files; find out that no other may be written."""

import os
import pathlib
import tempfile


def work():
    source = pathlib.Path(os.__file__).read_text(encoding="utf-8")
    try:
        tempfile.mkstemp()
    except OSError:
        return "def makedirs" in source
    return False
