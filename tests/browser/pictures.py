"""`python -m tests.browser.pictures`: a picture of every page at two widths, into docs/pictures/;
with the word `walk`, of each step of a problem's way from an instructor's head to the gradebook.
Needs Pillow, to keep them small.
"""

import io
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from tests.browser.site import PAGES, PATIENCE_MS, REPOSITORY, launch, live_in, missing, served
from tests.browser.walk import Walk

FOLDER = REPOSITORY / "docs" / "pictures"
TO_THE_PICTURES = (
    "part => innerWidth < 900 ? part.scrollIntoView() : part.closest('.bench').scrollTo(0, 1e6)"
)
SIZES = {1440: (560, 1100), 360: (640, 1400)}  # width: least and greatest height
BY_NIGHT = ("bank", "wrong_answer", "heads")
COLOURS, OFTEN = 256, 160  # of a picture; of those, the ones it has most of


def main() -> None:
    """Draw them all."""
    if missing():
        sys.exit(missing())
    FOLDER.mkdir(parents=True, exist_ok=True)
    walk() if sys.argv[1:] == ["walk"] else pages()


def walk() -> None:
    """The steps of `tests.browser.walk`."""

    def look(name: str, page: Page) -> None:
        for width in SIZES:
            path = FOLDER / f"walk_{name}-{width}.png"
            fresh = page.context.new_page()
            _draw(fresh, page.url, width, "light", path)
            print(f"{path.relative_to(REPOSITORY)}  {path.stat().st_size // 1024} KiB")

    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder)) as site,
        sync_playwright() as playwright,
    ):
        browser = launch(playwright)
        Walk(site, browser, look).take()
        browser.close()


def pages() -> None:
    """Every page."""
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder), ()) as site,
        sync_playwright() as playwright,
    ):
        browser = launch(playwright)
        lived_in = live_in(site, browser)
        for name in PAGES:
            for scheme in ("light", "dark") if name in BY_NIGHT else ("light",):
                for width in SIZES:
                    path = FOLDER / f"{name}-{width}{'-dark' if scheme == 'dark' else ''}.png"
                    _draw(
                        lived_in.who_sees(name).new_page(),
                        lived_in.site.url + lived_in.paths[name],
                        width,
                        scheme,
                        path,
                        name == "heads",
                    )
                    print(f"{path.relative_to(REPOSITORY)}  {path.stat().st_size // 1024} KiB")
        browser.close()


def _draw(
    page: Page, address: str, width: int, scheme: str, path: Path, below: bool = False
) -> None:
    """Draw an address; `below`: a submission's pictures, not its beginning."""
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
    least, greatest = SIZES[width]
    page.set_viewport_size({"width": width, "height": least})
    page.goto(address)
    _settle(page)
    tall = page.evaluate("document.documentElement.scrollHeight")
    page.set_viewport_size({"width": width, "height": min(greatest, tall)})
    if below and page.locator(".judged-sample[open]").count():
        page.locator(".judged-sample[open]").evaluate(TO_THE_PICTURES)
    elif width < 900 and page.locator(".bench .verdict").count():
        page.locator(".bench").evaluate("bench => bench.scrollIntoView()")
    page.wait_for_timeout(200)  # the editor measures itself anew
    image = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    image.quantize(palette=_palette(image), dither=Image.Dither.NONE).save(path, optimize=True)
    page.close()


def _palette(image: Image.Image) -> Image.Image:
    """The colours that a picture has most of, exactly as they are, and a choice of the rest:
    grounds stay true, small signs too.
    """
    counted = image.getcolors(image.width * image.height) or []
    most = [
        colour for _, colour in sorted(counted, reverse=True)[:OFTEN] if isinstance(colour, tuple)
    ]
    rest = image.quantize(COLOURS - len(most), method=Image.Quantize.MAXCOVERAGE).getpalette() or []
    palette = Image.new("P", (1, 1))
    palette.putpalette(([part for colour in most for part in colour] + rest)[: 3 * COLOURS])
    return palette


def _settle(page: Page) -> None:
    """Wait for what is computed after the first page: sample answers, the editor, fonts."""
    while page.locator(".sample-missing:not([data-preview-slot] *)").count():
        page.wait_for_timeout(500)
        page.reload()
    if page.locator("form:is([data-editor], [data-draft])").count():
        page.locator("[data-source]").evaluate("field => field.scrollIntoView()")
        page.locator(".cm-content").wait_for(timeout=PATIENCE_MS)
        page.evaluate("scrollTo(0, 0)")
    page.evaluate("document.fonts.ready.then(() => true)")


if __name__ == "__main__":
    main()
