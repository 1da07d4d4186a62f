"""Validates and decodes replies from the sandbox: a field may be anything, a string may be hostile.

Every text is cut short, because a verdict repeats some of them for every case.
"""

import unicodedata
from collections.abc import Collection, Mapping
from typing import Any

from grader.inside.frames import FrameError, FrameLimits
from grader.model import Ended, Failure, Phase, Run
from grader.sandbox.intake.reader import Unread

# control, format (bidi), unassigned, private, surrogate, line separators
HOSTILE = ("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp")
NAME_CHARS = 80  # of any name: a type, a function that the file defines
NAMES = 10  # of a list of names
DTYPE_CHARS = 120  # the type of a value, or what came in its place
DEPTH = 8  # of a value of a lesson
COUNTS = 16  # of a list of names or sizes
MOST_COUNT = 1 << 48
TEXT_CHARS = 1000  # of an exception's message, and of a traceback


def clean(text: str) -> str:
    """Returns the text with every control, bidi and surrogate character made visible.

    No terminal or page obeys them then.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        c
        if c in "\n\t" or unicodedata.category(c) not in HOSTILE
        else c.encode("unicode_escape").decode()
        for c in text
    )


def plain(value: Any, depth: int = DEPTH) -> Any:
    """Returns a value of JSON with every text cleaned; None for what is nested too deep."""
    if type(value) is str:
        return clean(value)
    if type(value) is dict:
        return {clean(k): plain(v, depth - 1) for k, v in value.items()} if depth else None
    if type(value) is list:
        return [plain(each, depth - 1) for each in value] if depth else None
    return value


def is_memory_error(error: Failure) -> bool:
    """Returns whether an error says that no memory was left."""
    return (
        "MemoryError" in error.bases
        or "DefaultCPUAllocator" in error.text
        or "can't allocate memory" in error.text
        or error.text.startswith("[Errno 12]")
    )


def failure(error: Any, text_chars: int = TEXT_CHARS) -> Failure:
    """Returns an error that the child reports, with every field validated."""
    if not isinstance(error, dict):
        return Failure("unknown")
    bases = error.get("bases")
    lineno = error.get("lineno")
    return Failure(
        type=_text(error.get("type"), NAME_CHARS),
        text=_text(error.get("text"), text_chars),
        lineno=lineno if type(lineno) is int and 0 < lineno < 10**7 else None,
        bases=tuple(_text(base, NAME_CHARS) for base in bases[:NAMES])
        if isinstance(bases, list)
        else (),
        trace=_text(error.get("trace"), TEXT_CHARS),
        details=_details(error.get("details")),
    )


def _details(details: Any) -> dict[str, Any]:
    """Names and sizes that belong to an error: strings, and lists of strings or of counts."""
    if not isinstance(details, dict):
        return {}
    rows = [(k, v) for k, v in details.items() if type(v) in (str, list)][:NAMES]
    return {_text(k, NAME_CHARS): _detail(v) for k, v in rows}


def _detail(value: str | list[Any]) -> str | tuple[str | int, ...]:
    if isinstance(value, str):
        return _text(value, NAME_CHARS)
    return tuple(
        item if type(item) is int and 0 <= item < MOST_COUNT else _text(item, NAME_CHARS)
        for item in value[:COUNTS]
    )


def _name(name: str) -> str:
    """Returns the name of a tensor, which a key of the submission's may be part of, as it can be
    told: no expected one is changed.
    """
    shown = clean(name[:TEXT_CHARS])
    return name if shown == name else f"{shown[:NAME_CHARS]}…"


def _text(text: Any, most: int) -> str:
    """Returns a string cleaned and cut, and '' for anything else.

    A cleaned character can be ten characters; `str` of something else could recurse or be huge.
    """
    return clean(text[:most])[:most] if type(text) is str else ""


def unreadable(error: FrameError) -> Failure:
    """Returns what is said of bytes that are no frame."""
    return Failure("frame", str(error))


def read(unread: Unread, due: FrameLimits, name: str, phase: Phase, index: int) -> Run:
    """Returns the frame that has come as a `Run`."""
    try:
        meta, tensors = unread()
    except FrameError as error:
        return Run(name, Ended.GARBLED, phase=phase, error=unreadable(error))
    return run_from(meta, tensors, name, phase, index, due.due(meta))


def run_from(
    meta: Mapping[str, Any],
    tensors: Mapping[str, Any],
    name: str,
    phase: Phase,
    index: int,
    wanted: Collection[str] = (),
) -> Run:
    """Returns the frame that was due as a `Run`; any other frame is garbled.

    Keeps the dtypes of `wanted` tensors only.
    """
    if phase is Phase.IMPORT:
        ends = {
            "loaded": Ended.RETURNED,
            "forbidden": Ended.FORBIDDEN,
            "not_loaded": Ended.NOT_LOADED,
        }
        kind = meta.get("frame")
        if not isinstance(kind, str) or kind not in ends:
            return Run(
                name,
                Ended.GARBLED,
                phase=phase,
                error=Failure("frame", "not the frame that was due"),
            )
        if kind == "loaded":
            return Run(name, Ended.RETURNED, phase=phase)
        return Run(
            name,
            ends[kind],
            phase=phase,
            error=failure(meta.get("error"), NAME_CHARS if kind == "forbidden" else TEXT_CHARS),
        )
    ended, dtypes = meta.get("ended"), meta.get("dtypes", {})
    if (
        meta.get("frame") != "result"
        or type(meta.get("index")) is not int
        or meta["index"] != index
        or not isinstance(dtypes, dict)
    ):
        return Run(
            name, Ended.GARBLED, phase=phase, error=Failure("frame", "not the frame that was due")
        )
    if ended == "returned":
        kept = {_name(w): _text(dtypes[w], DTYPE_CHARS) for w in wanted if w in dtypes}
        written = meta.get("modified") is True
        return Run(name, Ended.RETURNED, tensors, kept, phase=phase, modified=written)
    if ended == "output":
        return Run(
            name,
            Ended.OUTPUT,
            phase=phase,
            error=Failure("result", "the result is larger than allowed"),
        )
    if ended in ("raised", "bad_state"):
        return Run(name, Ended(ended), phase=phase, error=failure(meta.get("error")))
    return Run(
        name, Ended.GARBLED, phase=phase, error=Failure("frame", "not the frame that was due")
    )
