"""Times as a class says them: on the wall clock of its zone, also over a change to or from summer
time.
"""

from datetime import UTC, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from grader.errors import UsageError
from server.messages import Message

FORM = "%Y-%m-%dT%H:%M"  # of a browser's datetime field
YEARS = range(2000, 2200)  # near year 1 or 9999, the clock of another zone may have no time at all


@cache
def _zones() -> frozenset[str]:
    """Read once: the list is a walk over hundreds of files."""
    return frozenset(available_timezones())


def zone_of(name: str) -> ZoneInfo:
    """Raises `UsageError` for a zone that nobody lives in."""
    if name not in _zones():
        raise UsageError(
            Message(
                "'%(name)s' is not a valid time zone; write one such as Europe/Berlin,"
                " Asia/Shanghai or UTC",
                name=name[:64],
            )
        )
    return ZoneInfo(name)


def to_utc(text: str, zone: ZoneInfo, *, later: bool = False) -> datetime:
    """The moment when the class's clock shows this; where it shows it twice, the earlier one or,
    with `later`, the later one.

    Raises `UsageError` for what is no time, a year far from now, or a time that the clock skips.
    """
    try:
        wall = datetime.strptime(text.strip()[:16], FORM)
    except ValueError:
        raise UsageError(
            Message(
                "'%(text)s' is not a valid date and time; write it as 2026-03-27T18:00",
                text=text[:40],
            )
        ) from None
    if wall.year not in YEARS:
        raise UsageError(
            Message(
                "%(time)s: choose a year from %(first)s to %(last)s",
                time=text[:16].replace("T", " "),
                first=str(YEARS[0]),
                last=str(YEARS[-1]),
            )
        )
    moment = wall.replace(tzinfo=zone, fold=int(later)).astimezone(UTC)
    if moment.astimezone(zone).replace(tzinfo=None) != wall:
        raise UsageError(
            Message(
                "%(time)s does not exist in %(zone)s: the clocks go forward over it",
                time=text.replace("T", " "),
                zone=zone.key,
            )
        )
    return moment


def on_the_wall(moment: datetime, zone: ZoneInfo, *, seconds: bool = False) -> str:
    """The value of a browser's datetime field, on request with seconds."""
    return moment.astimezone(zone).strftime(f"{FORM}:%S" if seconds else FORM)


def wall_clock(moment: datetime, zone: str) -> str:
    """A moment as people write it, with its zone; in UTC too where that is another."""
    said = f"{moment.astimezone(zone_of(zone)):%Y-%m-%d %H:%M} {zone}"
    return said if zone == "UTC" else f"{said} ({moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC)"


def days_later(moment: datetime, days: int, zone: ZoneInfo) -> datetime:
    """The same time of day, so many days on: 23 or 25 hours on where the clocks change."""
    wall = moment.astimezone(zone)
    return (
        (wall.replace(tzinfo=None) + timedelta(days=days))
        .replace(tzinfo=zone, fold=wall.fold)
        .astimezone(UTC)
    )


def days_late(sent: datetime, due: datetime, zone: ZoneInfo) -> int:
    """Days begun after the due time; 0 when in time."""
    if sent <= due:
        return 0
    days = max(0, (sent - due).days - 1)
    while sent > days_later(due, days, zone):
        days += 1
    return days
