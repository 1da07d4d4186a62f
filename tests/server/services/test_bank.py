"""The bank of a process, while another one publishes."""

import pytest

from server.models.accounts import Role
from server.services.problems import bank
from tests.server.conftest import Browser, MakeApp, user_of
from tests.server.instructors import FIT, SLUG, found_fit, send_zip

STARTER = "problems/starter_numpy.py"


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
    publish(teacher, FIT | {STARTER: FIT[STARTER] + "\n# another word\n"})
    here.look_again()
    second = here.get(SLUG)
    assert second is not None and second.digest != first.digest
    assert elsewhere.get(SLUG) == first
    assert elsewhere.newest(SLUG) == second
    assert elsewhere.newest("no_such_problem") is None
