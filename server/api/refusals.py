"""How `/api/v1` refuses a submission."""

from flask import Response

from grader.errors import SubmissionError
from server.messages import Message, sentence
from server.services.courses.terms import LastAttempt
from server.web.failures import failure


def refusal(error: SubmissionError) -> Response:
    """Returns 422 with the reason; 409 with what to send where the last attempt would be used."""
    if isinstance(error, LastAttempt):
        told = Message(
            "This is your last attempt that counts for '%(title)s'. To use it, send the submission"
            ' again with `"use_last": true`.',
            code="last_attempt",
            title=error.title,
        )
        return failure(409, told)
    return failure(422, sentence(error))
