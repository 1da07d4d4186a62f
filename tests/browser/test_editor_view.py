"""What the editor does for the reader's eyes and hands: completion, search, size, wrapping, and
the colours of the page.
"""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import Console
from tests.browser.site import SLUG, Site, editor, write

IMPORTS = (
    "import numpy as np\nimport torch\nimport torch.nn.functional as F\nfrom torch import nn\n"
)
TORCH = f"/problems/{SLUG}?framework=torch"
pytestmark = pytest.mark.torch  # what is offered is PyTorch's, on its page
PHONE = {"width": 360, "height": 740}
# the list stands in no landmark and is scrolled by the arrow keys of the editor, which names its
# active entry: the two rules that this breaks do not know that pattern
RUN = """axe.run(document, {resultTypes: ['violations'], rules: {'target-size': {enabled: true}, 'region': {enabled: false},
    'scrollable-region-focusable': {enabled: false}}})
    .then(found => found.violations.map(fault => [fault.id, fault.nodes.map(n => n.html)]))"""


@pytest.fixture(scope="module")
def tab(chromium: Browser) -> Iterator[Page]:
    """One tab for tests that write over what stands in the editor: no renderer for each."""
    with chromium.new_context() as context:
        yield context.new_page()


@pytest.fixture
def typist(tab: Page, console: Console) -> Iterator[Page]:
    """The tab, heard for one test."""
    yield console.listen(tab)
    console.leave(tab)


def open_editor(page: Page, site: Site, text: str = IMPORTS) -> list[str]:
    """The editor with a text and the cursor at its end; the scripts that are loaded from then on."""
    page.goto(site.url + TORCH)
    write(page, text)
    page.keyboard.press("ControlOrMeta+End")
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url.rpartition("/")[2]))
    return loaded


def until_loaded(page: Page) -> None:
    """The list is there for the keys that come: on a busy machine it loads longer than one types."""
    with page.expect_response(re.compile(r"/completion-")):
        page.keyboard.type(" ")
    page.wait_for_timeout(500)
    page.keyboard.press("Backspace")


def offered(page: Page) -> Locator:
    """The entries of the list."""
    return page.get_by_role("listbox", name="Completions").get_by_role("option")


def font_px(page: Page) -> float:
    """The size of the editor's text."""
    return float(
        page.locator(".cm-editor").evaluate("box => parseFloat(getComputedStyle(box).fontSize)")
    )


def ground(page: Page) -> str:
    """The colour of the page."""
    return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))


def test_completions_come_with_the_first_key_and_no_call_of_the_server(
    open_page: Callable[..., Page], site: Site
) -> None:
    page = open_page()
    loaded = open_editor(page, site)
    assert loaded == []
    page.keyboard.type("y = torch.softm", delay=30)
    expect(offered(page)).to_have_text(["softmax(input, dim, *, dtype=None)"])
    assert [name.partition("-")[0] for name in loaded] == ["completion"]
    page.wait_for_timeout(150)  # an entry is not taken by a key that was meant for the text
    page.keyboard.press("Enter")
    page.keyboard.type("(x.masked_fill_", delay=30)
    expect(offered(page)).to_have_text(["masked_fill_(mask, value)"])
    page.wait_for_timeout(150)
    page.keyboard.press("Enter")
    assert (
        page.locator("[data-source]").input_value() == f"{IMPORTS}y = torch.softmax(x.masked_fill_)"
    )
    assert [name.partition("-")[0] for name in loaded] == ["completion"]


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("np.linalg.nor", "norm(x, ord=None, axis=None, keepdims=False)"),
        ("F.multi_m", "multi_margin_loss(input, target,"),
        ("nn.functional.softmi", "softmin(input, dim=None, dtype=None)"),
        ("x[0].swapaxes", "swapaxes(axis"),
        ("(x @ y).masked_s", "masked_scatter(mask, tensor)"),
        ("from torch.nn import Layer", "LayerNorm(normalized_shape, eps=1e-05,"),
    ],
)
def test_what_an_expression_is_decides_what_is_offered(
    typist: Page, site: Site, typed: str, first: str
) -> None:
    open_editor(typist, site)
    typist.keyboard.type(typed, delay=30)
    expect(offered(typist).first).to_contain_text(first)


@pytest.mark.parametrize(
    ("typed", "fits"),
    [
        ("np.ma", r"ma"),  # and not argmax
        ("F.softmax", r"softmax\("),  # and neither log_softmax nor gumbel_softmax
        ("np.Ma", r"ma"),
        ("F.entropy", r"\w+_entropy"),  # none begins so
        ("nn.lnorm", r"LayerNorm"),
        ("torch.sofmax", r"s\w*o\w*f\w*m\w*a\w*x"),  # a letter is missing
        ("max", r"max"),
    ],
)
def test_names_that_begin_with_what_is_typed_come_before_others(
    typist: Page, site: Site, typed: str, fits: str
) -> None:
    open_editor(typist, site)
    until_loaded(typist)
    typist.keyboard.type(typed, delay=30)
    expect(offered(typist).first).to_be_visible()
    typist.wait_for_timeout(300)
    for entry in offered(typist).all_inner_texts():
        assert re.match(fits, entry), entry


def test_letters_that_are_taken_back_bring_names_back(typist: Page, site: Site) -> None:
    open_editor(typist, site)
    until_loaded(typist)
    sort = offered(typist).filter(has_text=re.compile(r"^sort\("))
    typist.keyboard.type("torch.so", delay=30)
    expect(sort).to_have_count(1)
    typist.keyboard.type("ft", delay=30)
    expect(sort).to_have_count(0)
    typist.keyboard.press("Backspace", delay=30)
    typist.keyboard.press("Backspace", delay=30)
    expect(sort).to_have_count(1)


@pytest.mark.parametrize(
    "typed",
    [
        *("np.soft", "np.sof"),  # whose letters are in busday_offset and in show_config
        *("# torch.soft", "'torch.soft", "1.5", "math.sq", "self.w"),
        *("F.scaled_dot", "nn.MultiheadA", "nn.TransformerEncoderL"),  # forbidden everywhere
    ],
    ids=lambda text: text,
)
def test_nothing_is_offered(typist: Page, site: Site, typed: str) -> None:
    page = typist
    open_editor(page, site)
    until_loaded(page)
    page.keyboard.type("torch.relu", delay=30)
    expect(offered(page).first).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    if typed == "math.sq":
        page.keyboard.type("import math\n")
    page.keyboard.type(typed, delay=30)
    page.wait_for_timeout(300)
    expect(offered(page)).to_have_count(0)


def test_what_a_problem_forbids_is_not_offered(open_page: Callable[..., Page], site: Site) -> None:
    page = open_page()
    page.goto(f"{site.url}/problems/stable_softmax?framework=torch")
    write(page, IMPORTS)
    page.keyboard.press("ControlOrMeta+End")
    until_loaded(page)
    page.keyboard.type("torch.sigm", delay=30)
    expect(offered(page).first).to_have_text("sigmoid(input, *, out=None)")
    page.keyboard.press("Escape")
    for typed in ("torch.softm", "nn.Softmin", "x.softm"):
        page.keyboard.press("Enter")
        page.keyboard.type(typed, delay=30)
        page.wait_for_timeout(300)
        forbidden = re.compile(r"^softm(ax|in)\b", re.IGNORECASE)
        expect(offered(page).filter(has_text=forbidden)).to_have_count(0)


def test_escape_then_tab_leaves_the_editor_with_the_list_open(
    open_page: Callable[..., Page], site: Site
) -> None:
    page = open_page()
    open_editor(page, site)
    page.keyboard.type("torch.m", delay=30)
    expect(offered(page).first).to_be_visible()
    page.keyboard.press("Escape")
    expect(offered(page)).to_have_count(0)
    expect(editor(page)).to_be_focused()
    page.keyboard.press("Tab")
    expect(editor(page)).not_to_be_focused()


def test_names_of_the_text_and_of_python_are_there_when_asked_for(
    open_page: Callable[..., Page], site: Site
) -> None:
    page = open_page()
    open_editor(page, site, "weights = 1\n")
    page.keyboard.type("we", delay=30)
    page.keyboard.press("Control+Space")
    expect(offered(page).first).to_have_text("weights")


def test_the_list_and_the_panel_are_accessible_and_keep_to_the_policy(
    open_page: Callable[..., Page], site: Site, axe: str
) -> None:
    page = open_page(reduced_motion="reduce")
    open_editor(page, site)
    page.evaluate(axe)
    page.get_by_text("View", exact=True).click()
    assert page.evaluate(RUN) == []
    page.keyboard.press("Escape")
    editor(page).click()
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        page.keyboard.type("torch.m", delay=30)
        expect(offered(page).first).to_be_visible()
        assert page.evaluate(RUN) == []
        page.keyboard.press("Escape")
        page.keyboard.press("ControlOrMeta+f")
        expect(page.get_by_label("Find", exact=True)).to_be_focused()
        assert page.evaluate(RUN) == []
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        page.keyboard.press("Escape")


def test_find_and_replace(open_page: Callable[..., Page], site: Site) -> None:
    page = open_page()
    loaded = open_editor(page, site, "alpha\nbeta alpha\n")
    page.get_by_text("View", exact=True).click()
    page.get_by_role("button", name="Find and replace").click()
    page.get_by_label("Find", exact=True).fill("alpha")
    page.get_by_label("Replace with").fill("gamma")
    page.get_by_role("button", name="Replace all").click()
    assert page.locator("[data-source]").input_value() == "gamma\nbeta gamma\n"
    page.keyboard.press("Escape")
    expect(editor(page)).to_be_focused()
    assert [name.partition("-")[0] for name in loaded] == ["search"]


def test_the_panel_speaks_the_language_of_the_page(
    open_page: Callable[..., Page], site: Site
) -> None:
    page = open_page(locale="zh-CN")
    page.goto(site.url + TORCH)
    page.locator(".cm-content").click()
    page.keyboard.press("ControlOrMeta+f")
    expect(page.get_by_label("查找", exact=True)).to_be_focused()
    expect(page.get_by_role("button", name="全部替换")).to_be_visible()


def test_the_size_and_the_wrapping_are_kept(open_page: Callable[..., Page], site: Site) -> None:
    page = open_page()
    open_editor(page, site)
    before = font_px(page)
    page.get_by_text("View", exact=True).click()
    for _ in range(2):
        page.get_by_role("button", name="Larger").click()
    page.get_by_label("Wrap long lines").check()
    assert font_px(page) > before + 3
    page.keyboard.press("Escape")
    expect(page.locator(".editor-view summary")).to_be_focused()
    page.reload()
    expect(page.locator(".cm-lineWrapping")).to_be_visible()
    assert font_px(page) > before + 3
    page.get_by_text("View", exact=True).click()
    larger = page.get_by_role("button", name="Larger")
    while larger.is_enabled():
        larger.click()
    assert font_px(page) == 24


def test_lines_wrap_on_a_phone_until_the_reader_says_otherwise(
    open_page: Callable[..., Page], site: Site
) -> None:
    page = open_page(viewport=PHONE)
    open_editor(page, site, f"x = {'1 + ' * 60}1\n")
    over = "document.querySelector('.cm-scroller').scrollWidth - document.querySelector('.cm-scroller').clientWidth"
    assert page.evaluate(over) == 0
    page.get_by_text("View", exact=True).click()
    page.get_by_label("Wrap long lines").uncheck()
    assert page.evaluate(over) > 100
    page.reload()
    editor(page).wait_for()
    assert page.evaluate(over) > 100


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_the_page_is_dark_where_the_reader_wants_it(
    open_page: Callable[..., Page], site: Site, script: bool
) -> None:
    page = open_page(java_script_enabled=script, color_scheme="light")
    page.goto(f"{site.url}/words")
    colours = page.get_by_role("contentinfo").get_by_role("navigation", name="Colours")
    day = ground(page)
    colours.get_by_role("link", name="dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    night = ground(page)
    assert night != day
    page.goto(site.url)
    assert ground(page) == night
    expect(colours.get_by_role("link", name="dark")).to_have_attribute("aria-current", "true")
    colours.get_by_role("link", name="as on this device").click()
    expect(page.locator("html:not([data-theme])")).to_have_count(1)
    assert ground(page) == day


def test_colours_change_without_losing_what_is_written(
    open_page: Callable[..., Page], site: Site
) -> None:
    page = open_page(color_scheme="dark")
    open_editor(page, site, "# mine\n")
    night = ground(page)
    page.get_by_text("View", exact=True).click()
    page.locator(".editor-view").get_by_role("link", name="light").click()
    assert ground(page) != night
    assert page.locator("[data-source]").input_value() == "# mine\n"
    expect(page.get_by_role("contentinfo").get_by_role("link", name="light")).to_have_attribute(
        "aria-current", "true"
    )
