"""Attackers who send what they like through the API, as fast as it takes it, and read every word of
the verdicts: none may be accepted without the mathematics.
"""

import sys
from collections.abc import Callable
from typing import Any

from grader.answers import Answer, public_answers
from grader.model import Framework
from grader.problem import default_bank, load
from grader.sandbox import open_sandbox
from tests.attacks.web_load import Site, served
from tests.grader.oracles import Guesser, Reader, asks_for_a_result

TRIES = 2000
READ, GUESSED = "additive_mask", "attention_by_hand"


def through(site: Site, token: str, problem: str) -> Callable[[str], dict[str, Any]]:
    """Submits to one problem with one account; the verdict as the API gives it."""

    def submit(source: str) -> dict[str, Any]:
        number = site.submit(token, source, problem=problem)
        if number is None:
            raise RuntimeError(f"a submission to {problem} was refused")
        verdict = site.verdict(token, number, 300)
        if verdict is None:
            raise RuntimeError(f"submission {number} has no verdict")
        return verdict

    return submit


def public_cases() -> dict[str, list[Answer]]:
    """What anybody may see of the problems, by slug."""
    with open_sandbox("bubblewrap") as sandbox:
        return {
            slug: public_answers(load(default_bank(), slug), Framework.NUMPY, sandbox)
            for slug in (READ, GUESSED)
        }


def attackers(site: Site, public: dict[str, list[Answer]]) -> dict[str, Reader | Guesser]:
    """By problem. What they know of shapes is public."""
    tables = {
        name: e.values.shape
        for a in public[GUESSED]
        if not a.case.options
        for name, e in a.expected.items()
    }
    one, two = site.attackers[:2]
    return {
        READ: Reader.of(
            through(site, one, READ), "self_attention_with_mask", public[READ], most_entries=60
        ),
        GUESSED: Guesser(through(site, two, GUESSED), tables),
    }


def run(tries: int = TRIES) -> int:
    """A line for each attacker; how many were accepted, or passed a hidden case by reading."""
    bad = 0
    with served((READ, GUESSED, "scaled_dot_product_attention")) as site:
        public = public_cases()
        for slug, attacker in attackers(site, public).items():
            found: dict[str, Any] = {}
            while attacker.spent < tries:
                found = attacker.attack(tries)
            if isinstance(attacker, Reader):
                asked = {a.case.name for a in public[slug] if asks_for_a_result(a)}
                passed = [
                    case["name"]
                    for case in found["cases"]
                    if case["verdict"] == "accepted" and case["name"] in asked
                ]
            else:
                passed = []
            wrong = found["verdict"] == "accepted" or bool(passed)
            bad += wrong
            print(
                f"{slug:24} {attacker.spent} submissions: {found['verdict']},"
                f" {found['score']} of {found['max_score']} points"
                f"{', hidden cases passed: ' + ', '.join(passed) if passed else ''}",
                flush=True,
            )
    return bad


if __name__ == "__main__":
    sys.exit(int(run() > 0))
