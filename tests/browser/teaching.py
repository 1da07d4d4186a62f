"""An instructor's day on the site: a draft that is not fit, a problem in two versions, a rejudge
between them; a course.
"""

from playwright.sync_api import Page, expect

from tests.browser.site import PATIENCE_MS, Site, submit
from tests.browser.site import RIGHT as FIRST_RIGHT
from tests.browser.site import SLUG as FIRST_SLUG
from tests.server.instructors import FIT, SLUG, UNFIT, zip_of

UNFIT_SLUG = "sigmoid_draft"
ONE_KEY = '    yield Case("one key", inputs=qkv(rng, 4, 1, 5, 3), note="The bias is log 1 = 0.")\n'
SECOND = FIT | {"problems/cases.py": FIT["problems/cases.py"].rstrip() + "\n" + ONE_KEY}
RIGHT = FIT["reference/numpy.py"]
SQUEEZED = RIGHT.replace(
    "scores = q @ k.T / math.sqrt(q.shape[-1])",
    "scores = np.squeeze(q @ k.T) / math.sqrt(q.shape[-1])",
)

ODD = FIRST_RIGHT.replace(" * factor", " * factor * 1.7")  # what no known mistake explains


def upload(page: Page, site: Site, files: dict[str, str], slug: str = SLUG) -> str:
    """Bring a zip along; the path of the draft."""
    page.goto(f"{site.url}/teach")
    archive = {
        "name": f"{slug}.zip",
        "mimeType": "application/zip",
        "buffer": zip_of(files, slug).getvalue(),
    }
    page.locator("input[name=zip]").set_input_files(archive)
    page.get_by_role("button", name="Upload").click()
    replace = page.get_by_role("button", name="Replace them")  # where one has a draft of that slug
    expect(page.locator(".draft-file").or_(replace)).to_be_visible()
    if replace.count():
        replace.click()
    expect(page.locator(".draft-file")).to_be_visible()
    return page.url.removeprefix(site.url)


def verify(page: Page, said: str) -> None:
    """Verify the draft that is open, and wait for what is said of it."""
    page.get_by_role("button", name="Verify", exact=True).click()
    expect(page.locator("[data-verify-slot]")).to_contain_text(said, timeout=4 * PATIENCE_MS)


def publish(page: Page, note: str) -> None:
    """Publish the draft that is open and fit."""
    page.get_by_label("What is new").first.fill(note)
    page.get_by_role("button", name="Publish version").click()
    expect(page.get_by_role("table")).to_contain_text(note)


def assign(page: Page, site: Site) -> tuple[str, str]:
    """Make a course and an assignment in it, and leave the course open; the paths of the two."""
    page.goto(f"{site.url}/teach/courses")
    page.get_by_label("Title").first.fill("Attention, first term")
    page.get_by_role("button", name="Make it").click()
    course = page.url.removeprefix(site.url)
    page.get_by_text("A new assignment").click()
    for name, value in (
        ("title", "The first week"),
        ("opens", "2026-01-01T08:00"),
        ("due", "2099-01-08T18:00"),
    ):
        page.locator(f".form input[name={name}]").fill(value)
    for slug in (FIRST_SLUG, "causal_mask", SLUG):
        page.locator(f"input[name=problem][value={slug}]").check()
    page.get_by_role("button", name="Assign").click()
    expect(page.locator(".matrix")).to_be_visible()
    assignment = page.url.removeprefix(site.url)
    page.goto(f"{site.url}{course}")
    return course, assignment


def join(page: Page, site: Site, code: str) -> None:
    """Come into a course as a learner."""
    page.goto(f"{site.url}/courses")
    page.get_by_label("Code of a course").fill(code)
    page.get_by_role("button", name="Join").click()
    expect(page.locator(".standing")).to_be_visible()


def teach(site: Site, page: Page, learner: Page) -> dict[str, str]:
    """Live that day; where the pages of it are."""
    draft = upload(page, site, FIT)
    verify(page, "Fit to use")
    publish(page, "the first version")
    # Before anything is sent: an instructor judges again only what learners of their own courses
    # sent.
    course, assignment = assign(page, site)
    join(learner, site, page.locator(".code-to-join").inner_text())
    sent = learner.url.removeprefix(site.url)
    odd = submit(learner, site, ODD, FIRST_SLUG).rsplit("/", 1)[1]
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
    page.goto(f"{site.url}{assignment}")
    page.get_by_role("link", name="learner", exact=True).click()
    one = page.url.removeprefix(site.url)
    page.locator(".history th a").first.click()
    return {
        "courses": "/teach/courses",
        "course": course,
        "assignment": assignment,
        "assignment_learner": one,
        "assignment_submission": page.url.removeprefix(site.url),
        "mistakes": f"{assignment}/mistakes/{FIRST_SLUG}",
        "new_mistake": f"/teach/submissions/{odd}/mistake",
        "course_mistakes": f"{course}/mistakes?problem={FIRST_SLUG}&mistake=no_scale",
        "problem_mistakes": f"/teach/problems/{FIRST_SLUG}/mistakes",
        "study": "/courses",
        "study_course": sent,
        "teach": "/teach",
        "draft": unfit,
        "draft_code": f"{draft}?file=problems/cases.py",
        "versions": f"/teach/problems/{SLUG}",
        "versions_shipped": "/teach/problems/stable_softmax",
        "versions_compare": f"/teach/problems/{SLUG}/compare?a=1&b=2",
        "rejudge_choose": f"/teach/problems/{SLUG}/rejudge",
        "rejudge": rejudge,
        "audit": "/manage/audit",
        "platforms": "/manage/platforms",
    }
