"""An instructor's day on the site: a draft that is not fit, a problem in two versions, a rejudge between them."""

from playwright.sync_api import Page, expect

from tests.browser.site import PATIENCE_MS, Site, submit
from tests.teach.conftest import FIT, SLUG, UNFIT, zip_of

UNFIT_SLUG = "sigmoid_draft"
ONE_KEY = '    yield Case("one key", inputs=qkv(rng, 4, 1, 5, 3), note="The bias is log 1 = 0.")\n'
SECOND = FIT | {"problems/cases.py": FIT["problems/cases.py"].rstrip() + "\n" + ONE_KEY}
RIGHT = FIT["reference/numpy.py"]
SQUEEZED = RIGHT.replace("scores = q @ k.T / math.sqrt(q.shape[-1])", "scores = np.squeeze(q @ k.T) / math.sqrt(q.shape[-1])")


def upload(page: Page, site: Site, files: dict[str, str], slug: str = SLUG) -> str:
    """Bring a zip along; the path of the draft."""
    page.goto(f"{site.url}/teach")
    archive = {"name": f"{slug}.zip", "mimeType": "application/zip", "buffer": zip_of(files, slug).getvalue()}
    page.locator("input[name=zip]").set_input_files(archive)
    page.get_by_role("button", name="Upload").click()
    expect(page.locator(".draft-file")).to_be_visible()
    return page.url.removeprefix(site.url)


def verify(page: Page, said: str) -> None:
    """Verify the draft that is open, and wait for what is said of it."""
    page.get_by_role("button", name="Verify", exact=True).click()
    expect(page.locator("[data-verify-slot]")).to_contain_text(said, timeout=4 * PATIENCE_MS)


def publish(page: Page, note: str) -> None:
    """Publish the draft that is open and fit."""
    page.get_by_label("What is new").fill(note)
    page.get_by_role("button", name="Publish version").click()
    expect(page.get_by_role("table")).to_contain_text(note)


def teach(site: Site, page: Page, learner: Page) -> dict[str, str]:
    """Live that day; where the pages of it are."""
    draft = upload(page, site, FIT)
    verify(page, "Fit to use")
    publish(page, "the first version")
    for source in (RIGHT, SQUEEZED):
        submit(learner, site, source, SLUG, "numpy")
    upload(page, site, SECOND)
    verify(page, "Fit to use")
    publish(page, "a case with one key")
    page.goto(f"{site.url}/teach/problems/{SLUG}/rejudge")
    page.get_by_label("Why").fill("One key was never tried.")
    page.get_by_role("button", name="Judge them again").click()
    expect(page.get_by_role("button", name="Apply")).to_be_visible(timeout=2 * PATIENCE_MS)
    rejudge = page.url.removeprefix(site.url)
    unfit = upload(page, site, UNFIT, UNFIT_SLUG)
    verify(page, "Not fit yet")
    return {
        "teach": "/teach",
        "draft": unfit,
        "draft_code": f"{draft}?file=problems/cases.py",
        "versions": f"/teach/problems/{SLUG}",
        "versions_shipped": "/teach/problems/stable_softmax",
        "versions_compare": f"/teach/problems/{SLUG}/compare?a=1&b=2",
        "rejudge_choose": f"/teach/problems/{SLUG}/rejudge",
        "rejudge": rejudge,
        "audit": "/manage/audit",
    }
