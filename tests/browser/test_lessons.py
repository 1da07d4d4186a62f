"""Lessons in a browser: every page is fit for everyone, and every kind of figure works by mouse and
by keyboard, and without a script.
"""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from grader.lessons import load_lessons
from tests import ROOT
from tests.browser import site as sites
from tests.browser.conftest import Console
from tests.browser.test_every_page import axe_finds_nothing_serious

SHIPPED = {lesson.slug: lesson for lesson in load_lessons(ROOT)}
USED = {slug for lesson in SHIPPED.values() for slug in lesson.uses}
WIDTHS = (360, 1280)
KINDS = ("heatmap", "heads", "vectors", "softmax", "mask", "product", "curve")
FIGURE_KB = 60  # of script, all kinds together


@pytest.fixture(scope="module")
def school(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sites.Site]:
    """A site with every shipped lesson, and the problems whose references they call."""
    sites_needed = sites.missing()
    if sites_needed:
        pytest.skip(sites_needed)
    problems = tuple(sorted(USED | set(sites.PROBLEMS[:3])))
    lessons = (*(ROOT / "lessons" / slug for slug in SHIPPED), sites.GALLERY)
    with sites.served(tmp_path_factory.mktemp("school"), problems, lessons) as served:
        yield served


def opened(page: Page, site: sites.Site, slug: str) -> Page:
    """The page of a lesson, when its numbers are there."""
    page.goto(f"{site.url}/lessons/{slug}")
    page.locator("article.lesson:not([data-waiting])").wait_for(timeout=sites.PATIENCE_MS)
    return page


@pytest.fixture(scope="module")
def reader(chromium: Browser) -> Iterator[Page]:
    """One tab for lessons that are only looked at: no renderer is started for each."""
    with chromium.new_context() as context:
        yield context.new_page()


@pytest.mark.parametrize("slug", SHIPPED)
def test_every_lesson(
    school: sites.Site, reader: Page, console: Console, axe: str, slug: str
) -> None:
    page = console.listen(reader)
    page.emulate_media(color_scheme="light", reduced_motion="null")
    page.set_viewport_size({"width": 1280, "height": 720})
    opened(page, school, slug)
    expect(page.get_by_role("heading", level=1)).to_have_text(SHIPPED[slug].title)
    expect(page.locator(".form-error")).to_have_count(0)
    page.locator("details").evaluate_all("all => all.forEach(each => each.open = true)")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        over = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.evaluate(over) == 0
        axe_finds_nothing_serious(page, axe)
    console.leave(page)


@pytest.mark.parametrize("path", ["/lessons/self_attention", "/problems/single_query_attention"])
@pytest.mark.parametrize("width", WIDTHS)
def test_a_word_opens_its_meaning_without_a_script(
    school: sites.Site, open_page: Callable[..., Page], width: int, path: str
) -> None:
    viewport = {"width": width, "height": 800}
    page = open_page(java_script_enabled=False, viewport=viewport)
    page.goto(school.url + path)
    word, meaning = (
        page.get_by_role("button", name="query", exact=True),
        page.locator("#word-query"),
    )
    expect(word).to_have_count(1)
    expect(meaning).to_be_hidden()
    word.focus()
    page.keyboard.press("Enter")
    expect(meaning).to_contain_text("The vector that asks")
    box = meaning.bounding_box()
    assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= width
    assert box["y"] >= 0 and box["y"] + box["height"] <= viewport["height"]
    page.keyboard.press("Tab")
    expect(meaning.get_by_role("link", name="Lesson: One query looks at many keys")).to_be_focused()
    page.keyboard.press("Escape")
    expect(meaning).to_be_hidden()


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_an_open_meaning_is_fit_for_everyone(
    school: sites.Site, open_page: Callable[..., Page], axe: str, language: str
) -> None:
    page = opened(open_page(locale=language), school, "self_attention")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        page.locator("[popovertarget=word-value]").click()
        expect(page.locator("#word-value")).to_be_visible()
        axe_finds_nothing_serious(page, axe)
        page.keyboard.press("Escape")


@pytest.fixture
def gallery(school: sites.Site, open_page: Callable[..., Page]) -> Page:
    page = opened(open_page(), school, "gallery")
    page.locator("[data-live=vectors][data-drawn]").wait_for()
    return page


def figure(page: Page, kind: str) -> Locator:
    return page.locator(f"[data-live={kind}]")


def said(page: Page, kind: str) -> Locator:
    return figure(page, kind).locator(".readout")


def test_figures_are_whole_without_a_script(
    school: sites.Site, open_page: Callable[..., Page], console: Console
) -> None:
    page = opened(open_page(java_script_enabled=False), school, "gallery")
    for kind in KINDS:
        expect(figure(page, kind).locator("svg[role=img]").first).to_be_visible()
        summary = figure(page, kind).get_by_text("The numbers as a table")
        summary.focus()
        page.keyboard.press("Enter")
        expect(figure(page, kind).locator("table").first).to_be_visible()
        expect(figure(page, kind).locator(".readout")).to_have_count(0)
    page.get_by_text("Answer", exact=True).click()
    expect(page.get_by_text("All have four entries")).to_be_visible()


def test_a_heat_map_says_the_number_of_a_cell(gallery: Page) -> None:
    figure(gallery, "heatmap").locator(".cell").nth(1).hover()
    expect(said(gallery, "heatmap")).to_have_text("the → cat 0.1426")
    figure(gallery, "heatmap").locator("svg").focus()
    gallery.keyboard.press("ArrowDown")
    gallery.keyboard.press("ArrowRight")
    expect(said(gallery, "heatmap")).to_have_text("cat → sat 0.2054")


def test_heads_are_switched_and_compared(gallery: Page) -> None:
    heads = figure(gallery, "heads")
    expect(heads.locator("svg.heat-map:visible")).to_have_count(1)
    heads.get_by_role("tab", name="flat").focus()
    gallery.keyboard.press("ArrowRight")
    expect(heads.get_by_role("tab", name="sharp")).to_have_attribute("aria-selected", "true")
    heads.get_by_role("tab", name="flat").click()
    heads.locator(".cell:visible").first.hover()
    expect(said(gallery, "heads")).to_have_text("the → the flat 0.3978sharp 0.7938")


def test_an_arrow_is_dragged_and_moved_by_keys(gallery: Page) -> None:
    arrow = figure(gallery, "vectors").locator(".arrow").first
    expect(said(gallery, "vectors")).to_contain_text("cat · dog 4.5")
    arrow.focus()
    gallery.keyboard.press("ArrowUp")
    expect(arrow).to_have_attribute("aria-label", "cat: 2, 1.1")
    expect(said(gallery, "vectors")).to_contain_text("cat · dog 4.65")
    handle = arrow.locator(".handle")
    handle.scroll_into_view_if_needed()
    box = handle.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    gallery.mouse.move(x, y)
    gallery.mouse.down()
    gallery.mouse.move(x - 60, y + 10, steps=4)
    gallery.mouse.up()
    moved = arrow.get_attribute("aria-label")
    assert moved is not None and moved not in ("cat: 2, 1.1", "cat: 2, 1")
    figure(gallery, "vectors").get_by_role("button", name="Reset").click()
    expect(arrow).to_have_attribute("aria-label", "cat: 2, 1")
    figure(gallery, "vectors").get_by_label("Compared vector").last.select_option("car")
    expect(said(gallery, "vectors")).to_contain_text("cat · car 0")
    expect(said(gallery, "vectors")).to_contain_text("angle 90.0°")


def test_a_slider_sharpens_the_softmax(gallery: Page) -> None:
    slider = figure(gallery, "softmax").get_by_role("slider")
    expect(said(gallery, "softmax")).to_contain_text("largest: sat .63")
    slider.focus()
    gallery.keyboard.press("End")
    expect(said(gallery, "softmax")).to_contain_text("temperature 0.125")
    expect(said(gallery, "softmax")).to_contain_text("largest: sat 1.00")
    slider.fill("0")
    expect(said(gallery, "softmax")).to_contain_text("largest: the .25")
    expect(said(gallery, "softmax")).to_contain_text("entropy in bits 2")


def test_a_mask_is_painted(gallery: Page) -> None:
    cells = figure(gallery, "mask").locator(".cell")
    expect(cells.nth(1)).to_have_text("×")
    cells.nth(1).click()
    expect(cells.nth(1)).not_to_have_text("×")
    expect(said(gallery, "mask")).to_contain_text("sum of the row 1")
    figure(gallery, "mask").locator("svg").focus()
    gallery.keyboard.press("Space")
    expect(cells.nth(1)).to_have_text("×")
    gallery.keyboard.press("ArrowLeft")
    gallery.keyboard.press("Enter")
    expect(said(gallery, "mask")).to_contain_text("the → the hidden")
    expect(said(gallery, "mask")).to_contain_text("sum of the row 0")
    figure(gallery, "mask").get_by_role("button", name="Reset").click()
    expect(cells.first).to_have_text("1")


def test_a_row_meets_a_column(gallery: Page) -> None:
    product = figure(gallery, "product")
    product.locator("[data-part=result] .cell").first.click()
    expect(said(gallery, "product")).to_have_text("1, 1: 1 · 1 + 2 · 2 + 0 · 0 = 5")
    expect(product.locator("[data-part=left] .meets")).to_have_count(3)
    product.locator("svg").focus()
    gallery.keyboard.press("ArrowDown")
    gallery.keyboard.press("ArrowRight")
    expect(said(gallery, "product")).to_have_text("2, 2: 0 · 0 + 1 · 1 + -1 · 3 = -2")


def test_lines_say_their_numbers(gallery: Page) -> None:
    svg = figure(gallery, "curve").locator("svg.curve")
    svg.focus()
    expect(said(gallery, "curve")).to_have_text("tokens 16scores 256linear 1024")
    gallery.keyboard.press("ArrowRight")
    expect(said(gallery, "curve")).to_have_text("tokens 64scores 4096linear 4096")
    box = svg.bounding_box()
    assert box is not None
    svg.hover(position={"x": box["width"] - 30, "y": 40})
    expect(said(gallery, "curve")).to_contain_text("tokens 1024")


def test_the_figures_are_chinese(school: sites.Site, open_page: Callable[..., Page]) -> None:
    page = opened(open_page(locale="zh-CN"), school, "gallery")
    expect(figure(page, "heads").get_by_role("tab", name="尖锐")).to_be_visible()
    expect(said(page, "softmax")).to_contain_text("温度")
    assert re.search("[a-z]{4}", said(page, "vectors").inner_text()) is None


def test_the_script_of_the_figures_is_small() -> None:
    scripts = list(sites.DIST.glob("live-*.js"))
    assert scripts and sum(path.stat().st_size for path in scripts) < FIGURE_KB << 10
