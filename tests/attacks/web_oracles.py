"""Attackers who send what they like through the API, as fast as it takes it, and read every word of
the verdicts: none may be accepted without the mathematics.
"""

import sys
from collections.abc import Callable
from typing import Any

from grader.answers import public_answers
from grader.model import Framework
from grader.problem import default_bank, load
from grader.sandbox import open_sandbox
from tests.attacks.web_load import Site, served
from tests.grader.oracles import Guesser, Reader

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


def attackers(site: Site) -> dict[str, Reader | Guesser]:
    """By problem. What they know of shapes is public."""
    with open_sandbox("bubblewrap") as sandbox:
        public = {
            slug: public_answers(load(default_bank(), slug), Framework.NUMPY, sandbox)
            for slug in (READ, GUESSED)
        }
    shapes = [[e.values.shape for e in a.expected.values()] for a in public[READ]]
    tables = {
        name: e.values.shape
        for a in public[GUESSED]
        if not a.case.options
        for name, e in a.expected.items()
    }
    one, two = site.attackers[:2]
    return {
        READ: Reader(through(site, one, READ), "self_attention_with_mask", shapes),
        GUESSED: Guesser(through(site, two, GUESSED), tables),
    }


def run(tries: int = TRIES) -> int:
    """A line for each attacker; how many were accepted, or passed a hidden case by reading."""
    bad = 0
    with served((READ, GUESSED, "scaled_dot_product_attention")) as site:
        for slug, attacker in attackers(site).items():
            found: dict[str, Any] = {}
            while attacker.spent < tries:
                found = attacker.attack(tries)
            if isinstance(attacker, Reader):
                passed = [
                    case["name"]
                    for case in found["cases"]
                    if case["verdict"] == "accepted" and not case["sample"]
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
