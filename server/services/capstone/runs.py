"""What the model is asked to do: a job of the queue of submissions, in no history."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy.orm import Session

from grader.capstone.parts import SLUGS
from grader.capstone.trouble import PromptError
from grader.capstone.writing import Prompt, check_prompt
from grader.errors import SubmissionError
from grader.model import Framework
from grader.problem import Problem
from server.messages import Message
from server.models.database import Database
from server.models.submissions import Submission
from server.services import submissions
from server.services.capstone import solutions

KIND = "model"  # of the exploration
LONGEST_NAME = 60  # on a certificate


@dataclass(frozen=True, slots=True)
class NewRun:
    """What a person asks of their model: to continue a prompt, or to be compared with the
    reference for a certificate in this name.
    """

    user_id: int
    prompt: Prompt
    name: str = ""


def is_model(exploration: Mapping[str, Any] | None) -> bool:
    """Checks whether what a row of submissions looks into is the model."""
    return (exploration or {}).get("kind") == KIND


def read_prompt(form: Mapping[str, str]) -> Prompt:
    """Returns the prompt of a form. Raises `SubmissionError` and `PromptError`."""
    try:
        prompt = Prompt(
            form.get("prompt", "").replace("\r\n", "\n"),
            int(form.get("count") or 200),
            float(form.get("temperature") or 0),
            int(form.get("seed") or 0),
        )
    except ValueError:
        raise SubmissionError(
            Message("How many characters, the temperature and the seed are numbers.")
        ) from None
    if not 0 <= prompt.seed < 2**31:
        raise SubmissionError(Message("The seed is a whole number from 0 on, below 2 147 483 648."))
    check_prompt(prompt)
    return prompt


def read_name(form: Mapping[str, str]) -> str:
    """Returns the name for a certificate. Raises `SubmissionError`."""
    name = " ".join(form.get("name", "").split())
    if not 1 <= len(name) <= LONGEST_NAME or not name.isprintable():
        raise SubmissionError(
            Message("The name on a certificate has 1 to %(most)s characters.", most=LONGEST_NAME)
        )
    return name


def send(
    database: Database,
    run: NewRun,
    problems: Mapping[str, Problem],
    wake: Callable[[int], None],
) -> Submission:
    """Queues a run of the model: of what its learner has solved by now, or of the references
    alone while one of them may not be read by the learner.

    Raises `SubmissionError` for a certificate while a part is missing.
    """
    with database.write() as session:
        row = _queued(session, run, problems)
    wake(row.id)
    return row


def _queued(session: Session, run: NewRun, problems: Mapping[str, Problem]) -> Submission:
    own = solutions.accepted(session, run.user_id)
    if run.name and len(own) < len(SLUGS):
        raise SubmissionError(
            Message("A certificate needs every part; solve the problems that are left.")
        )
    together = solutions.may_meet(session, run.user_id, own)
    wanted = {
        "kind": KIND,
        "prompt": asdict(run.prompt),
        "name": run.name,
        "parts": {slug: row.id for slug, row in own.items()} if together else {},
    }
    row, _ = submissions.submit(
        session,
        run.user_id,
        problems[SLUGS[-1]],
        Framework.TORCH,
        run.prompt.text,
        samples_only=True,
        exploration=wanted,
    )
    return row


__all__ = ["KIND", "NewRun", "PromptError", "is_model", "read_name", "read_prompt", "send"]
