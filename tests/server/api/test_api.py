"""The API: its description, its errors, its objects."""

import re
import threading
import time
from typing import Any

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator
from sqlalchemy import func, select, update

from grader.model import Verdict
from server.api.preferences import preferred_wait
from server.models.accounts import User
from server.models.submissions import Submission
from server.web.context import NAME, Service
from server.web.failures import PHRASES
from server.web.serving.waiting import MOST_OF_ONE, Connection, PutAside, connection
from tests.server.conftest import BAD, GOOD, SLUG, Browser, MakeApp, token_of

FORM = "application/x-www-form-urlencoded"
BODY = {"problem": SLUG, "framework": "numpy", "source": GOOD}


@pytest.fixture
def program(app: Any) -> Any:
    """A client with the token of a learner."""
    headers = token_of(app, "prog")
    client = app.test_client()
    client.environ_base["HTTP_AUTHORIZATION"] = headers["Authorization"]
    return client


def submitted(program: Any, **changes: str) -> int:
    answer = program.post("/api/v1/submissions", json={**BODY, **changes})
    assert answer.status_code == 202, answer.text
    assert answer.json == {
        "id": answer.json["id"],
        "url": f"/api/v1/submissions/{answer.json['id']}",
    }
    assert answer.headers["Location"] == answer.json["url"]
    return int(answer.json["id"])


def test_description_is_valid_openapi_3_1(app: Any) -> None:
    spec = app.test_client().get("/api/v1/openapi.json").json
    assert spec["openapi"].startswith("3.1")
    OpenAPIV31SpecValidator(spec).validate()


def test_description_has_every_route(app: Any) -> None:
    spec = app.test_client().get("/api/v1/openapi.json").json
    described = {
        (path, method.upper())
        for path, methods in spec["paths"].items()
        for method in methods
        if method != "parameters"
    }
    real = {
        (rule.rule.replace("<int:", "<").replace("<", "{").replace(">", "}"), method)
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if rule.endpoint.startswith(("api.", "explored.", "publish."))
    }
    assert described == real
    assert len(real) == 14


def test_every_post_that_takes_a_body_says_so(app: Any) -> None:
    """tests/server/conftest.py looks for each status that a test sees."""
    paths = app.test_client().get("/api/v1/openapi.json").json["paths"]
    posts = {path: each["post"] for path, each in paths.items() if "post" in each}
    bodies = {
        path: list(post.get("requestBody", {}).get("content", {})) for path, post in posts.items()
    }
    assert bodies.pop("/api/v1/submissions/{submission_id}/cancel") == []
    assert bodies.pop("/api/v1/drafts") == ["application/zip"]
    assert set(map(tuple, bodies.values())) == {("application/json",)}
    for path, post in posts.items():
        assert {"400", "401", "413", "503"} <= set(post["responses"]), path


def test_reference_page_shows_every_route(app: Any) -> None:
    page = app.test_client().get("/api").text
    for path in app.spec["paths"]:
        assert path in page


def test_submission_from_post_to_verdict(program: Any) -> None:
    number = submitted(program)
    found = program.get(f"/api/v1/submissions/{number}?wait=10").json
    assert sorted(found) == [
        "cancelled",
        "framework",
        "id",
        "judged_at",
        "problem",
        "state",
        "submitted_at",
        "verdict",
    ]
    assert (found["id"], found["state"], found["problem"], found["framework"]) == (
        number,
        "done",
        SLUG,
        "numpy",
    )
    assert Verdict.from_json(found["verdict"]).to_json() == found["verdict"]


def test_post_carries_the_verdict_when_it_may_wait(program: Any) -> None:
    answer = program.post("/api/v1/submissions", json=BODY, headers={"Prefer": "wait=20"})
    assert answer.status_code == 200, answer.text
    assert answer.headers["Preference-Applied"] == "wait=20"
    url = answer.headers["Location"]
    assert Verdict.from_json(answer.json["verdict"]).verdict == "accepted"
    assert answer.json == program.get(url).json | {"url": url}


def test_post_says_where_the_verdict_will_be_when_the_wait_is_over(make_app: MakeApp) -> None:
    app = make_app(work=False)
    headers = token_of(app, "prog") | {"Prefer": "respond-async, wait=1"}
    began = time.monotonic()
    answer = app.test_client().post("/api/v1/submissions", json=BODY, headers=headers)
    assert time.monotonic() - began >= 1
    assert (answer.status_code, sorted(answer.json)) == (202, ["id", "url"])
    assert answer.headers["Preference-Applied"] == "wait=1"


def test_post_that_may_not_wait_is_stored_all_the_same(make_app: MakeApp) -> None:
    app = make_app(work=False)
    headers = token_of(app, "prog") | {"Prefer": "wait=20"}
    running: Service = app.extensions[NAME]
    with running.database.read() as session:
        account = session.scalars(select(User.id).where(User.name == "prog")).one()
    for _ in range(MOST_OF_ONE):
        assert running.hub.enter(account, MOST_OF_ONE, 100)
    answer = app.test_client().post("/api/v1/submissions", json=BODY, headers=headers)
    assert (answer.status_code, answer.headers["Retry-After"]) == (202, "1")
    assert "Preference-Applied" not in answer.headers
    assert app.test_client().get(answer.json["url"], headers=headers).json["state"] == "queued"


def test_post_that_was_put_aside_is_stored_and_counted_once(make_app: MakeApp) -> None:
    """What a server does, without one: the second run goes on from what the first has stored."""
    app = make_app(work=False, submit_limit="1/hour")
    headers = token_of(app, "prog") | {"Prefer": "wait=20"}
    running: Service = app.extensions[NAME]
    token = connection.set(Connection(lambda: False, 8))
    try:
        with pytest.raises(PutAside) as aside:
            app.test_client().post("/api/v1/submissions", json=BODY, headers=headers)
        woken = threading.Event()
        aside.value.begin(woken.set)
        running.worker.start()
        assert woken.wait(60)
        connection.set(Connection(lambda: False, 8, resumed=True, stored=aside.value.stored))
        answer = app.test_client().post("/api/v1/submissions", json=BODY, headers=headers)
    finally:
        connection.reset(token)
    assert (answer.status_code, answer.json["id"]) == (200, aside.value.stored)
    with running.database.read() as session:
        assert session.scalar(select(func.count()).select_from(Submission)) == 1


@pytest.mark.parametrize(
    ("prefer", "seconds"),
    [
        ("wait=5", 5),
        ("Wait = 5", 5),
        ('wait="7"; x=1', 7),
        ("respond-async, wait=2, wait=9", 2),
        ('handling="lenient, wait=9", wait=3', 3),
        ("", 0),
        ("wait", 0),
        ("wait=", 0),
        ("wait=-1", 0),
        ("wait=1.5", 0),
        ("wait=٣", 0),
        ("wait=9999999999", 0),
        ("await=5", 0),
    ],
)
def test_a_preference_is_read_or_ignored(prefer: str, seconds: int) -> None:
    assert preferred_wait(prefer) == seconds


def test_wait_ends_with_the_verdict_and_not_before(program: Any) -> None:
    number = submitted(program, source=GOOD + "# slow\n")
    first = program.get(f"/api/v1/submissions/{number}").json
    assert (first["state"] in ("queued", "running"), first["verdict"], first["judged_at"]) == (
        True,
        None,
        None,
    )
    began = time.monotonic()
    assert program.get(f"/api/v1/submissions/{number}?wait=30").json["state"] == "done"
    assert time.monotonic() - began < 20


def test_wait_ends_with_the_time(make_app: MakeApp) -> None:
    app = make_app(work=False)
    client, headers = app.test_client(), token_of(app, "prog")
    number = client.post("/api/v1/submissions", json=BODY, headers=headers).json["id"]
    began = time.monotonic()
    assert (
        client.get(f"/api/v1/submissions/{number}?wait=0.3", headers=headers).json["state"]
        == "queued"
    )
    assert 0.25 < time.monotonic() - began < 20


def test_replay_with_a_key(program: Any) -> None:
    answers = [
        program.post("/api/v1/submissions", json=BODY, headers={"Idempotency-Key": "k1"}).json["id"]
        for _ in range(2)
    ]
    assert answers[0] == answers[1]
    assert (
        program.post(
            "/api/v1/submissions", json=BODY, headers={"Idempotency-Key": "k" * 65}
        ).status_code
        == 422
    )


@pytest.mark.parametrize(
    "changes",
    [{"source": BAD}, {"framework": "torch"}, {"problem": "double_again"}],
    ids=["source", "framework", "problem"],
)
def test_a_key_belongs_to_one_submission(program: Any, changes: dict[str, str]) -> None:
    key = {"Idempotency-Key": "k1"}
    first = program.post("/api/v1/submissions", json=BODY, headers=key).json["id"]
    answer = program.post("/api/v1/submissions", json={**BODY, **changes}, headers=key)
    assert (answer.status_code, answer.mimetype) == (422, "application/problem+json")
    assert f"This Idempotency-Key was used for submission {first}" in answer.json["detail"]
    assert program.get("/api/v1/submissions").json["total"] == 1


def test_a_key_outlives_its_source(app: Any, program: Any) -> None:
    """Retention forgets a source; the key still names its submission."""
    key = {"Idempotency-Key": "k1"}
    first = program.post("/api/v1/submissions", json=BODY, headers=key).json["id"]
    with app.extensions[NAME].database.write() as session:
        session.execute(update(Submission).values(source=""))
    assert program.post("/api/v1/submissions", json=BODY, headers=key).json["id"] == first


def test_problems(program: Any) -> None:
    program.get(f"/api/v1/submissions/{submitted(program, source=BAD)}?wait=10")
    listed = program.get("/api/v1/problems").json["problems"]
    assert [(p["slug"], p["state"], p["acceptance"]) for p in listed] == [
        (SLUG, "tried", 0),
        ("double_again", None, None),
    ]
    one = program.get(f"/api/v1/problems/{SLUG}").json
    assert sorted(one["starters"]) == ["numpy", "torch"]
    assert sorted(one["statements"]) == ["en", "zh"]
    assert one["entries"] == ["double"]
    text = str(program.get(f"/api/v1/problems/{SLUG}").json)
    assert "return 2 * x" not in text  # the reference stays here


def test_problems_are_public(app: Any) -> None:
    assert app.test_client().get("/api/v1/problems").status_code == 200


def test_own_submissions_in_pages(app: Any, program: Any) -> None:
    numbers = [submitted(program) for _ in range(5)] + [submitted(program, problem="double_again")]
    other = (
        app.test_client()
        .post("/api/v1/submissions", json=BODY, headers=token_of(app, "other"))
        .json["id"]
    )
    first = program.get("/api/v1/submissions?per_page=4").json
    second = program.get(first["next"]).json
    assert [s["id"] for s in first["submissions"] + second["submissions"]] == sorted(
        numbers, reverse=True
    )
    assert (first["total"], second["next"], other in numbers) == (6, None, False)
    assert program.get(f"/api/v1/submissions?problem={SLUG}").json["total"] == 5


def test_me(program: Any) -> None:
    program.get(f"/api/v1/submissions/{submitted(program)}?wait=10")
    assert program.get("/api/v1/me").json == {
        "name": "prog",
        "role": "learner",
        "display_name": None,
        "solved": [SLUG],
        "tried": [],
    }


WRONG = [
    ("unknown problem", {"problem": "nothing"}, 404, "nothing"),
    (
        "unknown framework",
        {"framework": "jax"},
        422,
        "'jax' is not a framework of this problem; choose from: numpy, torch.",
    ),
    ("empty", {"source": ""}, 422, "empty"),
    ("too long", {"source": "x" * 70_000}, 422, "at most 65,536"),
    ("nul", {"source": "a\0"}, 422, "NUL"),
    ("half a character", {"source": "'\ud800'"}, 422, "lone surrogate"),
    ("number for a source", {"source": 3}, 422, "source"),
    ("source missing", {"source": None}, 422, "source"),
    ("unknown field", {"frame": "numpy"}, 422, "frame"),
]


@pytest.mark.parametrize(
    ("changes", "status", "message"), [row[1:] for row in WRONG], ids=[row[0] for row in WRONG]
)
def test_refused_as_problem_json(
    program: Any, changes: dict[str, Any], status: int, message: str
) -> None:
    answer = program.post(
        "/api/v1/submissions", json={k: v for k, v in {**BODY, **changes}.items() if v is not None}
    )
    assert (answer.status_code, answer.mimetype) == (status, "application/problem+json"), (
        answer.text
    )
    assert (answer.json["status"], answer.json["type"]) == (status, "about:blank")
    assert message in str(answer.json)
    assert re.fullmatch("[a-z0-9_]+", answer.json["code"])
    assert program.get("/api/v1/submissions").json["total"] == 0


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"inputs": "x = 1\0"}, "Inputs: it has a NUL character"),
        ({"inputs": "x = '\ud800'"}, "Inputs: it has half a character"),
        ({"inputs": "x" * 20_000}, "Inputs: it has 20,000 characters; at most 16,384"),
        ({"kind": "trace", "case": "a\0"}, "Case: it has a NUL character"),
        ({"kind": "trace", "case": "\ud800"}, "Case: it has half a character"),
    ],
)
def test_an_exploration_says_which_field_cannot_be_stored(
    program: Any, changes: dict[str, str], said: str
) -> None:
    sent = {"kind": "try", "framework": "numpy", "source": GOOD, "inputs": "x = 1", **changes}
    answer = program.post(f"/api/v1/problems/{SLUG}/explorations", json=sent)
    assert (answer.status_code, said in answer.json["detail"]) == (422, True), answer.text


def test_an_exploration_is_no_submission(program: Any) -> None:
    """It has no verdict: a program that waits for one would never see it."""
    sent = {"kind": "trace", "framework": "numpy", "source": GOOD}
    number = program.post(f"/api/v1/problems/{SLUG}/explorations", json=sent).json["id"]
    assert program.get(f"/api/v1/submissions/{number}").status_code == 404
    assert program.get(f"/api/v1/explorations/{number}?wait=20").json["state"] == "done"
    for answer in (
        program.get(f"/api/v1/submissions/{number}?wait=20"),
        program.post(f"/api/v1/submissions/{number}/cancel"),
    ):
        assert (answer.status_code, answer.json["code"]) == (
            404,
            "no_such_submission",
        )


def test_a_refusal_names_its_code_and_what_varies(make_app: MakeApp) -> None:
    """A program reads the code; the sentence is for people, and may change with the numbers."""
    found = []
    for limit in (20, 2000):
        browser = Browser(make_app(source_limit=limit)).sign_up(f"lea{limit}")
        found.append(
            browser.client.post(
                "/api/v1/submissions",
                json={**BODY, "source": "x" * 3000},
                headers={"X-CSRFToken": browser.csrf},
            ).json
        )
    assert {each["code"] for each in found} == {"source_too_large"}
    assert [each["parameters"] for each in found] == [
        {"size": 3000, "most": 20},
        {"size": 3000, "most": 2000},
    ]
    assert found[0]["detail"] == "The source has 3,000 bytes; at most 20 are accepted."


@pytest.mark.parametrize(
    ("method", "path", "options", "status"),
    [
        ("post", "/api/v1/submissions", {"data": b"{", "content_type": "application/json"}, 400),
        (
            "post",
            "/api/v1/submissions",
            {"data": b'{"source": "\xff"}', "content_type": "application/json"},
            400,
        ),
        *(
            ("post", "/api/v1/submissions", {"data": data, "content_type": "application/json"}, 400)
            for data in (
                b"[" * 100_000 + b"]" * 100_000,
                b'{"a":' * 50_000 + b"1" + b"}" * 50_000,
                b'{"problem": ' + b"7" * 10_000 + b"}",
                b"\xef\xbb\xbf{}",
            )
        ),
        (
            "post",
            "/api/v1/submissions",
            {"data": b"x" * 3_000_000, "content_type": "application/json"},
            413,
        ),
        ("post", "/api/v1/submissions", {"data": b"{}", "content_type": "text/plain"}, 415),
        ("post", "/api/v1/submissions", {"data": b"{}"}, 415),
        ("post", "/api/v1/submissions", {}, 422),
        ("post", "/api/v1/submissions", {"json": []}, 422),
        ("get", "/api/v1/submissions/999", {}, 404),
        ("get", "/api/v1/submissions/99999999999999999999", {}, 404),
        ("get", "/api/v1/submissions/1?wait=long", {}, 422),
        ("get", "/api/v1/submissions?page=0", {}, 422),
        ("get", "/api/v1/submissions?per_page=1000", {}, 422),
        ("get", "/api/v1/problems/nothing", {}, 404),
        ("get", "/api/v1/nothing", {}, 404),
        ("delete", "/api/v1/submissions", {}, 405),
    ],
)
def test_other_errors_as_problem_json(
    program: Any, method: str, path: str, options: dict[str, Any], status: int
) -> None:
    answer = getattr(program, method)(path, **options)
    assert (answer.status_code, answer.mimetype) == (status, "application/problem+json"), (
        answer.text
    )
    assert answer.json["title"] == PHRASES[status]
    assert answer.json["detail"]
    if status == 413:
        assert answer.json["parameters"] == {"most": 1 << 20}


@pytest.mark.parametrize("method", ["get", "head"])
@pytest.mark.parametrize(
    ("kind", "body"),
    [("text/plain", b"x"), (FORM, b"page=0"), ("application/json", b"{"), (None, b"\xff")],
)
def test_the_body_of_a_get_is_ignored(
    program: Any, method: str, kind: str | None, body: bytes
) -> None:
    answer = getattr(program, method)("/api/v1/submissions", data=body, content_type=kind)
    assert answer.status_code == 200, answer.text


@pytest.mark.parametrize(
    ("body", "status", "detail"),
    [
        (b"[]", 422, "The body must be a JSON object."),
        (b"{}", 422, "problem: Missing data for required field. framework: Missing"),
        (b'{"a": 1,}', 400, "line 1, column"),
    ],
)
def test_what_is_wrong_with_a_body(program: Any, body: bytes, status: int, detail: str) -> None:
    kind = {"Content-Type": "application/json"}
    answer = program.post("/api/v1/submissions", data=body, headers=kind)
    assert (answer.status_code, detail in answer.json["detail"]) == (status, True), answer.text


@pytest.mark.parametrize(
    ("path", "body", "fields"),
    [
        (
            "submissions",
            {**BODY, "use-last": True, "lang": "en"},
            {
                "use-last": ["Unknown field (did you mean 'use_last'?)."],
                "lang": ["Unknown field."],
            },
        ),
        (
            f"problems/{SLUG}/explorations",
            {"kind": "try", "framework": "numpy", "source": GOOD, "input": "x = 1"},
            {"input": ["Unknown field (did you mean 'inputs'?)."]},
        ),
    ],
)
def test_an_unknown_field_is_refused(
    program: Any, path: str, body: dict[str, Any], fields: dict[str, list[str]]
) -> None:
    answer = program.post(f"/api/v1/{path}", json=body)
    assert (answer.status_code, answer.json["fields"]) == (422, fields)


def test_another_scheme_is_told_what_to_send(app: Any) -> None:
    for value in ("Basic eDp5", "Bearer", "aj_token"):
        answer = app.test_client().get("/api/v1/me", headers={"Authorization": value})
        assert (answer.status_code, answer.headers["WWW-Authenticate"]) == (401, "Bearer")
        assert "Authorization: Bearer" in answer.json["detail"]


@pytest.mark.parametrize("path", ["/api/v1/me", "/api/v1/submissions", "/api/v1/submissions/1"])
def test_token_needed(app: Any, path: str) -> None:
    answer = app.test_client().get(path)
    assert (answer.status_code, answer.mimetype, answer.headers["WWW-Authenticate"]) == (
        401,
        "application/problem+json",
        "Bearer",
    )


@pytest.mark.parametrize(
    ("method", "path", "options"),
    [
        ("post", "/api/v1/submissions", {"data": b"{}", "content_type": "text/plain"}),
        ("post", "/api/v1/submissions", {"data": b"{", "content_type": "application/json"}),
        ("post", "/api/v1/submissions", {"data": "a=%ff", "content_type": FORM}),
        ("post", "/api/v1/submissions", {"data": b"x" * 3_000_000, "content_type": FORM}),
        ("post", "/api/v1/submissions/1/cancel", {}),
        ("post", "/api/v1/drafts", {"data": b"x", "content_type": "application/zip"}),
        ("get", "/api/v1/me", {"data": b"x", "content_type": "text/plain"}),
    ],
)
def test_nobody_is_told_to_sign_in_whatever_was_sent(
    app: Any, method: str, path: str, options: dict[str, Any]
) -> None:
    answer = getattr(app.test_client(), method)(path, **options)
    assert (answer.status_code, answer.mimetype, answer.headers["WWW-Authenticate"]) == (
        401,
        "application/problem+json",
        "Bearer",
    )


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("submissions?pag=2", {"pag": ["Unknown parameter (did you mean 'page'?)."]}),
        (
            "submissions?page=2&perpage=5&state=done",
            {
                "perpage": ["Unknown parameter (did you mean 'per_page'?)."],
                "state": ["Unknown parameter."],
            },
        ),
        ("submissions/1?Wait=2", {"Wait": ["Unknown parameter (did you mean 'wait'?)."]}),
        ("explorations/1?seconds=2", {"seconds": ["Unknown parameter."]}),
        ("problems?track=basics", {"track": ["Unknown parameter."]}),
        (f"problems/{SLUG}?x", {"x": ["Unknown parameter."]}),
        ("me?page=1", {"page": ["Unknown parameter."]}),
        ("openapi.json?v=3", {"v": ["Unknown parameter."]}),
        ("submissions?page=1&page=2", {"page": ["Comes 2 times; send it once."]}),
        ("submissions/1?wait=1&wait=1", {"wait": ["Comes 2 times; send it once."]}),
    ],
)
def test_a_parameter_that_is_unknown_or_repeated_is_refused(
    program: Any, path: str, fields: dict[str, list[str]]
) -> None:
    answer = program.get(f"/api/v1/{path}")
    assert (answer.status_code, answer.json["fields"]) == (422, fields)
    assert answer.json["code"] == "invalid_fields"


def test_a_post_refuses_an_unknown_parameter_too(program: Any) -> None:
    refused = program.post("/api/v1/submissions?wait=2", json=BODY)
    assert (refused.status_code, refused.json["fields"].keys()) == (422, {"wait"})
    assert program.get("/api/v1/submissions").json["total"] == 0


@pytest.mark.parametrize(
    ("method", "path", "right"),
    [
        ("get", "/api//v1/problems", "/api/v1/problems"),
        ("get", f"/api/v1/problems//{SLUG}", f"/api/v1/problems/{SLUG}"),
        ("post", "/api/v1//submissions", "/api/v1/submissions"),
    ],
)
def test_an_address_with_two_slashes_leads_to_the_right_one(
    program: Any, method: str, path: str, right: str
) -> None:
    answer = getattr(program, method)(path)
    assert (answer.status_code, answer.mimetype) == (308, "application/problem+json")
    assert answer.location == f"http://localhost{right}"


def test_the_methods_of_an_address(app: Any) -> None:
    answer = app.test_client().options("/api/v1/submissions")
    assert (answer.status_code, answer.data, answer.content_type) == (204, b"", None)
    assert {"GET", "POST"} < set(answer.allow)
    assert app.test_client().options("/api/v1/nothing").mimetype == "application/problem+json"


def test_a_session_needs_the_forms_token_here_too(learner: Any) -> None:
    assert learner.client.post("/api/v1/submissions", json=BODY).status_code == 400
    learner.get("/")
    assert (
        learner.client.post(
            "/api/v1/submissions", json=BODY, headers={"X-CSRFToken": learner.csrf}
        ).status_code
        == 202
    )
