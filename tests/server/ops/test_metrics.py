"""/metrics: what the queue holds, and what each judging process has counted."""

import time
from typing import Any

import pytest

pytest.importorskip("prometheus_client", reason="the group `scale` is not installed")

from prometheus_client.parser import text_string_to_metric_families

from tests.server.conftest import BAD, GOOD, Browser, MakeApp

TOKEN = {"Authorization": "Bearer of-a-test"}


def numbers(app: Any) -> dict[str, float]:
    """Every sample, its labels without the worker's name behind it; those of several workers added
    up.
    """
    found: dict[str, float] = {}
    for family in text_string_to_metric_families(
        app.test_client().get("/metrics", headers=TOKEN).text
    ):
        for sample in family.samples:
            labels = ",".join(f"{k}={v}" for k, v in sorted(sample.labels.items()) if k != "worker")
            found[f"{sample.name}{{{labels}}}"] = (
                found.get(f"{sample.name}{{{labels}}}", 0) + sample.value
            )
    return found


def test_counts_of_verdicts_and_failures(make_app: MakeApp) -> None:
    app = make_app(metrics_token="of-a-test")
    browser = Browser(app).sign_up("lea")
    for source in (GOOD, GOOD, BAD, "# our fault\n"):
        browser.judged(source)
    end = time.monotonic() + 60
    while numbers(app).get("judge_verdicts_total{verdict=judge_error}") != 1:
        assert time.monotonic() < end
        time.sleep(0.05)
    found = numbers(app)
    expected = {
        "judge_verdicts_total{verdict=accepted}": 2,
        "judge_verdicts_total{verdict=wrong_answer}": 1,
        "judge_failures_total{}": 3,
        "judge_room_restarts_total{}": 0,
        "judge_waited_seconds_count{}": 4,
        "judge_judged_seconds_bucket{le=+Inf}": 4,
        "judge_workers{room=ready}": 1,
        "judge_queue_depth{state=queued}": 0,
    }
    assert {name: found[name] for name in expected} == expected


def test_depth_and_age_of_the_queue(make_app: MakeApp) -> None:
    app = make_app(work=False, metrics_token="of-a-test")
    browser = Browser(app).sign_up("lea")
    for _ in range(3):
        browser.submit(GOOD)
    time.sleep(0.1)
    found = numbers(app)
    assert found["judge_queue_depth{state=queued}"] == 3
    assert 0.1 <= found["judge_queue_age_seconds{state=queued}"] < 60
    assert found["judge_workers{room=ready}"] == 0


@pytest.mark.parametrize(
    "header", [{}, {"Authorization": "Bearer other"}, {"Authorization": "Basic of-a-test"}]
)
def test_only_with_the_token(make_app: MakeApp, header: dict[str, str]) -> None:
    assert (
        make_app(work=False, metrics_token="of-a-test")
        .test_client()
        .get("/metrics", headers=header)
        .status_code
        == 401
    )


def test_no_token_no_page(app: Any) -> None:
    assert (
        app.test_client().get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404
    )


@pytest.mark.parametrize(
    ("broker", "up"),
    [("", None), ("redis://127.0.0.1:1/0", 0.0)],
    ids=["threads", "Redis that is down"],
)
def test_whether_the_queue_between_machines_answers(
    make_app: MakeApp, broker: str, up: float | None
) -> None:
    if broker:
        pytest.importorskip("celery", reason="the group `scale` is not installed")
    app = make_app(metrics_token="of-a-test", broker_url=broker, work=False)
    assert numbers(app).get("judge_broker_up{}") == up


def test_what_is_judged_again(make_app: MakeApp) -> None:
    from tests.server.worker.test_low_priority import rejudge

    app = make_app(metrics_token="of-a-test", work=False)
    service = Browser(app).sign_up("lea").service
    rejudge(service.database, 1, "d", 7)
    assert numbers(app)["judge_rejudging_depth{}"] == 7
