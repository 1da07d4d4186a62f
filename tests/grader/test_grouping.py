"""Which cases a report names together, and in which order."""

from dataclasses import replace

from grader.findings.codes import Code, Pattern
from grader.findings.finding import Finding, detail, finding
from grader.model import CaseResult, Outcome, Twin
from grader.verdict.grouping import groups

WRONG = Outcome.WRONG_ANSWER


def case(name: str, *findings: Finding, outcome: Outcome = WRONG, **given: object) -> CaseResult:
    """A judged case."""
    found = CaseResult(name, outcome, False, 0, 1, 1.0, 1.0, 1.0, "a sentence", findings=findings)
    return replace(found, **given)  # type: ignore[arg-type]


def differs(count: int, pattern: Pattern | None = None, tensor: str = "x") -> Finding:
    """Values that differ."""
    return finding(
        Code.VALUES_DIFFER,
        tensor=tensor,
        count=count,
        total=9,
        largest=1.0,
        allowed=1e-6,
        at=(0,),
        where=(),
        pattern=None if pattern is None else detail(pattern),
    )


def narrow(tensor: str = "x") -> Finding:
    """A dtype that fails its cases."""
    return finding(Code.WRONG_DTYPE, tensor=tensor, dtype="float16", expected="float32")


def raised(text: str, line: int) -> Finding:
    """An exception."""
    return finding(Code.RAISED, line, type="ValueError", text=text)


def names(*cases: CaseResult) -> list[list[str]]:
    """The names of the cases of each group."""
    return [[c.name for c in group.cases] for group in groups(cases)]


def test_cases_of_one_kind_of_finding_are_one_group() -> None:
    assert names(case("a", differs(3)), case("b", differs(7)), case("c", differs(3))) == [
        ["a", "b", "c"]
    ]
    assert names(case("a", raised("(2, 3)", 4)), case("b", raised("(5, 6)", 4))) == [["a", "b"]]


def test_what_may_be_two_mistakes_is_two_groups() -> None:
    zeros = differs(3, Pattern.ALL_ZEROS)
    assert names(case("a", differs(3)), case("b", zeros)) == [["a"], ["b"]]
    assert names(case("a", differs(3)), case("b", differs(3, tensor="y"))) == [["a"], ["b"]]
    assert names(case("a", raised("x", 4)), case("b", raised("x", 5))) == [["a"], ["b"]]
    assert names(case("a", differs(3)), case("b", differs(3), outcome=Outcome.RUNTIME_ERROR)) == [
        ["a"],
        ["b"],
    ]


def test_a_case_with_two_findings_is_in_two_groups() -> None:
    found = groups([case("a", narrow(), differs(3)), case("b", narrow())])
    assert [(g.finding and g.finding.code, len(g.cases)) for g in found] == [
        (Code.VALUES_DIFFER, 1),
        (Code.WRONG_DTYPE, 2),
    ]


def test_the_mathematics_come_first_then_what_most_cases_have() -> None:
    hidden = finding(Code.ONLY_HIDDEN)
    found = groups(
        [
            case("hidden", hidden),
            case("hidden too", hidden),
            case("narrow", narrow()),
            case("one", differs(1)),
            case("two", differs(2, Pattern.OPPOSITE)),
            case("three", differs(3, Pattern.OPPOSITE)),
        ]
    )
    assert [group.example.name for group in found] == ["two", "one", "narrow", "hidden"]


def test_a_group_knows_whether_its_cases_say_the_very_same() -> None:
    (group,) = groups([case("a", differs(3)), case("b", differs(7))])
    assert not group.same
    (group,) = groups([case("a", differs(3)), case("b", differs(3))])
    assert group.same


def test_a_sample_is_the_example() -> None:
    (group,) = groups([case("a", differs(3)), case("b", differs(7), sample=True)])
    assert group.example.name == "b" and not group.public
    (group,) = groups([case("a", differs(3), twin=Twin.FAILS)])
    assert group.public


def test_accepted_cases_and_cases_without_words_are_in_no_group() -> None:
    assert names(case("a", outcome=Outcome.ACCEPTED), case("b", message="")) == []


def test_a_verdict_of_version_1_is_grouped_by_its_sentences() -> None:
    found = groups([case("a"), case("b", message="another"), case("c")])
    assert [[c.name for c in group.cases] for group in found] == [["a", "c"], ["b"]]
    assert all(group.finding is None for group in found)
