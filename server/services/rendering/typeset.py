"""Turns Markdown, LaTeX and source text into sanitised HTML. `process_pool.py` runs this file as a
process of its own.

Parsers that meet hostile text can take quadratic or exponential time, so nothing of this runs in a
serving process: there, `statement.py` asks. As a script it imports nothing of `server`, whose start
costs seconds.

Every fragment passes an allow list (nh3, Rust's ammonia) as its last step. What the libraries make
is thereby markup that this file names, whatever they were given: no forms, no scripts, no styles,
no identifiers, no addresses but links.
docs/design/rendering.md has the reasons.
"""

import json
import os
import re
import resource
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from html import unescape
from typing import Any
from xml.etree.ElementTree import Element, tostring

import nh3
from latex2mathml.converter import convert_to_element
from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markupsafe import escape
from mdit_py_plugins.dollarmath import dollarmath_plugin
from pygments import highlight  # type: ignore[import-untyped]
from pygments.formatters import HtmlFormatter  # type: ignore[import-untyped]
from pygments.lexers import PythonLexer, TextLexer, get_lexer_by_name  # type: ignore[import-untyped]
from pygments.token import STANDARD_TYPES  # type: ignore[import-untyped]
from pygments.util import ClassNotFound  # type: ignore[import-untyped]

CPU_S = 1.0  # of one request; the longest shipped statement takes 0.02
MEMORY_BYTES = 512 << 20
NICE = 5  # a page that is costly to make gives way to judging

HTML_TAGS = set(
    "p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code em strong s a img br hr div span".split()
)
TABLE_TAGS = set("table thead tbody tr th td".split())
MATH_TAGS = set(
    "math mrow mi mo mn ms mtext mspace mfrac msqrt mroot msub msup msubsup munder mover munderover"
    " mtable mtr mtd mstyle mpadded mphantom menclose".split()
)
TOKENS = {"mi", "mo", "mn", "ms", "mtext"}
LENGTHS = set(
    "width height depth lspace rspace voffset minsize maxsize mathsize linethickness rowspacing"
    " columnspacing".split()
)
WORDS = set(
    "accent columnalign columnlines display displaystyle fence form largeop linebreak"
    " mathbackground mathcolor mathvariant movablelimits notation rowlines scriptlevel separator"
    " stretchy".split()
)
# Formulas stay where they are: a length of three digits could lay one over another part of the
# page.
LENGTH = re.compile(
    r"[+-]?(\d{1,2}(\.\d*)?|\.\d+)(em|ex|px|pt|mu|%|width)?|[a-z]+mathspace", re.ASCII
)
WORD = re.compile(r"#?[A-Za-z0-9. -]{1,64}", re.ASCII)
PICTURE = re.compile(r"data:image/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+", re.ASCII)
ATTRIBUTES: dict[str, set[str]] = {
    "a": {"href", "title"},
    "img": {"src", "alt", "title"},
    "ol": {"start"},
    **dict.fromkeys(MATH_TAGS, LENGTHS | WORDS),
}
ALIGNED = {"align-left", "align-center", "align-right"}
CLASSES = {
    "div": {"math", "block", "inline", "scroll", "code"},
    "span": {"math", "inline", *filter(None, STANDARD_TYPES.values())},
    "pre": {"code"},
    "th": ALIGNED,
    "td": ALIGNED,
}
EXACT = {"div": {"tabindex": {"0"}}, "math": {"xmlns": {"http://www.w3.org/1998/Math/MathML"}}}
THOUSANDS = re.compile(r"(?<=\d) (?=\d{3}(?!\d))", re.ASCII)  # the space in 10 000
INFINITY = "∞"
NAME = re.compile(r"(?!mod$)[^\W\d_]{2,}( [^\W\d_]+)*")  # of a function
# letters that make a word, not a product
WORDLIKE = {("mi", "normal"), ("mi", "monospace"), ("mi", "sans-serif")}
BRACKETS = {"(", "[", "{", "|", "‖", "⟨"}
THIN = "0.167em"
REFERENCE = re.compile(r"&#x[0-9A-Fa-f]{1,6};")


def _attribute(tag: str, name: str, value: str) -> str | None:
    """The value as it may stand, or None to leave the attribute out."""
    if tag == "img" and name == "src":
        return value if PICTURE.fullmatch(value) else None
    if value.lower().lstrip().startswith("data:"):
        return None
    if tag not in MATH_TAGS or name == "xmlns":
        return value
    if name in LENGTHS:
        return (
            value
            if len(value) < 200 and all(LENGTH.fullmatch(part) for part in value.split())
            else None
        )
    return value if WORD.fullmatch(value) else None


_CLEANER = nh3.Cleaner(
    tags=HTML_TAGS | TABLE_TAGS | MATH_TAGS,
    attributes=ATTRIBUTES,
    attribute_filter=_attribute,
    tag_attribute_values=EXACT,
    allowed_classes=CLASSES,
    url_schemes={"http", "https", "mailto", "data"},
    link_rel="noopener",
)


def sanitise(html: str) -> str:
    """HTML with nothing but the elements, attributes and classes above."""
    return _CLEANER.clean(html)


def statement_html(markdown: str) -> str:
    """Markdown with formulas, tables and code; raw HTML in it is shown as text."""
    return sanitise(_MARKDOWN.render(markdown))


def python_html(source: str) -> str:
    """Python source, coloured by Pygments' short classes."""
    return sanitise(highlight(source, PythonLexer(), HtmlFormatter(cssclass="code")))


def formula(latex: str, block: bool) -> str:
    """LaTeX as MathML; what cannot be read stays visible as code."""
    try:
        element = convert_to_element(latex, display="block" if block else "inline")
        _resolve(element)
        return tostring(element, encoding="unicode")
    # the converter raises whatever its parser meets; a statement is shown all the same
    except Exception:
        return f"<code>{escape(latex)}</code>"


def _resolve(formula: Element) -> None:
    """Replaces the converter's character references by their characters, so that the text can be
    escaped as text.

    The converter itself writes the text of an element without escaping it: `\\text{<form>}` became
    a form.
    """
    for element in formula.iter():
        if element.tag in TOKENS and len(element):  # `\mathbin{+}`: HTML has no elements in those
            element.text, element[:] = "".join(element.itertext()), ()
        _join_letters(element)
        if element.text:
            element.text = REFERENCE.sub(lambda match: unescape(match[0]), element.text)
        if element.tag == "mo" and element.text == INFINITY:
            element.tag = "mi"  # a number has no space around it
    for row in formula.iter("mrow"):
        _space_names(row)


def _space_names(row: Element) -> None:
    """Sets the space around the name of a function such as `\\operatorname{softmax}` as TeX does:
    none before a bracket, little elsewhere. The converter makes an operator of it, which has as
    much space as an equals sign.
    """
    children = list(row)
    for at, child in enumerate(children):
        name = _core(child)
        if name.tag != "mo" or not NAME.fullmatch(name.text or ""):
            continue
        after = _core(children[at + 1]) if at + 1 < len(children) else None
        bracket = after is None or (after.text or "") in BRACKETS
        before = _core(children[at - 1]).tag if at else "mo"
        name.set("lspace", "0" if before == "mo" else THIN)
        name.set("rspace", "0" if bracket else THIN)


def _core(element: Element) -> Element:
    """The element that decides how another one is spaced: what a subscript belongs to, and the
    first of a row that brackets begin.
    """
    inner = element.tag in ("msub", "msup", "msubsup", "munder", "mover", "munderover", "mrow")
    return _core(element[0]) if inner and len(element) else element


def _join_letters(row: Element) -> None:
    """Makes one word of `\\mathrm{output}` and `\\mathtt{lengths}`: the converter writes an
    identifier for each letter, which a screen reader spells.
    """
    joined: list[Element] = []
    for child in row:
        last = joined[-1] if joined else None
        kind = (child.tag, child.get("mathvariant"))
        if last is not None and kind in WORDLIKE and kind == (last.tag, last.get("mathvariant")):
            last.text = f"{last.text}{child.text}"
        else:
            joined.append(child)
    row[:] = joined


def _text(
    self: Any, tokens: Sequence[Any], index: int, options: Mapping[str, Any], env: Any
) -> str:
    """Text, in which no line ends within a number such as 10 000."""
    return escapeHtml(THOUSANDS.sub("\N{NO-BREAK SPACE}", tokens[index].content))


def _table(
    self: Any, tokens: Sequence[Any], index: int, options: Mapping[str, Any], env: Any
) -> str:
    """Tables scroll in a box of their own, which a keyboard can reach."""
    return (
        '<div class="scroll" tabindex="0"><table>'
        if tokens[index].nesting == 1
        else "</table></div>"
    )


def _cell(
    self: Any, tokens: Sequence[Any], index: int, options: Mapping[str, Any], env: Any
) -> str:
    """Alignment as a class: the site's policy allows no style attribute."""
    style = str(tokens[index].attrGet("style") or "")
    kind = f' class="align-{style.rpartition(":")[2]}"' if style else ""
    return f"<{tokens[index].tag}{kind}>"


def _coloured(code: str, language: str, attributes: str) -> str:
    try:
        lexer = get_lexer_by_name(language) if language else TextLexer()
    except ClassNotFound:
        lexer = TextLexer()
    return (
        f'<pre class="code"><code>{highlight(code, lexer, HtmlFormatter(nowrap=True))}</code></pre>'
    )


def _parser() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": False, "highlight": _coloured}).enable(
        ["table", "strikethrough"]
    )
    markdown.use(
        dollarmath_plugin,
        double_inline=True,
        renderer=lambda text, options: formula(text, bool(options.get("display_mode"))),
        label_renderer=lambda label: f"<p>({escape(label)})</p>",
    )
    markdown.add_render_rule("text", _text)
    for rule in ("table_open", "table_close"):
        markdown.add_render_rule(rule, _table)
    for rule in ("th_open", "td_open"):
        markdown.add_render_rule(rule, _cell)
    return markdown


_MARKDOWN = _parser()
KINDS: dict[str, Callable[[str], str]] = {"statement": statement_html, "python": python_html}


def _answer(request: Mapping[str, Any]) -> list[str] | None:
    """HTML of each text; None where a text cannot be read."""
    make = KINDS[request["kind"]]
    # The signal ends the process, even in the midst of a regular expression.
    signal.setitimer(signal.ITIMER_PROF, CPU_S)
    try:
        return [make(text) for text in request["texts"]]
    except (ValueError, TypeError, LookupError, RecursionError, MemoryError):
        return None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def serve() -> None:
    """Says that it is ready, then answers requests, one JSON line each: `{"kind": …, "texts": […]}`
    with a list of HTML.
    """
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    os.nice(NICE)
    print('"ready"', flush=True)
    for line in sys.stdin:
        print(json.dumps(_answer(json.loads(line))), flush=True)


if __name__ == "__main__":
    serve()
