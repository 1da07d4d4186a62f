"""The page of the model: whose its parts are, what it writes while it writes, where it looks; and
certificates.
"""

import re
import shutil
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from grader.capstone.parts import SLUGS
from grader.findings.text import T_, text_json
from server.models.capstone import Certificate
from server.models.courses import Feedback
from server.models.submissions import Submission
from server.worker.room import Core
from tests.server.conftest import (
    BAD,
    GOOD,
    REPOSITORY,
    Browser,
    FakeRoom,
    MakeApp,
    fake_answers,
    fake_explore,
    fake_judge,
)
from tests.server.web.test_chinese_pages import english_of
from tests.server.web.test_courses import Class

HALF = " twice"
TEXT = " twice the input."


class FakeModel:
    """Stands in for the room: writes half of its text, waits, and writes the rest."""

    def __init__(self) -> None:
        self.go_on = threading.Event()
        self.asked: list[Mapping[str, Any]] = []
        self.sources: list[dict[str, str]] = []
        self.right = True

    def __call__(
        self,
        problems: Any,
        own: Mapping[str, Any],
        wanted: Mapping[str, Any],
        sandbox: Any,
        on_text: Callable[[str], None],
    ) -> dict[str, Any]:
        """As `server.worker.model.run_model`."""
        self.asked.append(wanted)
        self.sources.append({slug: each.source for slug, each in own.items()})
        about = {"framework": "torch", "digest": "0" * 64, "problem": "1"}
        parts = [{"part": slug, "own": slug in own, **about} for slug in SLUGS]
        if wanted["name"]:
            compared = [{"prompt": "A ", "same": 96 if self.right else 3, "count": 96}]
            return {
                "result": {
                    "parts": parts,
                    "compared": compared,
                    "right": self.right,
                    "weights": "f" * 64,
                }
            }
        prompt = wanted["prompt"]["text"]
        if prompt == "fails":
            wrong = T_(
                "the part '%(part)s' failed: %(cause)s",
                part="sampling",
                cause=T_("it took longer than %(seconds)d s", seconds=10),
            )
            return {"error": text_json(wrong), "part": "sampling"}
        if prompt == "slow":
            on_text.written = 0.0  # type: ignore[attr-defined]
            on_text(HALF)
            assert self.go_on.wait(20)
        size = len(prompt) + 1
        maps = [[[[100 if i == j else 0 for j in range(i + 1)] for i in range(size)]] * 4] * 4
        return {"result": {"text": TEXT, "parts": parts, "maps": maps}}


@pytest.fixture
def model() -> FakeModel:
    return FakeModel()


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    """The problems of the eight parts."""
    for part in ("problems", "reference"):
        for slug in SLUGS:
            shutil.copytree(REPOSITORY / part / slug, tmp_path / "bank" / part / slug)
    return tmp_path / "bank"


@pytest.fixture
def app(make_app: MakeApp, model: FakeModel) -> Iterator[Any]:
    core = Core(FakeRoom, fake_judge, fake_answers, fake_explore, run_model=model)  # type: ignore[arg-type]
    yield make_app(core)
    model.go_on.set()


def solve(browser: Browser, *slugs: str) -> None:
    """Send what the fake judge accepts."""
    for slug in slugs:
        browser.get(f"/problems/{slug}")
        browser.judged(f"{GOOD}# {slug}\n", slug, framework="torch")


def begin(browser: Browser, prompt: str, **fields: Any) -> str:
    """Send a prompt; the path of the run."""
    browser.get("/model")
    answer = browser.post("/model", {"prompt": prompt, **fields})
    assert answer.status_code == 303, answer.text
    return re.sub(r"[?#].*", "", answer.location)


def done(browser: Browser, path: str) -> str:
    """Wait for the end of a run; its page."""
    return browser.get(f"{path}?wait=20").text


def certified(browser: Browser, name: str = "Lea Lee") -> str:
    browser.get("/model")
    answer = browser.post("/model/certificate", {"name": name})
    assert answer.status_code == 303, answer.text
    return done(browser, re.sub(r"[?#].*", "", answer.location))


def link_of(page: str) -> str:
    return re.findall(r'href="(/certificates/[\w-]+)"', page)[0]


def test_parts_are_ones_own_once_they_are_accepted(learner: Browser, model: FakeModel) -> None:
    page = learner.get("/model").text
    assert page.count('data-own="no"') == len(SLUGS)
    solve(learner, "rms_norm", "sampling")
    learner.judged(f"{BAD}# later\n", "sampling", framework="torch")
    page = learner.get("/model").text
    own = re.findall(r'data-part="(\w+)" data-own="yes"', page)
    assert sorted(own) == ["rms_norm", "sampling"]
    assert "<strong>2</strong> of 8 parts are yours" in page
    assert "2 of 8 parts are yours" in learner.get("/").text


def test_a_part_meets_no_solution_that_its_author_may_not_read(
    learner: Browser, model: FakeModel
) -> None:
    own, others = SLUGS[:2], SLUGS[2:]
    solve(learner, *own)
    for slug in others:
        done(learner, begin(learner, "A mask"))
        assert model.sources[-1] == {}
        assert "Your parts wait for the others" in learner.get("/model").text
        assert learner.post(f"/problems/{slug}/give-up").status_code == 303
    done(learner, begin(learner, "A mask"))
    assert model.sources[-1] == {s: f"{GOOD}# {s}\n" for s in own}
    assert "Your parts wait" not in learner.get("/model").text


def test_nobody_uses_the_parts_of_another(app: Any, learner: Browser, model: FakeModel) -> None:
    solve(learner, "rms_norm")
    other = Browser(app).sign_up("bob")
    done(other, begin(other, "A mask"))
    assert model.sources[-1] == {}
    run = begin(learner, "A mask")
    assert other.get(run).status_code == other.get(f"{run}/live").status_code == 404


def test_text_is_there_while_it_is_written(learner: Browser, model: FakeModel) -> None:
    path = begin(learner, "slow", temperature="0.5", count="40", seed="7")
    live: dict[str, Any] = {"html": ""}
    while HALF not in live["html"]:
        live = learner.get(f"{path}/live?wait=1").json
    assert live["state"] == "running" and TEXT not in live["html"]
    page = learner.get(path).text
    assert 'http-equiv="refresh"' in page, "without a script the page loads itself again"
    assert 'value="slow"' in page and 'value="40"' in page and 'value="7"' in page
    assert '<option value="0.5" selected>' in page
    model.go_on.set()
    page = done(learner, path)
    assert f"<b>slow</b>{TEXT}" in page and 'http-equiv="refresh"' not in page
    assert model.asked[-1]["prompt"] == {"text": "slow", "count": 40, "temperature": 0.5, "seed": 7}


def test_a_map_for_each_head_of_a_layer(learner: Browser) -> None:
    path = begin(learner, "A <b>")
    page = done(learner, f"{path}")
    assert page.count('<svg class="attention-map"') == 4
    assert "a layer of small parts, with rotary positions</p>" in page
    assert (
        '<tr><th scope="row" translate="no">¶ (0)</th><td translate="no">¶ (0): 100 %</td></tr>'
        in page
    )
    assert "&lt; (3): 100 %" in page and "A <b>" not in page
    other = learner.get(f"{path}?layer=4").text
    assert "attention with the cache</p>" in other
    assert learner.get(f"{path}?layer=99").status_code == 200


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"prompt": "≤ 1"}, "the model does not know the character &#39;≤&#39;"),
        ({"prompt": "a" * 65}, "the prompt is longer than 64 characters"),
        ({"prompt": "a", "count": "501"}, "the model writes from 1 to 500 characters"),
        ({"prompt": "a", "temperature": "9"}, "the temperature is a number from 0 to 2"),
        ({"prompt": "a", "temperature": "warm"}, "the temperature and the seed are numbers"),
        ({"prompt": "a", "seed": "-1"}, "The seed is a whole number from 0 on"),
    ],
)
def test_what_cannot_be_written_is_told_and_kept(
    learner: Browser, model: FakeModel, fields: dict[str, str], told: str
) -> None:
    learner.get("/model")
    answer = learner.post("/model", fields)
    assert answer.status_code == 422
    assert told in answer.text
    assert f'name="prompt" value="{fields["prompt"]}"' in answer.text
    assert model.asked == []


def test_a_part_that_fails_is_named_in_the_readers_language(learner: Browser) -> None:
    path = begin(learner, "fails")
    page = done(learner, path)
    assert "the part &#39;sampling&#39; failed: it took longer than 10 s" in page
    assert 'href="/problems/sampling">To the problem</a>' in page
    learner.get("/language/zh")
    assert "用时超过 10 秒" in learner.get(path).text


def test_no_english_is_left_in_chinese(learner: Browser) -> None:
    solve(learner, *SLUGS)
    learner.client.set_cookie("language", "zh")
    link = link_of(certified(learner, "李"))
    kept = {"softmax", "transformer", "NumPy", "PyTorch", "RMS", "SHA", "Attention", "hand"}
    for path in ("/model", begin(learner, "A"), link):
        shown = re.sub(r'<(b|q|svg)\b.*?</\1>|value="[^"]*"|[0f]{64}', " ", done(learner, path))
        shown = shown.replace(TEXT, "").replace("localhost", "")
        assert set(english_of(shown)) - kept == set(), path


def test_a_run_is_no_program_of_the_learner(learner: Browser) -> None:
    number = begin(learner, "A mask of words").rsplit("/", 1)[1]
    done(learner, f"/model/runs/{number}")
    assert "A mask of words" not in learner.get("/problems/sampling?framework=torch").text
    assert learner.get(f"/explorations/{number}").status_code == 404
    assert "A mask" not in learner.get("/problems/sampling/submissions").text


def test_a_certificate_is_public_until_it_is_withdrawn(
    app: Any, learner: Browser, visitor: Browser
) -> None:
    solve(learner, *SLUGS)
    page = certified(learner, "  Lea   李 ")
    assert "Your model writes what the reference writes" in page
    link = link_of(page)
    public = visitor.get(link)
    assert public.status_code == 200
    assert "Lea 李" in public.text and "96 of 96 characters are the same" in public.text
    assert public.text.count("0" * 64) == len(SLUGS)
    assert (
        GOOD.strip() not in public.text and '<meta name="robots" content="noindex">' in public.text
    )
    assert len(link) > 30
    again = link_of(certified(learner, "Another name"))
    assert again != link and visitor.get(link).status_code == 404
    learner.get("/model")
    assert learner.post("/model/certificate/withdraw").status_code == 303
    assert visitor.get(again).status_code == 404
    assert "/certificates/" not in learner.get("/model").text


def test_no_certificate_without_every_part_or_with_another_text(
    learner: Browser, model: FakeModel
) -> None:
    solve(learner, *SLUGS[:-1])
    learner.get("/model")
    answer = learner.post("/model/certificate", {"name": "Lea"})
    assert answer.status_code == 422 and "A certificate needs every part" in answer.text
    solve(learner, SLUGS[-1])
    model.right = False
    page = certified(learner)
    assert "Your model writes something else than the reference." in page
    assert "3 of 96 characters are the same" in page and "/certificates/" not in page
    with learner.service.database.read() as session:
        assert session.scalar(select(func.count()).select_from(Certificate)) == 0


@pytest.mark.parametrize("name", ["", " ", "a" * 61, "a\u202eb"])
def test_a_name_is_short_and_printable(learner: Browser, name: str) -> None:
    learner.get("/model")
    answer = learner.post("/model/certificate", {"name": name})
    assert answer.status_code == 422
    assert "The name on a certificate has 1 to 60 characters." in answer.text


def test_a_verdict_that_is_withheld_makes_no_part(teacher: Browser, learner: Browser) -> None:
    """Else the page would say that it was accepted."""
    points = {"points-rms_norm": "10"}
    course = Class(teacher, problem="rms_norm", feedback=str(Feedback.AFTER_DUE), **points)
    course.join(learner)
    solve(learner, "rms_norm", "sampling")
    own = re.findall(r'data-part="(\w+)" data-own="yes"', learner.get("/model").text)
    assert own == ["sampling"]
    course.move_due(hours=1)
    assert learner.get("/model").text.count('data-own="yes"') == 2


def test_a_visitor_signs_in_first(visitor: Browser) -> None:
    assert visitor.get("/model").location.startswith("/sign-in")
    assert "a language model made of your solutions" in visitor.get("/").text


def test_runs_are_kept_for_a_while_only(make_app: MakeApp, model: FakeModel) -> None:
    core = Core(FakeRoom, fake_judge, fake_answers, fake_explore, run_model=model)  # type: ignore[arg-type]
    learner = Browser(make_app(core, trial_keep=0.0)).sign_up("lea")
    path = begin(learner, "A mask")
    while learner.get(path).status_code == 200:
        pass
    with learner.service.database.read() as session:
        assert session.scalar(select(func.count()).select_from(Submission)) == 0
