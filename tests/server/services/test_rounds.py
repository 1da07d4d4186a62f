"""Whose turn it is. (That nothing is sorted to find out: tests/scaled/test_rounds.py.)"""

import random
from collections import Counter

import pytest

from grader.model import Outcome
from server.models.submissions import State, Submission
from server.services import statistics, submission_queue
from server.services.jobs import lost_submissions
from server.web.context import Service
from tests.server.worker.test_work import ME, idle, learners, queue, verdict_of

__all__ = ["idle"]


class Site:
    """Learners who send, and one worker, told what to do letter by letter."""

    def __init__(self, service: Service, names: str) -> None:
        self.service, self.database = service, service.database
        self.users = dict(zip(names, learners(service, *(2 * name for name in names)), strict=True))
        self.taken: list[submission_queue.Claim] = []
        self.order = ""

    def act(self, script: str) -> None:
        """A letter sends as that learner, `<` takes up what is next, `>` stores the verdict of what
        was taken up first.
        """
        for letter in script.replace(" ", ""):
            if letter == "<":
                self.take_up()
            elif letter == ">":
                assert submission_queue.finish(
                    self.database, self.taken.pop(0), verdict_of(self.service), {}
                )
            else:
                queue(self.service, self.users[letter])

    def take_up(self) -> bool:
        """Whether there was something."""
        claimed = submission_queue.claim(self.database, ME, 30)
        if claimed is not None:
            self.taken.append(claimed)
            self.order += next(name for name, user in self.users.items() if user == claimed.user_id)
        return claimed is not None

    def drain(self) -> str:
        """Judge all that waits: whose submissions were taken up, in order, from the beginning."""
        self.act(">" * len(self.taken))
        while self.take_up():
            self.act(">")
        return self.order


@pytest.mark.parametrize(
    ("script", "order"),
    [
        ("abcabc", "abcabc"),
        ("aaaaa bb c", "abcabaaa"),
        ("aaaa bbbb <><><><> c", "abababcab"),
        ("aa <><> aab", "aaaba"),
        ("aaa <> a < b", "aabaa"),
        ("a < a b c", "abca"),
        ("aaaa < b > < > b", "ababaa"),
    ],
    ids=[
        "in the order of sending",
        "who sends five is served once a round",
        "a newcomer waits for one round",
        "rounds that are over count for nothing",
        "what waited in the middle of a round",
        "who is being judged comes after who is not",
        "one at a time, beside one who has sent many",
    ],
)
def test_order(idle: Service, script: str, order: str) -> None:
    site = Site(idle, "abc")
    site.act(script)
    assert site.drain() == order


@pytest.mark.parametrize("seed", range(12))
def test_as_long_as_two_wait_they_are_served_alike(idle: Service, seed: int) -> None:
    """One is ahead by the round that is being served, and by who sent first in it: never by more
    than two.
    """
    chance, names = random.Random(seed), "abcd"
    site = Site(idle, names)
    waiting: Counter[str] = Counter()
    since: dict[tuple[str, str], int] = {}  # both wait since so many were taken up
    for _ in range(120):
        letter = chance.choice("aaaabbcd<<<<<")
        if letter == "<":
            if site.take_up():
                waiting[site.order[-1]] -= 1
                site.act(">")
        else:
            site.act(letter)
            waiting[letter] += 1
        for pair in [(x, y) for x in names for y in names if x < y]:
            if all(waiting[name] for name in pair):
                served = Counter(site.order[since.setdefault(pair, len(site.order)) :])
                assert abs(served[pair[0]] - served[pair[1]]) <= 2, (pair, site.order)
            else:
                since.pop(pair, None)


def test_what_is_put_back_keeps_its_turn(idle: Service) -> None:
    site = Site(idle, "ab")
    site.act("ab b <")
    assert submission_queue.retry(idle.database, site.taken.pop(), "a failure of ours", 0)
    assert site.drain() == "aabb"


def test_what_is_judged_again_joins_the_round(idle: Service) -> None:
    site = Site(idle, "abc")
    site.act("c <")
    assert submission_queue.finish(
        idle.database,
        site.taken.pop(),
        verdict_of(idle, outcome=Outcome.JUDGE_ERROR),
        {},
    )
    site.act("aaabbb <><><>")
    with idle.database.write() as session:
        assert lost_submissions.judge_again(session, 1)
    assert site.drain() == "c aba cbab".replace(" ", "")


def test_how_many_are_before_it(idle: Service) -> None:
    site = Site(idle, "ab")
    site.act("aaabb")
    with idle.database.read() as session:
        rows = (
            session.query(Submission)
            .where(Submission.state == State.QUEUED)
            .order_by(Submission.id)
        )
        assert [statistics.ahead(session, row) for row in rows] == [0, 2, 4, 1, 3]
