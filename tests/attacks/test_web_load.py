"""The resource attacks of `python -m tests.attacks.web_load`, each once, with bounds for a machine
that has other work.
"""

from collections.abc import Iterator

import pytest

from server.worker.room import Core
from tests.attacks import web_load as load
from tests.server.conftest import room  # noqa: F401 - a fixture

TIMES, LEAST, QUIET = 1, 4, 20
PAUSE_S = 0.3  # an attack that sleeps needs no hundred honest submissions beside it
FACTOR, LEAST_MS, PROMPT_MS = 10.0, 6000.0, 10_000.0
NAMES = [name for name in load.every_attack() if not name.startswith("source ")]
NAMES += [f"source {name}" for name in ("frame_flood", "header_lies", "giant_repr", "output_flood")]
NAMES += [
    f"source {a.name}"
    for a in load.attacks()
    if a.problem == load.SLUG and set(a.rows) & set(load.AROUND_THE_ROOM)
]


@pytest.fixture(scope="module")
def site(room: Core) -> Iterator[tuple[load.Attacker, load.Result]]:  # noqa: F811
    """A server process, and what the honest learner meets while it is quiet; where no room can be
    built, `room` skips.
    """
    with load.served() as found, load.Attacker(found) as attacker:
        yield attacker, load.warmed(found, QUIET)


@pytest.mark.parametrize("name", dict.fromkeys(NAMES))
def test_an_honest_learner_beside(site: tuple[load.Attacker, load.Result], name: str) -> None:
    attacker, quiet = site
    found = load.beside(attacker, name, TIMES, seconds=0, least=LEAST, pause_s=PAUSE_S)
    assert found.submissions >= LEAST
    assert "broke" not in found.attacker
    assert found.trouble(quiet, FACTOR, PROMPT_MS, LEAST_MS) == []


TROUBLE = [
    ("all well", {}, []),
    (
        "a wrong verdict",
        {"wrong": ("none instead of accepted",)},
        ["verdict none instead of accepted"],
    ),
    ("slow", {"p95": 51.0}, ["p95 51 ms is more than 5 times the quiet 10 ms"]),
    ("large", {"growth_mib": 201.0}, ["the server grew by 201 MiB"]),
    ("no sign of life", {"health": 1001.0}, ["/healthz took 1001 ms"]),
    ("lost", {"attacker": "{'judge_error': 1}"}, ["an attack ended in judge_error"]),
]


@pytest.mark.parametrize(
    ("changes", "trouble"), [row[1:] for row in TROUBLE], ids=[row[0] for row in TROUBLE]
)
def test_what_does_not_hold_is_said(changes: dict[str, object], trouble: list[str]) -> None:
    values = {
        "name": "n",
        "submissions": 20,
        "wrong": (),
        "p50": 9.0,
        "p95": 10.0,
        "health": 5.0,
        "growth_mib": 1.0,
        "attacker": "{}",
    }
    quiet = load.Result(**values)  # type: ignore[arg-type]
    assert load.Result(**{**values, **changes}).trouble(quiet) == trouble  # type: ignore[arg-type]
