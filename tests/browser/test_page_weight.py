"""What a first visit costs: the bytes that come over the network for a lesson and for a problem
page.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from benchmarks.pages import WEIGHT_KB, Weight, opened, received, until_computed, weigh
from grader.lessons import load_lessons
from tests import ROOT
from tests.browser import site as sites
from tests.browser.conftest import need

LESSONS = ("self_attention", "cost")  # a figure of each script, and the longest page
PROBLEMS = ("masked_attention", "scaled_dot_product_attention")
WHOLE_FONT = "/stix-two-math-"
WHOLE_TEXT_FONT = "-latin-wght-"


@pytest.fixture(scope="module")
def school(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sites.Site]:
    need(sites.missing())
    lessons = [lesson for lesson in load_lessons(ROOT) if lesson.slug in LESSONS]
    problems = {*PROBLEMS, *(slug for lesson in lessons for slug in lesson.uses)}
    folders = tuple(ROOT / "lessons" / slug for slug in LESSONS)
    folder = tmp_path_factory.mktemp("school")
    with sites.served(folder, tuple(sorted(problems)), folders) as served:
        yield served


def names(weight: Weight) -> list[str]:
    return [address.rpartition("/")[2] for address in weight.parts]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("slug", LESSONS)
def test_a_lesson(school: sites.Site, chromium: Browser, slug: str, language: str) -> None:
    url = f"{school.url}/lessons/{slug}"
    until_computed(chromium, [url])
    weight = weigh(chromium, url, locale=language)
    assert weight.total_kb <= WEIGHT_KB["lesson"], weight.parts
    assert any(name.startswith("formulas-") for name in names(weight))
    assert not any(WHOLE_FONT in address for address in weight.parts)
    assert not any(name.startswith("editor-") for name in names(weight))


@pytest.mark.parametrize("slug", PROBLEMS)
def test_a_problem_page(school: sites.Site, chromium: Browser, slug: str) -> None:
    weight = weigh(chromium, f"{school.url}/problems/{slug}")
    assert weight.total_kb <= WEIGHT_KB["problem"], weight.parts
    assert any(name.startswith("editor-") for name in names(weight))
    assert any(name.startswith("sans-") for name in names(weight))
    assert not any(WHOLE_FONT in address for address in weight.parts)
    assert not any(WHOLE_TEXT_FONT in address for address in weight.parts)


def test_a_character_that_the_cut_font_lacks_comes_from_the_whole_one(
    school: sites.Site, chromium: Browser
) -> None:
    page = chromium.new_page()
    page.goto(f"{school.url}/lessons/cost")
    with page.expect_response(lambda answer: WHOLE_FONT in answer.url) as answer:
        page.evaluate(
            "document.querySelector('main').insertAdjacentHTML('beforeend', '<math><mo>⨌</mo></math>')"
        )
    assert answer.value.ok
    page.close()


def test_a_second_page_loads_itself_alone(school: sites.Site, chromium: Browser) -> None:
    url = f"{school.url}/lessons/self_attention"
    with opened(chromium) as (page, session):
        page.goto(f"{school.url}/lessons/cost", wait_until="networkidle")
        parts = received(session)
        page.goto(url, wait_until="networkidle")
    assert [address for address, size in parts.items() if size] == [url]
