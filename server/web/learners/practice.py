"""Practice on the way to a solution: the steps of a problem, and a page for each item.

An answer is a job of the queue of submissions; its page waits like that of an exploration.
"""

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from grader.errors import SubmissionError
from grader.frameworks import TITLES
from grader.model import Framework
from grader.practice import Step
from grader.practice.reading import MOST_INPUT_TEXT, MOST_INPUTS
from grader.problem import Problem
from grader.verdict.translate import Translator
from server.messages import Message
from server.models.practice import PracticeAnswer
from server.models.submissions import ProblemVersion, Submission
from server.services import explorations
from server.services.practice import answers, sets
from server.services.practice.sending import NewAnswer, closed_by, closed_steps, send, texts_of
from server.web.access import by_learner, limiter, me, signed_in, submit_limit
from server.web.context import reading, service, stop_reading, wake_chores
from server.web.lookups import find_answer, find_problem, wait_seconds
from server.web.panels import input_fields
from server.web.panels import practice as panel
from server.web.polling import await_own
from server.web.texts import translate, words_of

pages = Blueprint("practice", __name__)
FORM_WAIT_S = 4


@pages.get("/problems/<slug>/practice")
@signed_in
def home(slug: str) -> str:
    """The steps, and which items one has solved."""
    problem = find_problem(slug)
    return _home(problem, _framework(problem))


@pages.post("/problems/<slug>/practice")
@signed_in
@limiter.limit(submit_limit, key_func=by_learner)
def begin(slug: str) -> Response:
    """Asks the worker for the items, where nobody has done so or they could not be made."""
    problem = find_problem(slug)
    framework = _framework(problem)
    _refuse_closed(slug)
    _refuse_missing(problem, framework)
    stop_reading()
    sets.want(service().database, problem, framework)
    wake_chores()
    return redirect(url_for("practice.home", slug=slug, framework=str(framework)), 303)


@pages.get("/problems/<slug>/practice/<step>")
@signed_in
def step(slug: str, step: str) -> str | Response:
    """The first item of a step that one has not solved."""
    problem, kind = find_problem(slug), _step(step)
    framework = _framework(problem)
    items = _items(problem, framework)
    rows = panel.entries(items, _given(problem, framework)) if items else []
    here = [row for row in rows if row.step is kind]
    if not here:
        return _home(problem, framework)
    left = next((row for row in here if row.state != "solved"), here[0])
    return redirect(_address(problem, framework, kind, left.number))


@pages.get("/problems/<slug>/practice/<step>/<int:number>")
@signed_in
def show(slug: str, step: str, number: int) -> str:
    """An item, with one's last answer; `answer` is one that is judged or was just now."""
    problem, kind = find_problem(slug), _step(step)
    sent = request.args.get("answer", type=int)
    if sent is not None:
        await_own(sent, me().id, wait_seconds())
    return _item(problem, _framework(problem), kind, number, sent=sent)


@pages.post("/problems/<slug>/practice/<step>/<int:number>")
@signed_in
@limiter.limit(submit_limit, key_func=by_learner)
def answer(slug: str, step: str, number: int) -> str | Response | tuple[str, int]:
    """Queues an answer to be judged."""
    problem, kind = find_problem(slug), _step(step)
    framework, running = _framework(problem), service()
    _refuse_closed(slug, kind)
    _refuse_missing(problem, framework)
    try:
        texts = texts_of(kind, request.form, request.form.getlist("answer"))
        new = NewAnswer(me().id, problem, framework, f"{kind}-{number}", texts)
        stop_reading()
        row = send(running.database, new, running.queue.put)
    except SubmissionError as error:
        return _item(problem, framework, kind, number, message=translate(error)), 422
    address = _address(
        problem, framework, kind, number, answer=row.id, wait=FORM_WAIT_S, _anchor="told"
    )
    return redirect(address, 303)


# ------------------------------------------------------------------------------------------- parts


def _refuse_closed(slug: str, step: Step | None = None) -> None:
    keeper = closed_by(reading(), me().id, slug, step)
    if keeper:
        abort(403, Message("Practice stays closed until '%(title)s' is due.", title=keeper))


def _refuse_missing(problem: Problem, framework: Framework) -> None:
    if framework in problem.missing:
        title = TITLES[framework]
        abort(409, Message("%(framework)s is not installed on this server.", framework=title))


def _step(name: str) -> Step:
    if name not in list(Step):
        abort(404, Message("There is no such step of practice."))
    return Step(name)


def _framework(problem: Problem) -> Framework:
    wanted = request.values.get("framework", "")
    return next((f for f in problem.frameworks if f == wanted), problem.frameworks[0])


def _address(problem: Problem, framework: Framework, step: Step, number: int, **more: Any) -> str:
    return url_for(
        "practice.show",
        slug=problem.slug,
        step=str(step),
        number=number,
        framework=str(framework),
        **more,
    )


def _items(problem: Problem, framework: Framework) -> list[Mapping[str, Any]] | None:
    """The items of the steps that are open; None where they are not made, or all closed."""
    closed = closed_steps(reading(), me().id, problem.slug)
    row = sets.find(reading(), problem, framework) if len(closed) < len(Step) else None
    if row is None or row.items is None:
        return None
    return [item for item in row.items if Step(item["step"]) not in closed]


def _given(problem: Problem, framework: Framework) -> Mapping[str, PracticeAnswer]:
    return answers.of(reading(), me().id, problem, framework)


def _home(problem: Problem, framework: Framework) -> str:
    """The list of items, or why there is none."""
    keeper = closed_by(reading(), me().id, problem.slug)
    row = None if keeper else sets.find(reading(), problem, framework)
    items = _items(problem, framework)
    rows = panel.entries(items, _given(problem, framework)) if items else []
    return render_template(
        "practice.html",
        problem=problem,
        framework=framework,
        closed_by=keeper,
        partly=next(iter(closed_steps(reading(), me().id, problem.slug).values()), ""),
        waits=row is not None and items is None and not row.fault,
        begun=row is not None,
        broken=row is not None and bool(row.fault),
        steps=[(s, [r for r in rows if r.step is s]) for s in Step],
        titles=panel.TITLES,
        solved=sum(r.state == "solved" for r in rows),
        count=len(rows),
    )


def _item(
    problem: Problem,
    framework: Framework,
    step: Step,
    number: int,
    sent: int | None = None,
    message: str = "",
) -> str:
    """The page of an item; the list where there are no items."""
    items, name = _items(problem, framework), f"{step}-{number}"
    if items is None:
        return _home(problem, framework)
    item = next((each for each in items if each["id"] == name), None)
    if item is None and closed_by(reading(), me().id, problem.slug, step):
        return _home(problem, framework)
    if item is None:
        abort(404, Message("The problem has no practice item of that number."))
    row = find_answer(sent, me().id, problem.slug, name) if sent is not None else None
    given, words = _given(problem, framework), words_of(problem.slug)
    details = explorations.whole(reading(), me().id, problem.slug)
    known, sample = given.get(name), _sample(problem, item)
    before, following = panel.beside(panel.entries(items, given), step, number)
    return render_template(
        "practice_item.html",
        problem=problem,
        framework=framework,
        step=step,
        number=number,
        title=panel.TITLES[step],
        question=_question(item, row, known, message),
        message=message,
        told=panel.told(row, words, details) if row is not None else _remembered(known, words),
        solved=known is not None and known.solved_at is not None,
        failure=panel.failure_of(item, words),
        sample=sample,
        python=input_fields.texts(sample) if sample is not None else None,
        before=before,
        following=following,
        code=panel.code,
        place_of=panel.place_of,
        most_inputs=MOST_INPUTS,
        most_input_text=MOST_INPUT_TEXT,
    )


def _question(
    item: Mapping[str, Any], row: Submission | None, known: PracticeAnswer | None, message: str
) -> panel.Question:
    """The item with what was sent just now, else with the last answer."""
    if message:  # what was refused stands in its fields again
        return panel.refused(item, request.form, request.form.getlist("answer"))
    choose = "choose" in request.args
    if row is not None:
        right = bool(((row.shown or {}).get("result") or {}).get("right"))
        return panel.question(item, (row.exploration or {})["answer"], right, choose)
    if known is not None and "again" not in request.args:  # a review begins with empty fields
        return panel.question(item, known.answer, known.correct, choose)
    return panel.question(item, (), right=False, choose=choose)


def _remembered(known: PracticeAnswer | None, words: Translator) -> panel.Told | None:
    return None if "again" in request.args else panel.remembered(known, words)


def _sample(problem: Problem, item: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The sample whose row is to be predicted, as the statement shows it."""
    if "choices" not in item:
        return None
    version = reading().get(ProblemVersion, (problem.slug, problem.digest))
    samples = (version.samples if version else None) or []
    return next((sample for sample in samples if sample["name"] == item["case"]), None)
