"""From signing up to the progress map: what a learner does, and is told."""

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.site import (
    PATIENCE_MS,
    REPOSITORY,
    RIGHT,
    SLUG,
    UNSCALED,
    Site,
    served,
    sign_up,
    write,
)

WRITES_WITH_A_SCALE = """import numpy as np


def scaled_dot_product_attention(q, k, v, scale=None):
    if scale is None:
        scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    else:
        q = q if q.dtype == np.float32 and q.flags.writeable else q.copy()
        q *= scale
        scores = q @ np.swapaxes(k, -1, -2)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ v, weights
"""


def test_from_a_wrong_answer_over_its_diagnosis_to_the_map(learner: Page, site: Site) -> None:
    learner.goto(site.url)
    learner.get_by_role("table").get_by_role("link", name="Scaled dot-product attention").click()
    learner.get_by_role("link", name="PyTorch").click()
    learner.wait_for_url("**framework=torch**")
    write(learner, UNSCALED)
    learner.keyboard.press("ControlOrMeta+Enter")
    title = learner.locator(".verdict-title")
    expect(title).to_contain_text("Wrong answer", timeout=PATIENCE_MS)
    hint = learner.locator(".hint").first
    expect(hint).to_contain_text("Work out the first wrong number by hand")
    expect(hint.get_by_role("button", name="Next step")).to_be_visible()
    expect(learner.locator("[data-announce]")).to_contain_text(
        re.compile(r"Wrong answer.*first wrong number by hand")
    )
    expect(learner.locator("[data-announce]")).not_to_contain_text("?.")
    assert learner.url.endswith("framework=torch"), "the page was not left"
    write(learner, RIGHT)
    learner.get_by_role("button", name="Submit").click()
    expect(title).to_contain_text("Accepted", timeout=PATIENCE_MS)
    cases = learner.locator("[data-case]")
    expect(learner.locator("[data-case][data-outcome=accepted]")).to_have_count(cases.count())
    learner.get_by_role("link", name="Progress").click()
    expect(learner.locator(f"[data-slug={SLUG}]")).to_have_attribute("data-state", "solved")
    expect(learner.locator(".summary")).to_contain_text(re.compile(r"1 of \d solved"))
    learner.locator(".recent a").first.click()
    expect(title).to_contain_text("Accepted")
    learner.get_by_role("link", name="Solution", exact=True).click()
    expect(learner.locator("#main pre").first).to_contain_text("def scaled_dot_product_attention")


def test_without_a_room_a_submission_is_shown_in_the_queue(
    open_page: Callable[..., Page], tmp_path: Path
) -> None:
    with served(tmp_path, JUDGE_ISOLATION="docker", DOCKER_HOST="unix:///nowhere") as site:
        page = open_page()
        sign_up(page, site, "early")
        page.goto(f"{site.url}/problems/{SLUG}?framework=torch")
        write(page, RIGHT)
        page.keyboard.press("ControlOrMeta+Enter")
        expect(page.locator(".verdict-title")).to_contain_text("Queued", timeout=PATIENCE_MS)
        expect(page.locator(".verdict-message")).to_contain_text("What you submit is kept")
        page.close()


def test_samples_are_run_and_nothing_is_recorded(learner: Page, site: Site) -> None:
    learner.goto(f"{site.url}/problems/{SLUG}?framework=torch")
    expect(learner.locator("[data-verdict]")).to_contain_text("The verdict appears here")
    write(learner, RIGHT)
    learner.get_by_role("button", name="Run samples").click()
    expect(learner.locator(".verdict-title")).to_contain_text(
        re.compile(r"Accepted\s+2 of 2 samples"), timeout=PATIENCE_MS
    )
    learner.goto(f"{site.url}/problems/{SLUG}/submissions")
    expect(learner.locator("#main")).to_contain_text("Nothing submitted yet")


def test_heat_maps_show_yours_expected_and_the_difference(learner: Page, site: Site) -> None:
    learner.goto(f"{site.url}/problems/{SLUG}?framework=torch")
    write(learner, UNSCALED)
    learner.keyboard.press("ControlOrMeta+Enter")
    sample = learner.locator("details.judged-sample[open]").first
    sample.wait_for(timeout=PATIENCE_MS)
    figures = sample.locator("figure")
    assert [figures.nth(i).get_attribute("data-figure") for i in range(figures.count())] == [
        "yours",
        "expected",
        "difference",
    ]
    assert [figures.nth(i).locator(".cell").count() for i in range(3)] == [25, 25, 25]
    expect(figures.first.locator("text.tk").first).to_have_text("The")
    figures.first.locator(".cell").nth(6).hover()
    said = sample.locator(".readout")
    values = [figures.nth(i).locator(".cell").nth(6).get_attribute("data-value") for i in range(3)]
    expect(said).to_have_text(
        re.compile(
            r"cat → cat\s*yours {}\s*expected {}\s*difference {}".format(
                *map(re.escape, map(str, values))
            )
        )
    )
    figures.first.locator("svg").focus()
    learner.keyboard.press("ArrowDown")
    expect(said).to_contain_text("sat → cat")
    assert figures.nth(2).locator(".cell.at").count() == 1


def test_a_tab_shows_each_of_several_matrices(learner: Page, site: Site) -> None:
    source = (REPOSITORY / "reference" / "masked_attention" / "numpy.py").read_text()
    learner.goto(f"{site.url}/problems/masked_attention?framework=numpy")
    write(learner, source)
    learner.keyboard.press("ControlOrMeta+Enter")
    pictures = learner.locator("[data-verdict] [data-pictures]").first
    pictures.wait_for(timeout=PATIENCE_MS)
    tabs, panels = pictures.get_by_role("tab"), pictures.locator("[role=tabpanel]")
    assert tabs.count() == panels.count() == 2
    expect(panels.nth(0)).to_be_visible()
    expect(panels.nth(1)).to_be_hidden()
    tabs.nth(0).focus()
    learner.keyboard.press("ArrowRight")
    expect(tabs.nth(1)).to_be_focused()
    expect(tabs.nth(1)).to_have_attribute("aria-selected", "true")
    expect(panels.nth(0)).to_be_hidden()
    expect(panels.nth(1)).to_be_visible()


def test_the_bank_is_filtered_without_leaving_the_page(learner: Page, site: Site) -> None:
    learner.goto(site.url)
    rows = learner.locator("tr[data-problem]")
    everything = rows.count()  # what an instructor of another test has published is there too
    assert everything >= 4
    learner.evaluate("window.stayed = true")
    learner.get_by_label("Search").fill("softmax")
    expect(rows).to_have_count(1)
    expect(learner.locator("[data-count]")).to_have_text(f"1 / {everything}")
    learner.get_by_label("Difficulty").select_option("hard")
    expect(learner.locator(".empty")).to_contain_text("No problem is like that")
    assert learner.url.endswith("?q=softmax&difficulty=hard")
    assert learner.evaluate("window.stayed")


def test_two_submissions_are_compared_side_by_side(learner: Page, site: Site) -> None:
    learner.goto(f"{site.url}/problems/{SLUG}?framework=torch")
    for source, word in ((UNSCALED, "Wrong answer"), (RIGHT, "Accepted")):
        write(learner, source)
        learner.keyboard.press("ControlOrMeta+Enter")
        expect(learner.locator(".verdict-title")).to_contain_text(word, timeout=PATIENCE_MS)
    learner.get_by_role("link", name="Your submissions").click()
    learner.get_by_role("button", name="Compare side by side").click()
    changed = learner.locator("tr.diff-changed")
    expect(changed).to_have_count(1)
    expect(changed.locator(".left")).to_contain_text("transpose(-2, -1), dim")
    expect(changed.locator(".right")).to_contain_text("transpose(-2, -1) * factor, dim")


def test_a_long_track_fills_the_width_of_the_map(learner: Page, site: Site) -> None:
    learner.set_viewport_size({"width": 1280, "height": 900})
    learner.goto(site.url)
    track = learner.locator(".map-track").first
    short = track.bounding_box()
    track.locator("li").first.evaluate(
        "step => { for (let i = 0; i < 24; i++) step.after(step.cloneNode(true)); }"
    )
    long = track.bounding_box()
    assert short is not None and long is not None
    assert long["width"] > 1.9 * short["width"]
    step = track.locator("li").first.bounding_box()
    assert step is not None and long["height"] < 12 * step["height"]


def test_the_figure_of_the_front_says_nothing_that_only_a_lesson_explains(
    open_page: Callable[..., Page], site: Site
) -> None:
    page = open_page()
    page.goto(site.url)
    told = page.locator(".front .figure .readout, .front .figure [role=status]").first
    expect(told).to_contain_text("largest:")
    expect(page.locator(".front .figure")).not_to_contain_text("entropy")
    expect(page.locator(".front .figure")).not_to_contain_text("temperature")


def test_an_input_that_is_modified_in_one_case_is_told_with_its_case(
    learner: Page, site: Site
) -> None:
    learner.goto(f"{site.url}/problems/{SLUG}?framework=numpy")
    write(learner, WRITES_WITH_A_SCALE)
    learner.get_by_role("button", name="Submit").click()
    expect(learner.locator(".verdict-title")).to_contain_text("Wrong answer", timeout=PATIENCE_MS)
    failed = learner.locator("[data-case]:not([data-outcome=accepted])")
    expect(failed).to_have_count(1)
    expect(failed).to_contain_text("inputs afterwards")
    expect(learner.locator("#main")).to_contain_text(
        "an input was modified by the call in the case 'a scale of a half'"
    )
