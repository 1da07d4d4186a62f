"""docs/add-a-problem.md is run as it stands: its files are written, its commands executed, its output looked for."""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"(?:^(File|Append to) `([^`]+)`:\n\n)?^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def steps(text: str) -> list[tuple[str, str, str]]:
    """(action, file, body) of each fenced block, in order; the action of a console block is 'run'."""
    return [("run" if language == "console" else action, file, body) for action, file, language, body in BLOCK.findall(text)]


def test_tutorial_runs_as_written(tmp_path: Path) -> None:
    environment = {
        **os.environ,
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


def run_console(body: str, folder: Path, environment: dict[str, str]) -> None:
    """Each `$ command` must succeed, and the lines below it must appear in what it prints."""
    for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        command, *expected = part.rstrip().split("\n")
        done = subprocess.run(["sh", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
        printed = re.sub(r"\s+", " ", done.stdout + done.stderr)
        assert done.returncode == 0, f"{command}\n{printed}"
        for line in expected:
            assert re.sub(r"\s+", " ", line.strip()) in printed, f"{command}\n{line}\n{printed}"
