"""What the worker does with the model, in the real room."""

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from grader.capstone.parts import SLUGS
from grader.capstone.weights import FILE, HEADS, LAYERS
from grader.findings.catalogue import catalogue
from grader.findings.text import read_text, said
from grader.model import Framework, Submission
from grader.problem import Problem, load
from grader.sandbox import SandboxPool
from server.worker.model import run_model
from server.worker.room import Core
from tests.bank.test_solutions import RIGHT, framework
from tests.server.conftest import REPOSITORY, Browser, MakeApp

PROMPT = {"text": "A mask", "count": 30, "temperature": 0.0, "seed": 0}
WRITE = {"kind": "model", "prompt": PROMPT, "name": "", "parts": {}}


@pytest.fixture(scope="module")
def problems() -> Mapping[str, Problem]:
    return {slug: load(REPOSITORY, slug) for slug in SLUGS}


def right(slug: str) -> Path:
    return next(path for path in RIGHT if path.parent.name == slug)


def own(*slugs: str) -> dict[str, Submission]:
    return {s: Submission(framework(right(s)), right(s).read_text()) for s in slugs}


@pytest.mark.torch
def test_it_writes_and_tells_where_it_looks(
    problems: Mapping[str, Problem], sandbox: SandboxPool
) -> None:
    texts: list[str] = []
    found = run_model(problems, own("rms_norm"), WRITE, sandbox, texts.append)["result"]
    assert [len(text) for text in texts] == list(range(1, 31))
    assert found["text"] == texts[-1]
    assert {p["part"] for p in found["parts"] if p["own"]} == {"rms_norm"}
    assert [len(layer) for layer in found["maps"]] == [HEADS] * len(LAYERS)
    for head in (head for layer in found["maps"] for head in layer):
        assert [len(row) for row in head] == list(range(1, 8))
        assert all(97 <= sum(row) <= 103 for row in head)


@pytest.mark.torch
def test_it_is_compared_for_a_certificate(
    problems: Mapping[str, Problem], sandbox: SandboxPool
) -> None:
    wanted = {**WRITE, "name": "Lea"}
    found = run_model(problems, own(*SLUGS), wanted, sandbox, lambda text: None)["result"]
    assert found["right"] and len(found["compared"]) == 4
    assert all(part["own"] for part in found["parts"])
    wrong = Submission(Framework.NUMPY, "def apply_rope(x, positions, base=1.0):\n    return x\n")
    mine = {**own(*SLUGS), "rotary_embedding": wrong}
    found = run_model(problems, mine, wanted, sandbox, lambda text: None)["result"]
    assert not found["right"]


@pytest.mark.torch
def test_what_fails_is_a_text_in_any_language(
    problems: Mapping[str, Problem], sandbox: SandboxPool
) -> None:
    mine = {"rms_norm": Submission(Framework.NUMPY, "def rms_norm(x, gain, eps):\n    1 / 0\n")}
    found = run_model(problems, mine, WRITE, sandbox, lambda text: None)
    assert found["part"] == "rms_norm"
    text = read_text(found["error"])
    told = "it raised ZeroDivisionError: division by zero (line 2)"
    assert said(text, catalogue("en")) == f"your part 'rms_norm' failed in the model: {told}"
    assert "你的部件" in said(text, catalogue("zh"))


@pytest.mark.slow
def test_the_whole_way_in_the_real_room(make_app: MakeApp, room: Core, tmp_path: Path) -> None:
    """Eight submissions are judged, the model writes and is compared, and the certificate is there."""
    for part in ("problems", "reference"):
        for slug in SLUGS:
            shutil.copytree(REPOSITORY / part / slug, tmp_path / "eight" / part / slug)
    browser = Browser(make_app(room, bank=str(tmp_path / "eight"))).sign_up("lea")
    for slug in SLUGS:
        browser.get(f"/problems/{slug}")
        source = right(slug).read_text()
        browser.judged(source, slug, framework=str(framework(right(slug))))
    page: Any = browser.get("/model").text
    assert page.count('data-own="yes"') == len(SLUGS)
    answer = browser.post("/model/certificate", {"name": "Lea"})
    page = browser.get(answer.location.partition("?")[0] + "?wait=60").text
    assert "Your model writes what the reference writes" in page
    assert page.count("96 of 96 characters are the same") == 4
    assert FILE.is_file() and "/certificates/" in page
