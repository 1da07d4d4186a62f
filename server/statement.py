"""A statement's Markdown as HTML: formulas as MathML, code coloured by classes, `[[sample: NAME]]` lines apart.

Raw HTML in a statement is shown as text: an instructor writes Markdown, and nothing of it runs.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from markupsafe import Markup, escape
from mdit_py_plugins.dollarmath import dollarmath_plugin
from pygments import highlight  # type: ignore[import-untyped]
from pygments.formatters import HtmlFormatter  # type: ignore[import-untyped]
from pygments.lexers import PythonLexer, TextLexer, get_lexer_by_name  # type: ignore[import-untyped]
from pygments.util import ClassNotFound  # type: ignore[import-untyped]

SAMPLE = re.compile(r"^\[\[sample: *(.+?) *\]\]\s*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a statement: its HTML, or the name of the sample that stands here."""

    html: str = ""
    sample: str = ""


@lru_cache(maxsize=512)
def render(markdown: str) -> tuple[Part, ...]:
    """The parts of a statement. Its first heading is left out: the page has it as its title."""
    pieces = SAMPLE.split(re.sub(r"\A\s*# .*\n", "", markdown))
    parts = [Part(sample=piece) if i % 2 else Part(html=Markup(_markdown().render(piece))) for i, piece in enumerate(pieces)]
    return tuple(part for part in parts if part.sample or part.html.strip())


def python_html(source: str) -> Markup:
    """Python source, coloured by Pygments' short classes."""
    return Markup(highlight(source, PythonLexer(), HtmlFormatter(cssclass="code")))


def formula(latex: str, block: bool) -> str:
    """LaTeX as MathML; what cannot be read stays visible as code."""
    try:
        return convert(latex, display="block" if block else "inline")
    except Exception:  # the converter raises whatever its parser meets; a statement is shown all the same
        return f"<code>{escape(latex)}</code>"


@lru_cache(maxsize=1)
def _markdown() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": False, "highlight": _coloured}).enable(["table", "strikethrough"])
    markdown.use(dollarmath_plugin, double_inline=True, renderer=lambda text, options: formula(text, bool(options.get("display_mode"))))
    for rule in ("table_open", "table_close"):
        markdown.add_render_rule(rule, _table)
    for rule in ("th_open", "td_open"):
        markdown.add_render_rule(rule, _cell)
    return markdown


def _table(self: Any, tokens: Sequence[Any], index: int, options: Mapping[str, Any], env: Any) -> str:
    """Tables scroll in a box of their own, which a keyboard can reach."""
    return '<div class="scroll" tabindex="0"><table>' if tokens[index].nesting == 1 else "</table></div>"


def _cell(self: Any, tokens: Sequence[Any], index: int, options: Mapping[str, Any], env: Any) -> str:
    """Alignment as a class: the site's policy allows no style attribute."""
    style = str(tokens[index].attrGet("style") or "")
    kind = f' class="align-{style.rpartition(":")[2]}"' if style else ""
    return f"<{tokens[index].tag}{kind}>"


def _coloured(code: str, language: str, attributes: str) -> str:
    try:
        lexer = get_lexer_by_name(language) if language else TextLexer()
    except ClassNotFound:
        lexer = TextLexer()
    return f'<pre class="code"><code>{highlight(code, lexer, HtmlFormatter(nowrap=True))}</code></pre>'
