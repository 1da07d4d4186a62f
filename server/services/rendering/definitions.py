"""Makes the first use of each explained word in a text a button that opens its meaning."""

import re
from collections.abc import Sequence

from markupsafe import Markup

from grader.lessons import Word, uses

TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)[^>]*>")  # what is sanitised has no > in an attribute
LEFT_ALONE = frozenset("a button code h1 h2 h3 h4 h5 h6 math pre s summary th".split())
BUTTON = Markup('<button type="button" class="word" popovertarget="word-{key}">{said}</button>')
A_BUTTON = r'<button type="button" class="word"[^>]*>[^<]*</button>'
CLOSING = r"[.,;:!?)\]。，、；：！？）」”]"
# a line may break on both sides of a button, and must not before a full stop
BESIDE = re.compile(rf"[(\[（「“]{A_BUTTON}{CLOSING}*|{A_BUTTON}{CLOSING}+")


class Definitions:
    """The words of one page: marks them in one HTML after another, and remembers which it met.

    The page must hold an element `word-KEY` with the attribute `popover` for each word in `met`.
    """

    def __init__(self, words: Sequence[Word], language: str) -> None:
        self.words, self.language = words, language
        self.met: list[Word] = []

    def mark(self, html: str) -> Markup:
        """Returns sanitised HTML with the words marked that no earlier text of the page has.

        Code, formulas, links and headings stay as they are.
        """
        parts, inside, end = [], 0, 0
        for tag in TAG.finditer(html):
            parts.append(self._text(html[end : tag.start()], inside > 0))
            parts.append(tag[0])
            if tag[2].lower() in LEFT_ALONE:
                inside += -1 if tag[1] else 1
            end = tag.end()
        parts.append(self._text(html[end:], inside > 0))
        return Markup(BESIDE.sub(r'<span class="joined">\g<0></span>', "".join(parts)))

    def _text(self, text: str, left_alone: bool) -> str:
        if left_alone or not text.strip():
            return str(text)
        parts, end = [], 0
        for use in uses(self.words, text, self.language):
            if use.word not in self.met:
                self.met.append(use.word)
                said = Markup(text[use.start : use.end])
                parts += [text[end : use.start], BUTTON.format(key=use.word.key, said=said)]
                end = use.end
        return "".join([*parts, text[end:]])
