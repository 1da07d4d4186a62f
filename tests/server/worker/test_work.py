"""Claims, leases, fencing, fairness, failures of ours: the worker against a fake judge, and once
against the real room.
"""

import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from grader.errors import RoomError
from grader.judge import judge
from grader.model import Framework, Outcome, Verdict
from grader.model import Submission as Judged
from grader.problem import load
from server.models.accounts import Role
from server.models.database import Database
from server.models.submissions import State, Submission
from server.services import accounts, submission_queue, submissions
from server.services.jobs import leases
from server.services.jobs.kinds import SUBMISSIONS
from server.services.jobs.owners import process_name
from server.web.context import NAME, Service
from server.worker.room import Core
from tests.server.conftest import (
    FAKE,
    GOOD,
    PASSWORD,
    SLUG,
    Browser,
    MakeApp,
    fake_answers,
    fake_judge,
    user_of,
)

ME, OTHER = "host:1:aa", "host:2:bb"


@pytest.fixture
def idle(make_app: MakeApp) -> Service:
    """A service whose worker is not running."""
    service: Service = make_app(work=False).extensions[NAME]
    return service


def learners(service: Service, *names: str) -> list[int]:
    with service.database.write() as session:
        return [accounts.add_user(session, name, PASSWORD).id for name in names]


def queue(service: Service, user: int, source: str = GOOD) -> int:
    problem = service.bank.get(SLUG)
    assert problem is not None
    with service.database.write() as session:
        return submissions.submit(session, user, problem, Framework.NUMPY, source)[0].id


def row(database: Database, number: int) -> Submission:
    with database.read() as session:
        return session.get_one(Submission, number)


def verdict_of(service: Service, outcome: Outcome = Outcome.ACCEPTED) -> Verdict:
    problem = service.bank.get(SLUG)
    assert problem is not None
    return Verdict(SLUG, problem.digest, Framework.NUMPY, outcome, 1, 1, "fake", 0, (), (), "")


def test_one_running_submission_a_learner(idle: Service) -> None:
    lea, otto = learners(idle, "lea", "otto")
    first, second, third = queue(idle, lea), queue(idle, lea), queue(idle, otto)
    claims = [submission_queue.claim(idle.database, ME, 30) for _ in range(3)]
    assert [c.id if c else None for c in claims] == [first, third, None]
    assert claims[0] is not None
    submission_queue.finish(idle.database, claims[0], verdict_of(idle), {})
    after = submission_queue.claim(idle.database, ME, 30)
    assert after is not None
    assert after.id == second


def test_the_table_itself_refuses_a_second_running(idle: Service) -> None:
    (lea,) = learners(idle, "lea")
    numbers = [queue(idle, lea), queue(idle, lea)]
    with pytest.raises(Exception, match=r"(?i)unique"), idle.database.write() as session:
        session.execute(
            update(Submission).where(Submission.id.in_(numbers)).values(state=State.RUNNING)
        )


def test_fair_order(idle: Service) -> None:
    """A learner who queues ten makes nobody wait for more than one of them."""
    lea, otto, uma = learners(idle, "lea", "otto", "uma")
    greedy = [queue(idle, lea) for _ in range(10)]
    modest = [queue(idle, otto), queue(idle, uma), queue(idle, otto)]
    order = []
    while (claimed := submission_queue.claim(idle.database, ME, 30)) is not None:
        order.append(claimed.id)
        submission_queue.finish(idle.database, claimed, verdict_of(idle), {})
    assert order[:6] == [greedy[0], modest[0], modest[1], greedy[1], modest[2], greedy[2]]
    assert sorted(order) == sorted(greedy + modest)


def test_two_threads_never_claim_the_same(idle: Service) -> None:
    users = learners(idle, *(f"u{i}0" for i in range(12)))
    numbers = [queue(idle, user) for user in users]
    claimed: list[int] = []

    def work(owner: str) -> None:
        while (found := submission_queue.claim(idle.database, owner, 30)) is not None:
            claimed.append(found.id)

    threads = [threading.Thread(target=work, args=(f"host:{i}:x",)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(claimed) == numbers


def test_many_threads_and_one_learner(idle: Service) -> None:
    """Whoever is refused, because another began on the same learner, finds that out quietly."""
    (lea,) = learners(idle, "lea")
    numbers = [queue(idle, lea) for _ in range(12)]
    judged: list[int] = []

    def work(owner: str) -> None:
        while len(judged) < len(numbers):
            found = submission_queue.claim(idle.database, owner, 30)
            if found is not None:
                judged.append(found.id)
                assert submission_queue.finish(idle.database, found, verdict_of(idle), {})

    threads = [threading.Thread(target=work, args=(f"host:{i}:x",)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(judged) == numbers


def test_a_lost_lease_is_judged_by_another_and_the_first_is_fenced(idle: Service) -> None:
    (lea,) = learners(idle, "lea")
    number = queue(idle, lea)
    late = submission_queue.claim(idle.database, ME, lease=-1)
    assert late is not None
    assert leases.reclaim(idle.database, SUBMISSIONS, OTHER) == 1
    second = submission_queue.claim(idle.database, OTHER, 30)
    assert second is not None
    assert (second.id, second.attempt) == (number, late.attempt + 1)
    assert not submission_queue.finish(
        idle.database, late, verdict_of(idle, Outcome.WRONG_ANSWER), {}
    )
    assert not submission_queue.note_progress(idle.database, late, [{"name": "x"}])
    assert not submission_queue.retry(idle.database, late, "late", 0)
    assert submission_queue.finish(idle.database, second, verdict_of(idle), {})
    assert not submission_queue.finish(
        idle.database, second, verdict_of(idle, Outcome.WRONG_ANSWER), {}
    )
    assert row(idle.database, number).outcome == "accepted"


def test_a_lease_that_is_renewed_holds(idle: Service) -> None:
    (lea,) = learners(idle, "lea")
    queue(idle, lea)
    claimed = submission_queue.claim(idle.database, ME, lease=0.05)
    assert claimed is not None
    leases.renew(idle.database, SUBMISSIONS, [claimed], 30)
    time.sleep(0.1)
    assert leases.reclaim(idle.database, SUBMISSIONS, OTHER) == 0
    # an earlier claim must not touch it
    leases.renew(idle.database, SUBMISSIONS, [replace(claimed, attempt=0)], -1)
    assert leases.reclaim(idle.database, SUBMISSIONS, OTHER) == 0


def test_a_dead_process_of_this_host_is_not_waited_for(idle: Service) -> None:
    (lea,) = learners(idle, "lea")
    queue(idle, lea)
    mine = process_name("new")
    host, pid, _ = mine.rsplit(":", 2)
    # the same pid with another nonce: this process was restarted
    submission_queue.claim(idle.database, f"{host}:{pid}:old", 1000)
    assert leases.reclaim(idle.database, SUBMISSIONS, mine) == 1
    submission_queue.claim(idle.database, f"{host}:4194303:x", 1000)  # a pid that no process has
    assert leases.reclaim(idle.database, SUBMISSIONS, mine) == 1
    submission_queue.claim(idle.database, "elsewhere:4194303:x", 1000)
    assert leases.reclaim(idle.database, SUBMISSIONS, mine) == 0


def outcome_of(browser: Browser, source: str) -> tuple[Any, Submission]:
    number = browser.judged(source)
    return browser.get(f"/api/v1/submissions/{number}").json, row(browser.service.database, number)


@pytest.mark.parametrize("source", ["# our fault\n", "# a defect of the judge\n"])
def test_three_failures_of_ours_end_in_judge_error(learner: Browser, app: Any, source: str) -> None:
    found, stored = outcome_of(learner, source)
    assert (found["verdict"]["verdict"], found["verdict"]["score"], stored.attempt) == (
        "judge_error",
        0,
        3,
    )
    assert stored.last_error
    assert stored.last_error not in learner.get(f"/submissions/{stored.id}").text
    page = learner.get(f"/submissions/{stored.id}").text
    assert "not your fault" in page
    assert "nobody yet" in learner.get("/").text  # it counts for nothing
    assert learner.get("/api/v1/me").json["tried"] == []
    admin = user_of(app, "ada", Role.ADMIN)
    assert stored.last_error.split(":")[0] in admin.get("/manage").text
    assert admin.post(f"/manage/submissions/{stored.id}/judge-again").status_code == 303
    learner.get(f"/submissions/{stored.id}/live?wait=10")
    assert row(learner.service.database, stored.id).attempt == 6


def test_what_takes_every_worker_down_is_not_tried_for_ever(make_app: MakeApp) -> None:
    app = make_app(work=False)
    service: Service = app.extensions[NAME]
    (lea,) = learners(service, "lea")
    number = queue(service, lea)
    for _ in range(SUBMISSIONS.attempts or 0):
        assert submission_queue.claim(service.database, "elsewhere:1:x", -1) is not None
        assert leases.reclaim(service.database, SUBMISSIONS, OTHER) == 1
    assert service.worker.judge_next() is not None
    ended = row(service.database, number)
    assert (ended.state, ended.outcome, ended.last_error) == (
        "done",
        "judge_error",
        "lost with its worker each time",
    )


def test_a_lost_verdict_counts_as_ours(make_app: MakeApp) -> None:
    """The judge may also return judge_error, when the room was lost twice: tried again, and right
    the second time.
    """
    calls: list[int] = []

    def lossy(problem: Any, submission: Any, *args: Any, **options: Any) -> Verdict:
        calls.append(1)
        if len(calls) == 1:
            return Verdict(
                problem.slug,
                problem.digest,
                submission.framework,
                Outcome.JUDGE_ERROR,
                0,
                1,
                "fake",
                0,
                (),
                (),
                "lost",
            )
        return fake_judge(problem, submission, *args, **options)

    browser = Browser(make_app(Core(FAKE.open_room, lossy, fake_answers))).sign_up("lea")
    found, stored = outcome_of(browser, GOOD)
    assert (found["verdict"]["verdict"], stored.failures) == ("accepted", 1)


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("# broken problem\n", "cases.py: no"),
        ("# framework is gone\n", "this problem is for numpy"),
    ],
)
def test_a_broken_problem_is_not_tried_again(learner: Browser, source: str, why: str) -> None:
    found, stored = outcome_of(learner, source)
    assert (found["verdict"]["verdict"], stored.attempt) == ("judge_error", 1)
    assert stored.last_error == why


def test_a_room_that_breaks_in_between_counts_against_nobody(make_app: MakeApp) -> None:
    calls: list[int] = []

    def roomless(*args: Any, **options: Any) -> Verdict:
        calls.append(1)
        if len(calls) <= 4:
            raise RoomError("no namespaces left")
        return fake_judge(*args, **options)

    browser = Browser(make_app(Core(FAKE.open_room, roomless, fake_answers))).sign_up("lea")
    found, stored = outcome_of(browser, GOOD)
    assert (found["verdict"]["verdict"], stored.failures, len(calls)) == ("accepted", 0, 5)


def test_what_was_queued_before_the_start_is_judged(make_app: MakeApp) -> None:
    app = make_app(work=False)
    service: Service = app.extensions[NAME]
    (lea,) = learners(service, "lea")
    numbers = [queue(service, lea) for _ in range(3)]
    service.worker.start()
    end = time.monotonic() + 60
    while time.monotonic() < end and any(
        row(service.database, n).state != State.DONE for n in numbers
    ):
        time.sleep(0.02)
    assert [row(service.database, n).outcome for n in numbers] == ["accepted"] * 3


def test_a_worker_of_its_own_needs_no_hint(make_app: MakeApp) -> None:
    """Another process judges: it finds the row by looking, the page by looking too."""
    web, other = make_app(work=False), make_app()
    browser = Browser(web).sign_up("lea")
    number = browser.judged(GOOD)
    assert row(other.extensions[NAME].database, number).outcome == "accepted"
    assert browser.until_ready().status_code == 200


def test_each_submission_keeps_the_digest_that_judged_it(make_app: MakeApp, bank: Path) -> None:
    browser = Browser(make_app()).sign_up("lea")
    first = browser.judged(GOOD)
    cases = bank / "problems" / SLUG / "cases.py"
    cases.write_text(cases.read_text() + "# a new version\n")
    assert browser.service.bank.sync().changed == (SLUG,)
    second = browser.judged(GOOD)
    digests = [row(browser.service.database, n).digest for n in (first, second)]
    assert digests[0] != digests[1] == load(bank, SLUG).digest


def test_a_sync_elsewhere_is_noticed(make_app: MakeApp, bank: Path) -> None:
    app = make_app()
    cases = bank / "problems" / SLUG / "cases.py"
    cases.write_text(cases.read_text() + "# a new version\n")
    service: Service = app.extensions[NAME]
    assert service.bank.get(SLUG).digest != load(bank, SLUG).digest  # type: ignore[union-attr]
    make_app(work=False)  # syncs, as `flask bank sync` does
    time.sleep(1.1)
    assert service.bank.get(SLUG).digest == load(bank, SLUG).digest  # type: ignore[union-attr]


def test_a_malformed_problem_hides_no_other(make_app: MakeApp, bank: Path) -> None:
    service: Service = make_app().extensions[NAME]
    (bank / "problems" / SLUG / "problem.toml").write_text("title = 3")
    synced = service.bank.sync()
    assert list(synced.faults) == [SLUG]
    # the version in memory stays
    assert [p.slug for p in service.bank.problems()] == [SLUG, "double_again"]


def test_the_worker_outlives_a_locked_database(make_app: MakeApp) -> None:
    from tests.server.web.test_submit import locked

    browser = Browser(make_app(busy_timeout=0.1)).sign_up("lea")
    answer = browser.submit("# accepted, slow\n")
    with locked(browser):
        time.sleep(1.2)
    number = int(answer.location.split("/")[-1].split("?")[0])
    assert (
        browser.get(f"/submissions/{number}/live?wait=20").json["verdict"]["verdict"] == "accepted"
    )
    assert row(browser.service.database, number).attempt == 1


def test_no_submission_waits_for_the_answers_of_statements(make_app: MakeApp) -> None:
    going = threading.Event()

    def slowly(*args: Any) -> Any:
        assert going.wait(20)
        return fake_answers(*args)

    browser = Browser(make_app(Core(FAKE.open_room, fake_judge, slowly), workers=1)).sign_up("lea")
    assert "still computing" in browser.get(f"/problems/{SLUG}").text
    assert outcome_of(browser, GOOD)[1].outcome == "accepted"
    going.set()


def test_real_room_same_verdict_as_the_core(make_app: MakeApp, real_bank: Path, room: Core) -> None:
    slug = "scaled_dot_product_attention"
    browser = Browser(make_app(room, bank=str(real_bank))).sign_up("lea")
    problem = load(real_bank, slug)
    mistake = problem.mistakes[0]
    for framework in problem.frameworks:
        source = mistake.sources[framework]
        number = browser.judged(source, slug, framework=str(framework))
        found = browser.get(f"/api/v1/submissions/{number}").json["verdict"]
        direct = judge(problem, Judged(framework, source), room.open_room()).to_json()
        timing = ("wall_ms", "cpu_ms", "memory_mib")
        assert _without(found, timing) == _without(direct, timing)
        assert found["diagnosis"]["mistake"] == mistake.name
        page = browser.get(f"/submissions/{number}").text.split('class="verdict"')[1]
        assert page.count("<svg") >= 3
    number = browser.judged(problem.references[problem.frameworks[0]], slug)
    assert browser.get(f"/api/v1/submissions/{number}").json["verdict"]["verdict"] == "accepted"


def test_real_room_statement_gets_its_samples(
    make_app: MakeApp, real_bank: Path, room: Core
) -> None:
    browser = Browser(make_app(room, bank=str(real_bank)))
    end = time.monotonic() + 60
    while "still computing" in browser.get("/problems/scaled_dot_product_attention").text:
        assert time.monotonic() < end
        time.sleep(0.1)
    page = browser.get("/problems/scaled_dot_product_attention").text
    assert "five words" in page
    assert '<th scope="row">cat</th>' in page
    assert "<svg" in page


def _without(verdict: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {
        **verdict,
        "cases": [{k: v for k, v in case.items() if k not in names} for case in verdict["cases"]],
    }
