"""What you have solved on this machine: one small JSON file beside the installation's secret."""

import contextlib
import json
import os
import time
from typing import Any

from grader.model import Outcome, Verdict
from grader.storage import data_folder


def solved() -> dict[str, str]:
    """The best verdict so far by slug. An unreadable file counts as nothing solved."""
    return {
        str(slug): str(row.get("verdict")) for slug, row in _rows().items() if isinstance(row, dict)
    }


def _rows() -> dict[str, Any]:
    try:
        stored = json.loads((data_folder() / "progress.json").read_text())
    except (OSError, ValueError):
        return {}
    return stored if isinstance(stored, dict) else {}


def remember(verdict: Verdict) -> None:
    """Keep a verdict when it is better than what is known; a folder that cannot be written costs
    only the memory of it.
    """
    if verdict.verdict is Outcome.JUDGE_ERROR or solved().get(verdict.problem) == Outcome.ACCEPTED:
        return
    path = data_folder() / "progress.json"
    with contextlib.suppress(OSError):
        rows = _rows()
        rows[verdict.problem] = {
            "verdict": str(verdict.verdict),
            "framework": str(verdict.framework),
            "at": int(time.time()),
        }
        draft = path.with_name(f"progress.{os.getpid()}")
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.write_text(json.dumps(rows, indent=1))
        draft.replace(path)
