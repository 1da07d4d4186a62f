"""What the description at /api/v1/openapi.json says of the whole API: its title, how a program
signs in, and how a request is refused.
"""

from typing import Any

from grader import __version__
from server.api.schemas import Accepted
from server.messages import Message

CONFIGURATION = {
    "OPENAPI_VERSION": "3.1.0",
    "INFO": {
        "version": __version__,
        "description": Message(
            "Problems, submissions and verdicts. Send a token as `Authorization: Bearer …`."
        ),
    },
    "SECURITY_SCHEMES": {
        "bearer": {
            "type": "http",
            "scheme": "bearer",
            "description": Message("A token from your profile page."),
        }
    },
    "SUCCESS_DESCRIPTION": Message("Successful response"),
    "VALIDATION_ERROR_STATUS_CODE": 422,
    "AUTO_VALIDATION_ERROR_RESPONSE": False,
    "AUTO_404_RESPONSE": False,
    "AUTO_AUTH_ERROR_RESPONSE": False,
    "SYNC_LOCAL_SPEC": False,
}

FAILURE = {
    "type": "object",
    "description": Message("What went wrong (RFC 9457)."),
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": Message("What to do about it.")},
        "code": {
            "type": "string",
            "description": Message("Names what is wrong; it stays when `detail` is reworded."),
        },
        "parameters": {
            "type": "object",
            "description": Message("What varies in `detail`, by name."),
        },
        "fields": {
            "type": "object",
            "description": Message("The fields that were refused, each with its reasons."),
        },
    },
}
PROBLEM_JSON = {
    "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Failure"}}}
}

JUDGED: dict[int | str, Any] = {
    200: {
        "description": Message("It is judged already."),
        "content": {"application/json": {"schema": Accepted}},
    }
}
ZIP = {"required": True, "content": {"application/zip": {"schema": {}}}}  # OpenAPI: any bytes


def describe_failures(spec: Any) -> Any:
    """Adds the object of every error to the description, and what any endpoint may refuse."""
    spec["components"]["schemas"]["Failure"] = FAILURE
    spec["paths"]["/api/v1/drafts"]["post"]["requestBody"] = ZIP
    for methods in spec["paths"].values():
        for method in methods.keys() & {"get", "post"}:
            operation = methods[method]
            codes = {401, 422, 503} if method == "get" else {400, 401, 413, 415, 422, 503}
            if operation.get("requestBody") is ZIP:
                codes.remove(415)
            failures = {str(code): value for code, value in errors(*codes).items()}
            operation["responses"] = dict(sorted((failures | operation["responses"]).items()))
    return spec


def errors(*codes: int) -> dict[int | str, Any]:
    """The answers of an endpoint that refuse, as the description has them."""
    said = {
        400: Message("The body cannot be read, or a session sent no form's token."),
        401: Message("No token, no session, or a token that was revoked."),
        403: Message("Not open to this account; `detail` says why."),
        404: Message("There is none, or it is somebody else's."),
        409: Message("It is not possible now; `detail` says why."),
        413: Message("The body is larger than the service accepts."),
        415: Message("The body is not said to be JSON."),
        422: Message("The request cannot be accepted; `detail` says why."),
        429: Message("Too many submissions; Retry-After says when to go on."),
        503: Message(
            "The database cannot be written at the moment; nothing was stored. Retry-After says"
            " when to try again."
        ),
    }
    return {code: {"description": said[code], **PROBLEM_JSON} for code in codes}
