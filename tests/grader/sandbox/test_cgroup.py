"""The second wall: a control group for each room where the machine offers one, and no difference
where it does not.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from grader.model import Framework, Outcome
from grader.problem import Problem
from grader.sandbox import cgroup, open_sandbox
from tests.attacks.matrix import honest, zygote_of
from tests.conftest import missing


@pytest.fixture
def offered() -> dict[str, Path]:
    found = cgroup.offered()
    if not found:
        pytest.skip("no control group is delegated to this process")
    return found


def groups(offered: dict[str, Path]) -> list[Path]:
    return [
        folder
        for parent in set(offered.values())
        for folder in parent.glob(f"{cgroup.PREFIX}{os.getpid()}-*")
    ]


@pytest.mark.slow
def test_a_room_is_in_a_group_of_its_own_until_it_is_closed(
    offered: dict[str, Path], attention: Problem, home: Path
) -> None:
    before = groups(offered)
    with open_sandbox() as rooms:
        assert honest(attention, Framework.NUMPY, rooms) is Outcome.ACCEPTED
        made = set(groups(offered)) - set(before)
        pids = {
            int(pid) for folder in made for pid in (folder / "cgroup.procs").read_text().split()
        }
        limits = {
            (folder / "pids.max").read_text().strip()
            for folder in made
            if (folder / "pids.max").exists()
        }
        assert zygote_of(rooms, Framework.NUMPY) in pids
        assert limits == {str(cgroup.PROCESSES)}
    assert groups(offered) == before


def test_a_group_of_a_dead_judge_is_removed(offered: dict[str, Path]) -> None:
    parent = offered["pids"]
    left = parent / f"{cgroup.PREFIX}999999999-numpy-1"
    left.mkdir()
    with subprocess.Popen(["sleep", "60"]) as process:
        group = cgroup.enclose(process.pid, "short")
        process.kill()
    assert group is not None
    group.close()
    assert not left.exists()
    assert not any(folder.exists() for folder in group.folders)


def test_a_process_that_is_gone_leaves_an_empty_group(offered: dict[str, Path]) -> None:
    before = groups(offered)
    group = cgroup.enclose(999_999_999, "gone")
    assert group is not None and group.pids() == set()
    group.close()
    assert groups(offered) == before


def test_all_that_a_process_started_is_in_its_group(offered: dict[str, Path]) -> None:
    """Also what it starts while it is moved."""
    script = "import os; os.fork(); os.fork(); print(flush=True); os.read(0, 1)"
    argv = [sys.executable, "-c", script]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        group = cgroup.enclose(process.pid, "family")
        assert group is not None and process.stdout is not None
        for _ in range(4):
            process.stdout.readline()
        group.take(process.pid)
        assert group.pids() == set(cgroup.tree(process.pid))
        assert len(group.pids()) == 4
        process.kill()
    group.close()
    assert not any(folder.exists() for folder in group.folders)


@pytest.mark.parametrize(
    ("table", "enabled", "expected"),
    [
        ("0::/user/app\n", "cpu memory pids\n", {"memory": "user/app", "pids": "user/app"}),
        ("0::/user/app\n", "cpu memory\n", {}),
        ("0::/user/app\n", "", {}),
        ("0::/elsewhere\n", "memory pids\n", {}),
        ("8:pids:/a\n4:memory:/b\n0::/\n", "", {"pids": "pids/a", "memory": "memory/b"}),
        ("8:pids:/a\n", "", {}),
        ("9:cpu,pids:/a\n4:memory:/b\n", "", {"pids": "pids/a", "memory": "memory/b"}),
        ("", "", {}),
    ],
    ids="v2 v2_partly v2_none v2_elsewhere v1 v1_partly v1_together nothing".split(),
)
def test_what_the_kernel_offers(
    table: str,
    enabled: str,
    expected: dict[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "user/app").mkdir(parents=True)
    (tmp_path / "user/app/cgroup.subtree_control").write_text(enabled)
    for folder in ("pids/a", "memory/b"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "cgroup.procs").write_text("")
    (tmp_path / "table").write_text(table)
    monkeypatch.setattr(cgroup, "ROOT", tmp_path)
    monkeypatch.setattr(cgroup, "OWN", tmp_path / "table")
    assert cgroup.offered() == {name: tmp_path / folder for name, folder in expected.items()}


def test_without_a_group_a_room_judges_as_ever(
    attention: Problem, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cgroup, "OWN", Path("/nowhere"))
    assert cgroup.offered() == {}
    with open_sandbox() as rooms:
        try:
            rooms.room(Framework.NUMPY)
        except Exception as error:
            missing(str(error))
        assert honest(attention, Framework.NUMPY, rooms) is Outcome.ACCEPTED
