"""Practice in the worker: makes the items of a problem, and judges an answer to one of them."""

import logging
import threading
from collections.abc import Callable, Mapping
from typing import Any

from grader.errors import GradeError, RoomError
from grader.findings.text import text_json
from grader.model import Framework
from grader.practice import AnswerError, Bug, Given, Item, Mend, answer, find, items, read
from grader.practice.shown import public, result
from grader.problem import Problem
from grader.sandbox import Sandbox
from server.models.database import Database
from server.services.practice import sets
from server.services.problems.bank import Bank

log = logging.getLogger("server.practice")

Wanted = Mapping[str, Any]
GONE = "the problem has another version now"


def made(problem: Problem, framework: Framework, sandbox: Sandbox) -> list[dict[str, Any]]:
    """Returns the items of a problem, as a learner may see them."""
    return [public(item) for item in items(problem, framework, sandbox)]


def practise(
    problem: Problem, framework: Framework, sandbox: Sandbox, wanted: Wanted
) -> dict[str, Any]:
    """Returns what a page shows of an answer: `result`, or `error` where it is no answer.

    Raises what `judge` raises.
    """
    try:
        item = find(problem, framework, wanted["item"], sandbox)
        given = read(item, wanted["answer"])
        answered = answer(problem, item, given, sandbox)
    except AnswerError as error:
        return {"error": text_json(error.wrong)}
    about = {"digest": problem.digest, "solved": answered.right and _is_whole(item, given)}
    return {"result": {**result(item, answered), **about}}


def _is_whole(item: Item, given: Given) -> bool:
    """Whether nothing is left to do: a wrong line is found first, and then mended."""
    return not isinstance(item, Bug) or isinstance(given, Mend)


class PracticeItems:
    """The chore of `server.worker.threads.Worker` that makes the sets that learners opened."""

    name = "practice"

    def __init__(
        self, database: Database, bank: Bank, make: Callable[..., list[dict[str, Any]]]
    ) -> None:
        self.database, self.bank, self.make = database, bank, make
        self._hints = threading.Semaphore(0)

    def wake(self) -> None:
        """Ends a sleep: somebody wants a set."""
        self._hints.release()

    def wait(self, seconds: float) -> None:
        """Sleeps until there is a hint, at most so long."""
        self._hints.acquire(timeout=seconds)

    def step(self, room: Sandbox, owner: str) -> bool:
        """Makes one set; False when none is wanted."""
        with self.database.read() as session:
            wanted = sets.wanted(session)
        if not wanted:
            return False
        made_items, fault = self._made(wanted[0], room)
        if fault:
            fields = {"problem": wanted[0][0], "trouble": fault[:500]}
            log.error("practice", extra={"fields": fields})
        with self.database.write() as session:
            sets.store(session, wanted[0], made_items, fault)
        return True

    def _made(self, key: sets.Key, room: Sandbox) -> tuple[list[dict[str, Any]] | None, str]:
        slug, digest, framework = key
        problem = self.bank.get(slug)
        if problem is None or problem.digest != digest:
            return None, GONE
        try:
            return self.make(problem, problem.framework(framework), room), ""
        except RoomError:  # there is no room: the set stays wanted
            raise
        except GradeError as error:
            return None, str(error) or type(error).__name__
