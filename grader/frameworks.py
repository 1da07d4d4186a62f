"""Which frameworks this Python has. NumPy is always there; PyTorch is an extra of this package
(docs/design/numpy-alone.md).
"""

import functools
import importlib.util
from pathlib import Path

from grader.model import Framework

INSTALL = "pip install 'attention-judge[torch]'"
TITLES = {Framework.NUMPY: "NumPy", Framework.TORCH: "PyTorch"}


@functools.cache
def has(framework: Framework) -> bool:
    """Whether the framework is installed. Looks for the package and does not import it."""
    return importlib.util.find_spec(str(framework)) is not None


def installed() -> tuple[Framework, ...]:
    """Returns the frameworks in which solutions can be judged here."""
    return tuple(framework for framework in Framework if has(framework))


def release(framework: Framework) -> bytes:
    """Returns what identifies the release that is installed: the file in which both frameworks
    name theirs. Reading that costs less than parsing metadata.
    """
    spec = importlib.util.find_spec(str(framework))
    folders = spec.submodule_search_locations if spec else None
    return b"".join((Path(each) / "version.py").read_bytes() for each in folders or ())
