"""A problem from the template to learners: edited, verified in the real room, refused for a stated
reason, mended, published, solved.
"""

import io
import re
import time
from typing import Any

import pytest
from sqlalchemy import func, select

from server.models.accounts import Role
from server.models.teaching import Blob, Draft, Publication
from server.worker.threads import Core
from tests.server.conftest import Browser, MakeApp, user_of
from tests.server.instructors import (
    FIT,
    SLUG,
    UNFIT,
    found_fit,
    published,
    send_zip,
    verified,
    zip_of,
)

SOLUTION = """import numpy as np


def sigmoid_attention(q, k, v):
    scores = q @ k.T / np.float32(np.sqrt(q.shape[-1])) - np.float32(np.log(len(k)))
    weights = 1 / (1 + np.exp(-scores))
    return weights @ v, weights
"""


def save(browser: Browser, draft: int, path: str, text: str, **fields: str) -> Any:
    page = browser.get(f"/teach/drafts/{draft}?file={path}").text
    was = re.findall(r'name="was" value="(\w*)"', page)[-1]
    return browser.post(
        f"/teach/drafts/{draft}/file", {"path": path, "content": text, "was": was, **fields}
    )


def begin(browser: Browser, slug: str = SLUG, source: str = "") -> int:
    browser.get("/teach")
    answer = browser.post("/teach/drafts", {"slug": slug, "from": source})
    assert answer.status_code == 303, answer.text
    return int(answer.location.rsplit("/", 1)[1])


def test_template_explains_itself(teacher: Browser) -> None:
    draft = begin(teacher)
    page = teacher.get(f"/teach/drafts/{draft}?file=problems/problem.toml").text
    assert "Every key is explained in docs/problem-format.md" in page
    assert "[entry.sigmoid_attention]" in page


def test_copy_of_a_problem(teacher: Browser) -> None:
    draft = begin(teacher, "double_more", "double")
    assert "return 2 * x" in teacher.get(f"/teach/drafts/{draft}?file=reference/numpy.py").text


def test_every_file_of_a_draft_can_be_opened(teacher: Browser) -> None:
    draft = begin(teacher)
    for path in ("problems/right/by_rows_numpy.py", "problems/mistakes/no_sum_numpy.py"):
        new = {"path": path, "content": "x = 1\n", "was": ""}
        assert teacher.post(f"/teach/drafts/{draft}/file", new).status_code == 303
    page = teacher.get(f"/teach/drafts/{draft}").text
    count = re.search(r"<span>(\d+) files</span>", page)
    opened = set(re.findall(rf"/teach/drafts/{draft}\?file=([\w./]+)", page))
    assert count is not None and len(opened) == int(count[1])
    assert "problems/right/by_rows_numpy.py" in opened


def test_a_zip_that_cannot_be_read_is_refused_in_the_readers_language(teacher: Browser) -> None:
    teacher.get("/language/zh")
    teacher.get("/teach")
    answer = teacher.post("/teach/upload", {"zip": (io.BytesIO(b"PK, but no more"), "a.zip")})
    assert (answer.status_code, "这不是 zip，或者文件末尾缺失" in answer.text) == (422, True)
    assert "zip file" not in answer.text


@pytest.mark.parametrize(
    ("path", "text", "message"),
    [
        ("problems/../x.py", "", "has no place in a problem"),
        ("reference/mistakes/x.py", "", "has no place in a problem"),
        ("problems/a.exe", "", "files end in"),
        ("", "", "has no place in a problem"),
        ("problems/a.py", "x\0", "NUL"),
        ("problems/a.py", "x" * 600_000, "more than 524,288 bytes"),
    ],
    ids=["parent", "folder", "ending", "empty", "nul", "long"],
)
def test_bad_file_is_refused(teacher: Browser, path: str, text: str, message: str) -> None:
    draft = begin(teacher)
    answer = teacher.post(f"/teach/drafts/{draft}/file", {"path": path, "content": text, "was": ""})
    assert (answer.status_code, message in answer.text) == (422, True)


def test_two_windows_do_not_overwrite_each_other(teacher: Browser) -> None:
    draft = begin(teacher)
    path = "problems/statement.md"
    page = teacher.get(f"/teach/drafts/{draft}?file={path}").text
    was = re.findall(r'name="was" value="(\w*)"', page)[-1]
    assert (
        teacher.post(
            f"/teach/drafts/{draft}/file", {"path": path, "content": "# One\n", "was": was}
        ).status_code
        == 303
    )
    answer = teacher.post(
        f"/teach/drafts/{draft}/file", {"path": path, "content": "# Two\n", "was": was}
    )
    assert (answer.status_code, "changed elsewhere" in answer.text, "# Two" in answer.text) == (
        409,
        True,
        True,
    )
    assert "# One" in teacher.get(f"/teach/drafts/{draft}?file={path}").text


def test_carriage_returns_of_a_form_are_dropped(teacher: Browser) -> None:
    draft = begin(teacher)
    save(teacher, draft, "problems/cases.py", "a\r\nb\r\n")
    with teacher.service.database.read() as session:
        sha = session.get_one(Draft, draft).files["problems/cases.py"]
        assert session.get_one(Blob, sha).content == b"a\nb\n"


def test_preview_shows_formulas_and_runs_nothing(teacher: Browser) -> None:
    draft = begin(teacher)
    save(
        teacher,
        draft,
        "problems/statement.md",
        "# T\n\n$x^2$ <script>alert(1)</script>\n\n[[sample: three words]]\n",
    )
    page = teacher.get(f"/teach/drafts/{draft}?file=problems/statement.md").text.split(
        "data-preview-slot"
    )[1]
    assert "<math" in page
    assert "<script>" not in page
    assert "three words” stands here" in page
    answer = teacher.post("/teach/preview", {"content": "**bold**"})
    assert "<strong>bold</strong>" in answer.json["html"]


def test_another_instructors_draft_is_not_there(teacher: Browser, app: Any) -> None:
    draft, other = begin(teacher), user_of(app, "theo", Role.INSTRUCTOR)
    assert other.get(f"/teach/drafts/{draft}").status_code == 404
    assert other.post(f"/teach/drafts/{draft}/verify").status_code == 404
    assert other.get(f"/teach/drafts/{draft}.zip").status_code == 404


def test_folder_is_taken_like_a_zip(teacher: Browser) -> None:
    files = [
        (io.BytesIO(text.encode()), f"my-bank/{path.split('/')[0]}/{SLUG}/{path.split('/', 1)[1]}")
        for path, text in FIT.items()
    ]
    teacher.get("/teach")
    answer = teacher.post("/teach/upload", {"folder": files})
    assert answer.status_code == 303, answer.text


def test_export_is_what_was_uploaded(teacher: Browser) -> None:
    from server.services.problems import archive

    draft = send_zip(teacher, FIT)
    found = archive.read_zip(io.BytesIO(teacher.get(f"/teach/drafts/{draft}.zip").data))
    assert found == (SLUG, {path: text.encode() for path, text in FIT.items()})


def test_an_upload_asks_before_it_replaces_files_of_a_draft(teacher: Browser, app: Any) -> None:
    def upload(**fields: Any) -> Any:
        return teacher.post("/teach/upload", fields or {"zip": (zip_of(content), "a.zip")})

    def kept() -> dict[str, str]:
        with teacher.service.database.read() as session:
            return dict(session.get_one(Draft, draft).files)

    draft = send_zip(teacher, FIT)
    content = {**FIT, "reference/more.py": "x = 1\n"}
    assert upload().status_code == 303  # nothing is lost
    content = {**FIT, "problems/statement.md": "# Mine\n"}
    before, asked = kept(), upload()
    assert (asked.status_code, kept()) == (200, before)
    named = re.findall(r"<li><code>(.*?)</code>", asked.text)
    assert named == ["problems/statement.md", "reference/more.py"]
    assert asked.text.count("removed, as the new files lack it") == 1
    answer = re.findall(r'name="replace" value="(.*?)"', asked.text)[0]
    assert save(teacher, draft, "problems/statement.md", "# Newer\n").status_code == 303
    again = upload(replace=answer)  # what is lost is not what was agreed to
    assert again.status_code == 200
    answer = re.findall(r'name="replace" value="(.*?)"', again.text)[0]
    other = user_of(app, "theo", Role.INSTRUCTOR)
    other.get("/teach")
    assert other.post("/teach/upload", {"replace": answer}).status_code == 422
    assert upload(replace=answer).location == f"/teach/drafts/{draft}"
    assert kept().keys() == content.keys()


@pytest.mark.parametrize("way", ["the template", "a copy", "the version in use"])
def test_another_beginning_asks_before_it_replaces_files_of_a_draft(
    teacher: Browser, way: str
) -> None:
    draft = send_zip(teacher, FIT)
    if way == "the version in use":
        found_fit(teacher, draft)
        published(teacher, draft)
        path, fields = f"/teach/problems/{SLUG}/edit", {}
    else:
        source = "" if way == "the template" else "double"
        path, fields = "/teach/drafts", {"slug": SLUG, "from": source}
    assert save(teacher, draft, "problems/statement.md", "# Mine\n").status_code == 303
    teacher.get(f"/teach/drafts/{draft}")
    asked = teacher.post(path, fields)
    assert (asked.status_code, "<code>problems/statement.md</code>" in asked.text) == (200, True)
    page = f"/teach/drafts/{draft}?file=problems/statement.md"
    assert "# Mine" in teacher.get(page).text
    answer = re.findall(r'name="replace" value="(.*?)"', asked.text)[0]
    replaced = teacher.post("/teach/upload", {"replace": answer})
    assert replaced.location == f"/teach/drafts/{draft}"
    assert "# Mine" not in teacher.get(page).text


def test_zip_that_is_too_large_is_refused_before_it_is_read(teacher: Browser) -> None:
    teacher.get("/teach")
    body = (
        b"--x\r\nContent-Disposition: form-data; name=zip; filename=a.zip\r\n\r\n"
        + bytes(4 << 20)
        + b"\r\n--x--\r\n"
    )
    answer = teacher.client.post(
        "/teach/upload", data=body, content_type="multipart/form-data; boundary=x"
    )
    assert answer.status_code == 413
    assert re.search(r"at most 2,\d{3},\d{3} bytes", answer.text)


def test_unfit_cannot_be_published(teacher: Browser) -> None:
    draft = send_zip(teacher, FIT)
    answer = teacher.post(f"/teach/drafts/{draft}/publish", {"note": ""})
    assert (answer.status_code, "has not found these files fit" in answer.text) == (422, True)
    with teacher.service.database.read() as session:
        assert session.scalar(select(func.count()).select_from(Publication)) == 0


def test_form_is_told_without_a_room(teacher: Browser) -> None:
    draft = send_zip(
        teacher,
        {**FIT, "problems/problem.toml": FIT["problems/problem.toml"].replace("track", "trak")},
    )
    page = teacher.get(f"/teach/drafts/{draft}").text
    assert "problems/sigmoid_attention/problem.toml: &#39;track&#39; is missing" in page
    found = verified(teacher, draft)
    assert (found["fit"], "&#39;track&#39; is missing" in found["html"]) == (False, True)
    teacher.client.set_cookie("language", "zh")
    page = teacher.get(f"/teach/drafts/{draft}").text  # the form, and the verification of it
    assert page.count("problems/sigmoid_attention/problem.toml：&#39;track&#39; 没有写") == 2
    assert "is missing" not in page


@pytest.fixture
def real(make_app: MakeApp, room: Core) -> Any:
    """The service with the judge in its room."""
    return make_app(room, workers=1)


def test_from_upload_to_a_learners_verdict(real: Any) -> None:
    teacher, learner = user_of(real, "terry", Role.INSTRUCTOR), Browser(real).sign_up("lea")
    draft = send_zip(teacher, UNFIT)
    found = verified(teacher, draft)
    assert found["fit"] is False
    assert "mistake &#39;scaled_in_place&#39; in numpy" in found["html"]
    assert "no hidden case kills it; add a case that does" in found["html"]
    assert found["html"].count("kills-survivor") == 1
    teacher.client.set_cookie("language", "zh")
    page = teacher.get(f"/teach/drafts/{draft}").text
    assert "没有隐藏用例击杀它" in page and "no hidden case" not in page
    teacher.client.set_cookie("language", "en")
    assert "Publish version" not in teacher.get(f"/teach/drafts/{draft}").text

    assert (
        save(
            teacher, draft, "problems/cases.py", FIT["problems/cases.py"], then="verify"
        ).status_code
        == 303
    )
    found = verified(teacher, draft)
    assert (found["fit"], "kills-survivor" in found["html"]) == (True, False)
    assert learner.get(f"/problems/{SLUG}").status_code == 404
    published(teacher, draft, "the first")

    assert "Sigmoid attention" in learner.get("/").text
    learner.get(f"/problems/{SLUG}")
    number = learner.judged(SOLUTION, SLUG)
    assert "Accepted" in learner.get(f"/submissions/{number}").text
    number = learner.judged(SOLUTION.replace(" / np.float32(np.sqrt(q.shape[-1]))", ""), SLUG)
    assert "Next step: Where to look" in learner.get(f"/submissions/{number}").text
    for step in ("2", "3"):
        learner.post(f"/submissions/{number}/hints", {"hint": "0", "step": step})
    assert "What does the formula divide by?" in learner.get(f"/submissions/{number}").text

    page = teacher.get(f"/teach/problems/{SLUG}").text
    assert re.search(r"1 <code class=\"soft\">\w{8}</code> <span class=\"outcome ok\">in use", page)
    assert "the first" in page

    draft = int(
        re.findall(r"/drafts/(\d+)", teacher.post(f"/teach/problems/{SLUG}/edit").location)[0]
    )
    save(
        teacher,
        draft,
        "problems/statement.md",
        FIT["problems/statement.md"] + "\nOne more sentence.\n",
    )
    # changed since it was verified
    assert teacher.post(f"/teach/drafts/{draft}/publish", {"note": ""}).status_code == 422
    assert verified(teacher, draft)["fit"] is True
    published(teacher, draft, "one more sentence")
    assert "One more sentence." in learner.get(f"/problems/{SLUG}").text
    changes = teacher.get(f"/teach/problems/{SLUG}/compare?a=1&b=2").text
    assert (
        changes.count("<section"),
        "problems/statement.md" in changes,
        "One more sentence." in changes,
    ) == (1, True, True)

    teacher.get(f"/teach/problems/{SLUG}")
    assert (
        teacher.post(
            f"/teach/problems/{SLUG}/1/roll-back", {"reason": "it said too much"}
        ).status_code
        == 303
    )
    assert "One more sentence." not in learner.get(f"/problems/{SLUG}").text
    with teacher.service.database.read() as session:
        rows = session.scalars(select(Publication).order_by(Publication.number)).all()
    assert [(r.number, r.note, r.restores) for r in rows] == [
        (1, "the first", None),
        (2, "one more sentence", None),
        (3, "it said too much", 1),
    ]
    assert rows[0].digest == rows[2].digest != rows[1].digest


def sample_sections(html: str) -> list[str]:
    return re.findall(r'<section class="sample".*?</section>', html, re.DOTALL)


def test_only_a_problem_that_there_is_can_be_required(real: Any) -> None:
    teacher = user_of(real, "terry", Role.INSTRUCTOR)
    toml = FIT["problems/problem.toml"]
    for slug, fit in (("masked_attension", False), ("masked_attention", True)):
        required = re.sub(r"(?m)^requires = .*$", f'requires = ["{slug}"]', toml)
        assert slug in required
        found = verified(teacher, send_zip(teacher, FIT | {"problems/problem.toml": required}))
        assert found["fit"] is fit
        assert ("which is not a problem of this bank" in found["html"]) is not fit


def test_a_verified_drafts_samples_are_shown_as_learners_will_see_them(real: Any) -> None:
    teacher, learner = user_of(real, "terry", Role.INSTRUCTOR), Browser(real).sign_up("lea")
    draft = send_zip(teacher, FIT)
    page = f"/teach/drafts/{draft}?file=problems/statement.md"
    before = teacher.get(page).text
    assert sample_sections(before) == []
    assert "stands here, with its numbers: verify computes them" in before

    assert verified(teacher, draft)["fit"] is True
    shown = sample_sections(teacher.get(page).text)
    assert len(shown) == 1
    assert 'data-sample="two queries, three keys"' in shown[0]
    assert shown[0].count("<table") >= 5  # q, k, v; the output, the weights
    assert sample_sections(teacher.get(page.replace("statement.md", "cases.py")).text) == shown
    live = {"content": "# T\n\n[[sample: two queries, three keys]]\n"}
    answer = teacher.post(f"/teach/preview?draft={draft}", live)
    assert sample_sections(answer.json["html"]) == shown

    published(teacher, draft)
    end = time.monotonic() + 60
    while not (seen := sample_sections(learner.get(f"/problems/{SLUG}").text)):
        assert time.monotonic() < end
        time.sleep(0.05)
    assert seen == shown

    changed = FIT["problems/cases.py"] + "\n"
    save(teacher, draft, "problems/cases.py", changed)
    stale = teacher.get(page).text
    assert sample_sections(stale) == shown
    assert "The draft has changed since; verify it again to see the new ones." in stale


def test_the_samples_of_anothers_draft_are_not_there(teacher: Browser, app: Any) -> None:
    draft, other = begin(teacher), user_of(app, "theo", Role.INSTRUCTOR)
    assert other.post(f"/teach/preview?draft={draft}", {"content": "x"}).status_code == 404


def test_published_problem_survives_the_loss_of_its_cache(real: Any) -> None:
    import shutil

    teacher = user_of(real, "terry", Role.INSTRUCTOR)
    draft = send_zip(teacher, FIT)
    assert verified(teacher, draft)["fit"] is True
    published(teacher, draft)
    shutil.rmtree(teacher.service.bank.shelf.folder, ignore_errors=True)
    synced = teacher.service.bank.sync()
    assert (synced.faults, synced.removed) == ({}, ())
    assert "Sigmoid attention" in teacher.get("/").text


def test_shipped_slug_cannot_be_taken(teacher: Browser) -> None:
    files = {path.replace("sigmoid_attention", "double"): text for path, text in FIT.items()}
    draft = send_zip(teacher, files, "double")
    assert "was shipped with this site" in teacher.get(f"/teach/drafts/{draft}").text
    assert teacher.post(f"/teach/drafts/{draft}/publish").status_code == 422


def test_same_files_are_kept_once(teacher: Browser) -> None:
    send_zip(teacher, FIT)
    with teacher.service.database.read() as session:
        before = session.scalar(select(func.count()).select_from(Blob))
    send_zip(teacher, FIT, "another_name")
    with teacher.service.database.read() as session:
        assert session.scalar(select(func.count()).select_from(Blob)) == before
        assert session.scalar(select(func.count()).select_from(Draft)) == 2
    assert zip_of(FIT).getvalue()
