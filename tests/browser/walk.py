"""A problem's way from an instructor's head to the gradebook, in a browser: `Walk` takes the steps,
whoever calls it looks at each.
"""

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.site import PASTE, PATIENCE_MS, Site, sign_in, sign_up, submit

SLUG = "cosine_attention"
ENTRY = (
    "def cosine_attention(q: np.ndarray, k: np.ndarray, v: np.ndarray, tau: float) ->"
    " tuple[np.ndarray, np.ndarray]:"
)

PROBLEM = """title = "Cosine attention"
track = "beyond"
order = 30
difficulty = "easy"
frameworks = ["numpy"]
source = "Henry et al. 2020, Query-Key Normalization for Transformers, https://arxiv.org/abs/2010.04245"
requires = []

[entry.cosine_attention]
params = ["q", "k", "v", "tau"]
returns = ["output", "weights"]

[shapes]
q = "L D"
k = "S D"
v = "S Dv"
output = "L Dv"
weights = "L S"
"""
STATEMENT = r"""# Cosine attention

A dot product is large when two vectors point the same way, and also when they are long. Here only the direction counts.

$$\mathrm{weights} = \mathrm{softmax}\left(\frac{\cos(q_i, k_j)}{\tau}\right)$$

$$\cos(q, k) = \frac{q \cdot k}{|q| \, |k|}$$

$$\mathrm{output} = \mathrm{weights} \, V$$

| name | shape | meaning |
|---|---|---|
| `q` | `(L, D)` | queries |
| `k` | `(S, D)` | keys |
| `v` | `(S, Dv)` | values |
| `tau` | float | temperature: the smaller, the sharper |

A query or key of zeros points nowhere: its cosine with everything is 0. The results have the dtype of `v`.

[[sample: two queries, three keys]]
"""
STARTER = f'''import numpy as np


{ENTRY}
    """q (L, D), k (S, D), v (S, Dv), temperature tau -> output (L, Dv), weights (L, S)."""
    raise NotImplementedError
'''
REFERENCE = f'''import numpy as np


{ENTRY}
    """q (L, D), k (S, D), v (S, Dv), temperature tau -> output (L, Dv), weights (L, S)."""
    q, k = unit(q), unit(k)
    cosines = q @ k.T  # (L, S)
    scores = cosines / tau
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights = weights / weights.sum(-1, keepdims=True)
    return weights @ v, weights


def unit(x: np.ndarray) -> np.ndarray:
    """Rows of length 1; a row of zeros stays one."""
    length = np.linalg.norm(x, axis=-1, keepdims=True)
    return x / np.where(length > 0, length, 1)
'''
CASES = """import numpy as np

from grader.case import Case


def draw(rng, *shape):
    return rng.standard_normal(shape).astype(np.float32)


def qkv(rng, queries, keys, width, value_width):
    return {"q": draw(rng, queries, width), "k": draw(rng, keys, width), "v": draw(rng, keys, value_width)}


def cases(rng):
    small = {name: np.round(array, 1) for name, array in qkv(rng, 2, 3, 4, 5).items()}
    yield Case("two queries, three keys", inputs=small, options={"tau": 1.0}, sample=True, note="Small enough to follow.")
    yield Case("more queries than keys", inputs=qkv(rng, 9, 4, 6, 3), options={"tau": 1.0}, note="All four sizes differ.")
"""
SHARP = """    yield Case("a sharp temperature", inputs=qkv(rng, 5, 7, 8, 3), options={"tau": 0.2}, note="It divides the cosines.")
"""
NOWHERE = """    inputs = qkv(rng, 4, 6, 5, 3)
    inputs["q"][1] = 0
    yield Case("a query of zeros", inputs=inputs, options={"tau": 0.5}, note="It points nowhere: every key weighs the same.")
"""
MISTAKES = """[[mistake]]
name = "dot_product"
hint = "A long key gets more than its share. Which of the two vectors have you brought to length 1?"
numpy = { find = "unit(q), unit(k)", replace = "unit(q), k" }

[[mistake]]
name = "no_temperature"
hint = "Every temperature gives you the same weights. Where does tau come in?"
numpy = { find = "cosines / tau", replace = "cosines" }
"""
ZEROS = """
[[mistake]]
name = "no_zeros"
hint = "A row of zeros has no direction. What do you divide by there?"
numpy = { find = "np.where(length > 0, length, 1)", replace = "length" }
"""
FILES = {
    "problems/problem.toml": PROBLEM,
    "problems/statement.md": STATEMENT,
    "problems/starter_numpy.py": STARTER,
    "reference/numpy.py": REFERENCE,
    "problems/mistakes.toml": MISTAKES,
    "problems/cases.py": CASES,
}
CAREFUL = REFERENCE
HASTY = """import numpy as np


def cosine_attention(q, k, v, tau):
    q = q / np.linalg.norm(q, axis=-1, keepdims=True)
    k = k / np.linalg.norm(k, axis=-1, keepdims=True)
    scores = q @ k.T / tau
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    return weights @ v, weights
"""

Look = Callable[[str, Page], None]


class Walk:
    """The steps. `look` is called with the name of what is to be seen, and the page that shows it."""

    def __init__(self, site: Site, browser: Browser, look: Look) -> None:
        self.site, self.look = site, look
        self.teacher, self.learner, self.careful = (self._page(browser) for _ in range(3))
        self.draft = self.assignment = self.sent = ""

    def _page(self, browser: Browser) -> Page:
        context: BrowserContext = browser.new_context()
        return context.new_page()

    def take(self) -> None:
        """All of them."""
        password = self.site.command(
            "users", "add", "teacher", "--role", "instructor"
        ).splitlines()[-1]
        sign_in(self.teacher, self.site, "teacher", password)
        sign_up(self.learner, self.site, "hasty")
        sign_up(self.careful, self.site, "careful")
        self.written()
        self.refused()
        self.mended()
        self.published()
        self.assigned()
        self.solved()
        self.tightened()
        self.rejudged()
        self.in_the_gradebook()

    def save(self, path: str, text: str) -> None:
        """Put a text into the editor of a file, and save it."""
        page = self.teacher
        page.goto(f"{self.site.url}{self.draft}?file={path}")
        page.locator(".cm-content").click()
        page.keyboard.press("ControlOrMeta+a")
        page.keyboard.press("Delete")
        page.locator(".cm-content").evaluate(PASTE, text)
        page.get_by_role("button", name="Save", exact=True).click()
        expect(page.locator("[data-saved]")).to_have_text("saved")

    def verify(self, said: str) -> None:
        """Ask whether it is fit, from the page that is open."""
        self.teacher.get_by_role("button", name="Verify", exact=True).click()
        expect(self.teacher.locator(".verify-title")).to_contain_text(said, timeout=4 * PATIENCE_MS)

    def publish(self, note: str) -> None:
        """Make a version of the draft that is open."""
        self.teacher.get_by_label("What is new").first.fill(note)
        self.teacher.get_by_role("button", name="Publish version").click()
        expect(self.teacher.locator(".versions")).to_contain_text(note)

    def written(self) -> None:
        """A new problem, begun with the template, written in the editor."""
        page = self.teacher
        page.goto(f"{self.site.url}/teach")
        page.get_by_label("Name in the address").fill(SLUG)
        page.get_by_role("button", name="Begin").click()
        expect(page.locator(".draft-file")).to_be_visible()
        self.draft = page.url.removeprefix(self.site.url).partition("?")[0]
        for path, text in FILES.items():
            self.save(path, text)
        page.goto(f"{self.site.url}{self.draft}?file=problems/statement.md")
        expect(page.locator("[data-preview-slot] math").first).to_be_visible()
        self.look("written", page)

    def refused(self) -> None:
        """Nothing notices that the temperature is forgotten; it cannot be published."""
        self.teacher.goto(f"{self.site.url}{self.draft}?file=problems/cases.py")
        self.verify("Not fit yet")
        expect(self.teacher.locator(".findings")).to_contain_text(
            "mistake 'no_temperature' in numpy survives: no hidden case kills it"
        )
        expect(self.teacher.locator(".kills-survivor")).to_contain_text("no_temperature")
        expect(self.teacher.get_by_role("button", name=re.compile("Publish"))).to_have_count(0)
        self.look("refused", self.teacher)

    def mended(self) -> None:
        """A case that does."""
        self.save("problems/cases.py", CASES + SHARP)
        self.verify("Fit to use")
        expect(self.teacher.get_by_role("button", name="Publish version 1")).to_be_visible()
        self.look("mended", self.teacher)

    def published(self) -> None:
        """The first version."""
        self.publish("the first version")
        self.look("published", self.teacher)

    def assigned(self) -> None:
        """A course, an assignment; two learners come in."""
        page = self.teacher
        page.goto(f"{self.site.url}/teach/courses")
        page.get_by_label("Title").fill("Attention, first term")
        page.get_by_role("button", name="Make it").click()
        course = page.url
        page.get_by_text("A new assignment").click()
        for name, value in (
            ("title", "The first week"),
            ("opens", "2026-01-01T08:00"),
            ("due", "2099-01-08T18:00"),
        ):
            page.locator(f".form input[name={name}]").fill(value)
        page.locator(f"input[name=problem][value={SLUG}]").check()
        page.get_by_role("button", name="Assign").click()
        expect(page.locator(".matrix")).to_be_visible()
        self.assignment = page.url
        page.goto(course)
        code = page.locator(".code-to-join").inner_text()
        for learner in (self.learner, self.careful):
            learner.goto(f"{self.site.url}/courses")
            learner.get_by_label("Code of a course").fill(code)
            learner.get_by_role("button", name="Join").click()
            expect(learner.locator(".standing")).to_contain_text("Cosine attention")
        self.look("assigned", self.learner)

    def solved(self) -> None:
        """Two learners solve it; one has not thought of zeros, and no case asks."""
        self.sent = submit(self.learner, self.site, HASTY, SLUG, "numpy")
        submit(self.careful, self.site, CAREFUL, SLUG, "numpy")
        self.learner.goto(f"{self.site.url}{self.sent}")
        expect(self.learner.locator(".verdict")).to_contain_text("Accepted")
        self.look("solved", self.learner)
        self.teacher.goto(self.assignment)
        expect(self.teacher.locator(".matrix tfoot")).to_contain_text("2 of 2")

    def tightened(self) -> None:
        """The statement says what happens with zeros: a case that asks, and the mistake that it is
        for.
        """
        page = self.teacher
        page.goto(f"{self.site.url}/teach/problems/{SLUG}")
        page.get_by_role("button", name="Change it").click()
        expect(page.locator(".draft-file")).to_be_visible()
        self.draft = page.url.removeprefix(self.site.url).partition("?")[0]
        self.save("problems/mistakes.toml", MISTAKES + ZEROS)
        self.save("problems/cases.py", CASES + SHARP + NOWHERE)
        self.verify("Fit to use")
        self.publish("a query of zeros")
        self.look("tightened", page)

    def rejudged(self) -> None:
        """What would change is shown, then applied; the learner reads why."""
        page = self.teacher
        page.get_by_role("link", name="Rejudge submissions").click()
        page.get_by_label("Why").fill("The statement speaks of zeros, and no case asked.")
        page.get_by_role("button", name="Judge them again").click()
        expect(page.get_by_role("button", name="Apply")).to_be_visible(timeout=2 * PATIENCE_MS)
        row = page.locator(".changes tbody tr")
        expect(row).to_have_count(1)
        expect(row).to_contain_text(
            re.compile("hasty.*Accepted.*Wrong answer.*a query of zeros", re.DOTALL)
        )
        self.look("rejudge", page)
        self.learner.goto(f"{self.site.url}{self.sent}")
        # beside the old verdict: it counts until it is applied
        expect(self.learner.locator(".verdict")).to_contain_text("Accepted")
        page.get_by_role("button", name="Apply").click()
        expect(page.get_by_role("status").filter(has_text="1 verdict changed")).to_be_visible()
        self.learner.reload()
        expect(self.learner.locator(".verdict")).to_contain_text("Wrong answer")
        expect(self.learner.get_by_role("main")).to_contain_text(
            "The statement speaks of zeros, and no case asked."
        )
        self.look("revised", self.learner)

    def in_the_gradebook(self) -> None:
        """The matrix and the file have the new scores."""
        page = self.teacher
        page.goto(self.assignment)
        expect(page.locator(".matrix tfoot")).to_contain_text("1 of 2")
        self.look("gradebook", page)
        with page.expect_download() as download:
            page.get_by_role("link", name="CSV", exact=True).click()
        rows = Path(download.value.path()).read_text("utf-8-sig").splitlines()
        assert rows[0] == f"learner,name,email,group,{SLUG},total,of,due"
        scores = {row[0]: float(row[-3]) for row in (line.split(",") for line in rows[1:])}
        assert (scores["careful"], 0 < scores["hasty"] < 10) == (10.0, True), rows
        page.get_by_role("link", name="Cosine attention").click()
        expect(page.locator(".mistake-bars")).to_contain_text(
            re.compile("1 of 2.*no_zeros", re.DOTALL)
        )
        self.look("mistakes", page)
