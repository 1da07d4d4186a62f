"""Computes the values of lessons, once for each version."""

import logging
import threading
from collections.abc import Callable

from grader.errors import ProblemError
from grader.lessons import Lesson, Values, unshowable
from grader.sandbox import Sandbox
from server.models.database import Database
from server.services.lessons import results
from server.services.lessons.shelf import Lessons

log = logging.getLogger("server.lessons")


class LessonValues:
    """The chore of `server.worker.threads.Worker` that runs the programs of lessons."""

    name = "lessons"

    def __init__(
        self, database: Database, lessons: Lessons, compute: Callable[..., Values]
    ) -> None:
        self.database, self.lessons, self.compute = database, lessons, compute
        self._hints = threading.Semaphore(0)

    def wake(self) -> None:
        """Ends a sleep."""
        self._hints.release()

    def wait(self, seconds: float) -> None:
        """Sleeps until there is a hint, at most so long."""
        self._hints.acquire(timeout=seconds)

    def step(self, room: Sandbox, owner: str) -> bool:
        """Computes one lesson; False when none is missing."""
        lesson, digest = self._missing()
        if lesson is None:
            return False
        values, fault = self._computed(lesson, room)
        if fault:
            log.error("lesson", extra={"fields": {"lesson": lesson.slug, "trouble": fault[:500]}})
        with self.database.write() as session:
            results.store(session, lesson.slug, digest, values, fault)
        return True

    def _missing(self) -> tuple[Lesson | None, str]:
        with self.database.read() as session:
            known = results.known(session)
        for lesson in self.lessons.all():
            try:
                digest = self.lessons.digest(lesson)
            except ProblemError:
                continue  # it names a problem that is not there; its page says so
            if (lesson.slug, digest) not in known:
                return lesson, digest
        return None, ""

    def _computed(self, lesson: Lesson, room: Sandbox) -> tuple[Values | None, str]:
        try:
            values = self.compute(lesson, self.lessons.problems(), room)
        except ProblemError as error:
            return None, str(error)
        faults = list(unshowable(lesson, values))
        return (None, "\n".join(map(str, faults))) if faults else (values, "")
