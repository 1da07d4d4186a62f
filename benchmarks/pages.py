"""Measures pages in Chromium with an empty cache: `python -m benchmarks.pages` prints a table.

Weight is what comes over the network. Everything else is that of a phone: 360 × 800, a processor at
a quarter of its speed, slow 4G (1.6 Mbit/s down, 0.75 up, 150 ms). A task longer than 50 ms keeps
the page from answering; "blocked" is the sum of what is above that, from the first paint on. The
editor is loaded when it is nearly in sight, so it has a time of its own, from there. Of a kind of
page, the figure is that of the page that does worst: of all lessons, of some problems.
"""

import argparse
import statistics
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from benchmarks.figures import Figure, at_most, print_table
from grader.lessons import load_lessons
from tests import ROOT
from tests.browser import site as sites

# with the most formulas, with the longest code, and with the largest samples
PROBLEMS = {*sites.PROBLEMS, "linear_attention", "flash_attention", "attention_cost"}
WEIGHT_KB = {"lesson": 350.0, "problem": 450.0}
SHIFT = 0.05
INTERACTIVE_S = 2.5
BLOCKED_MS = 200.0  # what Lighthouse calls good
EDITOR_S = 2.5
SLOWER = 4
SLOW_4G = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_600_000 / 8,
    "uploadThroughput": 750_000 / 8,
}
PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 800},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}
SETTLES_MS = 1500  # after the last request: fonts are drawn, late tasks have run
PATIENCE_MS = 120_000  # against hangs
REPEATS = 3

# What a page is for can be used: its figures answer, or its script has run.
WATCH = """(() => {
    const seen = window.seen = {shift: 0, ready: 0, painted: 0, tasks: [], moved: []};
    const usable = () =>
        document.querySelector("[data-live]:not([data-submission])")
            ? document.querySelector("[data-drawn]")
            : document.documentElement.classList.contains("js");
    new MutationObserver((_, observer) => {
        if (document.readyState === "loading" || !usable()) return;
        seen.ready = performance.now();
        observer.disconnect();
    }).observe(document, {subtree: true, childList: true, attributes: true});
    const observe = (type, each) => new PerformanceObserver(
        list => list.getEntries().forEach(each)
    ).observe({type, buffered: true});
    observe("layout-shift", entry => {
        if (entry.hadRecentInput) return;
        seen.shift += entry.value;
        seen.moved.push([entry.value, ...entry.sources.map(({node}) => node?.nodeName)]);
    });
    observe("longtask", entry => seen.tasks.push([entry.startTime, entry.duration]));
    observe("paint", entry => { seen.painted = entry.startTime; });
})()"""
SHORT_MS = 50
EDITOR = ".cm-content"


@dataclass(frozen=True, slots=True)
class Weight:
    """What came over the network for one page, in bytes, by address."""

    parts: dict[str, int]

    @property
    def total_kb(self) -> float:
        """In thousands of bytes."""
        return sum(self.parts.values()) / 1000


@dataclass(frozen=True, slots=True)
class Phone:
    """One page on a phone: the sum of layout shifts, seconds until it answers, how long it is
    blocked after it was painted, and seconds until the editor is there (0 without one).
    """

    shift: float
    interactive_s: float
    blocked_ms: float
    longest_ms: float
    editor_s: float = 0.0
    moved: tuple[Any, ...] = ()


@contextmanager
def opened(browser: Browser, **options: Any) -> Iterator[tuple[Page, CDPSession]]:
    """A page with an empty cache, and what its browser says of it."""
    context = browser.new_context(**options)
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    yield page, session
    context.close()


def received(session: CDPSession) -> dict[str, int]:
    """Counts the bytes of each address from now on; none for what the browser had kept."""
    addresses: dict[str, str] = {}
    parts: dict[str, int] = {}

    def begun(event: dict[str, Any]) -> None:
        addresses[event["requestId"]] = event["request"]["url"]

    def finished(event: dict[str, Any]) -> None:
        url = addresses.get(event["requestId"], "data:")
        if not url.startswith("data:"):
            parts[url] = event["encodedDataLength"]

    session.on("Network.requestWillBeSent", begun)
    session.on("Network.loadingFinished", finished)
    return parts


def weigh(browser: Browser, url: str, **options: Any) -> Weight:
    """Loads a page as on a first visit, and goes to its editor."""
    with opened(browser, **options) as (page, session):
        parts = received(session)
        page.goto(url, wait_until="networkidle", timeout=PATIENCE_MS)
        _editor_s(page)
        page.wait_for_timeout(SETTLES_MS)
    return Weight(parts)


def on_phone(browser: Browser, url: str) -> Phone:
    """Loads a page on a slow phone, and goes to its editor."""
    with opened(browser, **PHONE) as (page, session):
        session.send("Network.emulateNetworkConditions", SLOW_4G)
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        page.add_init_script(WATCH)
        page.goto(url, wait_until="networkidle", timeout=PATIENCE_MS)
        page.wait_for_function("window.seen.ready", timeout=PATIENCE_MS)
        page.wait_for_timeout(SETTLES_MS)
        loaded = page.evaluate("window.seen")
        editor_s = _editor_s(page)
        seen = page.evaluate("window.seen")
    return Phone(
        shift=seen["shift"],
        interactive_s=max(loaded["ready"], *map(sum, loaded["tasks"]), 0) / 1000,
        blocked_ms=sum(max(0, task - SHORT_MS) for task in _tasks(loaded)),
        longest_ms=max(_tasks(seen), default=0),
        editor_s=editor_s,
        moved=tuple(seen["moved"]),
    )


def _tasks(seen: dict[str, Any]) -> list[float]:
    """How long each long task after the first paint took, in ms."""
    return [length for start, length in seen["tasks"] if start >= seen["painted"]]


def _editor_s(page: Page) -> float:
    field = page.locator("form[data-editor] [data-source]")
    if not field.count():
        return 0.0
    begun = page.evaluate("performance.now()")
    field.evaluate("field => field.scrollIntoView()")
    page.locator(EDITOR).wait_for(timeout=PATIENCE_MS)
    arrived: float = page.evaluate("performance.now()")
    page.wait_for_timeout(SETTLES_MS)
    return (arrived - begun) / 1000


@contextmanager
def school() -> Iterator[dict[str, list[str]]]:
    """A site with every lesson and what they use: its addresses by kind of page."""
    lessons = load_lessons(ROOT)
    used = {slug for lesson in lessons for slug in lesson.uses}
    with tempfile.TemporaryDirectory() as folder:
        folders = tuple(ROOT / "lessons" / lesson.slug for lesson in lessons)
        with sites.served(Path(folder), tuple(used | PROBLEMS), folders) as site:
            yield {
                "lesson": [f"{site.url}/lessons/{lesson.slug}" for lesson in lessons],
                "problem": [f"{site.url}/problems/{slug}" for slug in sorted(PROBLEMS)],
                "list": [f"{site.url}/", f"{site.url}/lessons"],
            }


def until_computed(browser: Browser, lessons: list[str]) -> None:
    """Waits for the numbers of the lessons, which are computed once."""
    with opened(browser) as (page, _):
        for url in lessons:
            page.goto(url)
            page.locator("article.lesson:not([data-waiting])").wait_for(timeout=sites.PATIENCE_MS)


def measure(each: bool, only: str) -> list[Figure]:
    """Every page of each kind; the worst of them."""
    worst: dict[str, dict[str, float]] = defaultdict(dict)
    with school() as kinds, sync_playwright() as playwright:
        browser = sites.launch(playwright, sites.CHROMIUM)
        chosen = {kind: [url for url in urls if only in url] for kind, urls in kinds.items()}
        until_computed(browser, chosen["lesson"])
        for kind, urls in chosen.items():
            for url in urls:
                row = _row(browser, url, each)
                worst[kind] = {name: max(row[name], worst[kind].get(name, 0)) for name in row}
        browser.close()
    return [figure for kind, row in worst.items() for figure in _figures(kind, row)]


def _row(browser: Browser, url: str, said: bool) -> dict[str, float]:
    phones = [on_phone(browser, url) for _ in range(REPEATS)]
    row = {
        "weight": weigh(browser, url).total_kb,
        "shift": statistics.median(phone.shift for phone in phones),
        "seconds": statistics.median(phone.interactive_s for phone in phones),
        "blocked": statistics.median(phone.blocked_ms for phone in phones),
        "longest": statistics.median(phone.longest_ms for phone in phones),
        "editor": statistics.median(phone.editor_s for phone in phones),
    }
    if said:
        print(url, row, max(phones, key=lambda phone: phone.shift).moved)
    return row


def _figures(kind: str, row: dict[str, float]) -> list[Figure]:
    name = f"heaviest {kind} page, first visit"
    limit = WEIGHT_KB.get(kind)
    return [
        at_most(name, row["weight"], "KB", limit) if limit else Figure(name, row["weight"], "KB"),
        at_most(f"{kind} page on a phone, layout shift", row["shift"], "", SHIFT),
        at_most(f"{kind} page on a phone, interactive", row["seconds"], "s", INTERACTIVE_S),
        at_most(f"{kind} page on a phone, blocked", row["blocked"], "ms", BLOCKED_MS),
        Figure(f"{kind} page on a phone, longest task", row["longest"], "ms"),
        *(
            [at_most("editor on a phone, once in sight", row["editor"], "s", EDITOR_S)]
            if row["editor"]
            else []
        ),
    ]


def main() -> None:
    """Prints the figures; exits with status 1 when one is outside its bound."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", action="store_true", help="print every page as well")
    parser.add_argument("--only", default="", help="only addresses that contain this")
    options = parser.parse_args()
    if missing := sites.missing():
        sys.exit(missing)
    figures = measure(options.each, options.only)
    print_table(figures)
    sys.exit(any(figure.holds is False for figure in figures))


if __name__ == "__main__":
    main()
