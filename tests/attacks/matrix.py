"""Hostile submissions against each launcher that this machine has: `python -m tests.attacks.matrix
[NAME…]` prints the matrix.

Each file of `submissions/` is one submission; the first lines of its docstring say what it tries,
and these keys how it is judged:

    rows: 1, 2                  of the catalogue in tests/attacks/README.md
    verdicts: wrong_answer      what may come of it; `accepted` only where an honest solution
                                carries the trick
    problem: NAME               default: scaled_dot_product_attention
    framework: torch            default: numpy
    rules: off                  judged without the forbidden names
    limits: wall_s=1            in place of the problem's own
    elsewhere: accepted         also permitted under a kernel of its own (gVisor), where the host
                                sees no single process;
                                `nothing`: not tried there, because /proc and the devices are its
                                own

A submission prints `FOUND …` when it has read what it must not read, and `BREACH …` when a wall did
not hold.
"""

import ast
import functools
import json
import os
import re
import subprocess
import sys
import time
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

from grader.case import Case
from grader.errors import GradeError
from grader.judge import judge
from grader.model import Framework, Limits, Outcome, Run, Submission, Verdict
from grader.problem import Problem, load
from grader.sandbox import Job, SandboxPool, open_sandbox
from grader.sandbox.zygote_client import SPARES

HERE = Path(__file__).resolve().parent
BANK = HERE.parents[1]
FOLDER = HERE / "submissions"
DEFAULT_PROBLEM = "scaled_dot_product_attention"
KEYS = frozenset(["rows", "verdicts", "problem", "framework", "rules", "limits", "elsewhere"])
RESIDUE = "attack-residue"  # every file that an attack tries to leave has this in its name
SHARED_KEY = b"24301"  # 0x5EED, the key of every System V object that an attack tries to make
SETTLE_S = 20.0  # within this the room must look as before
AT_REST = (1 + SPARES, 0)  # processes (the zygote and its spare children), and zombies
ALLOWED_CONTROLS = "\n\t"


@dataclass(frozen=True, slots=True)
class Attack:
    """One hostile submission, and what may come of it."""

    name: str
    source: str
    strategy: str
    rows: tuple[int, ...]
    verdicts: frozenset[Outcome]
    problem: str = DEFAULT_PROBLEM
    framework: Framework = Framework.NUMPY
    rules: bool = True
    limits: Limits | None = None
    elsewhere: frozenset[Outcome] | None = frozenset()

    @property
    def control(self) -> bool:
        """Is this an honest submission?"""
        return self.name.startswith("control_")


@dataclass(frozen=True, slots=True)
class Outcomes:
    """What came of one attack under one launcher. The last four must be empty."""

    attack: Attack
    verdict: Verdict
    printed: str
    read: tuple[str, ...] = ()
    breaches: tuple[str, ...] = ()
    residue: tuple[str, ...] = ()
    next_verdict: Outcome = Outcome.ACCEPTED

    @property
    def forged(self) -> bool:
        """Was it accepted without an honest solution?"""
        return (
            self.verdict.verdict is Outcome.ACCEPTED
            and Outcome.ACCEPTED not in self.attack.verdicts
        )

    @property
    def right(self) -> bool:
        """Did everything come out as the attack's docstring permits, with nothing read and nothing
        left?
        """
        fine = (
            self.verdict.verdict in self.attack.verdicts and self.next_verdict is Outcome.ACCEPTED
        )
        return fine and not (self.read or self.breaches or self.residue)


def attacks(names: Iterable[str] = ()) -> list[Attack]:
    """Every attack of the folder, or those named, in the order of their names."""
    wanted = set(names)
    return [
        parse(path) for path in sorted(FOLDER.glob("*.py")) if not wanted or path.stem in wanted
    ]


def parse(path: Path) -> Attack:
    """A file -> an attack.

    Raises `ValueError` for a docstring that lacks a key, or has one that is not known.
    """
    source = path.read_text(encoding="utf-8")
    lines = (ast.get_docstring(ast.parse(source)) or "").splitlines()
    found = dict(line.split(": ", 1) for line in lines if re.match(r"[a-z]+: ", line))
    unknown, missing = set(found) - KEYS, {"rows", "verdicts"} - set(found)
    if unknown or missing or not lines[0].endswith("."):
        raise ValueError(
            f"{path.name}: unknown keys {sorted(unknown)}, missing keys {sorted(missing)}, or no"
            " strategy in the first line"
        )
    limits = (
        [pair.split("=") for pair in found["limits"].split(", ")] if "limits" in found else None
    )
    return Attack(
        name=path.stem,
        source=source,
        strategy=lines[0],
        rows=(
            tuple(int(row) for row in found["rows"].split(", ")) if found["rows"] != "none" else ()
        ),
        verdicts=frozenset(Outcome(v) for v in found["verdicts"].split(", ")),
        problem=found.get("problem", DEFAULT_PROBLEM),
        framework=Framework(found.get("framework", "numpy")),
        rules=found.get("rules", "on") != "off",
        elsewhere=(
            None
            if found.get("elsewhere") == "nothing"
            else frozenset(Outcome(v) for v in found.get("elsewhere", "").split(", ") if v)
        ),
        limits=(
            Limits(**{key: type(getattr(Limits(), key))(value) for key, value in limits})
            if limits
            else None
        ),
    )


class Recorded:
    """A sandbox that remembers what one submission printed, of which no verdict shows the hidden."""

    def __init__(self, rooms: SandboxPool, source: str) -> None:
        self.name, self._rooms, self._source = rooms.name, rooms, source
        self.printed = ""

    def run(self, job: Job) -> Iterator[Run]:
        """See `Sandbox.run`."""
        return self._recorded(job, self._rooms.run(job))

    def run_together(self, job: Job) -> Iterator[Run]:
        """See `Sandbox.run_together`."""
        return self._recorded(job, self._rooms.run_together(job))

    def _recorded(self, job: Job, answered: Iterator[Run]) -> Iterator[Run]:
        with closing(answered):  # type: ignore[type-var]
            for run in answered:
                if job.source == self._source:
                    self.printed += run.printed
                yield run

    def survey(self, jobs: Iterable[Job]) -> Iterator[list[Run]]:
        """See `Sandbox.survey`."""
        return self._rooms.survey(jobs)

    def prepare(self, framework: Framework) -> None:
        """See `Sandbox.prepare`."""
        self._rooms.prepare(framework)

    def generate(self, source: str, framework: Framework, seed: int) -> list[Case]:
        """See `Sandbox.generate`."""
        return self._rooms.generate(source, framework, seed)

    def close(self) -> None:
        """The rooms are someone else's."""


def attempt(attack: Attack, rooms: SandboxPool, judge: Callable[..., Verdict] = judge) -> Outcomes:
    """Judge one attack, then an honest submission, then compare the machine with what it was
    before.
    """
    problem = load(BANK, attack.problem)
    with_limits = replace(problem, limits=attack.limits) if attack.limits else problem
    warm(attack.problem, attack.framework, rooms)
    before = at_rest(rooms, attack.framework)
    recorded = Recorded(rooms, attack.source)
    verdict = judge(
        with_limits, Submission(attack.framework, attack.source), recorded, rules=attack.rules
    )
    if attack.elsewhere and not rooms.room(attack.framework).launch.same_kernel:
        attack = replace(attack, verdicts=attack.verdicts | attack.elsewhere)
    following = honest(problem, attack.framework, rooms)
    told = recorded.printed + verdict.message + "".join(case.message for case in verdict.cases)
    return Outcomes(
        attack,
        verdict,
        recorded.printed,
        read=tuple(dict.fromkeys(re.findall(r"FOUND .*", told))),
        breaches=tuple(dict.fromkeys(re.findall(r"BREACH .*", told))) + raw_controls(told),
        residue=settled(before, rooms, attack.framework),
        next_verdict=following,
    )


@functools.cache
def warm(slug: str, framework: Framework, rooms: SandboxPool) -> None:
    """Before the first attack an honest submission is judged; after each one another is, anyway."""
    honest(load(BANK, slug), framework, rooms)


def honest(problem: Problem, framework: Framework, rooms: SandboxPool) -> Outcome:
    """The verdict of the reference, handed in as a learner would."""
    return judge(problem, Submission(framework, problem.references[framework]), rooms).verdict


def raw_controls(text: str) -> tuple[str, ...]:
    """Characters that a terminal or a page would obey."""
    found = {
        c
        for c in text
        if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") and c not in ALLOWED_CONTROLS
    }
    return tuple(f"BREACH raw character {c!r}" for c in sorted(found))


# -- what must be as before


@dataclass(frozen=True, slots=True)
class Machine:
    """What an attack could leave behind, as counted from outside the room."""

    room: int  # process id of the launcher
    processes: int  # the zygote and all below it
    zombies: int
    judge_descriptors: int
    zygote_descriptors: int
    mounts: str
    shared_memory: tuple[str, ...]
    files: tuple[str, ...] = field(default=())


def look(rooms: SandboxPool, framework: Framework) -> Machine:
    """Count what there is now."""
    room = rooms.room(framework)
    zygote = zygote_of(rooms, framework)
    tree = descendants(zygote)
    # otherwise the room is one process of another kernel, with threads and descriptors of its own
    seen = room.launch.same_kernel
    return Machine(
        room=room.pid,
        processes=len(tree) if seen else AT_REST[0],
        zombies=sum(_state(pid) == "Z" for pid in tree) if seen else AT_REST[1],
        judge_descriptors=_count("/proc/self/fd"),
        zygote_descriptors=_count(f"/proc/{zygote}/fd") if seen else 0,
        mounts=_read(f"/proc/{zygote}/mountinfo").decode() if seen else "",
        shared_memory=tuple(
            kind
            for kind in ("shm", "sem", "msg")
            if SHARED_KEY in _read(f"/proc/sysvipc/{kind}").split()
        ),
        files=tuple(left_files()),
    )


def at_rest(rooms: SandboxPool, framework: Framework) -> Machine:
    """Count once the spare child, which a thread clones, is there, the last one is buried, and
    nothing changes any more.
    """
    rooms.room(framework).refill()
    deadline = time.monotonic() + SETTLE_S
    before = None
    while True:
        now = look(rooms, framework)
        if (now.processes, now.zombies) == AT_REST and now == before:
            return now
        assert time.monotonic() < deadline, f"not at rest after {SETTLE_S} s: {now}"
        before = now
        time.sleep(0.02)


def settled(before: Machine, rooms: SandboxPool, framework: Framework) -> tuple[str, ...]:
    """What still differs after a moment: the next spare child is cloned by a thread, and a dead one
    buried by another.
    """
    deadline = time.monotonic() + SETTLE_S
    while True:
        now = look(rooms, framework)
        differs = [name for name in Machine.__slots__ if _left(name, before, now)]
        if not differs or time.monotonic() > deadline:
            return tuple(
                f"{name}: {getattr(before, name)!r} became {getattr(now, name)!r}"
                for name in differs
            )
        time.sleep(0.005)


def _left(name: str, before: Machine, now: Machine) -> bool:
    """Whether something is there that was not. A descriptor less is nothing left: the first count
    may have met one that the zygote was about to close.
    """
    was, is_now = getattr(before, name), getattr(now, name)
    return bool(is_now > was) if name.endswith("_descriptors") else was != is_now


def descendants(pid: int) -> list[int]:
    """A process and all below it."""
    found = [pid]
    for parent in found:
        for task in _listing(f"/proc/{parent}/task"):
            found += [int(child) for child in _read(f"/proc/{parent}/task/{task}/children").split()]
    return found


def zygote_of(rooms: SandboxPool, framework: Framework) -> int:
    """The process id, as seen here, of the warm interpreter: the topmost Python of the room."""
    room = rooms.room(framework)
    top = _container_pid(room.launch.stop[-1]) if room.launch.stop else room.pid
    words = {pid: _read(f"/proc/{pid}/cmdline").split(b"\0") for pid in descendants(top)}
    return next((pid for pid, argv in words.items() if b"python" in os.path.basename(argv[0])), top)


@functools.cache
def _container_pid(name: str) -> int:
    return int(
        subprocess.run(
            ["docker", "inspect", "--format", "{{.State.Pid}}", name],
            capture_output=True,
            check=True,
        ).stdout
    )


def memory_kib(pid: int | str, key: str = "Pss") -> int:
    """A line of /proc/PID/smaps_rollup, in KiB; 0 where it cannot be read."""
    found = re.search(
        rf"^{key}:\s+(\d+)".encode(), _read(f"/proc/{pid}/smaps_rollup"), re.MULTILINE
    )
    return int(found[1]) if found else 0


def left_files() -> list[str]:
    """Files that an attack has managed to leave on this machine."""
    places = (
        "/",
        "/tmp",
        "/var/tmp",
        "/dev/shm",
        "/run/lock",
        "/dev/mqueue",
        str(Path.cwd()),
        str(BANK),
        os.path.dirname(os.__file__),
    )
    return [
        f"{place}/{name}"
        for place in dict.fromkeys(places)
        for name in _listing(place)
        if RESIDUE in name
    ]


def _state(pid: int) -> str:
    return _read(f"/proc/{pid}/stat").rpartition(b") ")[2][:1].decode()


def _count(folder: str) -> int:
    return len(_listing(folder))


def _listing(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


# -- the matrix


def launchers() -> list[tuple[str, str, str]]:
    """(title, isolation, runtime) of each launcher that answers here."""
    found = [("bubblewrap", "bubblewrap", "")]
    runtimes = docker_runtimes()
    if runtimes:
        found.append(("docker", "docker", ""))
    return found + ([("gVisor", "docker", "runsc")] if "runsc" in runtimes else [])


def docker_runtimes() -> list[str]:
    """The runtimes of the container engine that the docker command reaches; none when no engine
    answers.
    """
    try:
        asked = subprocess.run(
            ["docker", "info", "--format", "{{json .Runtimes}}"], capture_output=True, timeout=20
        )
        return list(json.loads(asked.stdout)) if asked.returncode == 0 else []
    except (OSError, subprocess.SubprocessError, ValueError):
        return []


def main(names: list[str]) -> int:
    """Print the matrix; 0 when every figure is as it must be."""
    chosen = attacks(names)
    table: dict[str, dict[str, Outcomes]] = {}
    titles = []
    began = time.monotonic()
    for title, isolation, runtime in launchers():
        with open_sandbox(isolation, runtime) as rooms:
            try:
                for attack in (a for a in chosen if runtime != "runsc" or a.elsewhere is not None):
                    table.setdefault(attack.name, {})[title] = attempt(attack, rooms)
            except GradeError as error:
                print(f"{title}: left out: {error}")
                continue
        titles.append(title)
    print(f"{'attack':32} {'rows':12} " + " ".join(f"{title:24}" for title in titles))
    for attack in chosen:
        row = table.get(attack.name, {})
        cells = [_cell(row[title]) if title in row else "not tried" for title in titles]
        print(
            f"{attack.name:32} {', '.join(map(str, attack.rows)):12} "
            + " ".join(f"{cell:24}" for cell in cells).rstrip()
        )
    for title in titles:
        print(f"{title}: {summary([row[title] for row in table.values() if title in row])}")
    everything = [
        found for row in table.values() for title, found in row.items() if title in titles
    ]
    for found in everything:
        if not found.right:
            print(
                f"\n{found.attack.name}: {found.verdict.verdict}; permitted:"
                f" {', '.join(sorted(found.attack.verdicts))}"
            )
            print(
                "\n".join(
                    (
                        "  " + found.verdict.message,
                        *("  " + line for line in (*found.read, *found.breaches, *found.residue)),
                    )
                )
            )
    print(f"{time.monotonic() - began:.0f} s")
    return 0 if everything and all(found.right for found in everything) else 1


def _cell(found: Outcomes) -> str:
    marks = [
        word
        for word, there in (
            ("READ", found.read),
            ("BREACH", found.breaches),
            ("RESIDUE", found.residue),
        )
        if there
    ]
    return " ".join(
        [
            str(found.verdict.verdict),
            *(["FORGED"] if found.forged else []),
            *marks,
            *([] if found.right else ["✕"]),
        ]
    )


def summary(found: list[Outcomes]) -> str:
    """The measure: the figures that must be 0, and the honest controls."""
    controls = [o for o in found if o.attack.control]
    accepted = sum(o.verdict.verdict is Outcome.ACCEPTED for o in controls)
    return (
        f"{len(found) - len(controls)} attacks: forged {sum(o.forged for o in found)}, answers read"
        f" {sum(bool(o.read) for o in found)}, residue {sum(bool(o.residue) for o in found)},"
        f" breaches {sum(bool(o.breaches) for o in found)}; honest controls accepted {accepted} of"
        f" {len(controls)}; as permitted {sum(o.right for o in found)} of {len(found)}"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
