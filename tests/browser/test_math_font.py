"""Formulas look the same in the cut math font as in the whole one: brackets, roots, sums and bars
grow alike.
"""

from base64 import b64encode
from io import BytesIO

import pytest
from PIL import Image, ImageChops
from playwright.sync_api import Browser

from server.services.rendering.typeset import formula
from tests.browser import site as sites
from tests.browser.conftest import need

FORMULAS = [
    r"\left(\frac{\frac{a}{b}}{\frac{c}{d}}\right)",
    r"\left[\begin{matrix} a & b \\ c & d \\ e & f \end{matrix}\right]",
    r"\left\{ \frac{x}{y} \right\} \left\lfloor \frac{x}{y} \right\rfloor",
    r"\left\lVert \frac{\sum_i x_i^2}{n} \right\rVert",
    r"\sqrt{\frac{d_k}{\frac{1}{2}}} \sqrt[3]{x}",
    r"\sum_{i=1}^{n} \prod_{j=1}^{m} \int_0^\infty e^{-x^2} dx",
    r"\mathrm{softmax}\left(\frac{Q K^\top}{\sqrt{d_k}} + M\right) V",
    r"\overline{x + y} \quad \hat{\theta} \quad \underbrace{a + b}_{n}",
    r"\alpha \beta \gamma \nabla \partial \in \mathbb{R}^{n \times d}",
]


def font(pattern: str) -> str:
    need(sites.missing())
    (path,) = (sites.DIST / "fonts").glob(pattern)
    return b64encode(path.read_bytes()).decode()


def drawn(chromium: Browser, pattern: str, latex: str) -> Image.Image:
    rule = f"@font-face {{ font-family: F; src: url(data:font/woff2;base64,{font(pattern)}); }}"
    page = chromium.new_page(viewport={"width": 600, "height": 300})
    page.set_content(f"<style>{rule} math {{ font: 40px F }}</style>{formula(latex, True)}")
    assert page.evaluate("document.fonts.ready.then(() => document.fonts.check('40px F'))")
    picture = Image.open(BytesIO(page.screenshot())).convert("L")
    page.close()
    return picture


@pytest.mark.parametrize("latex", FORMULAS)
def test_the_cut_font_draws_what_the_whole_one_draws(chromium: Browser, latex: str) -> None:
    whole = drawn(chromium, "stix-two-math-*.woff2", latex)
    cut = drawn(chromium, "formulas-*.woff2", latex)
    assert ImageChops.invert(whole).getbbox() is not None  # something is drawn
    assert ImageChops.difference(whole, cut).getbbox() is None


@pytest.mark.parametrize("content", ["2", "d_k", "a \\cdot a", "\\frac{d}{2}"])
def test_a_root_is_no_wider_than_it_is_drawn(
    site: sites.Site, chromium: Browser, content: str
) -> None:
    """A full stop follows a root at once."""
    page = chromium.new_page(device_scale_factor=4)
    page.goto(f"{site.url}/problems/stable_softmax")
    root = formula(f"\\sqrt{{{content}}}", False)
    page.evaluate(
        """async html => {
            document.body.innerHTML = `<p class="statement"><span class="math inline">${html}</span></p>`;
            await document.fonts.ready;
        }""",
        root,
    )
    box = page.locator("math").bounding_box()
    assert box is not None
    picture = ImageChops.invert(Image.open(BytesIO(page.screenshot())).convert("L"))
    size = float(
        page.evaluate("parseFloat(getComputedStyle(document.querySelector('math')).fontSize)")
    )
    paper = picture.getpixel((0, 0))
    ink = picture.point(lambda level: 255 if level > paper + 60 else 0).getbbox()  # type: ignore[operator]
    page.close()
    assert ink is not None and ink[2] / 4 > box["x"]
    assert -0.05 <= (box["x"] + box["width"] - ink[2] / 4) / size < 0.15


def test_another_font_draws_it_otherwise(chromium: Browser) -> None:
    whole = drawn(chromium, "stix-two-math-*.woff2", FORMULAS[0])
    other = drawn(chromium, "inter-latin-wght-*.woff2", FORMULAS[0])
    assert ImageChops.difference(whole, other).getbbox() is not None
