"""Every text that a person, a problem, a submission or a platform brings stays a text: the vectors
of `vectors.py`, brought in the way they would come, on the pages where they are shown, in Chromium.
"""

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit
from wsgiref.types import StartResponse, WSGIEnvironment

import numpy as np
import pytest
from flask import Flask
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import Page
from werkzeug.serving import make_server

from grader.case import Case
from grader.comparison.compare import Expected
from grader.model import CaseResult, Diagnosis, Outcome, Submission, Verdict
from grader.problem import Problem
from server.models.accounts import Role
from server.services.rendering.samples import Shown
from server.worker.room import Core
from tests.browser import vectors
from tests.server.conftest import (  # noqa: F401 - fixtures, and those that they need
    BAD,
    SLUG,
    Browser,
    FakeRoom,
    MakeApp,
    bank,
    cheap_passwords,
    cluster,
    compiled,
    make_app,
    migrated,
    migrated_url,
    user_of,
)
from tests.server.lti.platform import CLIENT, key, running
from tests.server.lti.test_lti import asked_of, begin, register

ALL = vectors.HTML + [f"${latex}$ MARK" for latex in vectors.LATEX] + vectors.MARKDOWN
SHORT = vectors.SHORT
BUILT = re.compile(r"/static/(dist/(fonts/)?[\w-]+-\w{8}\.(css|js|woff2)|icon\.svg)")
EMPTY = "/empty"
WATCH = """
window.violations = [];
document.addEventListener("securitypolicyviolation", e => violations.push(`${e.violatedDirective} ${e.blockedURI} ${e.sample}`));
"""
LOOK = """() => {
    const all = [...document.querySelectorAll("*")];
    const addresses = all.flatMap(e => ["href", "src", "action", "formaction", "data", "xlink:href", "srcdoc"].flatMap(
        name => e.hasAttribute(name) ? [[e.localName, name, e.getAttribute(name)]] : []));
    const forms = [...document.forms].filter(f => f.method === "post");
    return {
        ran: window.xss !== undefined,
        marked: all.filter(e => e.hasAttribute("xss")).map(e => e.outerHTML.slice(0, 200)),
        handlers: all.filter(e => [...e.attributes].some(a => a.name.startsWith("on"))).map(e => e.outerHTML.slice(0, 200)),
        foreign: all.filter(e => e.matches("iframe, object, embed, base, frame, applet, marquee, style:not([nonce])"))
            .map(e => e.outerHTML.slice(0, 200)),
        // A script of ours numbers the cases that have just come.
        styled: all.filter(e => e.hasAttribute("style") && !e.closest(".cm-editor") && !/^--editor-size: [\\d.]+rem;$/.test(e.getAttribute("style")) && !/^--i: \\d+;$/.test(e.getAttribute("style")))
            .map(e => e.outerHTML.slice(0, 200)),
        addresses,
        heads: all.filter(e => e.matches("script, link, meta")).map(
            e => e.localName + " " + (e.src || e.href || e.name || e.httpEquiv || e.getAttribute("charset"))),
        forms: forms.map(f => [f.getAttribute("action"), [...f.querySelectorAll("[name=csrf_token]")].map(i => i.value.length),
            Boolean(f.querySelector("[name=JWT]"))]),
        text: document.documentElement.outerHTML + [...document.querySelectorAll("textarea, input")].map(e => e.value).join(" "),
        violations: window.violations,
    };
}"""


@dataclass
class Site:
    """A served application, and who is signed in where."""

    url: str
    app: Any
    chromium: Chromium
    served: "Served | None" = None
    people: dict[str, Browser] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    path: str = ""  # what is being looked at
    shared: Page | None = None

    def look(
        self, who: str, path: str, *marks: str, wait: Callable[[Page], None] | None = None
    ) -> None:
        """Opens a page as a person and examines it.

        `marks`: what must be on it, so that the vectors were really there.
        """
        page = self._tab(fresh=wait is not None)
        self._identify(page, who)
        self._leave(page)
        self.path = path
        page.goto(self.url + path)
        if wait is not None:
            wait(page)
        page.wait_for_timeout(150)  # what an image or an animation would start
        self.judge(path, page.evaluate(LOOK), marks)
        if wait is not None:
            page.context.close()

    def _tab(self, fresh: bool) -> Page:
        """The tab that all pages share which are only looked at, or one that remembers nothing of
        what is typed.
        """
        if self.shared is not None and not fresh:
            return self.shared
        page = self.chromium.new_context().new_page()
        page.add_init_script(WATCH)
        page.on("dialog", lambda dialog: (self._fault("a dialog"), dialog.dismiss())[0])
        page.on("request", lambda request: self._request(self.path, request.url))
        page.on("console", lambda said: self._said(self.path, said.text))
        page.on("pageerror", lambda error: self._fault(str(error)))
        if not fresh:
            self.shared = page
        return page

    def _leave(self, page: Page) -> None:
        """Ends the page before, of which nothing counts that happens after it was judged: a script
        that was still being loaded is an error. The empty page is of the same site, so that no
        renderer has to be started for the next one.
        """
        self.path = ""
        page.goto(f"{self.url}{EMPTY}")

    def _identify(self, page: Page, who: str) -> None:
        """Takes the session and the language of a person, or nobody's."""
        page.context.clear_cookies()
        client = self.people[who].client if who else None
        for name in ("judge_session", "language") if client else ():
            cookie = client.get_cookie(name, domain="localhost")
            if cookie is not None:
                page.context.add_cookies([{"name": name, "value": cookie.value, "url": self.url}])

    def judge(self, path: str, seen: dict[str, Any], marks: tuple[str, ...]) -> None:
        """Notes what must not be on a page."""
        for name in ("ran", "marked", "handlers", "foreign", "styled", "violations"):
            if seen[name]:
                self.faults.append(f"{path}: {name}: {seen[name]}")
        for element, name, address in seen["addresses"]:
            scheme = urlsplit(re.sub(r"[\x00-\x20]", "", address)).scheme.lower()
            picture = element == "img" and address.startswith("data:image/png")
            if name == "srcdoc" or (scheme not in ("", "http", "https", "mailto") and not picture):
                self.faults.append(f"{path}: {element} {name}={address[:100]}")
        for head in seen["heads"]:
            kind, _, what = head.partition(" ")
            ours = (
                BUILT.fullmatch(urlsplit(what).path) is not None
                if kind == "link"
                else what in ("utf-8", "viewport", "color-scheme", "refresh")
            )
            if kind == "script":
                ours = urlsplit(what).netloc == urlsplit(self.url).netloc and urlsplit(
                    what
                ).path.startswith("/static/dist/")
            if not ours:
                self.faults.append(f"{path}: {head}")
        for action, tokens, to_platform in seen["forms"]:
            if to_platform:
                continue
            if (
                len(tokens) != 1
                or tokens[0] < 20
                or (action or "/").startswith("//")
                or "://" in (action or "")
            ):
                self.faults.append(f"{path}: a form to {action} with tokens {tokens}")
        missing = [mark for mark in marks if mark not in seen["text"]]
        if missing:
            self.faults.append(
                f"{path}: {missing[:5]} of {len(marks)} are not on the page, so nothing was tried"
            )

    def _fault(self, what: str) -> None:
        if self.path:
            self.faults.append(f"{self.path}: {what}")

    def _request(self, path: str, address: str) -> None:
        if path and not address.startswith((self.url + "/", "data:", "blob:")):
            self.faults.append(f"{path}: a request to {address[:200]}")

    def _said(self, path: str, text: str) -> None:
        if path and re.search(r"Content[ -]Security[ -]Policy", text):
            self.faults.append(f"{path}: the console says: {text[:300]}")


CASE_VECTORS = vectors.numbered(vectors.HTML, "case")


def hostile_judge(
    problem: Problem, submission: Submission, sandbox: Any, *, on_case: Any, **options: Any
) -> Verdict:
    """A verdict whose every text is a vector: names, notes, labels, messages (with what an
    exception says), prints, mistake and hint.
    """
    x = np.full((2, 3), 0.2, np.float32)
    labels = tuple(vector for _, vector in CASE_VECTORS[8:11])
    results = []
    for i, (_, vector) in enumerate(CASE_VECTORS):
        case = Case(vector, inputs={"x": x}, labels=labels, sample=i < 3, note=vector)
        results.append(
            CaseResult(
                vector, Outcome.WRONG_ANSWER, i < 3, 1, 1, 1.5, 1.0, 2.0, f"raised {vector}: {vector}", vector,
                {"weights": x}, {"weights": 2 * x},
                "\n".join(v for _, v in vectors.numbered(vectors.HTML, "print")) if i < 3 else "", case if i < 3 else None,
            )
        )  # fmt: skip
        on_case(results[-1])
    said = " ".join(vector for _, vector in vectors.numbered(vectors.HTML, "hint"))
    return Verdict(
        problem.slug, problem.digest, submission.framework, Outcome.RUNTIME_ERROR, 0, len(results), "fake", options["seed"], tuple(results),
        (Diagnosis("once", said, tuple(vector for _, vector in CASE_VECTORS)),),
        "A page makes this sentence of the cases.",
    )  # fmt: skip


def hostile_answers(problem: Problem, sandbox: Any) -> Shown:
    """Samples whose names, notes, labels and options are vectors."""
    x, cases = np.full((2, 3), 0.2, np.float32), []
    for _, vector in vectors.numbered(vectors.HTML, "sample"):
        case = Case(
            vector,
            inputs={"x": x},
            options={"how": vector},
            labels=(vector, "b", "c"),
            sample=True,
            note=vector,
        )
        cases.append((case, {"weights": Expected(2 * x, "float32", 1e-6)}))
    return Shown({"numpy": 2, "torch": 3}, tuple(cases))


# Where each vector needs a page of its own: text, attributes with either quote, what ends a field,
# forms, and what acts in a head.
CHOSEN = [0, 5, 6, 8, 10, 11, 12, 13, 25, 29, 30, 33]


def chosen(name: str) -> list[tuple[str, str]]:
    """Some of the numbered vectors."""
    return [vectors.numbered(vectors.HTML, name)[i] for i in CHOSEN]


def marks(name: str, texts: list[str] | None = None) -> list[str]:
    """The marks of a numbered list."""
    return [mark for mark, _ in vectors.numbered(vectors.HTML if texts is None else texts, name)]


@pytest.fixture
def hostile_bank(bank: Path) -> Path:  # noqa: F811
    """The problem `double` says everything in vectors: title, statements, notes, mistakes,
    starters, references.
    """
    folder = bank / "problems" / SLUG
    _, english = vectors.statement("en")
    _, chinese = vectors.statement("zh")
    (folder / "statement.md").write_text(english)
    (folder / "statement.zh.md").write_text(chinese)
    toml = (folder / "problem.toml").read_text()
    toml = re.sub(
        r"^title = .*$",
        lambda _: f"title = {json.dumps(joined('title'))}",
        toml,
        flags=re.MULTILINE,
    )
    toml = re.sub(
        r"^title_zh = .*$",
        lambda _: f"title_zh = {json.dumps(joined('zhtitle'))}",
        toml,
        flags=re.MULTILINE,
    )
    toml = re.sub(
        r"^source = .*$",
        lambda _: f"source = {json.dumps('http://a.example/' + joined('source'))}",
        toml,
        flags=re.MULTILINE,
    )
    (folder / "problem.toml").write_text(toml)
    hints = f"[mistakes]\nonce = {json.dumps(joined('zhhint'), ensure_ascii=False)}\n[cases]\n"
    hints += (
        '"two by three" = { name = "<b xss>", note = "<b xss>" }\n"hidden one" = { name = "<b'
        ' xss>", note = "<b xss>" }\n'
    )
    (folder / "hints.zh.toml").write_text(hints)
    for framework in ("numpy", "torch"):
        comment = "\n".join(f"# {vector}" for _, vector in vectors.numbered(vectors.HTML, "code"))
        (folder / f"starter_{framework}.py").write_text(f"{comment}\ndef double(x):\n    ...\n")
        (bank / "reference" / SLUG / f"{framework}.py").write_text(
            f"{comment}\ndef double(x):\n    return 2 * x\n"
        )
    return bank


def joined(name: str) -> str:
    """All vectors of HTML in one line."""
    return " ".join(vector for _, vector in vectors.numbered(vectors.HTML, name))


@dataclass
class Served:
    """An application as Chromium asks for it, at `/answer` an answer to a POST as it came, and an empty page."""

    app: Flask
    shown: tuple[list[tuple[str, str]], bytes] = field(default_factory=lambda: ([], b""))

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> list[bytes]:
        """Reads each answer to its end before it is sent: the server of these tests leaves a file
        open when the browser turns away from it, as it does from a script of the page before.
        """
        if environ["PATH_INFO"] == EMPTY:
            start_response("200 OK", [("Content-Type", "text/html")])
            return [b"<!doctype html>"]
        if environ["PATH_INFO"] == "/answer":
            headers, body = self.shown
            start_response("200 OK", headers)
            return [body]
        with closing(self.app(environ, start_response)) as answer:  # type: ignore[type-var]
            return [b"".join(answer)]


@pytest.fixture
def site(make_app: MakeApp, hostile_bank: Path, chromium: Chromium) -> Iterator[Site]:  # noqa: F811
    """The application on a port, with an admin, an instructor and a learner; at the end, nothing
    may have happened.
    """
    app = make_app(Core(FakeRoom, hostile_judge, hostile_answers))  # type: ignore[arg-type]
    served = Served(app)
    server = make_server("127.0.0.1", 0, served, threaded=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    found = Site(f"http://127.0.0.1:{server.server_port}", app, chromium, served)
    for name, role in (("ada", Role.ADMIN), ("terry", Role.INSTRUCTOR), ("lea", Role.LEARNER)):
        found.people[name] = user_of(app, name, role)
    try:
        yield found
    finally:
        if found.shared is not None:
            found.shared.context.close()
        server.shutdown()
        thread.join()
        server.server_close()
    assert not found.faults, "\n".join(found.faults)


def test_statements_titles_and_samples(site: Site) -> None:
    site.people["lea"].until_ready()
    english, chinese = vectors.statement("en")[0], vectors.statement("zh")[0]
    site.look(
        "lea",
        f"/problems/{SLUG}",
        *english,
        *marks("title"),
        *marks("source")[:1],
        *marks("sample"),
        *marks("code"),
    )
    site.look("", f"/problems/{SLUG}?framework=torch", *english, *marks("code"))
    site.look("lea", "/", *marks("title"))
    site.look("lea", "/progress", *marks("title"))
    site.look("lea", f"/problems/{SLUG}/solution", *marks("title"))
    site.people["lea"].client.set_cookie("language", "zh")
    site.look("lea", f"/problems/{SLUG}", *chinese, *marks("zhtitle"))


def test_the_solution_and_a_starter(site: Site) -> None:
    lea = site.people["lea"]
    lea.get(f"/problems/{SLUG}/solution")
    assert lea.post(f"/problems/{SLUG}/give-up").status_code == 303
    site.look("lea", f"/problems/{SLUG}/solution", *marks("code"))


def test_verdicts_and_sources(site: Site) -> None:
    lea = site.people["lea"]
    source = "\n".join(f"class A:  # {vector}" for _, vector in vectors.numbered(ALL, "src"))
    numbers = [lea.judged(source), lea.judged(source + "\n# " + joined("other"))]
    lea.open_hints(numbers[0])
    everything = [
        *marks("case"),
        *marks("print"),
        *marks("hint"),
        *marks("src", ALL),
    ]
    site.look("lea", f"/submissions/{numbers[0]}", *everything)
    site.look("lea", f"/problems/{SLUG}/submissions", *marks("title"))
    site.look(
        "lea",
        f"/problems/{SLUG}/compare?a={numbers[0]}&b={numbers[1]}",
        *marks("other"),
        *marks("src", ALL),
    )
    site.look("terry", f"/teach/problems/{SLUG}/mistakes")
    site.look("terry", f"/teach/problems/{SLUG}/mistakes?mistake=once")
    site.look("ada", f"/teach/problems/{SLUG}/submissions/{numbers[0]}", *everything)
    lea.client.set_cookie("language", "zh")
    site.look("lea", f"/submissions/{numbers[0]}", *marks("zhhint"))


def test_a_verdict_that_arrives_while_one_looks(site: Site) -> None:
    """The script puts the panel into the page."""

    def send(page: Page) -> None:
        page.locator(".cm-content").wait_for()
        page.get_by_role("button", name="Run samples").click()
        page.locator("[data-submission][data-state=done]").wait_for(timeout=30_000)

    site.look("lea", f"/problems/{SLUG}", *marks("case"), wait=send)


def test_drafts_and_their_preview(site: Site) -> None:
    terry = site.people["terry"]
    terry.get("/teach")
    begun = terry.post("/teach/drafts", {"slug": "hostile_draft", "from": SLUG})
    assert begun.status_code == 303, begun.text
    draft = urlsplit(begun.location).path
    there, text = vectors.statement("draft")
    terry.get(draft)
    was = re.search(
        r'name="was" value="([^"]+)"', terry.get(f"{draft}?file=problems/statement.md").text
    )
    assert was is not None
    saved = terry.post(
        f"{draft}/file", {"path": "problems/statement.md", "content": text, "was": was[1]}
    )
    assert saved.status_code == 303, saved.text
    site.look("terry", f"{draft}?file=problems/statement.md", *there)
    site.look("ada", f"{draft}?file=problems/statement.md", *there)
    site.look("ada", f"{draft}?file=problems/problem.toml", *marks("title"))
    site.look("ada", f"{draft}?file=problems/starter_numpy.py", *marks("code"))
    site.look("terry", f"{draft}?file={quote(joined('file'))}")
    site.look("ada", "/teach")
    typed_marks, typed = vectors.statement("typed")

    def type_it(page: Page) -> None:
        page.locator("textarea").first.focus()  # brings the editor
        page.locator(".cm-content").click()
        page.keyboard.press("ControlOrMeta+a")
        with page.expect_response("**/preview?draft=*"):
            page.keyboard.insert_text(typed)
        page.wait_for_timeout(700)

    site.look("ada", f"{draft}?file=problems/statement.md", *typed_marks, wait=type_it)


def test_questions_in_addresses(site: Site) -> None:
    """What a search, a filter, a page that is not there and a way back say again."""
    for mark, vector in vectors.numbered(vectors.HTML, "q")[8:14]:
        for who, path in (
            ("lea", "/?q="),
            ("ada", "/manage?q="),
            ("", "/nowhere/"),
            ("ada", "/manage/audit?action="),
        ):
            site.look(who, path + quote(vector, safe=""), *([mark] if path.endswith("?q=") else []))
    site.look("lea", "/?q=" + quote(joined("q")), *marks("q"))
    for vector in (vectors.HTML[0], vectors.HTML[10], vectors.HTML[12]):
        site.look("", f"/sign-in?next={quote(vector, safe='')}")
        site.look("", f"/sign-up?invitation={quote(vector, safe='')}", "MARK")


def test_answers_to_forms(site: Site) -> None:
    """Pages that show again what was sent: set as they came into a page of Chromium under their own
    policy.
    """
    terry, lea = site.people["terry"], site.people["lea"]
    visitor = Browser(site.app)
    pages = []
    for mark, vector in chosen("sent"):
        visitor.get("/sign-in")
        pages.append(
            (
                mark if mark in vector[:39] else "",
                visitor.post("/sign-in", {"name": vector, "password": vector}),
            )
        )
        visitor.get("/sign-up")
        pages.append(
            (
                mark if mark in vector[:39] else "",
                visitor.post(
                    "/sign-up", {"name": vector[:39], "password": "short", "again": vector}
                ),
            )
        )
        lea.get(f"/problems/{SLUG}")
        pages.append((mark, lea.submit(vector, framework=vector)))
        terry.get("/teach")
        pages.append((mark, terry.post("/teach/drafts", {"slug": vector, "from": vector})))
        terry.get("/teach/courses")
        pages.append(("", terry.post("/teach/courses", {"title": "", "zone": vector})))
        expired = lea.client.post(
            f"/problems/{SLUG}/submit",
            data={"csrf_token": "x", "source": vector, "framework": vector},
        )
        pages.append((mark, expired))
    assert all(answer.status_code >= 400 and answer.mimetype == "text/html" for _, answer in pages)
    _as_they_came(site, pages)


def test_people_courses_and_deeds(site: Site) -> None:
    ada, terry, lea = site.people["ada"], site.people["terry"], site.people["lea"]
    for i, (_, vector) in enumerate(vectors.numbered(SHORT, "shown")):
        person = Browser(site.app).sign_up(f"learner{i}")
        person.judged(BAD)
        person.get("/profile")
        assert (
            person.post("/profile/display-name", {"display_name": vector[:40]}).status_code == 303
        )
        site.people[f"learner{i}"] = person
        person.get("/profile")
        person.post("/profile/tokens", {"name": vector[:40]})
        site.look(f"learner{i}", "/profile", vector[-6:-1] if vector[-1] == '"' else "shown")
    site.look("lea", "/leaderboard")
    site.look("lea", f"/problems/{SLUG}/leaderboard", *marks("title"))

    titles = vectors.numbered(vectors.HTML, "course")
    for _, vector in titles:
        terry.get("/teach/courses")
        made = terry.post("/teach/courses", {"title": vector, "zone": "UTC"})
        assert made.status_code == 303, made.text
    course = urlsplit(made.location).path
    page = terry.get(course).text
    code = re.search(r'class="code-to-join"[^>]*>([^<]+)<', page)
    assert code is not None
    for _, vector in vectors.numbered(vectors.HTML, "week"):
        terms = {
            "title": vector,
            "opens": "2026-01-01T08:00",
            "due": "2099-01-08T18:00",
            "late": "none",
            "feedback": "full",
            "problem": SLUG,
        }
        answer = terry.post(f"{course}/assignments", {**terms, f"points-{SLUG}": "10"})
        assert answer.status_code == 303, answer.text
    assignment = urlsplit(answer.location).path
    lea.get("/courses")
    joined_in = lea.post("/courses/join", {"code": code[1]})
    assert joined_in.status_code == 303
    site.look("lea", "/courses")  # the flash of the join, and the list
    sent = lea.judged(BAD)
    number = lea.client.get("/profile") and re.search(r"\d+", course)
    assert number is not None
    site.look("terry", "/teach/courses", *marks("course"))
    site.look("ada", course, *marks("week"), "course54v")
    site.look("terry", assignment, "week54v", "course54v")
    site.look("lea", urlsplit(joined_in.location).path, *marks("week"), "course54v")
    matrix = terry.get(assignment).text
    learner = re.search(r'href="([^"]*/learners/\d+)"', matrix)
    assert learner is not None
    terry.get(learner[1])
    for _, vector in vectors.numbered(vectors.HTML, "why")[-3:]:
        answer = terry.post(
            f"{learner[1]}/override", {"slug": SLUG, "score": "3", "reason": vector}
        )
        assert answer.status_code == 303, (learner[1], answer.text)
    site.look("terry", learner[1], "why54v")
    site.look("lea", urlsplit(joined_in.location).path, "why54v")
    site.look("terry", f"{assignment}/submissions/{sent}", "week54v")
    site.look("terry", f"{assignment}/similar/{SLUG}", *marks("title"))
    for _, vector in vectors.numbered(vectors.HTML, "note"):
        ada.get("/manage")
        ada.post("/manage/invite", {"role": "learner", "note": vector})
    site.look("ada", "/manage")
    site.look("ada", "/manage/audit", "course54v", "week54v")


def test_platforms_and_launches(site: Site) -> None:
    ada = site.people["ada"]
    with running(key()) as platform:
        register(site.app, platform)
        for i, (_, vector) in enumerate(vectors.numbered(vectors.HTML, "campus")):
            ada.get("/manage/platforms")
            form = {
                "name": vector[:80], "issuer": f"https://{i}.example", "client_id": vector, "deployments": vector, "zone": vector,
                "auth_url": f"https://{i}.example/a", "token_url": f"https://{i}.example/t", "jwks_url": f"https://{i}.example/k",
                "audience": "", "instructors": "yes",
            }  # fmt: skip
            assert ada.post("/manage/platforms", form).status_code in (303, 422)
            form |= {"zone": "UTC"}
            assert ada.post("/manage/platforms", form).status_code in (303, 422)
        site.look("ada", "/manage/platforms", "campus1v", "campus9v")
        context = "https://purl.imsglobal.org/spec/lti/claim/context"
        answers = []
        for mark, vector in chosen("lti"):
            for deep in (False, True):
                browser = Browser(site.app)
                asked = asked_of(begin(browser, platform))
                claims = platform.claims(
                    asked["nonce"],
                    sub=f"{mark}-{deep}",
                    name=vector,
                    role="Instructor",
                    deep=deep,
                    context=mark,
                )
                claims[context]["title"] = vector
                sent = {"state": asked["state"], "id_token": platform.sign(claims)}
                answer = browser.client.post(
                    "/lti/launch", data=sent, headers={"Origin": "http://campus.example"}
                )
                assert answer.status_code == 200, answer.text
                # an account's name keeps letters and digits only
                answers.append((mark if deep else "", answer))
                site.people[mark] = browser
        picked = _picked(site.people["lti1v"], answers[1][1].text)
        answers.append(("", picked))
        assert f"form-action 'self' {platform.issuer};" in picked.headers["Content-Security-Policy"]
        _as_they_came(site, answers)
        site.look("lti34v", "/teach/courses", "lti34v")
        site.look("ada", "/manage")
    for path in (
        f"/lti/login?iss={quote(joined('iss'))}&client_id={CLIENT}&login_hint=x&target_link_uri=x",
    ):
        site.look("", path)


def _picked(browser: Browser, page: str) -> Any:
    browser.get("/")
    pick = re.search(r'name="pick" value="([^"]+)"', page)
    assert pick is not None
    answer = browser.post("/lti/pick", {"pick": pick[1], "what": f"problem:{SLUG}"})
    assert answer.status_code == 200, answer.text
    return answer


def _as_they_came(site: Site, answers: list[tuple[str, Any]]) -> None:
    """Shows answers to POSTs under their own headers, without the refresh that leads on."""
    page = site._tab(fresh=False)
    site._identify(page, "")
    assert site.served is not None
    for number, (mark, answer) in enumerate(answers):
        site._leave(page)
        site.path = "an answer"
        headers = [
            (name, value)
            for name, value in answer.headers
            if name.lower() not in ("content-length", "set-cookie")
        ]
        leads_on = r'<meta http-equiv="refresh" content="0;url=/[^"/][^"]*">'
        site.served.shown = headers, re.sub(leads_on, "", answer.text).encode()
        page.goto(f"{site.url}/answer?{number}")
        site.judge(f"{answer.request.path} {mark}", page.evaluate(LOOK), (mark,) if mark else ())


def test_the_examination_finds_what_it_looks_for(site: Site) -> None:
    """A page that forgot to escape: each of these is seen."""
    body = (
        "<!doctype html><script>window.xss=1</script><form method=post"
        " action=/manage></form><iframe></iframe><base href=/a/><a href='java&#10;script:x'>x</a><p"
        " onclick=x style=color:red></p><link rel=stylesheet href=//e.example/x><img xss src=x>"
    )
    page = site.chromium.new_context().new_page()
    page.add_init_script(WATCH)
    page.route("**/*", lambda route: route.fulfill(status=200, content_type="text/html", body=body))
    page.goto(f"{site.url}/forgot")
    seen = Site(site.url, None, site.chromium)
    seen.judge("forgot", page.evaluate(LOOK), ("absent",))
    page.context.close()
    found = " ".join(seen.faults)
    kinds = (
        "ran",
        "marked",
        "handlers",
        "foreign",
        "styled",
        "a href=java",
        "script ",
        "link http",
        "a form to /manage",
        "absent",
    )
    assert [kind for kind in kinds if kind not in found] == []
