"""What an instructor writes can be hostile too: it runs in the room only, within bounds, and its
words are text.
"""

import os
from pathlib import Path
from typing import Any

import pytest

from grader.errors import ProblemError
from grader.sandbox import Sandbox
from server.models.accounts import Role
from server.services.problems import files, verification_report
from server.services.problems.limited_sandbox import Guard
from server.worker.threads import Core
from tests.server.conftest import Browser
from tests.server.instructors import FIT, SLUG, send_zip

MARK = Path("/tmp/hostile-problem-was-here")
HEAD = FIT["problems/cases.py"]
FIRST = HEAD.index("def cases(rng):\n") + len("def cases(rng):\n")


def cases(line: str) -> dict[str, str]:
    """The problem with a line at the beginning of its cases()."""
    return {**FIT, "problems/cases.py": HEAD[:FIRST] + f"    {line}\n" + HEAD[FIRST:]}


def reference(line: str) -> dict[str, str]:
    """The problem with a line before its solution."""
    return {**FIT, "reference/numpy.py": f"{line}\n" + FIT["reference/numpy.py"]}


# the words that verify says; None: nothing happens, and it is fit
HOSTILE: list[tuple[str, dict[str, str], str | None]] = [
    ("cases write a file", cases(f"open('{MARK}', 'w').write('x')"), ""),
    ("cases run a program", cases(f"import os; os.system('touch {MARK}')"), None),
    (
        "cases read an environment",
        cases("import os; raise ValueError('seen ' + os.environ['JUDGE_SECRET_KEY'])"),
        "KeyError",
    ),
    (
        "cases read the host",
        cases("raise ValueError(open('/etc/passwd').read())"),
        "FileNotFoundError",
    ),
    ("cases call out", cases("import socket; socket.create_connection(('127.0.0.1', 80))"), ""),
    ("cases end the process", cases("import os; os._exit(0)"), "ended with"),
    ("cases without end", cases("yield from (Case(str(i), note='x') for i in range(10**9))"), ""),
    (
        "a case asks for the machine",
        cases("yield Case('a', inputs=qkv(rng, 2, 3, 4, 5), note='x', memory_mib=10**5)"),
        "give 1 to 2048",
    ),
    ("cases import the server", cases("import server"), "No module named"),
    ("reference writes a file", reference(f"open('{MARK}', 'w').write('x')"), ""),
    ("reference forks", reference("import os\nos.fork()"), ""),
    (
        "reference reads a secret",
        reference("import os\nraise ValueError(os.environ['JUDGE_SECRET_KEY'])"),
        "KeyError",
    ),
]


@pytest.mark.parametrize(
    ("content", "words"), [row[1:] for row in HOSTILE], ids=[row[0] for row in HOSTILE]
)
def test_it_does_no_harm(
    room: Core, monkeypatch: pytest.MonkeyPatch, content: dict[str, str], words: str | None
) -> None:
    monkeypatch.setenv("JUDGE_SECRET_KEY", "the key of the site")
    MARK.unlink(missing_ok=True)
    report = verification_report.examine(
        {path: text.encode() for path, text in content.items()},
        SLUG,
        room.open_room(),
        0,
        lambda step, steps: None,
    )
    told = str(report["findings"])
    assert bool(report["findings"]) == (words is not None)
    assert (words or "") in told
    assert "the key of the site" not in told
    assert "root:" not in told
    assert str(Path(os.getcwd())) not in told
    assert not MARK.exists()
    good = verification_report.examine(
        {path: text.encode() for path, text in FIT.items()},
        SLUG,
        room.open_room(),
        0,
        lambda step, steps: None,
    )
    assert good["findings"] == []


def test_time_is_bounded_all_together(room: Core) -> None:
    problem = files.read({path: text.encode() for path, text in FIT.items()}, SLUG)
    guarded: Sandbox = Guard(room.open_room(), seconds=-1.0)
    with pytest.raises(ProblemError, match="took longer than"):
        guarded.generate(problem.cases, problem.frameworks[0], 0)


def test_words_of_a_problem_are_text(app: Any) -> None:
    from tests.server.conftest import user_of

    teacher: Browser = user_of(app, "terry", Role.INSTRUCTOR)
    evil = "<script>alert(1)</script>"
    toml = FIT["problems/problem.toml"].replace("Sigmoid attention", evil)
    draft = send_zip(
        teacher,
        {**FIT, "problems/problem.toml": toml, "problems/statement.md": f"# {evil}\n\n{evil}\n"},
    )
    for path in ("problems/problem.toml", "problems/statement.md"):
        assert evil not in teacher.get(f"/teach/drafts/{draft}?file={path}").text
