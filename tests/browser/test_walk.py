"""What the instructors' side is for, on a fresh site: a new problem is refused, mended, published,
solved, tightened, rejudged, graded.
"""

from pathlib import Path

from playwright.sync_api import Browser, Page

from tests.browser.conftest import Console, need
from tests.browser.site import missing, served
from tests.browser.walk import Walk

STEPS = "written refused mended published assigned solved tightened rejudge revised gradebook mistakes".split()


def test_from_an_instructors_head_to_the_gradebook(
    chromium: Browser, console: Console, tmp_path: Path
) -> None:
    need(missing())
    seen: list[str] = []

    def look(name: str, page: Page) -> None:
        assert page.locator("h1").count() == 1
        seen.append(name)

    with served(tmp_path, ("scaled_dot_product_attention",)) as site:
        room = site.ready().get("room", "")
        need("" if room == "ok" else f"no room can be built here: {room}")
        walk = Walk(site, chromium, look)
        for page in (walk.teacher, walk.learner, walk.careful):
            console.listen(page)
        walk.take()
    assert seen == STEPS
