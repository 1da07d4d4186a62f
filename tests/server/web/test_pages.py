"""What the pages show, that every one is sound HTML under the site's policy, and that both
languages are complete.
"""

import re
import shutil
import threading
import time
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import server
from server import create_app
from server.models.accounts import Role
from server.models.submissions import Submission
from server.services.statistics import Standing, following
from server.settings import Settings
from server.web import headers
from server.web.context import NAME
from server.worker.room import Core
from tests import ROOT
from tests.server.conftest import BAD, FAKE, GOOD, SLUG, Browser, MakeApp, token_of, user_of

SERVER = Path(server.__file__).parent
TEMPLATES = SERVER / "web" / "templates"
VOID = {"col", "meta", "link", "input", "br", "hr", "img"}
FOREIGN = {"svg", "math"}
ROW = re.compile(r'<tr class="diff-\w+">(.*?)</tr>', re.DOTALL)


class Sound(HTMLParser):
    """Collects what is wrong with a page."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.wrong: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if "style" in found or any(name.startswith("on") for name in found):
            self.wrong.append(f"inline style or handler on {tag}")
        if tag == "style" or (tag == "script" and "src" not in found):
            self.wrong.append(f"inline {tag}")
        if tag in ("input", "select", "textarea") and found.get("type") not in ("hidden", "submit"):
            inside = "label" in self.open or "aria-label" in found or found.get("id") == "source"
            if not inside:
                self.wrong.append(f"{tag} without a label")
        if "id" in found:
            self.ids.append(found["id"] or "")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if not FOREIGN & set(self.open):
            self.wrong.append(f"self-closed {tag}")

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}> closes something else")


def flaws(html: str) -> list[str]:
    page = Sound()
    page.feed(html)
    page.close()
    twice = {i for i in page.ids if page.ids.count(i) > 1}
    levels = [int(n) for n in re.findall(r"<h([1-6])[ >]", html)]
    jumps = [f"h{a} then h{b}" for a, b in pairwise(levels) if b > a + 1]
    missing = [what for what in ("<title>", 'lang="', "<main", "<h1") if what not in html]
    forms = html.count('method="post"') - html.count('name="csrf_token"')
    return (
        page.wrong
        + [f"still open: {page.open}"] * bool(page.open)
        + [f"id twice: {twice}"] * bool(twice)
        + jumps
        + missing
        + ["form without token"] * bool(forms)
    )


PAGES = [
    "/", "/?q=nothing+at+all", "/?difficulty=easy&framework=torch", "/progress", "/leaderboard", "/profile", "/manage", "/api", "/nowhere",
    f"/problems/{SLUG}", f"/problems/{SLUG}?framework=torch", f"/problems/{SLUG}/submissions", f"/problems/{SLUG}/solution",
    f"/problems/{SLUG}/leaderboard", f"/problems/{SLUG}/compare?a=1&b=2", "/submissions/1", "/submissions/2", "/submissions/3",
]  # fmt: skip


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_page_is_sound(app: Any, language: str) -> None:
    ada = user_of(app, "ada", Role.ADMIN)
    ada.post("/profile/display-name", {"display_name": "Ada"})
    ada.judged(BAD)
    ada.judged(GOOD)
    ada.judged("# our fault\n")
    ada.client.set_cookie("language", language)
    visitor = Browser(app)
    visitor.client.set_cookie("language", language)
    for path in [*PAGES, "/sign-in", "/sign-up"]:
        for browser in (ada, visitor):
            answer = browser.get(path, follow_redirects=True)
            assert flaws(answer.text) == [], (path, browser is ada)
            assert f'<html lang="{"zh-Hans" if language == "zh" else "en"}"' in answer.text


def test_security_headers(visitor: Browser) -> None:
    for path in ("/", "/nowhere", "/api/v1/problems", "/healthz", "/static/icon.svg"):
        answer = visitor.get(path)
        policy = answer.headers["Content-Security-Policy"]
        assert "script-src 'self';" in policy
        for directive in (
            "form-action 'self'",
            "base-uri 'none'",
            "object-src 'none'",
            "frame-ancestors 'none'",
            "default-src 'none'",
        ):
            assert directive in policy.split("; ")
        assert "unsafe" not in policy
        for name in headers.HEADERS:
            assert answer.headers[name] == headers.HEADERS[name]
        assert "Strict-Transport-Security" not in answer.headers
        answer.close()  # a static file stays open otherwise


def test_style_nonce_is_of_this_answer(visitor: Browser) -> None:
    nonces = []
    for _ in range(2):
        answer = visitor.get(f"/problems/{SLUG}")
        found = re.search(r'data-style-nonce="([^"]+)"', answer.text)
        assert found is not None
        assert f"'nonce-{found[1]}'" in answer.headers["Content-Security-Policy"]
        nonces.append(found[1])
    assert nonces[0] != nonces[1]


def test_hsts_only_over_https(make_app: MakeApp) -> None:
    assert "Strict-Transport-Security" in Browser(make_app(https=True)).get("/").headers


def test_statement(visitor: Browser) -> None:
    page = visitor.get(f"/problems/{SLUG}").text
    assert "<math" in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<script>alert" not in page
    assert '<td class="align-right"><code>(L, S)</code></td>' in page
    assert "# start numpy" in page
    assert '<template data-starter="torch"># start torch' in page


def test_statement_in_chinese(visitor: Browser) -> None:
    page = visitor.get(f"/problems/{SLUG}", headers={"Accept-Language": "zh-CN,zh;q=0.9"}).text
    assert "返回" in page
    assert "加倍" in page
    assert "提交" in page
    answer = visitor.get(f"/language/en?next=/problems/{SLUG}")
    assert answer.location == f"/problems/{SLUG}"
    assert "Return" in visitor.get(f"/problems/{SLUG}", headers={"Accept-Language": "zh"}).text
    assert visitor.get("/language/en?next=//elsewhere.example").location == "/"


@pytest.mark.parametrize(
    ("name", "root"),
    [("dark", '<html lang="en" data-theme="dark">'), ("system", '<html lang="en">')],
)
def test_colours_are_remembered(visitor: Browser, name: str, root: str) -> None:
    visitor.get("/theme/light")
    answer = visitor.get(f"/theme/{name}?next=/problems/{SLUG}")
    assert answer.location == f"/problems/{SLUG}"
    page = visitor.get("/").text
    assert root in page
    assert f'data-theme-name="{name}" rel="nofollow" aria-current="true"' in page


def test_colours_that_are_not_there_change_nothing(visitor: Browser) -> None:
    visitor.get("/theme/dark")
    answer = visitor.get("/theme/purple?next=//elsewhere.example")
    assert (answer.location, answer.headers.get("Set-Cookie")) == ("/", None)
    assert 'data-theme="dark"' in visitor.get("/").text
    visitor.client.set_cookie("theme", '"><script>')
    assert '<html lang="en">' in visitor.get("/").text


def text_of(page: str) -> str:
    """What a reader sees of a page's main part, spaces joined."""
    return " ".join(
        re.sub(r"<[^>]+>", " ", page.split("<main", 1)[1].split("</main>", 1)[0]).split()
    )


def test_how_many_cases_there_are(learner: Browser) -> None:
    def page(framework: str) -> str:
        return text_of(learner.get(f"/problems/{SLUG}?framework={framework}").text)

    learner.judged(GOOD)
    end = time.monotonic() + 60  # the judge computes it in a thread of its own
    while "cases, 1 shown" not in page("numpy") and time.monotonic() < end:
        time.sleep(0.02)
    assert "2 cases, 1 shown" in page("numpy") and "3 cases, 1 shown" in page("torch")
    learner.client.set_cookie("language", "zh")
    assert "2 个用例，展示 1 个" in page("numpy")


def test_a_verdict_in_chinese(learner: Browser) -> None:
    number = learner.judged(BAD)
    learner.open_hints(number)
    english = text_of(learner.get(f"/submissions/{number}").text)
    learner.client.set_cookie("language", "zh")
    page = text_of(learner.get(f"/submissions/{number}").text)
    for words, chinese_words in {
        "Wrong answer": "答案错误",
        "It is not doubled.": "没有加倍。",
        "hidden one": "隐藏的一个",
        "Any size.": "任意大小。",
        "weights: 3 of 6 values differ, in row 0": "weights：6 个值中有 3 个不对，在第 0 行",
    }.items():
        assert words in english and words not in page
        assert chinese_words in page and chinese_words not in english
    live = learner.get(f"/submissions/{number}/live").json
    assert (
        live["verdict"]["diagnosis"]["hint"] == "It is not doubled."
        and "没有加倍。" in live["html"]
    )


def test_a_verdict_of_version_1_is_shown_as_it_was_stored(learner: Browser) -> None:
    """Such verdicts have sentences and no findings; their English stands for itself."""
    number = learner.judged(BAD)
    with learner.service.database.write() as session:
        row = session.get_one(Submission, number)
        assert row.verdict is not None and row.verdict["version"] == 2
        cases = [{k: v for k, v in c.items() if k != "findings"} for c in row.verdict["cases"]]
        row.verdict = {**row.verdict, "version": 1, "cases": cases}
    for language in ("en", "zh"):
        learner.client.set_cookie("language", language)
        page = text_of(learner.get(f"/submissions/{number}").text)
        assert "weights: 3 of 6 values differ, in row 0" in page


def test_torch_in_a_submission_in_numpy_names_the_tab(learner: Browser) -> None:
    number = learner.judged(BAD)
    raised = {"code": "raised", "type": "ModuleNotFoundError", "line": 1, "message": "line 1: …"}

    def page(text: str) -> str:
        with learner.service.database.write() as session:
            row = session.get_one(Submission, number)
            assert row.verdict is not None
            cases = [{**c, "findings": [{**raised, "text": text}]} for c in row.verdict["cases"]]
            row.verdict = {**row.verdict, "cases": cases}
        return learner.get(f"/submissions/{number}").text

    assert "choose the PyTorch tab" in page("No module named 'torch'")
    assert "PyTorch tab" not in page("No module named 'torchlight'")


def test_bank_filters(learner: Browser) -> None:
    learner.judged(GOOD)
    both = learner.get("/").text
    assert 'data-problem="double"' in both
    assert 'data-problem="double_again"' in both
    assert "100 %" in both
    for query, count in [
        ("q=again", 1),
        ("q=加倍", 2),
        ("difficulty=hard", 0),
        ("state=solved", 1),
        ("state=ready", 1),
        ("framework=torch", 2),
    ]:
        assert learner.get(f"/?{query}").text.count("<tr data-problem=") == count, query


def test_map_says_what_comes_later(learner: Browser) -> None:
    assert 'data-state="later"' in learner.get("/").text
    assert "after Twice the input" in learner.get("/").text
    learner.judged(GOOD)
    page = learner.get("/progress").text
    assert 'data-state="solved"' in page
    assert 'data-state="ready"' in page
    assert "<strong>1</strong> of 2" in page


def test_what_is_accepted_leads_on(learner: Browser) -> None:
    """To the next problem that is not solved, and to none when all are."""
    onward = 'href="/problems/double_again">Next: Twice again'
    assert onward not in learner.get(f"/submissions/{learner.judged(BAD)}").text
    assert onward in learner.get(f"/submissions/{learner.judged(GOOD)}").text
    last = learner.judged(GOOD, "double_again")
    assert "Next: " not in learner.get(f"/submissions/{last}").text


@pytest.mark.parametrize(
    ("solved", "after", "expected"),
    [
        ("a", "a", "b"),
        ("ac", "c", "d"),  # in order, from where one is
        ("acd", "d", "b"),  # and then from the beginning
        ("b", "b", "d"),  # c builds on a
        ("abd", "d", "c"),
        ("abcd", "d", None),
        ("a", "gone", "b"),
    ],
)
def test_what_to_go_on_with(solved: str, after: str, expected: str | None) -> None:
    requires = {"a": (), "b": (), "c": ("a", "elsewhere"), "d": ()}
    problems = [SimpleNamespace(slug=name, requires=each) for name, each in requires.items()]
    mine = {name: Standing(True, 1) for name in solved} | {"x": Standing(False, 2)}
    found = following(problems, after, mine)  # type: ignore[arg-type]
    assert (found and found.slug) == expected


def test_solution_opens_after_solving(learner: Browser) -> None:
    assert "return 2 * x" not in learner.get(f"/problems/{SLUG}/solution").text
    learner.judged(BAD)
    assert "Give up?" in learner.get(f"/problems/{SLUG}/solution").text
    learner.judged(GOOD)
    assert "PyTorch" in learner.get(f"/problems/{SLUG}/solution").text
    assert 'class="k">return' in learner.get(f"/problems/{SLUG}/solution").text


def test_a_solution_stands_beside_ones_own_code(learner: Browser) -> None:
    learner.judged(GOOD + "def double(x):\n    return x * 2\n")
    page = learner.get(f"/problems/{SLUG}/solution").text
    assert [re.sub(r"<[^>]+>", "", row[1]) for row in ROW.finditer(page)] == [
        "1yours: # accepted",
        "2def double(x):1def double(x):",
        "3yours:     return x * 22reference:     return 2 * x",
    ]
    assert "Other ways to write it" in page and "Next: Twice again" in page
    other = learner.get(f"/problems/{SLUG}/solution?framework=torch").text
    assert not list(ROW.finditer(other))  # nothing of one's own in this framework
    assert 'class="k">return' in other


def test_a_solution_shows_two_other_ways_those_of_its_framework_first(
    make_app: MakeApp, bank: Path
) -> None:
    folder = bank / "problems" / SLUG / "right"
    folder.mkdir()
    for name in ("in_one_sum_numpy", "shifted_torch", "by_hand_torch"):
        (folder / f"{name}.py").write_text(f"# {name}\ndef double(x):\n    return x + x\n")
    learner = Browser(make_app()).sign_up("lea")
    learner.judged(GOOD)
    ways = re.compile(r'<details class="other-way"><summary>(.*?)</summary>')
    for framework, expected in {
        "numpy": ["in one sum · NumPy", "by hand · PyTorch"],
        "torch": ["by hand · PyTorch", "shifted · PyTorch"],
    }.items():
        page = learner.get(f"/problems/{SLUG}/solution?framework={framework}").text
        assert [re.sub("<[^>]+>", "", way) for way in ways.findall(page)] == expected
    (bank / "problems" / SLUG / "hints.zh.toml").write_text('[right]\nby_hand = "手写。"\n')
    learner = Browser(make_app()).sign_up("ann")
    learner.judged(GOOD)
    learner.client.set_cookie("language", "zh")
    page = learner.get(f"/problems/{SLUG}/solution").text
    assert "# 手写。" in page and "# by_hand" not in page


@pytest.mark.parametrize(("kind", "init"), [("function", ""), ("class", "init = []\n")])
def test_only_a_class_is_said_to_be_made(
    make_app: MakeApp, bank: Path, kind: str, init: str
) -> None:
    folder = bank / "problems" / SLUG
    toml = (folder / "problem.toml").read_text().replace('"function"', f'"{kind}"')
    entry = '[driver]\nparams = ["x"]\nreturns = ["weights"]\n'
    toml = toml.partition("[entry.double]")[0] + f"[entry.double]\n{init}{entry}"
    (folder / "problem.toml").write_text(toml)
    for framework in ("numpy", "torch"):
        driver = "def run(solution, x):\n    return solution.double(x)\n"
        (folder / f"driver_{framework}.py").write_text(driver)
    page = Browser(make_app()).get(f"/problems/{SLUG}").text
    assert "<code>solution</code> holds what you define" in page
    assert ("<code>make()</code> makes an object of your class." in page) == (kind == "class")


def test_what_takes_no_inputs_offers_none(make_app: MakeApp, bank: Path) -> None:
    for part in ("problems", "reference"):
        shutil.copytree(ROOT / part / "attention_by_hand", bank / part / "attention_by_hand")
    learner = Browser(make_app()).sign_up("lea")
    for slug, offered in ((SLUG, True), ("attention_by_hand", False)):
        page = learner.get(f"/submissions/{learner.judged(BAD, slug)}").text
        assert "Wrong answer" in page
        assert ("The smallest input" in page, "Try your own input" in page) == (offered, offered)
        learner.judged(GOOD, slug)
        page = learner.get(f"/problems/{slug}/solution").text
        assert "Your code beside" in page and ("What it costs" in page) == offered


def test_an_accepted_verdict_begins_with_what_is_next(learner: Browser) -> None:
    page = learner.get(f"/submissions/{learner.judged(GOOD)}").text
    panel = page[page.index('<section class="verdict"') :]
    assert panel.index("Next: Twice again") < panel.index('class="judged-sample')


def test_a_solution_says_why_it_works(learner: Browser, bank: Path) -> None:
    learner.judged(GOOD)
    assert "Why it works" not in learner.get(f"/problems/{SLUG}/solution").text
    folder = bank / "lessons" / "why"
    folder.mkdir(parents=True)
    (folder / f"{SLUG}.md").write_text("Twice $x$ is <b>x</b> and x.\n")
    page = learner.get(f"/problems/{SLUG}/solution").text
    assert "Why it works" in page and "<mi>x</mi>" in page and "&lt;b&gt;" in page
    (folder / f"{SLUG}.md").write_text("too long\n" * 11)
    assert "Why it works" not in learner.get(f"/problems/{SLUG}/solution").text


def test_giving_up_is_recorded(learner: Browser) -> None:
    learner.get(f"/problems/{SLUG}/solution")
    for _ in range(2):  # sent twice, recorded once
        assert learner.post(f"/problems/{SLUG}/give-up").status_code == 303
    assert 'class="k">return' in learner.get(f"/problems/{SLUG}/solution").text
    with learner.service.database.read() as session:
        assert session.connection().exec_driver_sql("SELECT count(*) FROM gave_up").scalar() == 1
    assert learner.get("/api/v1/me").json["solved"] == []


def test_last_source_comes_back(learner: Browser) -> None:
    learner.judged("# wrong, numpy\n")
    assert "# wrong, numpy" in learner.get(f"/problems/{SLUG}?framework=numpy").text
    assert (
        "# start torch"
        in learner.get(f"/problems/{SLUG}?framework=torch")
        .text.split("<textarea")[1]
        .split("</textarea>")[0]
    )


def test_leaderboards(app: Any) -> None:
    for name, count in (("one", 1), ("two", 2)):
        browser = Browser(app).sign_up(name)
        browser.post("/profile/display-name", {"display_name": f"The {name}"})
        browser.judged(GOOD)
        if count == 2:
            browser.judged(GOOD, "double_again")
    page = browser.get("/leaderboard").text
    assert page.index("The two") < page.index("The one")
    assert 'class="mine"' in page
    page = browser.get(f"/problems/{SLUG}/leaderboard").text
    assert page.index("The one") < page.index("The two")  # the same CPU time: who was first
    assert "under 10 ms" in page


def test_a_refusal_in_chinese(learner: Browser) -> None:
    learner.client.set_cookie("language", "zh")
    assert "源代码有 70,000 字节；最多接受 65,536 字节。" in learner.submit("x" * 70_000).text
    path, form = (
        f"/problems/{SLUG}/submit",
        {"framework": "numpy", "source": " ", "csrf_token": learner.csrf},
    )
    told = learner.client.post(path, data=form, headers={"Accept": "application/json"}).json
    assert told["detail"] == "没有代码：提交是空的。"
    assert "没有题目 &#39;nothing&#39;。" in learner.get("/problems/nothing").text
    token = token_of(learner.app, "program")
    assert (
        "There is no problem"
        in learner.client.get("/api/v1/problems/nothing", headers=token).json["detail"]
    )


def test_health(make_app: MakeApp) -> None:
    app = make_app()
    browser = Browser(app)
    assert browser.get("/healthz").json == {"status": "ok"}
    ready = browser.until_ready()
    assert (ready.status_code, ready.json["problems"]) == (200, 2)
    app.extensions[NAME].worker.stop()
    assert "no worker" in browser.get("/readyz").json["room"]


def test_readiness_without_tables(make_app: MakeApp, tmp_path: Path) -> None:
    bare = create_app(
        Settings(instance=str(tmp_path / "bare"), bank=str(tmp_path / "bank"), secret_key="x")
    )
    answer = bare.test_client().get("/readyz")
    assert (answer.status_code, answer.json["status"]) == (503, "not ready")
    assert bare.test_client().get("/healthz").status_code == 200
    bare.extensions[NAME].database.close()


def test_a_room_that_is_being_opened_is_not_ready_but_no_trouble(make_app: MakeApp) -> None:
    going = threading.Event()

    def slowly() -> Any:
        assert going.wait(10)
        return FAKE.open_room()

    browser = Browser(make_app(Core(slowly, FAKE.judge, FAKE.shown_answers)))
    ready = browser.get("/readyz")
    assert (ready.status_code, ready.json["room"]) == (503, "the room is being opened")
    assert 'data-banner="room"' not in browser.get(f"/problems/{SLUG}").text
    going.set()
    assert browser.until_ready().status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "/problems/{slug}/cases.py", "/problems/{slug}/mistakes.toml", "/problems/{slug}/../{slug}/cases.py", "/problems/{slug}%2fcases.py",
        "/reference/{slug}/numpy.py", "/static/../../problems/{slug}/cases.py", "/static/..%2f..%2freference%2f{slug}%2fnumpy.py",
        "/static/%2e%2e/%2e%2e/settings.py", "/static/dist/../../../app.py", "/api/v1/problems/{slug}/cases",
        "/problems/..%2f..%2fetc%2fpasswd", "/static//etc/passwd", "/.git/config", "/judge.sqlite3", "/instance/secret",
    ],
)  # fmt: skip
def test_files_of_the_bank_have_no_address(learner: Browser, path: str) -> None:
    answer = learner.client.get(path.format(slug=SLUG))
    assert answer.status_code in (404, 308)
    assert "(rng" not in answer.text
    assert "return 2 * x" not in answer.text


def test_a_link_ends_before_the_semicolon(bank: Path, make_app: MakeApp) -> None:
    settings = bank / "problems" / SLUG / "problem.toml"
    sources = "A 2019, https://a.example/1; B 2020, https://b.example/2"
    settings.write_text(settings.read_text().replace("Nobody 2020", sources))
    page = Browser(make_app()).get(f"/problems/{SLUG}").text
    assert 'href="https://a.example/1"' in page
    assert "https://a.example/1</a>; B 2020," in page


def test_tracks_stand_in_the_order_of_the_bank(learner: Browser, bank: Path) -> None:
    """A name of any kind is a track; one that is not listed comes last."""
    toml = bank / "problems" / SLUG / "problem.toml"
    toml.write_text(toml.read_text().replace('"foundations"', '"long_context"'))
    service = learner.service
    service.bank.sync()
    page = learner.get("/").text
    assert re.findall(r'<h2 id="track-\w+">([^<]+)</h2>', page) == ["Foundations", "Long context"]
    tracks = bank / "problems" / "tracks.toml"
    tracks.write_text('tracks = ["long_context", "foundations"]\n')
    service.bank.sync()
    page = learner.get("/").text
    assert re.findall(r'<h2 id="track-\w+">([^<]+)</h2>', page) == ["Long context", "Foundations"]
    tracks.write_text("tracks = [\n")  # half-written: the order that is known stays
    service.bank.sync()
    assert [p.track for p in service.bank.problems()] == ["long_context", "foundations"]
