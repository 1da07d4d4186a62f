"""Checks what problem.toml says beyond its form: source, limits and required problems (rule 13)."""

from collections.abc import Collection, Mapping

from grader.case import Case
from grader.errors import ProblemError
from grader.findings.text import T_, Text, told
from grader.model import SERVER_LIMITS
from grader.problem import Problem, did_you_mean, tracks_beside
from grader.verify.fitness import Fitness

FILE = "problem.toml"
UNNAMED = "Authors, title, year, equation"  # as `grade new` writes `source`
# the least and the most of each key of [limits] that a problem can have a reason for
LIMITS: Mapping[str, tuple[float, float]] = {
    "wall_s": (0.5, 120),
    "cpu_s": (0.5, 600),
    "memory_mib": (16, 4096),
    "output_mib": (1, 1024),
    "text_kib": (1, 1024),
    "total_s": (1, 600),
}
FACTORS = (1.5, 1000)  # of `cpu_factor`: below, the noise of a machine decides


def check_settings(
    problem: Problem, cases: Collection[Case], known: Collection[str] | None, fitness: Fitness
) -> None:
    """The source is named, limits are sensible, and what is required can be solved first.

    `known` are the slugs that may be required; None where nobody knows them all.
    """
    if not problem.source.strip():
        text = T_("'source' is empty; name the paper: authors, year, section and link")
        fitness.add(13, FILE, text)
    elif problem.source.strip() == UNNAMED:
        text = T_(
            "'source' is still what `grade new` wrote; name the paper: authors, year, section and"
            " link"
        )
        fitness.warn(13, FILE, text)
    _check_required(problem, known, fitness)
    _check_track(problem, fitness)
    for key, (least, most) in LIMITS.items():
        value = getattr(problem.limits, key)
        if not least <= value <= most:
            _add_absurd(FILE, f"limits.{key}", value, least, most, fitness)
        elif value > getattr(SERVER_LIMITS, key):
            _warn_of_server(FILE, f"limits.{key}", value, getattr(SERVER_LIMITS, key), fitness)
    if problem.limits.total_s < problem.limits.wall_s:
        text = T_("'limits.total_s' is less than 'limits.wall_s', the time of one call; raise it")
        fitness.add(13, FILE, text)
    for case in cases:
        _check_case(case, fitness)


def _check_required(problem: Problem, known: Collection[str] | None, fitness: Fitness) -> None:
    for slug in problem.requires:
        if slug == problem.slug:
            text = T_("'requires' names the problem itself; remove '%(slug)s'", slug=slug)
            fitness.add(13, FILE, text)
        elif known is not None and slug not in known:
            text = T_(
                "'requires' names '%(slug)s', which is not a problem of this bank%(meant)s; `grade"
                " list` shows them all",
                slug=slug,
                meant=did_you_mean(slug, known),
            )
            fitness.add(13, FILE, text)


def _check_track(problem: Problem, fitness: Fitness) -> None:
    """Any name is a track; one that is nearly another is probably a slip."""
    try:
        tracks = tracks_beside(problem.folder.parent)
    except ProblemError as error:
        fitness.add(13, "tracks.toml", told(error))
        return
    meant = "" if problem.track in tracks else did_you_mean(problem.track, tracks)
    if meant:
        text = T_(
            "'track' is '%(track)s', which tracks.toml does not list%(meant)s, so it comes after"
            " all that are listed",
            track=problem.track,
            meant=meant,
        )
        fitness.warn(13, FILE, text)


def _check_case(case: Case, fitness: Fitness) -> None:
    where = T_("case '%(case)s'", case=case.name)
    least, most = LIMITS["memory_mib"]
    if case.memory_mib is not None and not least <= case.memory_mib <= most:
        _add_absurd(where, "memory_mib", case.memory_mib, least, most, fitness)
    elif case.memory_mib is not None and case.memory_mib > SERVER_LIMITS.memory_mib:
        given = SERVER_LIMITS.memory_mib
        _warn_of_server(where, "memory_mib", case.memory_mib, given, fitness)
    if case.cpu_factor is not None and not FACTORS[0] <= case.cpu_factor <= FACTORS[1]:
        _add_absurd(where, "cpu_factor", case.cpu_factor, *FACTORS, fitness)


def _add_absurd(
    where: Text | str, key: str, value: float, least: float, most: float, fitness: Fitness
) -> None:
    text = T_(
        "'%(key)s' is %(value)s; choose a number from %(least)s to %(most)s",
        key=key,
        value=f"{value:g}",
        least=f"{least:g}",
        most=f"{most:g}",
    )
    fitness.add(13, where, text)


def _warn_of_server(
    where: Text | str, key: str, value: float, most: float, fitness: Fitness
) -> None:
    text = T_(
        "'%(key)s' is %(value)s; a server gives at most %(most)s and refuses the problem",
        key=key,
        value=f"{value:g}",
        most=f"{most:g}",
    )
    fitness.warn(13, where, text)
