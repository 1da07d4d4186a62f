"""Names of closed sets as pages show them: verdicts, states, roles, tracks, actions."""

from collections.abc import Mapping

from server.messages import Message
from server.services import accounts
from server.web.texts import translate

# As a label, with a capital.
LABELS: Mapping[str, Message] = {
    "accepted": Message("Accepted"),
    "wrong_answer": Message("Wrong answer"),
    "runtime_error": Message("Runtime error"),
    "time_limit_exceeded": Message("Time limit exceeded"),
    "memory_limit_exceeded": Message("Memory limit exceeded"),
    "output_limit_exceeded": Message("Output limit exceeded"),
    "compile_error": Message("Compile error"),
    "rule_violation": Message("Rule violation"),
    "judge_error": Message("Judge error"),
    "cancelled": Message("Cancelled"),
    "queued": Message("Queued"),
    "running": Message("Running"),
    "done": Message("Done"),
    "foundations": Message("Foundations"),
    "masks": Message("Masks"),
    "heads": Message("Heads"),
    "efficiency": Message("Efficiency"),
    "beyond": Message("Beyond"),
    "easy": Message("Easy"),
    "medium": Message("Medium"),
    "hard": Message("Hard"),
    **accounts.ROLES,
    "opening": Message("Opening"),
    "ready": Message("Ready"),
    "unavailable": Message("Unavailable"),
}

# In the middle of a line.
WORDS: Mapping[str, Message] = {
    "solved": Message("solved"),
    "tried": Message("tried"),
    "ready": Message("open"),
    "later": Message("later"),
    "waiting": Message("waiting"),
    "none": Message("none"),
    "queued": Message("queued"),
    "running": Message("running"),
    "open": Message("not decided"),
    "applied": Message("applied"),
    "discarded": Message("discarded"),
    "added": Message("added"),
    "removed": Message("removed"),
    "changed": Message("changed"),
    "all": Message("all"),
    "accepted": Message("accepted"),
    "not accepted": Message("not accepted"),
    "not explained": Message("failed without a hint"),
    "yours": Message("yours"),
    "expected": Message("expected"),
    "difference": Message("difference"),
}

# What the audit log says was done.
ACTIONS: Mapping[str, Message] = {
    "account": Message("account"),
    "assignment": Message("assignment"),
    "attempt given back": Message("attempt given back"),
    "backup": Message("backup"),
    "course": Message("course"),
    "draft": Message("draft"),
    "extension": Message("extension"),
    "grades": Message("grades"),
    "invitation": Message("invitation"),
    "invitation used": Message("invitation used"),
    "judge again": Message("judge again"),
    "mistake": Message("mistake"),
    "override": Message("override"),
    "password": Message("password"),
    "platform": Message("platform"),
    "publish": Message("publish"),
    "rejudge": Message("rejudge"),
    "reset link": Message("reset link"),
    "reset used": Message("reset used"),
    "rejudge applied": Message("rejudge applied"),
    "rejudge discarded": Message("rejudge discarded"),
    "retain": Message("retain"),
    "role": Message("role"),
    "roll back": Message("roll back"),
    "roster": Message("roster"),
    "audience": Message("who gets a problem"),
    "schedule": Message("schedule"),
}


def label(name: str) -> str:
    """The name of a verdict, state, role, track or difficulty, in the reader's language."""
    return translate(LABELS.get(name, name.replace("_", " ").capitalize()))


def word(name: str) -> str:
    """The name of a state, in the middle of a line."""
    return translate(WORDS.get(name, name))


def action(name: str) -> str:
    """The name of an action in the audit log."""
    return translate(ACTIONS.get(name, name))
