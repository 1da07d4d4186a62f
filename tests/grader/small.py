"""A small problem on disk that is fit to use, so that a test can spoil one thing; and a sandbox
that runs nothing.
"""

import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from grader import storage
from grader.case import Case
from grader.model import Ended, Framework, Run
from grader.problem import Problem, load
from grader.sandbox import Job

TOML = """
title = "Scores"
track = "foundations"
difficulty = "easy"
frameworks = ["numpy"]
source = "Nobody 2020"

[entry.scores]
params = ["q", "k", "scale=1.0"]
returns = ["scores"]

[shapes]
q = "L D"
k = "S D"
scores = "L S"
"""
CASES = """
import numpy as np

from grader.case import Case


def draw(rng, *shape):
    return rng.standard_normal(shape).astype(np.float32)


def cases(rng):
    yield Case("two by three", inputs={"q": draw(rng, 2, 4), "k": draw(rng, 3, 4)}, sample=True, note="Small.")
    yield Case("five by seven", inputs={"q": draw(rng, 5, 6), "k": draw(rng, 7, 6)}, points=2, note="Any size.")
    yield Case("scaled", inputs={"q": draw(rng, 3, 2), "k": draw(rng, 5, 2)}, options={"scale": 0.5}, points=3, note="The option.")
"""
MISTAKES = """
[[mistake]]
name = "doubled"
hint = "Every score is too large."
numpy = { find = "q @ k.T", replace = "2 * q @ k.T" }

[[mistake]]
name = "no_scale"
hint = "What is the scale for?"
numpy = { find = " * scale", replace = "" }
"""
REFERENCE = (
    "import numpy as np\n\n\ndef scores(q, k, scale=1.0):\n    return (q @ k.T *"
    " scale).astype(q.dtype)\n"
)
STARTER = "import numpy as np\n\n\ndef scores(q, k, scale=1.0):\n    raise NotImplementedError\n"
STATEMENT = "# Scores\n\nReturn $QK^\\top$ times `scale`.\n\n[[sample: two by three]]\n"


def write(bank: Path, slug: str = "scores", **files: str) -> Path:
    """Write the problem into a bank; keywords replace whole files (toml, cases, mistakes, numpy,
    torch, starter_numpy, …).
    """
    folder, reference = bank / "problems" / slug, bank / "reference" / slug
    found = {
        folder / "problem.toml": files.pop("toml", TOML),
        folder / "cases.py": files.pop("cases", CASES),
        folder / "mistakes.toml": files.pop("mistakes", MISTAKES),
        folder / "statement.md": files.pop("statement", STATEMENT),
        reference / "numpy.py": files.pop("numpy", REFERENCE),
        folder / "starter_numpy.py": files.pop("starter_numpy", STARTER),
    }
    if "torch" in files:
        found[reference / "torch.py"] = files.pop("torch")
        found[folder / "starter_torch.py"] = files.pop("starter_torch", STARTER)
    for name in [name for name in files if name.startswith("driver_")]:
        found[folder / f"{name}.py"] = files.pop(name)
    for name in [name for name in files if name.startswith("right_")]:
        found[folder / "right" / f"{name.removeprefix('right_')}.py"] = files.pop(name)
    assert not files, f"no such file: {files}"
    for path in (folder, reference):
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir(parents=True)
    for path, text in found.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return bank


def problem(bank: Path, slug: str = "scores", **files: str) -> Problem:
    """The problem, written and read again."""
    return load(write(bank, slug, **files), slug)


Program = Callable[[Case], Run]


class FakeRoom:
    """A `Sandbox` in which a source is a key and a program a function of the case; it keeps what it
    was asked.
    """

    name = "fake"

    def __init__(
        self, cases: list[Case], programs: Mapping[str, Program], drawn: bool = False
    ) -> None:
        self.cases, self.programs, self.drawn = cases, dict(programs), drawn
        self.jobs: list[Job] = []
        self.generated: list[tuple[Framework, int]] = []

    def run(self, job: Job) -> Iterator[Run]:
        """What the source's program says of each case."""
        self.jobs.append(job)
        for case in job.cases:
            yield self.programs[job.source](case)

    def run_together(self, job: Job) -> Iterator[Run]:
        """The same."""
        return self.run(job)

    def generate(self, source: str, framework: Framework, seed: int) -> list[Case]:
        """The cases given; where they are `drawn`, twice as large for any seed but the public one."""
        self.generated.append((framework, seed))
        if not self.drawn or seed == storage.public_seed("scores"):
            return list(self.cases)
        return [
            replace(case, inputs={name: array * 2 for name, array in case.inputs.items()})
            for case in self.cases
        ]

    def survey(self, jobs: Iterable[Job]) -> Iterator[list[Run]]:
        """One job after another."""
        for job in jobs:
            yield list(self.run(job))

    def prepare(self, framework: Framework) -> None:
        """Nothing to get ready."""

    def close(self) -> None:
        """Nothing to end."""


def returned(name: str, **tensors: object) -> Run:
    """A call that returned plain arrays."""
    arrays = {key: np.asarray(value) for key, value in tensors.items()}
    return Run(name, Ended.RETURNED, arrays, {key: a.dtype.name for key, a in arrays.items()})
