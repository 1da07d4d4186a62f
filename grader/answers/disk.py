"""Keeps the answers of one draw on disk, for the next process."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from grader import cache, storage
from grader.answers.answer import Answer
from grader.case import Case
from grader.comparison.compare import Expected
from grader.engine import engine
from grader.model import Framework
from grader.problem import Problem


def path_of(problem: Problem, framework: Framework, draw: int) -> Path:
    """Returns the file in which one draw is kept."""
    version = f"{problem.digest[:12]}-{engine()}"
    name = f"{problem.slug}-{framework}-{version}-{draw:016x}.safetensors"
    return storage.cache_folder() / "answers" / name


def store(path: Path, answers: list[Answer]) -> None:
    """Writes the answers of one draw."""
    tensors: dict[str, np.ndarray] = {}
    meta = []
    for i, answer in enumerate(answers):
        tensors |= {f"{i}/{name}": a for name, a in answer.case.tensors().items()}
        tensors |= {f"{i}/expected.{name}": e.values for name, e in answer.expected.items()}
        kept = {
            name: {k: v for k, v in asdict(e).items() if k != "values"}
            for name, e in answer.expected.items()
        }
        meta.append({"case": answer.case.to_meta(), "expected": kept, "cpu_ms": answer.cpu_ms})
    cache.write(path, {"answers": json.dumps(meta)}, tensors)


def load(path: Path) -> list[Answer] | None:
    """Returns the answers of one draw; None where there is no whole file."""
    stored = cache.read(path)
    if stored is None:
        return None
    head, tensors = stored
    try:
        parts = _by_number(tensors)
        rows = json.loads(head["answers"])
        return [_answer(row, parts.get(i, {})) for i, row in enumerate(rows)]
    except (KeyError, ValueError, TypeError):
        return None


def _by_number(tensors: Mapping[str, np.ndarray]) -> dict[int, dict[str, np.ndarray]]:
    parts: dict[int, dict[str, np.ndarray]] = {}
    for key, tensor in tensors.items():
        number, _, name = key.partition("/")
        parts.setdefault(int(number), {})[name] = tensor
    return parts


def _answer(row: Mapping[str, Any], tensors: Mapping[str, np.ndarray]) -> Answer:
    given = {n: t for n, t in tensors.items() if not n.startswith("expected.")}
    expected = {
        name: Expected(tensors[f"expected.{name}"], **kept)
        for name, kept in row["expected"].items()
    }
    return Answer(Case.from_meta(row["case"], given), expected, row["cpu_ms"])
