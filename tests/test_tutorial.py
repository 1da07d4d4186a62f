"""docs/add-a-problem.md is run as it stands: its files written, its commands executed, its output
looked for; its server is a real one.
"""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(
    r"(?:^(File|Append to) `([^`]+)`:\n\n)?^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL
)
SHIPPED = "scaled_dot_product_attention"
PATIENCE_S = 90  # against hangs


def steps(text: str) -> list[tuple[str, str, str]]:
    """(action, file, body) of each fenced block, in order; the action of a console block is 'run'."""
    return [
        ("run" if language == "console" else action, file, body)
        for action, file, language, body in BLOCK.findall(text)
    ]


@pytest.fixture
def site(tmp_path: Path) -> Iterator[dict[str, str]]:
    """`make serve` on a free port, and an instructor's token: what the tutorial's reader exports.

    Its bank is one problem: with all of them it would compute samples, lessons and practice
    meanwhile, which the tutorial does not wait for.
    """
    pytest.importorskip(
        "flask", reason="the group `server` is not installed"
    ) if "CI" not in os.environ else None
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("JUDGE_", "FLASK_"))
    }
    for folder in ("problems", "reference"):
        shutil.copytree(ROOT / folder / SHIPPED, tmp_path / "shipped" / folder / SHIPPED)
    environment = kept | {
        "JUDGE_INSTANCE": str(tmp_path / "instance"),
        "JUDGE_BANK": str(tmp_path / "shipped"),
        "GRADE_HOME": str(tmp_path / "server-home"),
    }
    flask = [sys.executable, "-m", "flask", "--app", "server"]
    with (tmp_path / "server.log").open("w") as log:
        server = subprocess.Popen(
            [*flask, "serve", "-p", str(port)], cwd=ROOT, env=environment, stdout=log, stderr=log
        )
    try:
        until_it_answers(server, f"http://127.0.0.1:{port}/readyz", tmp_path / "server.log")
        add = [*flask, "users", "add", "terry", "--role", "instructor", "--token"]
        made = subprocess.run(
            add, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
        )
        yield {"SITE": f"http://127.0.0.1:{port}", "TOKEN": made.stdout.split()[-1]}
    finally:
        server.terminate()
        server.wait(timeout=60)


def until_it_answers(server: "subprocess.Popen[bytes]", address: str, log: Path) -> None:
    """Ready, or failed with what it wrote."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end and server.poll() is None:
        try:
            with urllib.request.urlopen(address, timeout=10) as answer:
                json.load(answer)
                return
        except OSError:
            time.sleep(0.2)
    raise AssertionError(log.read_text())


def test_tutorial_runs_as_written(tmp_path: Path, site: dict[str, str]) -> None:
    environment = {
        **os.environ,
        **site,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "GRADE_HOME": str(tmp_path / "home"),
    }
    environment |= {"GRADE_BANK": "my-bank", "COLUMNS": "300", "TERM": "dumb"}
    found = steps((ROOT / "docs" / "add-a-problem.md").read_text(encoding="utf-8"))
    assert sum(action == "run" for action, _, _ in found) >= 5
    for action, file, body in found:
        if action == "File":
            (tmp_path / file).write_text(body, encoding="utf-8")
        elif action == "Append to":
            with (tmp_path / file).open("a", encoding="utf-8") as opened:
                opened.write(body)
        else:
            run_console(body, tmp_path, environment)
    with urllib.request.urlopen(f"{site['SITE']}/problems/sigmoid_attention", timeout=30) as answer:
        assert "Sigmoid attention" in answer.read().decode()


def run_console(body: str, folder: Path, environment: dict[str, str]) -> None:
    """Each `$ command` must succeed, and the lines below it must appear in what it prints."""
    for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        command, *expected = part.rstrip().split("\n")
        done = subprocess.run(
            ["sh", "-c", command],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
        )
        printed = re.sub(r"\s+", " ", done.stdout + done.stderr)
        assert done.returncode == 0, f"{command}\n{printed}"
        for line in expected:
            assert re.sub(r"\s+", " ", line.strip()) in printed, f"{command}\n{line}\n{printed}"
