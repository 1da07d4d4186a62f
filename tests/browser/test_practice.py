"""Practice in a browser: lines are moved with the keyboard, with the mouse, and without a script."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from grader.practice.lines import lines_of
from tests.browser.conftest import Console
from tests.browser.site import REPOSITORY, Site, begin_practice, check_practice, sign_up

SLUG = "causal_mask"
PATH = f"/problems/{SLUG}/practice"


@pytest.fixture(scope="module")
def state(site: Site, chromium: Browser) -> Any:
    """The session of a learner for whom the items are made."""
    with chromium.new_context() as context:
        page = context.new_page()
        sign_up(page, site, "practiser")
        begin_practice(page, site, SLUG)
        return context.storage_state()


@pytest.fixture
def page(site: Site, chromium: Browser, state: Any, console: Console) -> Any:
    with chromium.new_context(storage_state=state) as context:
        page = console.listen(context.new_page())
        page.goto(f"{site.url}{PATH}/arrange/1")
        yield page


def reference() -> list[str]:
    """The lines of the solution, without spaces around them."""
    text = (REPOSITORY / "reference" / SLUG / "numpy.py").read_text()
    return [line.text for line in lines_of(text)]


def pool(page: Page) -> list[str]:
    """The lines that are not in the program."""
    return [text.strip() for text in page.locator("[data-pool] code").all_text_contents()]


def placed(page: Page) -> list[str]:
    return [text.strip() for text in page.locator("[data-placed] code").all_text_contents()]


def take_out(page: Page) -> None:
    """Takes every line out of the program: an earlier answer stands there again."""
    while page.locator("[data-placed] [data-line]").count():
        page.locator("[data-placed] [data-move=out]").first.click()


def in_order(lines: list[str]) -> list[str]:
    """Those that are of the solution, as they follow there."""
    return sorted((line for line in lines if line in reference()), key=reference().index)


def test_lines_are_put_in_order_with_the_keyboard(page: Page) -> None:
    right = in_order(pool(page))
    assert len(right) > 1
    for line in reversed(right):  # the last line first, so that each has to be moved up
        page.get_by_role("button", name=f"Add to the program: {line}", exact=True).focus()
        page.keyboard.press("Enter")
        for _ in range(len(placed(page)) - 1):
            page.get_by_role("button", name=f"Move up: {line}", exact=True).focus()
            page.keyboard.press("Enter")
        expect(page.locator("[data-moved]")).to_have_text("Place 1")
    assert placed(page) == right
    expect(page.locator("[data-dots]")).to_be_hidden()
    expect(check_practice(page)).to_contain_text("Right.")
    assert placed(page) == right  # the answer stands there again
    page.get_by_role("button", name=f"Take out of the program: {right[0]}", exact=True).click()
    assert placed(page) == right[1:] and right[0] in pool(page)
    expect(page.locator("[data-moved]")).to_have_text("Taken out")


def test_on_a_phone_no_line_is_wider_than_the_page(page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    while page.locator("[data-placed] [data-line]").count() < 2:
        page.locator("[data-pool] [data-move=in]").first.click()
    line = "weights_after_the_mask = softmax(scores + mask_of_every_query) @ values_of_every_key"
    page.locator("[data-line] code").first.evaluate(
        "(code, text) => (code.textContent = text)", line
    )
    page.locator("[data-pool] code").last.evaluate(
        "(code, text) => (code.textContent = text)", line
    )
    wide = "list => list.scrollWidth - list.clientWidth"
    assert page.locator("[data-pool]").evaluate(wide) <= 0
    assert page.locator("[data-arrange]").evaluate(wide) <= 0


def test_lines_are_dragged(page: Page) -> None:
    take_out(page)
    page.evaluate("scrollTo(0, 0)")  # a page that scrolls under a pressed mouse begins no drag
    lines = pool(page)
    ground = page.locator("[data-arrange]")
    page.locator("[data-pool] [data-line]").nth(0).drag_to(ground)
    page.locator("[data-pool] [data-line]").nth(0).drag_to(
        page.locator("[data-placed] [data-line]"), target_position={"x": 150, "y": 2}
    )
    assert placed(page) == [lines[1], lines[0]]
    sent = page.evaluate(
        "[...new FormData(document.querySelector('form.practice-item'))]"
        ".filter(([name, value]) => name.startsWith('place-') && value)"
    )
    assert sorted(value for _, value in sent) == ["1", "2"]


def test_without_a_script_lines_have_numbers(site: Site, chromium: Browser, state: Any) -> None:
    with chromium.new_context(storage_state=state, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{site.url}{PATH}/arrange/1")
        right = in_order(pool(page))
        for line in page.locator("[data-pool] [data-line]").all():
            text = (line.locator("code").text_content() or "").strip()
            place = str(right.index(text) + 1) if text in right else ""
            line.locator("select").select_option(place)
        page.get_by_role("button", name="Check").click()
        page.locator(".told").wait_for(timeout=60_000)
        expect(page.locator(".told")).to_contain_text("Right.")
        page.goto(site.url + PATH)
        expect(page.locator("a.solved")).to_have_count(1)


INPUTS = "query_len = 2\nkey_len = 4"


def kills(page: Page) -> list[str]:
    """The rows of the kill matrix: what is said of each mistake."""
    rows = page.locator(".kills tbody tr").all()
    return ["".join(row.locator("td .visually-hidden").all_text_contents()) for row in rows]


def write(page: Page, inputs: str) -> None:
    """In the editor, which takes the place of the field on every page that is loaded."""
    written = page.get_by_role("textbox", name="Your inputs")
    expect(written).to_have_attribute("contenteditable", "true")
    written.fill(inputs)


def test_mistakes_are_beaten_in_the_editor(page: Page, site: Site) -> None:
    page.goto(f"{site.url}{PATH}/beat/1")
    write(page, INPUTS)
    assert "passes" in check_practice(page).inner_text()
    assert len(kills(page)) == 1
    write(page, f"{INPUTS}\n---\nquery_len = 6\nkey_len = 2\n---\nquery_len = 1\nkey_len = 4097")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".kills tbody tr")).to_have_count(3, timeout=60_000)
    expect(page.locator("#told")).to_contain_text("7 of 7 mistakes fail on your inputs.")
    write(page, "query_len = -1")
    expect(check_practice(page)).to_contain_text("input 1: query_len is -1")


def test_mistakes_are_beaten_without_a_script(site: Site, chromium: Browser, state: Any) -> None:
    with chromium.new_context(storage_state=state, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{site.url}{PATH}/beat/1")
        page.get_by_role("textbox", name="Your inputs").fill(INPUTS)
        page.get_by_role("button", name="Check").click()
        page.locator(".told").wait_for(timeout=60_000)
        (row,) = kills(page)
        assert "fails" in row and "passes" in row


def test_why_an_answer_is_refused_is_seen_at_once(page: Page, console: Console) -> None:
    """It stands under a long list: the page that says it would begin at its top."""
    page.set_viewport_size({"width": 360, "height": 500})
    take_out(page)
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_role("alert")).to_have_text("There is no answer yet.")
    expect(page.get_by_role("alert")).to_be_in_viewport()
    console.forgive("422")
