"""The instructors' pages in Chinese: no word of the page itself is left in English, and what is
refused is said in Chinese too.
"""

import html
import re

import pytest

from tests import ROOT
from tests.server.conftest import BAD, SLUG, Browser
from tests.server.instructors import UNFIT, send_zip
from tests.server.web.test_courses import Class

# Names of people, slugs, products, zones, formats and addresses; and labels that another product
# has in English.
OWN = re.compile(
    r"https?://\S+|\bAttention 101\b|\bWeek 1\b|\b\w+/\S+|\b\w+\.(?:py|md|toml)\b"
    r"|(?<![A-Za-z])(?:tess|terry|lea)(?![A-Za-z])|\b(?:root|ada|weights|float\d*|double(?:_again)?|sigmoid_attention|Sigmoid attention|problems|reference"
    r"|UTC|API|CSV|JSON|Zip|zip|once|none"
    r"|nbgrader|Gradescope|Moodle|Canvas|LTI|HTTPS?|JUDGE_HTTPS|cookie|NumPy|PyTorch|[Ii]ssuer|[Cc]lient id|audience)\b"
)


def english_of(page: str) -> list[str]:
    """The English words in the main part of a page, those of code, data and other products apart."""
    main = re.split(r"<main[^>]*>|</main>", page)[1]
    main = re.sub(r"<(code|pre|textarea|datalist|time)\b.*?</\1>", " ", main, flags=re.DOTALL)
    main = re.sub(
        r"<td>(?:Initiate|OpenID|Tool URL|Target|Public)[^<]*</td>|Moodle 中：[\w ]+", " ", main
    )
    shown = [
        *re.findall(r'(?:aria-label|placeholder|title)="([^"]*)"', main),
        re.sub(r"<[^>]+>", " ", main),
    ]
    return re.findall(r"[A-Za-z]{3,}", OWN.sub(" ", html.unescape(" ".join(shown))))


@pytest.fixture
def class_of_one(teacher: Browser, learner: Browser) -> Class:
    """A class with a submission in it; its teacher reads Chinese."""
    found = Class(teacher)
    found.join(learner)
    learner.judged(BAD)
    teacher.client.set_cookie("language", "zh")
    return found


def test_no_english_is_left(class_of_one: Class, admin: Browser) -> None:
    teacher, course, assignment = class_of_one.teacher, class_of_one.course, class_of_one.assignment
    draft = send_zip(teacher, UNFIT)
    page = teacher.get(f"/teach/assignments/{assignment}").text
    (one,) = set(re.findall(rf"/teach/assignments/{assignment}/learners/\d+", page))
    sent = re.findall(rf"/teach/assignments/{assignment}/submissions/\d+", teacher.get(one).text)
    admin.client.set_cookie("language", "zh")
    paths = {
        teacher: [
            *(
                "/teach",
                "/teach/courses",
                f"/teach/courses/{course}",
                f"/teach/assignments/{assignment}",
            ),
            *(
                f"/teach/courses/{course}/mistakes",
                f"/teach/assignments/{assignment}/mistakes/{SLUG}",
                f"/teach/assignments/{assignment}/similar/{SLUG}",
                *(one, sent[0]),
            ),
            *(
                f"/teach/problems/{SLUG}",
                f"/teach/problems/{SLUG}/mistakes",
                f"/teach/drafts/{draft}?file=problems/cases.py",
            ),
        ],
        admin: ["/manage/platforms", "/manage", f"/teach/problems/{SLUG}/rejudge"],
    }
    left = {}
    for browser, addresses in paths.items():
        for path in addresses:
            answer = browser.get(path)
            assert answer.status_code == 200 and "中文" in answer.text
            left[path] = english_of(answer.text)
    assert {path: words for path, words in left.items() if words} == {}


def test_no_comma_stands_between_texts_that_are_translated() -> None:
    """Chinese has a sign of its own, which `_(', ')` gives."""
    comma = re.compile(r"[}>], (?:<strong>)?\{\{ (?:_|ngettext|label)\(.*")
    folder = ROOT / "server" / "web" / "templates"
    found = {
        (path.name, line)
        for path in folder.rglob("*.html")
        for line in comma.findall(path.read_text())
    }
    assert found == set()


def test_a_hint_is_shown_to_a_teacher_in_chinese(class_of_one: Class) -> None:
    page = class_of_one.teacher.get(
        f"/teach/assignments/{class_of_one.assignment}/mistakes/{SLUG}"
    ).text
    assert "没有加倍。" in page and "It is not doubled." not in page


def test_what_is_refused_is_said_in_chinese(class_of_one: Class) -> None:
    teacher = class_of_one.teacher
    teacher.get("/teach/courses")
    assert "课程需要标题。" in teacher.post("/teach/courses", {"title": " ", "zone": "UTC"}).text
    assert (
        "&#39;Nowhere&#39; 不是时区"
        in teacher.post("/teach/courses", {"title": "A", "zone": "Nowhere"}).text
    )
    assert "开放时间必须早于截止时间。" in class_of_one.assign(due="2025-01-01T08:00").text


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_two_pages_of_the_site_have_the_same_name(teacher: Browser, language: str) -> None:
    teacher.client.set_cookie("language", language)
    links = re.findall(r'<nav class="site-nav".*?</nav>', teacher.get("/").text, re.DOTALL)[0]
    names = re.findall(r">([^<]+)</a>", links)
    assert len(names) == 8 and len(set(names)) == len(names), names
