"""What a long submission leaves behind: see `server/worker/memory.py`."""

import ctypes
import subprocess
import sys

import pytest

from tests.conftest import ROOT

# blocks that are freed between others that stay, as the results of a submission are
HOLES = """
from pathlib import Path
from server.worker.memory import give_back

def resident_mib():
    text = Path("/proc/self/status").read_text()
    return int(text.split("VmRSS:")[1].split()[0]) / 1024

blocks = [bytearray(64 << 10) for _ in range(4000)]
blocks = blocks[::100]
before = resident_mib()
give_back()
print(before - resident_mib())
"""


@pytest.mark.skipif(
    not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="not the C library of GNU"
)
@pytest.mark.slow
def test_what_is_free_goes_back_to_the_system() -> None:
    done = subprocess.run(
        [sys.executable, "-c", HOLES], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert float(done.stdout) > 150
