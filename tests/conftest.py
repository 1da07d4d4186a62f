"""What tests share: a home of their own for the whole run, one warm sandbox for each worker, and
skips that CI does not allow.
"""

import gc
import importlib.util
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

from grader import storage
from grader.engine import engine
from grader.errors import RoomError
from grader.frameworks import has
from grader.model import Framework
from grader.problem import Problem, load, slugs
from grader.sandbox import SandboxPool, open_sandbox
from tests import ROOT, frameworks, spread

SLUGS = slugs(ROOT)


def missing(reason: str) -> None:
    """Skip what a laptop may lack; in CI (the environment variable CI is set) that is a failure."""
    if os.environ.get("CI"):
        pytest.fail(f"missing in CI: {reason}", pytrace=False)
    pytest.skip(reason)


def pytest_configure(config: pytest.Config) -> None:
    """Names of our own for tests, and Ctrl-C for the programs that they start: `nohup make test &`
    begins with SIGINT ignored, and every child would inherit that.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # how long an example takes is the machine's affair
    hypothesis.settings.register_profile("untimed", deadline=None)
    hypothesis.settings.load_profile("untimed")
    config.addinivalue_line(
        "markers",
        "solution(kind): a right or a wrong solution of the bank; the summary counts them",
    )
    config.addinivalue_line("markers", "quick: added where a test starts nothing (tests/spread.py)")
    config.addinivalue_line("markers", "torch: needs PyTorch (tests/frameworks.py)")
    config.addinivalue_line("markers", "slow: starts something by itself, or computes for seconds")


@pytest.fixture(scope="session", autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Iterator[Path]:
    """GRADE_HOME for this run: all workers share it, so that an answer is computed once and nothing
    of the user's is touched. Its secret is always the same, so a test that fails fails again;
    other draws of hidden inputs are for `grade verify --seeds`.
    """
    base = tmp_path_factory.getbasetemp()
    found = (base if worker_id == "master" else base.parent) / "grade-home"
    found.mkdir(exist_ok=True)
    draft = found / f"secret.{worker_id}"
    draft.write_bytes(bytes(range(storage.LENGTH)))
    draft.replace(found / "secret")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRADE_HOME", str(found))
        patch.delenv("GRADE_BANK", raising=False)
        patch.setenv("GRADE_KEEP", "never")  # no test leaves a process behind; some ask for one
        patch.setattr(storage, "_SECRET", None)
        yield found


@pytest.fixture(scope="session")
def sandbox(home: Path) -> Iterator[SandboxPool]:
    """A warm sealed sandbox; tests that harm a room take one of their own."""
    with open_sandbox() as rooms:
        try:
            rooms.room(Framework.NUMPY)
        except RoomError as error:
            missing(str(error))
        yield rooms


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """What a command was last asked to speak would be the next test's language in this process."""
    yield
    if "grader.cli.language" in sys.modules:
        sys.modules["grader.cli.language"].choose("en")


@pytest.fixture
def numpy_alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As where PyTorch is not installed: nothing finds the package."""
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util,
        "find_spec",
        lambda name, *rest: None if name == "torch" else find(name, *rest),
    )
    has.cache_clear()
    engine.cache_clear()
    yield
    monkeypatch.undo()
    has.cache_clear()
    engine.cache_clear()


@pytest.fixture(scope="session")
def attention() -> Problem:
    """The problem that speed is measured with: two frameworks, many mistakes, no cost."""
    return load(ROOT, "scaled_dot_product_attention")


# ------------------------------------------------------------------------------------- the counts
# that a run of the tests ends with


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> spread.Groups:
    """The queue of `make test`, whatever --dist says."""
    config.option.loadscopereorder = False
    return spread.Groups(config, log)  # type: ignore[arg-type]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Find the quick tests, order all for several workers, and let the marker travel with the
    report from there.
    """
    frameworks.skip_missing(items)
    for item in items:
        if spread.is_quick(item):
            item.add_marker("quick")
    if hasattr(config, "workerinput"):
        items[:] = spread.in_order(items)
    for item in items:
        for mark in item.iter_markers("solution"):
            item.user_properties.append(("solution", mark.args[0]))


def pytest_collection_finish() -> None:
    """What was imported and collected stays: the collector need not look through it again."""
    gc.collect()
    gc.freeze()


def _properties(report: object) -> list[tuple[str, object]]:
    return getattr(report, "user_properties", [])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """`right solutions accepted: N of N; wrong solutions refused: M of M`."""
    counts = {"right": [0, 0], "wrong": [0, 0]}
    for outcome in ("passed", "failed", "error"):
        for report in terminalreporter.stats.get(outcome, []):
            kind = dict(getattr(report, "user_properties", ())).get("solution")
            if kind in counts and (report.when == "call" or outcome == "error"):
                counts[kind][0] += outcome == "passed"
                counts[kind][1] += 1
    broken = [
        value
        for reports in terminalreporter.stats.values()
        for r in reports
        for name, value in _properties(r)
        if name == "chaos"
    ]
    for line in dict.fromkeys(broken):
        terminalreporter.write_line(line)
    if any(total for _, total in counts.values()):
        (accepted, right), (refused, wrong) = counts["right"], counts["wrong"]
        terminalreporter.write_line(
            f"right solutions accepted: {accepted} of {right}; wrong solutions refused: {refused}"
            f" of {wrong}"
        )
