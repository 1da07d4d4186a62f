"""The compose file in each of its variants is well formed and gives nobody privileges; every alert
has a remedy.
"""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.scaled.stack import REPOSITORY

GVISOR = ["-f", "docker-compose.yml", "-f", "docker-compose.gvisor.yml"]
METRICS = ["--profile", "metrics"]
SERVICES = {"migrate", "web", "worker", "postgres", "redis"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout with its secrets made."""
    found = tmp_path_factory.mktemp("compose")
    for name in ("docker-compose.yml", "docker-compose.gvisor.yml"):
        shutil.copy(REPOSITORY / name, found)
    shutil.copytree(
        REPOSITORY / "docker", found / "docker", ignore=shutil.ignore_patterns("wheels")
    )
    subprocess.run(
        ["sh", str(REPOSITORY / "scripts" / "secrets.sh"), str(found / "secrets")], check=True
    )
    return found


def config(folder: Path, options: list[str]) -> str:
    program = shutil.which("docker-compose")
    if program is None:
        pytest.skip("docker-compose is not installed")
    done = subprocess.run([program, *options, "config"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("options", "runtime"),
    [([], 0), (GVISOR, 1), (METRICS, 0), (GVISOR + METRICS, 1)],
    ids=["as it is", "gVisor", "metrics", "gVisor and metrics"],
)
def test_well_formed_and_without_privileges(folder: Path, options: list[str], runtime: int) -> None:
    text = config(folder, options)
    services = set(
        re.findall(r"^  (\w+):$", text.split("services:")[1].split("\nvolumes:")[0], re.MULTILINE)
    )
    assert services >= SERVICES | ({"prometheus", "grafana"} if METRICS[1] in options else set())
    assert text.count("runtime: runsc") == runtime
    assert [
        word
        for word in ("privileged", "docker.sock", "network_mode", "pid: host", "SYS_ADMIN")
        if word in text
    ] == []
    assert text.count("no-new-privileges:true") == text.count("read_only: true") == len(services)


def test_secrets_are_kept(folder: Path) -> None:
    before = {path.name: path.read_bytes() for path in (folder / "secrets").iterdir()}
    assert len(before) == 6
    assert min(map(len, before.values())) >= 32
    subprocess.run(
        ["sh", str(REPOSITORY / "scripts" / "secrets.sh"), str(folder / "secrets")], check=True
    )
    assert {path.name: path.read_bytes() for path in (folder / "secrets").iterdir()} == before


def test_every_alert_has_a_remedy() -> None:
    rules = (REPOSITORY / "docker" / "prometheus" / "alerts.yml").read_text()
    page = (REPOSITORY / "docs" / "running.md").read_text()
    assert re.findall(r"alert: (\w+)", rules) == re.findall(
        r"^\| `([A-Z]\w+)` \|", page, re.MULTILINE
    )
