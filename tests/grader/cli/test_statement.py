"""Statements in a terminal: formulas as text, lines that end where a line may end, and every page
of the bank in 80 columns.
"""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from grader.answers import sample_answers
from grader.cli.render.formula import display, inline
from grader.cli.render.lines import ends, wrapped
from grader.cli.render.statement import footer, render
from grader.sandbox import SandboxPool
from tests.conftest import SLUGS
from tests.shipped import shipped

INLINE = {
    r"j \le i": "j ≤ i",
    r"i+S-L": "i + S − L",
    r"-10^4": "−10⁴",
    r"10^{-6}": "10⁻⁶",
    r"2^{63} - 1": "2⁶³ − 1",
    r"x_{i}^{2}": "x_i²",
    r"K_h^\top": "K_hᵀ",
    r"W^O": "W^O",
    r"e^{x_i}": "e^(x_i)",
    r"a_{hij}": "a_hij",
    r"T_{r_{ij},\, h}": "T_(r_ij,h)",
    r"\sum_{j=1}^{n}v_j": "∑_(j=1)^n v_j",
    r"\sqrt{D}": "√D",
    r"\sqrt{d_k}": "√d_k",
    r"\sqrt{a + b}": "√(a + b)",
    r"1/\sqrt{D}": "1/√D",
    r"\frac{1}{H}": "1/H",
    r"\frac{Q K^\top}{\sqrt{D}}": "Q Kᵀ / √D",
    r"\frac{a + b}{c d}": "(a + b) / (c d)",
    r"\frac{e^{x_i}}{\sum_j e^{x_j}}": "e^(x_i) / (∑_j e^(x_j))",
    r"\mathrm{weights} \cdot V": "weights · V",
    r"\mathrm{weights} \, V": "weights V",
    r"\operatorname{softmax} \left( x \right)": "softmax(x)",
    r"\min(\max(j - i, -m), m)": "min(max(j − i, −m), m)",
    r"a \ln(a)": "a ln(a)",
    r"\left( - \sum_j a_j \right)": "(−∑_j a_j)",
    r"|i - j| \le w": "|i − j| ≤ w",
    r"n \times n": "n × n",
    r"n = 65\,536": "n = 65 536",
    r"G = \{ 0, s, \ldots \}": "G = {0, s, …}",
    r"-\infty": "−∞",
    r"\alpha \in \Omega": "α ∈ Ω",
    r"2 \bigl( p_j - [\, j \ne t \,] \bigr)": "2 (p_j − [j ≠ t])",
    r"K\big[a, j \bmod T\big]": "K[a, j mod T]",
    r"a \hat k_j + \hat{x}^2": "a k\u0302_j + x\u0302²",
    r"j < \mathtt{lengths}_b": "j < lengths_b",
    r"\sqrt{\tfrac{2}{\pi}}": "√(2/π)",
    r"\text{query } i \iff j": "query i ⟺ j",
    r"Q = X, \qquad K = Y": "Q = X,   K = Y",
    r"\begin{cases} 1 & \mathrm{if} \quad x > 0 \\ 0 & \mathrm{otherwise} \end{cases}": (
        "{ 1 if x > 0; 0 otherwise }"
    ),
}

DISPLAY = {
    "a fraction": (
        r"s_i = \frac{q \cdot k_i}{\sqrt{d}}, \qquad w = 1",
        ["      q · k_i", "s_i = ───────,   w = 1", "        √d"],
    ),
    "a fraction in brackets stays in its line": (
        r"A = \operatorname{softmax}\left( \frac{Q K^\top}{\sqrt{D}} + M \right) V",
        ["A = softmax(Q Kᵀ / √D + M) V"],
    ),
    "cases": (
        (
            r"m_{ij} = \begin{cases} \mathrm{True} & \mathrm{if} \; j \le i \\ \mathrm{False} &"
            r" \mathrm{otherwise} \end{cases}"
        ),
        ["       ⎧ True   if j ≤ i", "m_ij = ⎨", "       ⎩ False  otherwise"],
    ),
    "three cases": (
        r"\begin{cases} 1 & a \\ 20 & b \\ 3 & c \end{cases}",
        ["⎧ 1   a", "⎨ 20  b", "⎩ 3   c"],
    ),
    "one case": (r"\begin{cases} 1 & a \end{cases}", ["{ 1 a }"]),
    "too wide, broken at the quads": (r"Q = x W, \quad K = y W", ["Q = x W,", "K = y W"]),
}


@pytest.mark.parametrize(("formula", "text"), INLINE.items(), ids=list(INLINE.values()))
def test_a_formula_in_a_line(formula: str, text: str) -> None:
    assert inline(formula) == text
    assert inline(f"  {formula}\n") == text


@pytest.mark.parametrize(("formula", "lines"), DISPLAY.values(), ids=list(DISPLAY))
def test_a_formula_on_lines_of_its_own(formula: str, lines: list[str]) -> None:
    assert display(formula, 16 if lines[0].endswith(",") else 74) == lines


@given(
    st.lists(
        st.sampled_from(
            [
                "\\frac",
                "\\sqrt",
                "\\left",
                "\\right",
                "\\begin",
                "\\end",
                "{cases}",
                *"{}^_&()-+=, x1",
                "\\\\",
            ]
        )
    )
)
def test_a_malformed_formula_gives_some_text(tokens: list[str]) -> None:
    source = "".join(tokens)
    assert isinstance(inline(source), str)
    assert all("\n" not in line for line in display(source, 20))


LINES = {
    "english, at spaces": ("the cat sat down", 8, ["the cat", "sat down"]),
    "a word that just fits": ("abcd efgh", 4, ["abcd", "efgh"]),
    "a word too long is cut": ("abcdefghij k", 4, ["abcd", "efgh", "ij k"]),
    "chinese, anywhere": ("注意力就是加权平均", 8, ["注意力就", "是加权平", "均"]),
    "no full stop at the beginning": ("权重之和为一。", 12, ["权重之和为", "一。"]),
    "no comma, not even after a Latin word": (
        "返回 softmax，然后",
        12,
        ["返回", "softmax，然", "后"],
    ),
    "no closing bracket": ("看（左边的词）再写", 12, ["看（左边的", "词）再写"]),
    "no opening bracket at the end": ("每一个词（左边）", 10, ["每一个词", "（左边）"]),
    "two marks in a row": ("说“是”。然后再写", 6, ["说", "“是”。", "然后再", "写"]),
    "a fixed space holds": ("width D\u00a0=\u00a0E then", 10, ["width", "D = E then"]),
    "a paragraph break": ("one\ntwo three", 5, ["one", "two", "three"]),
    "the space that Markdown needs after bold type goes": ("缩放。 在这里", 20, ["缩放。在这里"]),
}


@pytest.mark.parametrize(("text", "width", "lines"), LINES.values(), ids=list(LINES))
def test_where_a_line_ends(text: str, width: int, lines: list[str]) -> None:
    assert wrapped(Text(text), width).plain.split("\n") == lines


def test_styles_stay_where_they_were() -> None:
    text = Text("分数。 在 ", style="dim").append("softmax", style="bold").append(" 之前起作用")
    found = wrapped(text, 10)
    bold = next(span for span in found.spans if span.style == "bold")
    assert found.plain[bold.start : bold.end] == "softmax"


@given(st.text(alphabet="ab，。（） 注意力\u00a0", max_size=60), st.integers(2, 12))
def test_no_line_is_wider_than_there_is_room_and_nothing_is_lost(text: str, width: int) -> None:
    at = [0, *ends(text, width), len(text)]
    assert at == sorted(at)
    assert all(cell_len(text[a:b].rstrip(" ")) <= width for a, b in pairwise(at))


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("slug", SLUGS)
def test_a_page_of_the_bank_reads_well_in_80_columns(
    slug: str, language: str, sandbox: SandboxPool
) -> None:
    problem = shipped(slug)
    console = Console(width=80, color_system=None)
    with console.capture() as captured:
        console.print(render(problem, language, lambda: sample_answers(problem, sandbox)))
        console.print(footer(problem))
    lines = captured.get().splitlines()
    assert max(map(cell_len, lines)) <= 80
    text = [line.strip(" •│") for line in lines]
    assert [
        line for line in text if re.match(r"[、。，．：；！？）】》」』”’…,.:;!?)}·]", line)
    ] == []
    assert [line for line in text if re.search(r"[（【《「『“‘({]$", line)] == []
    assert [line for line in lines if re.search(r"[$\\\u00a0]|\[\[sample", line)] == []
    assert [
        line
        for line in lines
        if line.startswith("│") and re.search(r"\d +-?\d", line) and not re.search(r"[\[\]]", line)
    ] == []
    assert any(line.endswith(f"grade start {slug}") for line in text)
