"""Explained words in the HTML of a text: marked at their first use, and where a reader needs it."""

from html.parser import HTMLParser

import pytest
from markupsafe import Markup

from grader.lessons import load_lessons, read_words
from grader.lessons.words import Word
from grader.problem import load_bank
from server.services.rendering import statement
from server.services.rendering.definitions import LEFT_ALONE, Definitions
from tests import ROOT

MASK = Word("mask", "mask", "掩码", ("masks",), (), "Hides keys.", "遮住键。", "")
QUERY = Word("query", "query", "查询", (), (), "What asks.", "提问的向量。", "")
WORDS = (MASK, QUERY)


def button(key: str, said: str) -> str:
    return f'<button type="button" class="word" popovertarget="word-{key}">{said}</button>'


ROWS = {
    "the first use alone": ("<p>Masks and a mask.</p>", f"<p>{button('mask', 'Masks')} and a mask.</p>"),
    "in a cell": ("<td>a mask</td>", f"<td>a {button('mask', 'mask')}</td>"),
    "in emphasis": ("<em>mask</em>", f"<em>{button('mask', 'mask')}</em>"),
    "not in code": ("<code>mask</code>", "<code>mask</code>"),
    "not in coloured code": (
        '<pre class="code"><code><span class="n">mask</span></code></pre>',
        '<pre class="code"><code><span class="n">mask</span></code></pre>',
    ),
    "not in a link": ('<a href="/mask">mask</a>', '<a href="/mask">mask</a>'),
    "not in a heading": ("<h2>The mask</h2>", "<h2>The mask</h2>"),
    "not in the head of a table": ("<th>mask</th>", "<th>mask</th>"),
    "not in a formula": ("<math><mi>mask</mi></math>", "<math><mi>mask</mi></math>"),
    "after what is left alone": (
        "<h2>mask</h2><p>mask</p>", f"<h2>mask</h2><p>{button('mask', 'mask')}</p>",
    ),
    "with the full stop behind it": (
        "A mask. A (query).",
        f'A <span class="joined">{button("mask", "mask")}.</span>'
        f' A <span class="joined">({button("query", "query")}).</span>',
    ),
    "beside an escaped character": ("1 &lt; mask", f"1 &lt; {button('mask', 'mask')}"),
    "not in an attribute": ('<img alt="mask" src="">', '<img alt="mask" src="">'),
}  # fmt: skip


@pytest.mark.parametrize(("html", "expected"), ROWS.values(), ids=ROWS.keys())
def test_marks(html: str, expected: str) -> None:
    assert Definitions(WORDS, "en").mark(html) == Markup(expected)


def test_a_page_marks_each_word_once_in_all_its_parts() -> None:
    definitions = Definitions(WORDS, "en")
    assert "popovertarget" in definitions.mark("<p>mask</p>")
    second = definitions.mark("<p>mask, query</p>")
    assert second == f"<p>mask, {button('query', 'query')}</p>"
    assert definitions.met == [MASK, QUERY]


def test_the_language_is_that_of_the_text() -> None:
    assert Definitions(WORDS, "zh").mark("mask 掩码") == f"mask {button('mask', '掩码')}"


class Marked(HTMLParser):
    """The marked words, and the elements that each lies in."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.found: list[tuple[str, frozenset[str]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if target := dict(attrs).get("popovertarget"):
            self.found.append((target, frozenset(self.open)))
        if tag not in ("br", "hr", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("language", ["en", "zh"])
def test_shipped_texts_mark_each_word_at_most_once(language: str) -> None:
    words = read_words(ROOT)
    texts = [problem.statements[language] for problem in load_bank(ROOT)]
    texts += [lesson.texts[language] for lesson in load_lessons(ROOT)]
    for text in texts:
        definitions, marked = Definitions(words, language), Marked()
        for part in statement.render(text):
            marked.feed(definitions.mark(part.html))
        assert [name for name, _ in marked.found] == [f"word-{w.key}" for w in definitions.met]
        assert len(set(definitions.met)) == len(definitions.met) > 0
        assert not any(elements & LEFT_ALONE for _, elements in marked.found)
