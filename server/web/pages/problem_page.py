"""What pages show of a problem and of its submissions."""

import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from flask import render_template, request
from flask import session as cookie

from grader.inside.rules import FORBIDDEN, FORBIDDEN_NAMES, FRAME_WAYS, FRAMES
from grader.model import Framework, Kind, Outcome
from grader.problem import Problem
from server.models.submissions import ProblemVersion, State, Submission
from server.services import statistics, submission_queue
from server.services.courses.assigned import Assigned, assigned
from server.services.courses.terms import solution_closed
from server.services.practice import sets
from server.services.rendering import statement
from server.services.statistics import Rate
from server.services.visitors import trying
from server.web import definitions, lookups
from server.web.access import VISITOR_RUNS, asking
from server.web.context import reading, service
from server.web.panels import practice
from server.web.panels.front import may_try
from server.web.texts import language


def takes_inputs(slug: str) -> bool:
    """Checks whether a problem can be asked with other inputs than its own."""
    problem = service().bank.get(slug)
    return problem is None or problem.kind is not Kind.VALUES


@dataclass(frozen=True, slots=True)
class Sent:
    """A source that was sent and not accepted, so that it comes back in the editor."""

    source: str
    framework: str


def problem_page(
    problem: Problem,
    submission: Submission | None = None,
    message: str = "",
    sent: Sent | None = None,
    asks: bool = False,
) -> str:
    """The page of a problem: alone, with a submission's verdict, or with a message about what was
    just `sent`, which may be a question that a button answers (`asks`).

    Until the judge has computed them, no samples and no number of cases are shown.
    """
    session = reading()
    user = asking()
    given = assigned_now(problem.slug)
    waits = next((each for each in given if each.own.to_start), None)
    if waits is not None:
        return render_template("start_assignment.html", problem=problem, a=waits, message=message)
    chosen = _framework(
        problem,
        sent.framework if sent else submission.framework if submission else _requested(),
        submission is not None,
    )
    texts = own_texts(problem, chosen)
    mine = submission or texts.accepted or texts.latest
    siblings = [p for p in lookups.problems() if p.track == problem.track]
    version = reading().get(ProblemVersion, (problem.slug, problem.digest))
    solved = user is not None and statistics.may_read_solution(session, user.id, problem.slug)
    made = sets.find(session, problem, chosen)
    language_shown = language() if language() in problem.statements else "en"
    rendered = statement.render(problem.statements[language_shown])
    parts, words_met = definitions.in_statement(rendered, language_shown)
    return render_template(
        "problem.html",
        problem=problem,
        place=(siblings.index(problem) + 1 if problem in siblings else 0, len(siblings)),
        parts=parts,
        words_met=words_met,
        statement_language=language_shown,
        samples={case["name"]: case for case in (version.samples if version else None) or []},
        case_count=((version.case_counts if version else None) or {}).get(str(chosen)),
        framework=chosen,
        forbidden=_forbidden(problem),
        source=sent.source if sent else mine.source if mine else _begun(problem, chosen),
        submission=submission,
        message=message,
        once=secrets.token_urlsafe(16),
        open_solution=solved,
        is_solved=user is not None
        and statistics.accepted(session, user.id, problem.slug) is not None,
        texts=texts,
        closed_by="" if solved or user is None else solution_closed(session, user.id, problem.slug),
        assigned=given,
        asks=asks,
        practice_steps=practice.linked(made.items if made is not None else None),
        rate=statistics.rates(session).get(problem.slug, Rate(0, 0)),
        runs_at_start=user is None and may_try() and _is_first(problem),
    )


def _forbidden(problem: Problem) -> list[str]:
    """What the editor does not offer: whole names that the rules forbid, and names that they forbid
    wherever they are.
    """
    own = (*problem.rules.forbid, *((*FRAMES, *FRAME_WAYS) if problem.driver else ()))
    return sorted({*FORBIDDEN, *FORBIDDEN_NAMES, *own, *(name.rpartition(".")[2] for name in own)})


def _is_first(problem: Problem) -> bool:
    first = trying.first_exercise(lookups.problems())
    return first is not None and first.slug == problem.slug


def _requested() -> str:
    return request.args.get("framework", "")


def assigned_now(slug: str) -> list[Assigned]:
    """The assignments for which one's work on this problem counts."""
    user = asking()
    return assigned(reading(), user.id, slug) if user is not None else []


def _framework(problem: Problem, wanted: str, judged: bool) -> Framework:
    """What was judged once is shown, installed or not."""
    known = [str(f) for f in (problem.declared if judged else problem.frameworks)]
    return Framework(wanted) if wanted in known else problem.frameworks[0]


def _begun(problem: Problem, framework: Framework) -> str:
    """What this person ran before they had an account, else the starter."""
    runs = (trying.find(reading(), number) for number in reversed(cookie.get(VISITOR_RUNS, [])))
    fitting = (run.source for run in runs if run and _is_of(run, problem, framework))
    return next(fitting, problem.starters[framework])


def _is_of(run: Submission, problem: Problem, framework: Framework) -> bool:
    return run.problem == problem.slug and run.framework == framework


@dataclass(frozen=True, slots=True)
class Texts:
    """One's own texts for a problem in a framework that the editor offers."""

    accepted: Submission | None = None
    latest: Submission | None = None

    @property
    def differ(self) -> bool:
        """Whether something else was sent after what was accepted."""
        good, last = self.accepted, self.latest
        return good is not None and last is not None and good.source != last.source


def own_texts(problem: Problem, framework: Framework) -> Texts:
    """Returns the accepted and the latest submission; a later one never replaces what is right."""
    user = asking()
    if user is None:
        return Texts()
    good = statistics.accepted(reading(), user.id, problem.slug, framework)
    return Texts(good, lookups.latest(problem, framework))


def verdict_values(row: Submission) -> dict[str, Any]:
    """What `_verdict.html` shows of a submission."""
    shown = row.shown or {}
    notes = shown.get("notes", {})
    judged = row.verdict["cases"] if row.verdict else row.progress or []
    return {
        "cases": [
            {name: c[name] for name in ("name", "verdict", "sample", "message")}
            | {"note": notes.get(c["name"], "")}
            for c in judged
        ],
        "samples": shown.get("samples", []),
        "following": _following(row),
        "ahead": 0 if row.state == State.DONE else statistics.ahead(reading(), row),
    }


def _following(row: Submission) -> Problem | None:
    """The problem to go on with, for whoever has just solved this one."""
    user = asking()
    good = row.verdict is not None and row.verdict["verdict"] == Outcome.ACCEPTED
    if user is None or user.id != row.user_id or not good:
        return None
    mine = statistics.standings(reading(), user.id)
    return statistics.following(lookups.problems(), row.problem, mine)


def room_trouble() -> str | None:
    """Returns why nothing is judged at the moment; None while a room stands or is being opened."""
    return submission_queue.room_trouble(reading(), service().settings.sweep)


def sample_names(parts: tuple[statement.Part, ...]) -> Iterator[str]:
    """The samples that a statement shows by itself; the others follow at its end."""
    return (part.sample for part in parts if part.sample)
