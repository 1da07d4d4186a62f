"""/metrics: what the queue holds, and what each judging process has counted."""

import json
import time
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from server.worker.metrics import BOUNDS_S, WorkerMetrics, merged
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


def counted(failures: int) -> Any:
    """What a process stores that has failed so many times."""
    metrics = WorkerMetrics()
    for _ in range(failures):
        metrics.failure()
    return json.loads(json.dumps(metrics.snapshot()))


OF_AN_EARLIER_VERSION = {"verdicts": {"accepted": 3}, "failures": 1, "waited": {"counts": [1]}}


@pytest.mark.parametrize(
    ("snapshots", "failures"),
    [
        ({}, {}),
        ({"a": None}, {}),
        ({"a": counted(0)}, {"a": 0}),
        ({"a": counted(2), "b": counted(3)}, {"a": 2, "b": 3}),
        ({"a": counted(2), "b": OF_AN_EARLIER_VERSION}, {"a": 2}),
        ({"a": {"judge_of_a_later_version": [["judge_x", {}, 1.0]]}}, {}),
    ],
    ids=["nobody", "just started", "idle", "two processes", "an older one", "a newer one"],
)
def test_processes_are_told_apart(snapshots: dict[str, Any], failures: dict[str, int]) -> None:
    families = {family.name: family for family in merged(snapshots)}
    assert set(families) == {
        "judge_verdicts",
        "judge_failures",
        "judge_room_restarts",
        "judge_waited_seconds",
        "judge_judged_seconds",
    }
    samples = families["judge_failures"].samples
    assert {sample.labels["worker"]: sample.value for sample in samples} == failures


def test_buckets_count_everything_below_their_bound() -> None:
    metrics = WorkerMetrics()
    for waited_s in (0.01, 0.011, 0.5, 61.0):
        metrics.verdict("accepted", waited_s, 0.0)
    samples = metrics.snapshot()["judge_waited_seconds"]
    buckets = {labels["le"]: value for _, labels, value in samples if "le" in labels}
    assert list(buckets) == [*map(str, BOUNDS_S), "+Inf"]
    assert [buckets[bound] for bound in ("0.01", "0.02", "0.5", "60.0", "+Inf")] == [1, 2, 3, 3, 4]
    assert {name: value for name, labels, value in samples if not labels} == {
        "judge_waited_seconds_count": 4,
        "judge_waited_seconds_sum": pytest.approx(61.521),
    }
