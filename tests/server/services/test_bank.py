"""The bank of a process, while another one publishes."""

import threading
from pathlib import Path

import pytest

from server.models.accounts import Role
from server.services.problems import bank
from server.services.problems.published import Shelf
from tests.server.conftest import Browser, MakeApp, user_of
from tests.server.instructors import FIT, SLUG, found_fit, send_zip

STARTER = "problems/starter_numpy.py"
CHANGED = FIT | {STARTER: FIT[STARTER] + "\n# another word\n"}


def publish(teacher: Browser, files: dict[str, str]) -> None:
    number = send_zip(teacher, files)
    found_fit(teacher, number)
    teacher.get(f"/teach/drafts/{number}")
    assert teacher.post(f"/teach/drafts/{number}/publish").status_code == 303


def test_judged_by_the_version_that_is_in_use_at_that_moment(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app(work=False)
    teacher = user_of(app, "terry", Role.INSTRUCTOR)
    here = teacher.service.bank
    elsewhere = bank.Bank(here.folder, here.database, here.shelf)
    publish(teacher, FIT)
    here.look_again()
    first = here.get(SLUG)
    assert first is not None and elsewhere.newest(SLUG) == first
    monkeypatch.setattr(bank, "CHECK_S", 20.0)  # of a process that has just looked
    publish(teacher, CHANGED)
    here.look_again()
    second = here.get(SLUG)
    assert second is not None and second.digest != first.digest
    assert elsewhere.get(SLUG) == first
    assert elsewhere.newest(SLUG) == second
    assert elsewhere.newest("no_such_problem") is None


def test_a_look_that_has_begun_does_not_hide_what_was_published_since(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    teacher = user_of(make_app(work=False), "terry", Role.INSTRUCTOR)
    here = teacher.service.bank
    elsewhere = bank.Bank(here.folder, here.database, here.shelf)
    publish(teacher, FIT)
    monkeypatch.setattr(bank, "CHECK_S", 20.0)
    told = threading.Thread(target=elsewhere.look_again)
    track_order = bank._track_order

    def publish_now(folder: Path, known: tuple[str, ...]) -> tuple[str, ...]:
        """The last step of a look, which has read the database."""
        monkeypatch.setattr(bank, "_track_order", track_order)
        publish(teacher, CHANGED)
        told.start()
        told.join(0.2)
        return known

    monkeypatch.setattr(bank, "_track_order", publish_now)
    first = elsewhere.get(SLUG)
    told.join()
    second = elsewhere.get(SLUG)
    assert first is not None and second is not None and first.digest != second.digest


@pytest.mark.parametrize("before", [None, FIT], ids=["first_version", "second_version"])
def test_a_sync_keeps_what_is_published_while_it_loads(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch, before: dict[str, str] | None
) -> None:
    teacher = user_of(make_app(work=False), "terry", Role.INSTRUCTOR)
    here = teacher.service.bank
    elsewhere = bank.Bank(here.folder, here.database, here.shelf)
    if before is not None:
        publish(teacher, before)
    load_all = Shelf.load_all

    def publish_now(shelf: Shelf) -> object:
        """What lies on the shelf, until a moment ago."""
        found = load_all(shelf)
        publish(teacher, CHANGED)
        return found

    monkeypatch.setattr(Shelf, "load_all", publish_now)
    elsewhere.sync()
    monkeypatch.setattr(bank, "CHECK_S", 20.0)  # of processes that have just looked
    problem = elsewhere.get(SLUG)
    assert problem is not None and problem.starters["numpy"] == CHANGED[STARTER]
    assert here.newest(SLUG) == problem
