"""Statements and sources as HTML: nothing shipped is lost, nothing written becomes markup, and
hostile text has its limit.
"""

import ast
import os
import re
import time
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from latex2mathml.converter import convert

import server
from server.services.rendering import process_pool, statement, typeset

ROOT = Path(__file__).parents[3]
STATEMENTS = sorted(ROOT.glob("problems/*/statement*.md"))
SERVER = Path(server.__file__).parent


class Content(HTMLParser):
    """A page as the sequence of its tags, with attributes sorted, and of its text."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[object] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(
            (
                tag,
                sorted(
                    (name, value) for name, value in attrs if (name, value) != ("rel", "noopener")
                ),
            )
        )

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        self.seen.append(f"/{tag}")

    def handle_data(self, data: str) -> None:
        if self.seen and isinstance(self.seen[-1], list):
            self.seen[-1][0] += data
        else:
            self.seen.append([data])


def content(html: str) -> list[object]:
    parser = Content()
    parser.feed(html)
    parser.close()
    return parser.seen


def _joined(run: re.Match[str]) -> str:
    return f"{run[1]}{re.sub('<[^>]*>', '', run[0])}</mi>"


def in_words(mathml: str) -> str:
    """A formula whose upright letters are words, as `typeset` joins them, and whose infinities are
    numbers.
    """
    letter = r'(<mi mathvariant="(normal|monospace|sans-serif)">)([^<]*)</mi>'
    joined = re.sub(rf"{letter}(?:<mi mathvariant=\"\2\">[^<]*</mi>)+", _joined, mathml)
    return joined.replace("<mo>&#x0221E;</mo>", "<mi>&#x0221E;</mi>")


def unspaced(mathml: str) -> str:
    """A formula without the space that `typeset` sets around names of functions."""
    space = "(0|0.167em)"
    return re.sub(rf' lspace="{space}" rspace="{space}">(?=[^\W\d_]{{2}})', ">", mathml)


def test_an_upright_word_is_one_identifier() -> None:
    found = typeset.statement_html(r"$\mathrm{output} = x_{\mathrm{max}} \cdot \mathrm{d}x$")
    words = re.findall(r"<mi[^>]*>([^<]*)</mi>", found)
    assert words == ["output", "x", "max", "d", "x"]


@pytest.mark.parametrize(
    ("latex", "word"),
    [
        (r"i < \mathtt{lengths}_b", "lengths"),
        (r"i < \mathtt{k\_lengths}", "k_lengths"),
        (r"x_{\mathsf{max}}", "max"),
        (r"W_{\mathrm{gate}}", "gate"),
        (r"V_{\text{past}}", "past"),
        (r"\operatorname{softmax}(x)", "softmax"),
    ],
)
def test_a_word_is_one_element(latex: str, word: str) -> None:
    assert f">{word}</m" in typeset.statement_html(f"${latex}$")


TEXTS = [*STATEMENTS, *sorted(ROOT.glob("lessons/**/*.md"))]
INDICES = set("bhijst")
ABBREVIATIONS = {"UK", "UV", "DKV"}  # spelled by people too


@pytest.mark.parametrize("path", TEXTS, ids=[str(p.relative_to(ROOT)) for p in TEXTS])
def test_a_screen_reader_spells_no_word(path: Path) -> None:
    """What stands as letter beside letter in a formula is a product, or indices."""
    html = typeset.statement_html(path.read_text(encoding="utf-8"))
    letter = "<mi(?: [^>]*)?>[^<]</mi>"
    runs = re.findall(rf"(?:{letter}){{4,}}|(?:{letter}){{2,}}(?=</mrow></msu)", html)
    letters = ["".join(re.findall(">([^<])<", run)) for run in runs]
    assert [
        run for run in letters if run not in ABBREVIATIONS and not INDICES.issuperset(run)
    ] == []


@pytest.mark.parametrize("path", STATEMENTS, ids=[f"{p.parent.name}-{p.stem}" for p in STATEMENTS])
def test_no_shipped_statement_loses_anything(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The libraries' own output, and what is left of it."""
    text = path.read_text(encoding="utf-8")
    after = unspaced(typeset.statement_html(text))
    monkeypatch.setattr(
        typeset,
        "formula",
        lambda latex, block: in_words(convert(latex, display="block" if block else "inline")),
    )
    before = typeset._parser().render(text)
    assert content(after) == content(before)
    assert after.count("<math") == before.count("<math")
    assert "".join(part.html for part in statement.render(text)).count("<math") == before.count(
        "<math"
    )


@pytest.mark.parametrize(
    ("latex", "name", "before", "after"),
    [
        (r"\operatorname{softmax}(x)_i", "softmax", "0", "0"),
        (r"\operatorname{softmax}_j\left(\frac{a}{b}\right)", "softmax", "0", "0"),
        (r"m = \max_j s_j", "max", "0", "0.167em"),
        (r"2\max_j s_j", "max", "0.167em", "0.167em"),
        (r"\frac{1}{\operatorname{rank} A}", "rank", "0", "0.167em"),
    ],
)
def test_the_name_of_a_function_stands_close_to_its_argument(
    latex: str, name: str, before: str, after: str
) -> None:
    assert f'<mo lspace="{before}" rspace="{after}">{name}</mo>' in typeset.statement_html(
        f"${latex}$"
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("between -10 000 and 10 000.", "between -10\xa0000 and 10\xa0000."),
        ("1 000 000 keys", "1\xa0000\xa0000 keys"),
        ("2 3 4", "2 3 4"),
        ("65 5370 <b>", "65 5370 &lt;b&gt;"),
        ("`10 000`", "<code>10 000</code>"),
    ],
)
def test_no_line_ends_within_a_number(text: str, shown: str) -> None:
    html = typeset.statement_html(text).replace("&nbsp;", "\xa0")
    assert html == f"<p>{shown}</p>\n"


def test_what_is_no_name_of_a_function_keeps_its_space() -> None:
    html = typeset.statement_html(r"$a \bmod b = -\infty$")
    assert "<mo>mod</mo>" in html and "<mo>=</mo>" in html
    assert "<mo>−</mo><mi>∞</mi>" in html  # a minus sign and a number: nothing between them


COMMANDS = [
    r"\lim_{x\to 0} f", r"\max_i x_i", r"\text{for all }x", r"\operatorname*{argmax}_x f", r"\tag{1} x",
    r"\begin{bmatrix}1&2\\3&4\end{bmatrix}", r"\begin{cases}a&b\\c&d\end{cases}", r"\begin{array}{c|c}a&b\\\hline c&d\end{array}",
    r"\begin{align}a&=b\\c&=d\end{align}", r"\left(\frac{a}{b}\middle|c\right)", r"\bigl(x\bigr)", r"\Bigg[x\Bigg]", r"\binom n k",
    r"\xrightarrow{f} y", r"\hat x\vec y\widetilde z\overline w", r"\underbrace{a}_{b}", r"\sqrt[3]{x}", r"\boxed{x}\cancel{y}",
    r"\mathbb{R}\mathcal L\mathbf x\mathrm{softmax}", r"a\,b\;c\quad d\qquad e\!f", r"\color{red} x", r"\raise 0.2em{x}",
    r"\rule{1em}{2px}",
   
    r"x'''", r"a \bmod b \pmod c", r"\langle x | y \rangle", r"\idotsint", r"\LaTeX", r"\hbox{a b}", r"\verb|a b|",
]  # fmt: skip


@pytest.mark.parametrize("latex", COMMANDS)
def test_mathml_passes_whole(latex: str) -> None:
    html = typeset.formula(latex, True)
    assert html.startswith("<math")
    assert content(typeset.sanitise(html)) == content(html)
    assert content(unspaced(html)) == content(in_words(convert(latex, display="block")))


def test_operators_around_text_keep_it() -> None:
    """The converter nests elements where HTML knows none, so a browser showed the text of them
    only.
    """
    assert "<mo>+</mo>" in typeset.statement_html(r"$a \mathrel{+} b$")


@pytest.mark.parametrize(
    ("markdown", "kept", "lost"),
    [
        (r"$\text{<form action=/manage>}$", "&lt;form", "<form"),
        (r"$\mbox{<img src=x onerror=a>}$", "&lt;img", "<img"),
        (r"$\unicode{x3c}b\unicode{x3e}$", "<mi>&lt;</mi><mi>b</mi>", "<b>"),
        (r"$\href{javascript:alert(1)}{x}$", "<mi>x</mi>", "javascript"),
        (r"$\style{position:fixed}{x}$", "<mi>x</mi>", "position"),
        (r"$\class{code}{x}$", "<mi>x</mi>", "class=\"code"),
        (r"$\raise 300em{x}$", "<mi>x</mi>", "300"),
        (r"$\rule{400px}{400px}$", "<mspace", "400"),
        ("<form>x</form>", "&lt;form&gt;x&lt;/form&gt;", "<form"),
        ("[x](javascript:alert(1))", "javascript:alert", "href"),
        ("[x](data:text/html,a)", "data:text", "href"),
        ("[x](/problems)", 'href="/problems" rel="noopener"', "\0"),
        ("[x](mailto:a@b)", 'href="mailto:a@b" rel="noopener"', "\0"),
        ("![x](http://elsewhere.example/x.png)", 'alt="x"', "src"),
        ("![x](/language/zh)", 'alt="x"', "src"),
        ("![x](data:image/png;base64,AAAA)", 'src="data:image/png;base64,AAAA"', "\0"),
        ("![x](data:image/svg+xml;base64,AAAA)", "data:image/svg", "<img"),
        ("$$a$$ (main)", "(main)", "id="),
        ("```html\n<form>\n```", "&lt;", "<form"),
        ("```x\" onload=\"a\n<form>\n```", "&lt;form", "onload"),
    ],
)  # fmt: skip
def test_only_what_is_listed_becomes_markup(markdown: str, kept: str, lost: str) -> None:
    html = typeset.statement_html(markdown)
    assert kept in html
    assert lost not in html


def test_the_sanitiser_stands_behind_the_libraries() -> None:
    """Were one of them to give out its input as it is, this would be left."""
    html = typeset.sanitise(
        "<form action=/x"
        " id=a><button>b</button></form><svg><script>a</script></svg><style>b{}</style><base"
        " href=//e><math><mtext><form><input></form></mtext><mi onclick=a>x</mi></math><iframe"
        ' srcdoc=c></iframe><div class="flash math" id=csrf tabindex=5 style=a>y</div>'
    )
    assert html == 'b<math><mtext></mtext><mi>x</mi></math><div class="math">y</div>'


def test_a_sample_stands_where_it_is_first_named() -> None:
    parts = statement.render(
        "# Title\n\n[[sample: a b]]\n\ntext\n[[sample: a b]]\n[[sample:c]]  \n[[sample: ]]\n"
    )
    assert [part.sample for part in parts] == ["a b", "", "c", ""]
    assert "Title" not in str(parts)
    assert "[[sample: a b]]" in parts[1].html


# ------------------------------------------------------------------------------------------------------------------
# limits

N = 60_000
LAUGHS = "".join(rf"\newcommand{{\{a}}}{{{chr(92) + b} {chr(92) + b} {chr(92) + b} {chr(92) + b} {chr(92) + b} {chr(92) + b}}}"
                 for a, b in zip("abcdefgh", "bcdefghi", strict=True))  # fmt: skip
HOSTILE_MARKDOWN: dict[str, str] = {
    "brackets": "[" * N,
    "closed brackets": "[" * (N // 2) + "]" * (N // 2),
    "pictures": "![" * (N // 2),
    "links": "[a](" * (N // 4),
    "nested links": "[" * (N // 6) + "a" + "](b)" * (N // 6),
    "emphasis": "*a **a " * (N // 7),
    "emphasis in words": "a**b" * (N // 4),
    "strikethrough": "~~a" * (N // 3),
    "backticks": "".join("`" * i + "a" for i in range(1, 340)),
    "quotes": "".join(">" * i + "a\n" for i in range(1, 340)),
    "lists": "".join("  " * i + "- a\n" for i in range(240)),
    "lists in a line": "- " * (N // 2),
    "references": "".join(f"[a{i}]: b\n" for i in range(N // 10)),
    "table": "|a" * 200 + "\n" + "|-" * 200 + "\n" + "a\n" * (N // 3),
    "fences": "```\n" * (N // 4),
    "fenced whitespace": "```python\n" + " \n" * (N // 2) + "x\n```",
    "whitespace": " \n" * (N // 2),
    "dollars": "$a" * (N // 2),
    "double dollars": "$$a\n" * (N // 4),
    "samples": "[[sample:" + " " * N,
    "same sample": "[[sample: a]]\n" * (N // 14),
    "formula brackets": "$" + "{" * (N // 2) + "}" * (N // 2) + "$",
    "fractions": "$" + r"\frac{1}{" * (N // 10) + "x" + "}" * (N // 10) + "$",
    "powers": "$" + "x^{" * (N // 4) + "}" * (N // 4) + "$",
    "texts": "$" + r"\text{" * (N // 6) + "$",
    "matrices": "$" + r"\begin{matrix}" * (N // 14) + "$",
    "many formulas": "a$ $" * (N // 4),
    "macros of macros": f"${LAUGHS}\\newcommand{{\\i}}{{x}}\\a$",
    "macro of itself": r"$\newcommand{\a}{\a\a}\a$",
    "too long": "a" * 200_000,
}  # fmt: skip
HOSTILE_SOURCE: dict[str, str] = {
    "whitespace": " \n" * (N // 2) + "x",
    "newlines": "x" + "\n" * N + "x",
    "spaces": "match" + " " * N + "x",
    "spaces in short lines": ("match" + " " * 3900 + "\n") * 15,
    "format": '"%' + "0" * N,
    "format in short lines": ('"%' + "0" * 3900 + "\n") * 15,
    "open string": '"""' + "a\n" * (N // 2),
    "quotes": '"' * N,
    "f-strings": 'f"{' * (N // 3),
    "brackets": "(" * N,
    "one line": "x = 1;" * 100_000,
    "backslashes": "\\\n" * (N // 2),
    "too long": "x = 1\n" * 100_000,
}


@pytest.fixture(scope="module", autouse=True)
def warm() -> Iterator[None]:
    """A helper that runs; the start of one is not what these tests measure."""
    statement.render("warm")
    yield
    statement._pool.close()


# a second of CPU time, and the start of a new helper, on a busy machine; without limits: up to
# minutes
GENEROUS_S = 20.0


def took(work: Callable[[], object]) -> float:
    began = time.monotonic()
    work()
    return time.monotonic() - began


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE_MARKDOWN)
def test_hostile_markdown_is_bounded(name: str) -> None:
    text = HOSTILE_MARKDOWN[name]
    assert took(lambda: statement.render(text)) < GENEROUS_S
    # it is remembered, whether it could be read or not
    assert took(lambda: statement.render(text)) < GENEROUS_S / 4
    parts = statement.render(text)
    assert all(len(part.html) <= statement.LARGEST_REPLY for part in parts)


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE_SOURCE)
def test_hostile_source_is_bounded(name: str) -> None:
    text = HOSTILE_SOURCE[name]
    assert took(lambda: statement.python_html(text)) < GENEROUS_S
    html = statement.python_html(text)
    assert html.startswith('<div class="code"><pre><span></span>')
    shown = "".join(part[0] for part in content(html) if isinstance(part, list))  # type: ignore[index]
    assert shown.strip("\n") == text.strip("\n")


@pytest.mark.slow
def test_beside_hostile_text_others_are_rendered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The regular expression that backtracks holds the lock of its own interpreter, not of this
    one.
    """
    import threading

    hostile = threading.Thread(target=statement.python_html, args=(" \n" * 30_000 + "y",))
    hostile.start()
    longest = 0.0
    while hostile.is_alive():
        longest = max(longest, took(lambda: sum(range(1000))))
    hostile.join()
    assert "<strong>" in statement.render("**still**")[0].html
    assert longest < 3


def test_a_helper_that_dies_is_replaced() -> None:
    pool = process_pool.ProcessPool(
        SERVER / "services" / "rendering" / "typeset.py", 1, 5.0, 1 << 20
    )
    try:
        ask = {"kind": "statement", "texts": ["*a*"]}
        assert pool.ask(ask) == ["<p><em>a</em></p>\n"]
        helper = pool._free.get()
        assert helper is not None
        os.kill(helper._process.pid, 9)
        helper._process.wait()
        pool._free.put(helper)
        assert pool.ask(ask) == ["<p><em>a</em></p>\n"]
        with pytest.raises(process_pool.HelperFailed, match="ended"):
            pool.ask({"kind": "no such kind", "texts": []})
        pool._most_bytes = 10_000
        with pytest.raises(process_pool.HelperFailed, match="more than"):
            pool.ask({"kind": "statement", "texts": ["a" * 60_000]})
        assert pool.ask(ask) == ["<p><em>a</em></p>\n"]
    finally:
        pool.close()


def test_nobody_waits_for_ever_for_a_helper() -> None:
    pool = process_pool.ProcessPool(
        SERVER / "services" / "rendering" / "typeset.py", 1, 0.1, 1 << 20
    )
    pool._free.get()
    with pytest.raises(process_pool.HelperBusy):
        pool.ask({"kind": "statement", "texts": ["a"]})


def test_what_could_not_be_rendered_is_shown_as_text(monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(request: object) -> object:
        raise process_pool.HelperBusy("all are busy")

    with monkeypatch.context() as patched:
        patched.setattr(statement._pool, "ask", busy)
        (part,) = statement.render("**bold** <form>")
        assert part.html == '<pre class="code"><code>**bold** &lt;form&gt;</code></pre>'
        assert "&lt;form&gt;" in statement.python_html("x = '<form>'  # busy")
    assert "<strong>" in statement.render("**bold** <form>")[0].html  # the next page asks again


# ------------------------------------------------------------------------------------------------------------
# where HTML is made

# the files that may call a text HTML: one sanitises, one escapes each of its values
MAKERS = {"statement.py", "pictures.py", "texts.py"}
# the project's own documents: sanitised as statements are, then given identifiers of letters, digits, _ and - only
MAKERS |= {"documents.py"}
# the words of the glossary, in a text that was sanitised before
MAKERS |= {"definitions.py"}
# notices: links around titles that are escaped
MAKERS |= {"notice.py"}
# of lessons: an empty text, and SVG whose every text is escaped
FIGURES = {"page.py", "curve.py", "draw.py", "heat.py", "product.py", "vectors.py"}
# the maps of the model that speaks, and the page that names their type
FIGURES |= {"attention.py", "model.py"}


def test_no_other_file_calls_a_text_html() -> None:
    markup = set()
    for path in SERVER.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Name | ast.Attribute)
                and (getattr(node, "id", "") or getattr(node, "attr", "")) == "Markup"
            ):
                markup.add(path.name)
    assert markup == MAKERS | FIGURES


def test_no_template_calls_a_text_html() -> None:
    for path in SERVER.glob("web/templates/**/*.html"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\|\s*(safe|forceescape)\b|autoescape|Markup", text), path.name
        assert not re.search(r"<[^>]*[\w-]=\{\{", re.sub(r'"[^"]*"', '""', text)), (
            f"{path.name}: an attribute without quotes"
        )


def test_pages_take_html_from_our_templates_only() -> None:
    """`innerHTML` stands for what the server's templates made, by the name of its key."""
    for path in (SERVER / "web" / "frontend" / "src").glob("*.ts"):
        for line in path.read_text(encoding="utf-8").splitlines():
            assert not re.search(
                r"insertAdjacentHTML|outerHTML|document\.write|createContextualFragment|\beval\(|new"
                r" Function",
                line,
            )
            if "innerHTML" in line:
                assert re.search(
                    r"innerHTML = (shown = )?(now\.(html|assigned)|\(\(await answer\.json\(\)\) as \{ html:"
                    r" string \}\)\.html);$",
                    line,
                ), line


def test_the_limit_of_a_source_is_the_pages() -> None:
    """The setting comes in an attribute; a number in the script would differ from it one day."""
    script = (SERVER / "web" / "frontend" / "src" / "bench.ts").read_text(encoding="utf-8")
    assert "dataset.limit" in script
    assert not re.search(r"65_?536|64 \* 1024|1 << 16", script)
