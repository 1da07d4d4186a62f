"""Carries out `grade assemble`: judges the files, compares the model with the reference, writes."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import click
import numpy as np

from grader import problem as bank_module
from grader.capstone import check
from grader.capstone.parts import SLUGS, Part, parts
from grader.capstone.weights import HEADS, LAYERS
from grader.capstone.writing import Prompt, Writer, check_prompt, writer
from grader.cli.assemble import showing
from grader.cli.assemble.files import Judged, find, judge_files
from grader.cli.language import chosen
from grader.cli.terminal import ACCEPTED, NOT_ACCEPTED, console
from grader.errors import UsageError
from grader.findings.text import T_
from grader.frameworks import INSTALL, has
from grader.model import Framework
from grader.sandbox import SandboxPool, open_sandbox
from grader.verdict.translate import translator


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody asks of the command. `one_map` is (layer, head), counted from 0."""

    prompt: Prompt | None
    maps: bool = False
    one_map: tuple[int, int] | None = None
    as_json: bool = False


@dataclass(frozen=True, slots=True)
class Assembled:
    """What came of it."""

    model: tuple[Part, ...]
    judged: Mapping[str, Judged]
    compared: tuple[check.Comparison, ...] = ()
    text: str = ""
    maps: Sequence[np.ndarray] = field(default_factory=tuple)

    @property
    def status(self) -> int:
        """Is every given file used, and every character the reference's?"""
        used = all(each.accepted for each in self.judged.values())
        same = all(each.right for each in self.compared)
        return ACCEPTED if used and same else NOT_ACCEPTED


def read_map(text: str | None) -> tuple[int, int] | None:
    """Returns the layer and head of LAYER.HEAD, counted from 0. Raises `UsageError`."""
    if text is None:
        return None
    layer, _sign, head = text.partition(".")
    if layer.isdecimal() and head.isdecimal():
        place = int(layer) - 1, int(head) - 1
        if 0 <= place[0] < len(LAYERS) and 0 <= place[1] < HEADS:
            return place
    words = T_(
        "'%(text)s' is not a valid map; write LAYER.HEAD, from 1.1 to %(last)s",
        text=text,
        last=f"{len(LAYERS)}.{HEADS}",
    )
    raise UsageError(words)


def run(folder: Path | None, named: Sequence[str], wish: Wish, bank: Path, isolation: str) -> int:
    """Carries out the command. Returns the exit status. Raises `GradeError`."""
    if wish.prompt is None and (wish.maps or wish.one_map is not None):
        raise UsageError(T_("a map needs a text to read: --prompt TEXT"))
    files = find(folder, named)
    problems = {slug: bank_module.load(bank, slug) for slug in SLUGS}
    if wish.prompt is not None:
        check_prompt(wish.prompt)
    _check_installed()
    with open_sandbox(isolation) as sandbox:
        sandbox.warm(Framework.TORCH)
        judged = judge_files(files, problems, sandbox)
        used = {slug: each.submission for slug, each in judged.items() if each.accepted}
        assembled = Assembled(parts(problems, used), judged)
        return Session(sandbox, assembled, wish).run()


def _check_installed() -> None:
    if not has(Framework.TORCH):
        words = T_(
            "the model runs in PyTorch, which is not installed here; install it: %(command)s",
            command=INSTALL,
        )
        raise UsageError(words)


class Session:
    """One model at a terminal, or for a program that reads JSON."""

    def __init__(self, sandbox: SandboxPool, assembled: Assembled, wish: Wish) -> None:
        self._sandbox, self._assembled, self._wish = sandbox, assembled, wish
        self._out = console()

    def run(self) -> int:
        """Shows the parts, compares, and writes. Returns the exit status."""
        assembled = self._assembled
        if not self._wish.as_json:
            showing.parts(assembled.model, assembled.judged, self._out)
        problems = {part.problem.slug: part.problem for part in assembled.model}
        due = check.expected(problems, self._sandbox)
        with writer(assembled.model, self._sandbox) as model:
            compared = check.compare(model, due)
            if not self._wish.as_json:
                showing.compared(compared, self._out)
            text, maps = self._written(model)
        assembled = Assembled(assembled.model, assembled.judged, compared, text, maps)
        if self._wish.as_json:
            click.echo(json.dumps(self._json(assembled), ensure_ascii=False))
        return assembled.status

    def _written(self, model: Writer) -> tuple[str, Sequence[np.ndarray]]:
        prompt = self._wish.prompt
        if prompt is None:
            return "", ()
        wanted = self._wish.maps or self._wish.one_map is not None or self._wish.as_json
        maps = model.maps(prompt.text) if wanted else ()
        if self._wish.as_json:
            return "".join(model.write(prompt)), maps
        if self._wish.maps:
            showing.looks(prompt.text, maps, self._out)
        if self._wish.one_map is not None:
            layer, head = self._wish.one_map
            showing.whole_map(prompt.text, maps[layer][head], self._out)
        return self._live(model, prompt), maps

    def _live(self, model: Writer, prompt: Prompt) -> str:
        """Prints each character as soon as it is written."""
        click.echo()
        click.echo(click.style(prompt.text, bold=True), nl=False)
        text = ""
        for character in model.write(prompt):
            text += character
            click.echo(character, nl=False)
        click.echo()
        return text

    def _json(self, assembled: Assembled) -> dict[str, Any]:
        return {
            "parts": [self._part(part) for part in assembled.model],
            "own": sum(part.own for part in assembled.model),
            "compared": [{**asdict(c), "right": c.right} for c in assembled.compared],
            "prompt": self._wish.prompt and asdict(self._wish.prompt),
            "text": assembled.text,
            "maps": [np.round(layer.astype(float), 4).tolist() for layer in assembled.maps],
        }

    def _part(self, part: Part) -> dict[str, Any]:
        judged = self._assembled.judged.get(part.problem.slug)
        words = translator(part.problem, chosen())
        told = judged.verdict if judged else None
        return {
            "part": part.problem.slug,
            "own": part.own,
            "digest": part.digest,
            "file": str(judged.file) if judged else None,
            "verdict": str(told.verdict) if told else None,
            "message": words.of(told) if told else None,
            "hints": [words.hint(d.mistake, d.hint) for d in told.diagnoses] if told else [],
        }
