"""What a request may cost is bounded, whatever was sent before; docs/server.md lists it, and is
held against the code.
"""

import difflib
import random
import re
import threading
import time
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from sqlalchemy import select

from grader.model import Verdict
from server.models.base import now
from server.models.courses import AssignmentProblem, Late
from server.models.submissions import State, Submission
from server.services.courses import scores
from server.services.deadlines import Deadline
from server.services.rendering import display_limits
from server.services.rendering.diff import MOST_LINES, side_by_side
from server.web import throttle as costs
from server.worker.room import Core
from tests.server.conftest import (
    FAKE,
    GOOD,
    REPOSITORY,
    SLUG,
    Browser,
    MakeApp,
    fake_answers,
    fake_judge,
)

LIMIT_BYTES = 65536


def hostile(seed: int) -> str:
    """A source of the largest size, of lines of one character in an order of its own."""
    letters = [*"abcdefghijklmnopqrstuvwxyz"] * (LIMIT_BYTES // 52)
    random.Random(seed).shuffle(letters)
    return "# accepted\n" + "\n".join(letters)[: LIMIT_BYTES - 20]


# ----------------------------------------------------------------------------------------------------------------
# comparison

PAIRS = [
    ("equal", "a\nb", "a\nb", ["same", "same"]),
    ("one line changed", "a\nb\nc", "a\nx\nc", ["same", "changed", "same"]),
    ("one line added", "a\nc", "a\nb\nc", ["same", "added", "same"]),
    ("one line removed", "a\nb\nc", "a\nc", ["same", "removed", "same"]),
    ("two for one", "a\nx\nc", "a\ny\nz\nc", ["same", "changed", "added", "same"]),
    ("at the end", "a", "a\nb", ["same", "added"]),
    ("nothing on the left", "", "a", ["added"]),
    ("nothing at all", "", "", []),
]


@pytest.mark.parametrize(
    ("left", "right", "kinds"), [row[1:] for row in PAIRS], ids=[row[0] for row in PAIRS]
)
def test_lines_side_by_side(left: str, right: str, kinds: list[str]) -> None:
    assert [line.kind for line in side_by_side(left, right).lines] == kinds


@pytest.mark.parametrize("seed", range(20))
def test_every_line_is_there_once_and_in_order(seed: int) -> None:
    draw = random.Random(seed)
    left, right = (
        ["".join(draw.choices("ab", k=draw.randint(0, 2))) for _ in range(draw.randint(1, 40))]
        for _ in range(2)
    )
    found = side_by_side("\n".join(left) + "\n", "\n".join(right) + "\n")
    assert [line.left for line in found.lines if line.left_number] == left
    assert [line.right for line in found.lines if line.right_number] == right
    assert all(line.left == line.right for line in found.lines if line.kind == "same")
    same = sum(
        block.size
        for block in difflib.SequenceMatcher(
            None, left, right, autojunk=False
        ).get_matching_blocks()
    )
    # the longest common subsequence, not difflib's guess
    assert sum(line.kind == "same" for line in found.lines) >= same


def test_two_shuffled_sources_are_shown_at_once_and_unaligned(learner: Browser) -> None:
    """Two sources of 32,000 one-character lines: `difflib` took 15 s, and minutes with fewer
    letters.
    """
    first, second = learner.judged(hostile(1)), learner.judged(hostile(2))
    began = time.monotonic()
    page = learner.get(f"/problems/{SLUG}/compare?a={first}&b={second}").text
    assert time.monotonic() - began < 8
    assert ("data-unaligned" in page, page.count('<tr class="diff-')) == (True, 0)
    assert len(page) > 2 * (LIMIT_BYTES - 30)


def test_the_most_lines_that_are_aligned_are_quick() -> None:
    draw = random.Random(1)
    left, right = ("\n".join(draw.choices("ab", k=MOST_LINES)) for _ in range(2))
    began = time.process_time()
    assert side_by_side(left, right).aligned
    assert time.process_time() - began < 3
    assert not side_by_side(left + "\na", right).aligned


# ------------------------------------------------------------------------------------------------------------
# one at a time


def test_one_of_an_account_and_two_of_all_run_at_once(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app()
    people = [Browser(app).sign_up(name) for name in ("lea", "leo", "lia")]
    paths = []
    for person in people:
        a, b = person.judged(GOOD), person.judged(GOOD + "x = 1\n")
        paths.append(f"/problems/{SLUG}/compare?a={a}&b={b}")
    go, inside = threading.Event(), threading.Semaphore(0)

    def slowly(left: str, right: str) -> Any:
        inside.release()
        assert go.wait(20)
        return side_by_side(left, right)

    monkeypatch.setattr("server.web.learners.submissions.side_by_side", slowly)
    statuses: list[int] = []

    def ask(i: int) -> None:
        statuses.append(people[i].client.get(paths[i]).status_code)

    running = [threading.Thread(target=ask, args=(i,)) for i in (0, 1)]
    for thread in running:
        thread.start()
    assert inside.acquire(timeout=10)
    assert inside.acquire(timeout=10)
    # the same account in another window; another account
    again = [app.test_client() for _ in range(2)]
    assert people[2].get(paths[2]).status_code == 429
    with again[0] as window:
        window.set_cookie("judge_session", people[0].client.get_cookie("judge_session").value)  # type: ignore[union-attr]
        refused = window.get(paths[0], headers={"Accept": "application/json"})
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "1")
    go.set()
    for thread in running:
        thread.join(20)
    assert statuses == [200, 200]
    assert people[2].get(paths[2]).status_code == 200
    assert costs._running == set()


def test_an_account_asks_for_so_many_a_minute(learner: Browser) -> None:
    a = learner.judged(GOOD)
    statuses = [learner.get(f"/problems/{SLUG}/compare?a={a}&b={a}").status_code for _ in range(62)]
    assert (statuses[:60], statuses[60:]) == ([200] * 60, [429] * 2)


PARAMETERS = [  # (path, status): what a list is asked for is cut or refused, whatever it is
    ("/api/v1/submissions?per_page=101", 422),
    ("/api/v1/submissions?page=1000001", 422),
    ("/api/v1/submissions?per_page=100&page=1000000", 200),
    (f"/problems/{SLUG}/submissions?page=99999999999999999999", 200),
    ("/?q=" + "a+" * 3000, 200),
    (f"/problems/{SLUG}/compare?a=99999999999999999999&b=1", 422),
]


@pytest.mark.parametrize(("path", "status"), PARAMETERS, ids=[row[0][:60] for row in PARAMETERS])
def test_what_a_list_is_asked_for_is_bounded(learner: Browser, path: str, status: int) -> None:
    began = time.monotonic()
    answer = learner.client.get(path)
    assert (answer.status_code, time.monotonic() - began < 10) == (status, True)


def test_a_flood_of_submissions_in_a_gradebook(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a learner sends every minute for a fortnight costs a comparison each, and the lateness
    of those that are better only.
    """
    asked: list[datetime] = []

    def two_days(assignment: Any, own: Any, sent: datetime) -> int:
        asked.append(sent)
        return 2

    monkeypatch.setattr(scores, "lateness", two_days)
    late = SimpleNamespace(late=Late.PERCENT, late_percent=10, attempts=None)
    about = {
        "user_id": 1,
        "problem": SLUG,
        "submitted_at": now(),
        "state": State.DONE,
        "outcome": "wrong_answer",
        "max_score": 7,
    }
    flood = [SimpleNamespace(id=i, score=i % 7, **about) for i in range(20_000)]
    began = time.process_time()
    opened, due = flood[0].submitted_at, now()
    problem = AssignmentProblem(slug=SLUG, points=10.0)
    found = scores.cell(late, Deadline(opened, due, due), problem, flood)  # type: ignore[arg-type]
    assert time.process_time() - began < 10
    assert (found.attempts, found.raw, found.score, len(asked)) == (20_000, 8.57, 6.86, 7)


# ------------------------------------------------------------------------------------------------
# what is stored of a verdict


def sample(side: int, count: int, printed: str = "") -> dict[str, Any]:
    tensors = {
        f"t{i}": {"shape": [side], "dtype": "float64", "data": [0.1234567890123] * side}
        for i in range(count)
    }
    return {
        "name": "s",
        "inputs": {},
        "expected": {},
        "got": tensors,
        "difference": {},
        "printed": printed,
    }


def test_the_largest_tensors_go_first_and_are_named() -> None:
    found = display_limits.within(
        {"notes": {"s": "why"}, "samples": [sample(10, 2), sample(400, 1)]}, 1000
    )
    assert ["data" in t for s in found["samples"] for t in s["got"].values()] == [True, True, False]
    assert (found["samples"][1]["left_out"], "left_out" in found["samples"][0]) == (
        ["got: t0"],
        False,
    )


def test_what_was_printed_is_cut() -> None:
    (found,) = display_limits.within({"notes": {}, "samples": [sample(1, 0, "x" * 100_000)]})[
        "samples"
    ]
    assert len(found["printed"]) < display_limits.MOST_PRINTED + 100
    assert "100,000 characters" in found["printed"]


def test_names_alone_can_be_too_much() -> None:
    one = sample(1, 0) | {"got": {"n" * 600: {"shape": [0], "dtype": "int8"}}}
    assert display_limits.within({"notes": {"s": "why"}, "samples": [one]}, 500) == {
        "notes": {"s": "why"},
        "samples": [],
    }


def test_a_submission_with_huge_answers_keeps_half_a_mebibyte(make_app: MakeApp) -> None:
    """A sample that returns hundreds of tensors is judged, and its page is served."""
    values = np.full((40, 50), 1 / 3)

    def large(*args: Any, on_case: Any, **options: Any) -> Verdict:
        verdict = fake_judge(*args, on_case=lambda result: None, **options)
        got = {f"g{i}": values for i in range(200)}
        cases = tuple(
            replace(c, got=got, printed="p" * 100_000) if c.sample else c for c in verdict.cases
        )
        for case in cases:
            on_case(case)
        return replace(verdict, cases=cases)

    learner = Browser(make_app(Core(FAKE.open_room, large, fake_answers))).sign_up("lea")
    number = learner.judged("# wrong\n")
    with learner.service.database.read() as session:
        stored = session.scalar(select(Submission.shown).where(Submission.id == number))
    assert stored is not None
    assert display_limits._bytes(stored) <= display_limits.MOST_BYTES
    assert "data-left-out" in learner.get(f"/submissions/{number}").text


# ---------------------------------------------------------------------------------------------------------------------
# the table

TABLE = (
    (REPOSITORY / "docs" / "server.md")
    .read_text(encoding="utf-8")
    .split("## What a request may cost")[-1]
    .split("\n## ")[0]
)
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in TABLE.splitlines()
    if line.startswith("| `")
]
ELSEWHERE = TABLE.split("Every other handler")[-1]


def handlers(text: str) -> list[str]:
    return re.findall(r"`([a-z_]+\.[a-z_]+)`", text)


def test_every_handler_is_in_the_table_or_said_to_cost_the_same(make_app: MakeApp) -> None:
    app = make_app(work=False, metrics_token="t")
    named = [name for row in ROWS for name in handlers(row[0])] + handlers(ELSEWHERE)
    there = {rule.endpoint for rule in app.url_map.iter_rules()} - {"static"}
    assert (sorted(there - set(named)), sorted(set(named) - there)) == (
        [],
        [],
    ), "docs/server.md, What a request may cost"
    assert sorted(named) == sorted(set(named))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: handlers(row[0])[0])
def test_every_bound_has_its_test(row: list[str]) -> None:
    assert len(row) == 4, row
    assert row[2], "no bound"
    tests = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", row[3])
    assert tests, f"{row[0]}: no test"
    for file, name in tests:
        assert f"def {name}(" in Path(REPOSITORY / file).read_text(encoding="utf-8"), (
            f"{file}::{name}"
        )
