"""Says what a verdict says in a reader's language: a problem's words by name, the judge's findings
through the catalogue. A verdict itself is English.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from grader.findings.catalogue import ENGLISH as ENGLISH_CODE
from grader.findings.catalogue import N_, Catalogue, catalogue, languages
from grader.findings.finding import Finding, read_findings
from grader.findings.sentences import sentence, sentences
from grader.model import CaseResult, Outcome, Verdict
from grader.problem import Problem, Right, Words
from grader.verdict.grouping import Group, groups

OUTCOMES = {
    Outcome.ACCEPTED: N_("accepted"),
    Outcome.WRONG_ANSWER: N_("wrong answer"),
    Outcome.RUNTIME_ERROR: N_("runtime error"),
    Outcome.TIME_LIMIT: N_("time limit exceeded"),
    Outcome.MEMORY_LIMIT: N_("memory limit exceeded"),
    Outcome.OUTPUT_LIMIT: N_("output limit exceeded"),
    Outcome.COMPILE_ERROR: N_("compile error"),
    Outcome.RULE_VIOLATION: N_("rule violation"),
    Outcome.JUDGE_ERROR: N_("judge error"),
}


@dataclass(frozen=True, slots=True)
class Translator:
    """Says what a verdict says in one language.

    In English, and where something has no translation, it stays as it is.
    """

    language: str = ENGLISH_CODE
    words: Words = field(default_factory=Words)

    @property
    def catalogue(self) -> Catalogue:
        """The judge's own texts."""
        return catalogue(self.language)

    def gettext(self, text: str) -> str:
        """Returns a text of the judge, such as a heading of the report."""
        return self.catalogue.gettext(text)

    def case(self, name: str) -> str:
        """Returns the name of a case."""
        return self.words.names.get(name, name)

    def note(self, name: str, note: str) -> str:
        """Returns why the case exists."""
        return self.words.notes.get(name, note)

    def hint(self, mistake: str, hint: str) -> str:
        """Returns what a teacher would say to a known mistake."""
        return self.words.hints.get(mistake, hint)

    def question(self, mistake: str, question: str) -> str:
        """Returns what a teacher would ask first of a known mistake."""
        return self.words.questions.get(mistake, question)

    def program(self, right: Right) -> str:
        """Returns another right solution, what it says of itself in this language."""
        note, (_, _, code) = self.words.right.get(right.name, ""), right.source.partition("\n")
        return f"# {note}\n{code}" if note and right.note else right.source

    def message(self, result: CaseResult) -> str:
        """Returns what is wrong with a case; "" when it is accepted."""
        return self._told(result.findings, result.message)

    def groups(self, verdict: Mapping[str, Any]) -> tuple[Group, ...]:
        """Returns what is wrong in the cases of a verdict, from its JSON: each finding once."""
        return groups(Verdict.from_json(verdict).cases)

    def group(self, group: Group) -> str:
        """Returns what is wrong in several cases, with the numbers of the first of them."""
        if group.finding is None:
            return group.example.message
        return sentence(group.finding, self.catalogue)

    def stored(self, case: Mapping[str, Any]) -> str:
        """Returns what is wrong with a case, from its JSON."""
        return self._told(read_findings(case), str(case["message"]))

    def of(self, verdict: Verdict) -> str:
        """Returns the sentence of a verdict."""
        return self.passed([(c.verdict, c.name, self.message(c)) for c in verdict.cases])

    def remarks(self, verdict: Mapping[str, Any]) -> list[str]:
        """Returns what is worth saying of a verdict that fails no case, from its JSON."""
        findings = read_findings({"findings": verdict.get("remarks", ())})
        return [sentence(remark, self.catalogue) for remark in findings]

    def sample(self, sample: Mapping[str, Any], verdict: Mapping[str, Any]) -> str:
        """Returns what is wrong with a case of a verdict whose numbers are shown, by its name."""
        cases = (case for case in verdict["cases"] if case["name"] == sample["name"])
        return self.stored(next(cases, sample))

    def summary(self, verdict: Mapping[str, Any]) -> str:
        """Returns the sentence of a verdict, from its JSON.

        Where it cannot be made of the cases (there are none, or the verdict is of version 1), it is
        the stored one.
        """
        cases = verdict["cases"]
        if not cases or verdict.get("version") == 1:
            return str(verdict["message"])
        rows = [(Outcome(c["verdict"]), str(c["name"]), self.stored(c)) for c in cases]
        return self.passed(rows)

    def passed(self, rows: Sequence[tuple[Outcome, str, str]]) -> str:
        """Returns how many cases passed, and the first that failed: its name, and what is wrong.

        A row is a verdict, a case's name and its message.
        """
        failed = [(name, told) for verdict, name, told in rows if verdict is not Outcome.ACCEPTED]
        values: dict[str, Any] = {"passed": len(rows) - len(failed), "total": len(rows)}
        if not failed or not failed[0][1]:
            return self.gettext("%(passed)d of %(total)d cases passed") % values
        values |= {"case": self.case(failed[0][0]), "message": failed[0][1]}
        return (
            self.gettext(
                "%(passed)d of %(total)d cases passed; first failure: %(case)s: %(message)s"
            )
            % values
        )

    def outcome(self, verdict: Outcome) -> str:
        """Returns a verdict as words: `wrong_answer` as `wrong answer`."""
        return self.gettext(OUTCOMES[verdict])

    def _told(self, findings: Sequence[Finding], message: str) -> str:
        return sentences(findings, self.catalogue) if findings else message


ENGLISH = Translator()


def translator(problem: Problem | None, language: str) -> Translator:
    """The translator for a problem; for no problem in particular, it knows the judge's own
    sentences.
    """
    known: Mapping[str, Words] = problem.words if problem is not None else {}
    return Translator(language, known.get(language, Words()))


__all__ = ["ENGLISH", "Translator", "languages", "translator"]
