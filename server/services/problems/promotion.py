"""Turns a failing submission into a known mistake: in a draft of the problem, which is verified.

The mistake is an edit of the reference where the submission is one, else a file of its own.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import tomlkit
from sqlalchemy import select
from sqlalchemy.orm import Session
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AoT, InlineTable, Table

from grader.errors import UsageError
from grader.model import Framework, Outcome
from grader.problem import Problem
from server.messages import Message
from server.models.accounts import User
from server.models.submissions import CANCELLED, Submission
from server.models.teaching import Draft
from server.services import authority
from server.services.audit import note
from server.services.problems import drafts, files, verification
from server.services.problems.proposed_edits import Proposal, propose

MISTAKES, CHINESE = "problems/mistakes.toml", "problems/hints.zh.toml"
LONGEST_HINT = 2000
NEVER = (Outcome.ACCEPTED, Outcome.JUDGE_ERROR, CANCELLED)


@dataclass(frozen=True, slots=True)
class NewMistake:
    """What an instructor says of a mistake: its name, and its hint by language."""

    name: str
    hints: Mapping[str, str]


def candidate(session: Session, number: int, user: User) -> Submission | None:
    """Returns a failing submission that this account may read and make a mistake of."""
    query = select(Submission).where(
        Submission.id == number,
        Submission.source != "",
        Submission.samples_only.is_(False),
        Submission.outcome.is_not(None),
        Submission.outcome.not_in(NEVER),
    )
    return session.scalar(query.where(*authority.may_touch(user)))


def proposed(problem: Problem, row: Submission) -> Proposal | None:
    """Returns the submission as an edit of the reference; None where it is a file of its own."""
    reference = problem.references.get(Framework(row.framework), "")
    return propose(reference, row.source)


def languages(problem: Problem) -> tuple[str, ...]:
    """Returns the languages in which a hint of the problem has to be written."""
    return ("en", *problem.words)


def promote(
    session: Session, problem: Problem, row: Submission, new: NewMistake, user: User
) -> Draft:
    """Adds the mistake to the account's draft of the problem, made if need be, and queues verify.

    Raises `UsageError` for a name that is taken or no name, or a hint that is missing.
    """
    _check(problem, new)
    draft = session.scalar(
        select(Draft).where(Draft.owner_id == user.id, Draft.slug == problem.slug)
    )
    content = dict(files.fetch(session, draft.files) if draft else files.of_problem(problem))
    draft = drafts.put(session, problem.slug, with_mistake(content, row, new), user.id)
    verification.ask(session, draft, user.id)
    subject = Message("%(problem)s: %(name)s", problem=problem.slug, name=new.name)
    note(session, user.id, "mistake", subject, submission=row.id, draft=draft.id)
    return draft


def _check(problem: Problem, new: NewMistake) -> None:
    files.check_slug(new.name)
    for language in languages(problem):
        if not new.hints.get(language, "").strip():
            raise UsageError(Message("Write the hint in each language that the problem has."))
    if max(map(len, new.hints.values())) > LONGEST_HINT:
        raise UsageError(Message("A hint has at most %(most)s characters.", most=LONGEST_HINT))


def with_mistake(content: files.Files, row: Submission, new: NewMistake) -> dict[str, bytes]:
    """Returns the files of a problem with one known mistake more. Raises `UsageError`."""
    try:
        changed = dict(content)
        source = _add_source(changed, row, new.name)
        changed[MISTAKES] = _with_table(changed.get(MISTAKES, b""), row, new, source)
        if CHINESE in changed:
            changed[CHINESE] = _with_hint(changed[CHINESE], new)
    except (TOMLKitError, UnicodeDecodeError, TypeError, ValueError) as error:
        raise UsageError(
            Message(
                "mistakes.toml or hints.zh.toml of your draft cannot be read: %(reason)s",
                reason=str(error)[:300],
            )
        ) from None
    return changed


def _add_source(content: dict[str, bytes], row: Submission, name: str) -> InlineTable:
    """Returns the mistake's source, an edit or a file; the file is added."""
    reference = content.get(f"reference/{row.framework}.py", b"").decode()
    edit = propose(reference, row.source)
    table = tomlkit.inline_table()
    if edit is None:
        file = f"{name}_{row.framework}.py"
        content[f"problems/mistakes/{file}"] = row.source.encode("utf-8", "replace")
        table["file"] = file
    else:
        table["find"], table["replace"] = edit.find, edit.replace
    return table


def _with_table(mistakes: bytes, row: Submission, new: NewMistake, source: InlineTable) -> bytes:
    document = tomlkit.parse(mistakes.decode())
    tables = document.setdefault("mistake", tomlkit.aot())
    if not isinstance(tables, AoT):
        raise TypeError("mistakes are not written as tables [[mistake]]")
    if any(table.get("name") == new.name for table in tables):
        raise UsageError(
            Message("The problem has a mistake '%(name)s'; choose another name.", name=new.name)
        )
    table = tomlkit.table()
    table["name"], table["hint"] = new.name, new.hints["en"].strip()
    if row.outcome != Outcome.WRONG_ANSWER:
        table["verdict"] = str(row.outcome)
    table[row.framework] = source
    tables.append(table)
    return tomlkit.dumps(document).encode()


def _with_hint(hints: bytes, new: NewMistake) -> bytes:
    document = tomlkit.parse(hints.decode())
    table = document.setdefault("mistakes", tomlkit.table())
    if not isinstance(table, Table):
        raise TypeError("[mistakes] is not a table")
    table[new.name] = new.hints["zh"].strip()
    return tomlkit.dumps(document).encode()
