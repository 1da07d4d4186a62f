"""Refuses a text that somebody sent and that cannot be stored as it is: nothing is cut silently."""

from grader.errors import UsageError
from server.messages import Message


def fault(field: str, text: str, most: int) -> Message | None:
    """Says why a text cannot be stored in at most so many characters; `field` is its name."""
    if len(text) > most:
        return Message(
            "%(field)s: it has %(size)s characters; at most %(most)s are accepted.",
            code="text_too_long",
            field=field,
            size=len(text),
            most=most,
        )
    if "\0" in text:
        return Message(
            "%(field)s: it has a NUL character, which cannot be stored.",
            code="text_has_nul",
            field=field,
        )
    try:
        text.encode()
    except UnicodeEncodeError:
        return Message(
            "%(field)s: it has half a character (a lone surrogate), which cannot be stored.",
            code="text_not_utf8",
            field=field,
        )
    return None


def checked(field: str, text: str, most: int) -> str:
    """Returns the text without the spaces around it. Raises `UsageError` for what `fault` says."""
    why = fault(field, text.strip(), most)
    if why is not None:
        raise UsageError(why)
    return text.strip()
