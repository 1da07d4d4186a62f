"""A class's times: the wall clock of its zone, over the changes to and from summer time; and what
late work counts.
"""

from datetime import UTC, datetime

import pytest

from grader.errors import UsageError
from server.models.courses import Assignment, Late
from server.services.courses.terms import factor
from server.services.courses.timezones import days_late, days_later, on_the_wall, to_utc, zone_of

BERLIN, SHANGHAI, NEW_YORK = (
    zone_of("Europe/Berlin"),
    zone_of("Asia/Shanghai"),
    zone_of("America/New_York"),
)


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


WALL = [
    ("winter", "2026-01-15T18:00", BERLIN, False, "2026-01-15T17:00"),
    ("summer", "2026-07-15T18:00", BERLIN, False, "2026-07-15T16:00"),
    ("the evening before the change", "2026-03-28T23:59", BERLIN, False, "2026-03-28T22:59"),
    ("the evening of the change", "2026-03-29T23:59", BERLIN, False, "2026-03-29T21:59"),
    ("shown twice, opens", "2026-10-25T02:30", BERLIN, False, "2026-10-25T00:30"),
    ("shown twice, due", "2026-10-25T02:30", BERLIN, True, "2026-10-25T01:30"),
    ("no summer time", "2026-07-15T18:00", SHANGHAI, False, "2026-07-15T10:00"),
    ("another day", "2026-03-08T20:00", NEW_YORK, False, "2026-03-09T00:00"),
]


@pytest.mark.parametrize(
    ("text", "zone", "later", "expected"), [row[1:] for row in WALL], ids=[row[0] for row in WALL]
)
def test_wall_to_moment_and_back(text: str, zone: object, later: bool, expected: str) -> None:
    moment = to_utc(text, zone, later=later)  # type: ignore[arg-type]
    assert moment == utc(expected)
    assert on_the_wall(moment, zone) == text  # type: ignore[arg-type]


REFUSED = [
    ("skipped", "2026-03-29T02:30", "the clocks go forward over it"),
    ("empty", "", "is not a valid date and time"),
    ("words", "tomorrow", "is not a valid date and time"),
    ("no such day", "2026-02-30T10:00", "is not a valid date and time"),
    ("before any clock", "0001-01-01T00:00", "0001-01-01 00:00: choose a year from 2000 to 2199"),
    ("the last evening", "9999-12-31T23:59", "choose a year from 2000 to 2199"),
]


@pytest.mark.parametrize(
    ("text", "message"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED]
)
def test_no_such_time(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        to_utc(text, BERLIN)


@pytest.mark.parametrize("name", ["", "Berlin", "../etc/passwd", "Europe/Nowhere"])
def test_no_such_zone(name: str) -> None:
    with pytest.raises(UsageError, match="is not a valid time zone"):
        zone_of(name)


SPRING, AUTUMN = to_utc("2026-03-28T12:00", BERLIN), to_utc("2026-10-24T12:00", BERLIN)
LATE = [
    ("in time", SPRING, "2026-03-28T12:00", 0),
    ("a minute", SPRING, "2026-03-28T12:01", 1),
    ("noon of the short day: 23 hours", SPRING, "2026-03-29T12:00", 1),
    ("after noon of the short day", SPRING, "2026-03-29T12:01", 2),
    ("noon of the long day: 25 hours", AUTUMN, "2026-10-25T12:00", 1),
    ("after noon of the long day", AUTUMN, "2026-10-25T12:01", 2),
    ("a week over the change", SPRING, "2026-04-04T12:00", 7),
    ("a week and a minute", SPRING, "2026-04-04T12:01", 8),
]


@pytest.mark.parametrize(
    ("due", "sent", "days"), [row[1:] for row in LATE], ids=[row[0] for row in LATE]
)
def test_days_late_are_days_of_the_wall_clock(due: datetime, sent: str, days: int) -> None:
    assert days_late(to_utc(sent, BERLIN), due, BERLIN) == days


def test_a_day_later_may_be_23_or_25_hours_later() -> None:
    assert [
        (days_later(due, 1, BERLIN) - due).total_seconds() / 3600 for due in (SPRING, AUTUMN)
    ] == [23, 25]


COUNTS = [
    ("none, in time", Late.NONE, 0, 0, 1.0),
    ("none, late", Late.NONE, 0, 9, 1.0),
    ("percent, in time", Late.PERCENT, 20, 0, 1.0),
    ("percent, a day", Late.PERCENT, 20, 1, 0.8),
    ("percent, three days", Late.PERCENT, 20, 3, 0.4),
    ("percent, never below nothing", Late.PERCENT, 20, 9, 0.0),
    ("cut-off, in time", Late.CUTOFF, 0, 0, 1.0),
    ("cut-off, late", Late.CUTOFF, 0, 1, 0.0),
]


@pytest.mark.parametrize(
    ("late", "percent", "days", "share"),
    [row[1:] for row in COUNTS],
    ids=[row[0] for row in COUNTS],
)
def test_what_late_work_counts(late: Late, percent: int, days: int, share: float) -> None:
    assert factor(Assignment(late=late, late_percent=percent), days) == pytest.approx(share)
