"""What a child tells, forced into shape: every field may be anything, and every string may be hostile."""

import unicodedata
from collections.abc import Mapping
from typing import Any

from grader.model import Ended, Failure, Phase, Run

HOSTILE = ("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp")  # control, format (bidi), unassigned, private, surrogate, line separators


def clean(text: str) -> str:
    """Text from the room with every control, bidi and surrogate character made visible, so that no terminal or page obeys it."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if c in "\n\t" or unicodedata.category(c) not in HOSTILE else c.encode("unicode_escape").decode() for c in text)


def is_memory_error(error: Failure) -> bool:
    return (
        "MemoryError" in error.bases
        or "DefaultCPUAllocator" in error.text
        or "can't allocate memory" in error.text
        or error.text.startswith("[Errno 12]")
    )


def failure(found: Any) -> Failure:
    """An error as the child tells it, forced into shape: every field may be anything."""
    if not isinstance(found, dict):
        return Failure("unknown")
    bases = found.get("bases")
    lineno = found.get("lineno")
    return Failure(
        type=_text(found.get("type"), 200),
        text=_text(found.get("text"), 2000),
        lineno=lineno if type(lineno) is int and 0 < lineno < 10**7 else None,
        bases=tuple(_text(base, 200) for base in bases[:40]) if isinstance(bases, list) else (),
        trace=_text(found.get("trace"), 2000),
    )


def _text(found: Any, most: int) -> str:
    """A string as such, cut and cleaned; '' for anything else, whose `str` could recurse or be huge."""
    return clean(found[:most]) if type(found) is str else ""


def run_from(meta: Mapping[str, Any], tensors: Mapping[str, Any], name: str, phase: Phase, index: int) -> Run:
    """The frame that was due, as a `Run`; anything else is garbled."""
    if phase is Phase.IMPORT:
        ends = {"loaded": Ended.RETURNED, "forbidden": Ended.FORBIDDEN, "not_loaded": Ended.NOT_LOADED}
        kind = meta.get("frame")
        if not isinstance(kind, str) or kind not in ends:
            return Run(name, Ended.GARBLED, phase=phase, error=Failure("frame", "not the frame that was due"))
        return Run(name, ends[kind], phase=phase, error=None if kind == "loaded" else failure(meta.get("error")))
    ended, dtypes = meta.get("ended"), meta.get("dtypes", {})
    if meta.get("frame") != "result" or type(meta.get("index")) is not int or meta["index"] != index or not isinstance(dtypes, dict):
        return Run(name, Ended.GARBLED, phase=phase, error=Failure("frame", "not the frame that was due"))
    if ended == "returned":
        return Run(name, Ended.RETURNED, tensors, {_text(k, 200): _text(v, 300) for k, v in list(dtypes.items())[:64]}, phase=phase)
    if ended == "output":
        return Run(name, Ended.OUTPUT, phase=phase, error=Failure("frame", "the result is larger than allowed"))
    if ended in ("raised", "bad_state"):
        return Run(name, Ended(ended), phase=phase, error=failure(meta.get("error")))
    return Run(name, Ended.GARBLED, phase=phase, error=Failure("frame", "not the frame that was due"))
