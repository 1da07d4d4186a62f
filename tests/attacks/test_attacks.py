"""The catalogue of hostile submissions, run against the real room, and what must hold after each
and after all.
"""

import gc
import json
import os
import re
import subprocess
import sys
import threading
import time
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from rich.console import Console

from grader.answers import answers_for
from grader.case import Case, CaseError
from grader.cli.judging import formats
from grader.cli.render import report
from grader.errors import ProblemError, RoomError
from grader.judge import judge
from grader.model import Ended, Framework, Kind, Limits, Outcome, Submission, Verdict
from grader.problem import Entry, Parameter, Problem, load
from grader.sandbox import Job, SandboxPool, open_sandbox
from grader.sandbox.zygote_client import SPARES
from tests.attacks import matrix
from tests.attacks.matrix import (
    BANK,
    FOLDER,
    Attack,
    Outcomes,
    at_rest,
    attempt,
    honest,
    memory_kib,
    settled,
    zygote_of,
)
from tests.conftest import missing

ATTACKS = matrix.attacks()
BY_NAME = {attack.name: attack for attack in ATTACKS}
ROWS = range(1, 139)
# for the launchers that take seconds to start, in `make test`; `make attacks` runs them all
TELLING = [
    (
        "control_numpy control_torch control_module exit_in_call forged_frame frame_after_result"
        " frame_claims_terabytes patch_send"
    ),
    (
        "claimed_dtype write_results_file drop_modules replace_entrypoint kill_parent gc_scan"
        " frame_walk read_bank_files environment"
    ),
    "network other_learners",
    (
        "heap_litter heap_scan exfiltrate_by_name always_equal torch_subclass fork_ignored"
        " thread_bomb memory_list memory_at_once output_flood"
    ),
    (
        "import_loop sleeper recursion_segfault foreign_processes unix_sockets exotic_sockets"
        " nested_namespaces privileges hostile_text"
    ),
]


@pytest.fixture(scope="module")
def rooms(home: Path) -> Iterator[SandboxPool]:
    """One warm room a framework for the whole file: an attack that harms it is seen by the next
    test.
    """
    with open_sandbox() as found:
        try:
            found.room(Framework.NUMPY)
        except RoomError as error:
            missing(str(error))
        yield found


@pytest.fixture(scope="module")
def attention() -> Problem:
    return load(BANK, matrix.DEFAULT_PROBLEM)


@pytest.fixture(scope="module")
def attempted(rooms: SandboxPool) -> Callable[[Attack], tuple[Outcomes, "Cost"]]:
    """What came of an attack that floods, and what it cost: once for all that is asked of it."""
    kept: dict[str, tuple[Outcomes, Cost]] = {}

    def found(attack: Attack) -> tuple[Outcomes, Cost]:
        if attack.name not in kept:
            cost = Cost()
            kept[attack.name] = attempt(attack, rooms, cost.judge), cost
        return kept[attack.name]

    return found


def judged(
    source: str,
    rooms: SandboxPool,
    problem: Problem,
    framework: Framework = Framework.NUMPY,
    **limits: float,
) -> Verdict:
    """The verdict of a source, with some limits of the problem replaced."""
    return judge(
        replace(problem, limits=replace(problem.limits, **limits)),
        Submission(framework, source),
        rooms,
    )


# -- the catalogue


def test_every_row_is_covered() -> None:
    listed = {
        int(row)
        for row in re.findall(
            r"^\| (\d+) \|", Path(__file__).with_name("README.md").read_text(), re.MULTILINE
        )
    }
    covered = {row for attack in ATTACKS for row in attack.rows}
    assert set(ROWS) - covered == listed
    assert len(ATTACKS) >= 110
    assert sum(attack.control for attack in ATTACKS) >= 5


def test_what_is_said_to_be_tested_elsewhere_is_there() -> None:
    table = (
        Path(__file__)
        .with_name("README.md")
        .read_text()
        .partition("## Rows without a file here")[2]
    )
    named = [
        (file, test)
        for part in table.split("`tests/")[1:]
        for file in [part.split("`")[0]]
        for test in re.findall(r"`(test_\w+)`", part)
    ]
    assert len(named) >= 15
    assert [
        (file, test)
        for file, test in named
        if f"def {test}(" not in (BANK / "tests" / file).read_text()
    ] == []


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_attack(
    attack: Attack, attempted: Callable[[Attack], tuple[Outcomes, "Cost"]], rooms: SandboxPool
) -> None:
    check(attempted(attack)[0] if attack.name in FLOODS else attempt(attack, rooms))


@pytest.mark.parametrize("runtime", ["", "runsc"], ids=["docker", "gvisor"])
def test_attacks_in_a_container(runtime: str, home: Path) -> None:
    runtimes = matrix.docker_runtimes()
    if not runtimes or (runtime and runtime not in runtimes):
        pytest.skip(
            "no container engine answers"
            if not runtimes
            else f"the engine has no runtime {runtime}"
        )
    with open_sandbox("docker", runtime) as found:
        outcomes = [attempt(attack, found) for attack in matrix.attacks(" ".join(TELLING).split())]
    assert [o.attack.name for o in outcomes if not o.right] == []


def check(found: Outcomes) -> None:
    assert not found.forged
    assert found.read == ()
    assert found.breaches == ()
    assert found.residue == ()
    assert found.next_verdict is Outcome.ACCEPTED
    assert found.verdict.verdict in found.attack.verdicts, found.verdict.message
    for form in forms(found.verdict):
        assert matrix.raw_controls(form) == ()


def forms(verdict: Verdict) -> list[str]:
    """Everything that shows a verdict to a person or a program; each parses."""
    console = Console(file=(target := Recorder()), width=80, force_terminal=False)
    report.text(verdict, console)
    junit, scope, plain = (
        formats.junit([("solution.py", verdict)]),
        formats.gradescope(verdict),
        formats.as_json(verdict),
    )
    ET.fromstring(junit)
    assert json.loads(scope)["extra_data"]["verdict"] == json.loads(plain)
    return [target.text, junit, scope, plain]


class Recorder:
    """A file that keeps what is written."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None:
        pass


FLOODS = (
    "frame_million_tensors frame_long_names frame_unasked_tensors frame_single_bytes"
    " frame_empty_giant empty_giant largest_everywhere closed_outputs long_names_defined"
    " long_names_raised long_names_returned"
).split()
MIB = 1 << 20


@pytest.mark.parametrize("name", FLOODS)
def test_what_floods_the_judge_costs_it_little(
    name: str, attempted: Callable[[Attack], tuple[Outcomes, "Cost"]]
) -> None:
    """Memory that the judge takes meanwhile, CPU time of the thread that judges, and what is left
    to say of it.
    """
    found, cost = attempted(BY_NAME[name])
    assert cost.bytes < 200 * MIB
    assert cost.cpu_s < 5
    assert len(formats.as_json(found.verdict)) < 128 << 10
    assert all(len(result.message) < 4096 for result in found.verdict.cases)


class Cost:
    """Judges, and measures what that takes."""

    bytes = 0  # of resident memory, at most
    cpu_s = 0.0  # of the thread that judges

    def judge(self, *given: Any, **named: Any) -> Verdict:
        """See `grader.judge.judge`."""
        gc.collect()
        peaks, done = [resident_bytes()], threading.Event()
        watch = threading.Thread(target=watched, args=(peaks, done))
        watch.start()
        spent = time.thread_time()
        try:
            return judge(*given, **named)
        finally:
            self.cpu_s = time.thread_time() - spent
            done.set()
            watch.join()
            self.bytes = max(peaks) - peaks[0]


def resident_bytes() -> int:
    """Resident memory of this process."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def watched(peaks: list[int], done: threading.Event) -> None:
    """Note the resident memory every few milliseconds."""
    while not done.wait(0.003):
        peaks.append(resident_bytes())


# -- the searches are not blind: where an answer lies about, they find it

PLANTED = """
import os, runpy, sys, types
import numpy as np
os.environ["GRADE_TOKEN"] = "planted"
for name in ("child", "describe", "call"):
    sys.modules[f"grader.inside.{name}"] = types.SimpleNamespace(send=print)
namespace = runpy.run_path(sys.argv[1])
case = {"raises": "ValueError", "sample": True, "points": 1}
expected, tolerance, meta = np.full((5, 3), 0.5, np.float32), 1e-5, {"case": case, "seed": 41}
texts = ["".join(["[[mis", "take]]", " mistakes", ".toml ", str(i)]) for i in range(1000)]
kept = [expected, {"tolerance": tolerance}, texts]  # in more than one page: all are of one heap
q, k = np.ones((5, 4), np.float32), np.ones((5, 4), np.float32)
v = np.ones((5, 3), np.float32)
if "torch" in sys.argv:
    import torch
    q, k, v, planted = (torch.from_numpy(a) for a in (q, k, v, expected))
    kept.append(planted)
def ask(expected=expected, meta=meta):
    found = namespace.get("scaled_dot_product_attention") or (lambda q, k, v: namespace["split_heads"](q, 2))
    found = found(q, k, v)
    return np.asarray(found[0]) if "lazy" in sys.argv[1] else found
try:
    ask()
except Exception as error:
    print("ended with", type(error).__name__, error)
"""


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("frame_walk", "FOUND the name expected"),
        ("gc_scan", "FOUND an array of shape (5, 3)"),
        ("gc_scan_torch", "FOUND a tensor of shape (5, 3)"),
        ("heap_scan", "FOUND"),
        ("expected_exception", "FOUND the expected exception"),
        ("hidden_or_sample", "FOUND that the case is a sample"),
        ("tolerance_hunt", "FOUND a tolerance under tolerance"),
        ("environment", "FOUND the environment"),
        ("lazy_array", "FOUND the expected values"),
        ("own_memory_file", "BREACH read /proc/self/maps"),
        ("parent_process", "BREACH read /proc/"),
        ("descriptors_open", "BREACH open descriptors"),
    ],
    ids=lambda value: value.split()[0],
)
def test_searches_find_what_is_planted(name: str, words: str) -> None:
    framework = str(BY_NAME[name].framework)
    argv = [sys.executable, "-c", PLANTED, str(FOLDER / f"{name}.py"), framework]
    found = subprocess.run(
        argv, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL
    )
    assert words in found.stdout, found.stdout + found.stderr


# -- sources that are made, not written

DEEP = 200_000
MADE = {
    "nested_brackets": (
        "x = " + "[" * DEEP + "]" * DEEP,
        {Outcome.COMPILE_ERROR, Outcome.RUNTIME_ERROR, Outcome.MEMORY_LIMIT},
    ),
    "nested_operators": (
        "x = " + "-" * DEEP + "1",
        {Outcome.COMPILE_ERROR, Outcome.RUNTIME_ERROR, Outcome.MEMORY_LIMIT},
    ),
    "long_attribute": (
        "x = a" + ".b" * 3000,
        {Outcome.COMPILE_ERROR, Outcome.RUNTIME_ERROR, Outcome.TIME_LIMIT},
    ),
    "nested_functions": (
        "\n".join(" " * i + "def f():" for i in range(95)) + "\n" + " " * 95 + "pass",
        {Outcome.COMPILE_ERROR},
    ),
    "one_long_line": ("x = '" + "a" * (4 << 20) + "'", {Outcome.COMPILE_ERROR}),
    "many_lines": ("x = 1\n" * 30_000, {Outcome.COMPILE_ERROR, Outcome.TIME_LIMIT}),
    "nul": ("x = 1\0\n", {Outcome.COMPILE_ERROR}),
    "lone_surrogate": ("x = '\ud800'\n", {Outcome.COMPILE_ERROR}),
    "lone_surrogate_outside": ("\udcff = 1\n", {Outcome.COMPILE_ERROR}),
    "byte_order_mark": ("\ufeffx = 1\n", {Outcome.COMPILE_ERROR}),
    "wrong_cookie": ("# -*- coding: utf-7 -*-\nx = '+ADw-'\n", {Outcome.COMPILE_ERROR}),
    "unknown_cookie": ("# -*- coding: no-such-codec -*-\n", {Outcome.COMPILE_ERROR}),
    "bidirectional": ("x = '\u202e' # \u2066 if admin\n", {Outcome.COMPILE_ERROR}),
    "form_feeds": ("\f\f\rx = 1\r\n\v", {Outcome.COMPILE_ERROR}),
    "empty": ("", {Outcome.COMPILE_ERROR}),
    "only_a_null_function": ("scaled_dot_product_attention = None", {Outcome.COMPILE_ERROR}),
    "huge_number": ("x = " + "9" * 100_000, {Outcome.COMPILE_ERROR}),
    "raise_at_import": ("raise MemoryError", {Outcome.MEMORY_LIMIT}),
    "starred_names": (
        "from numpy import *\nimport grader.inside.child\ngrader.inside.child.__dict__.clear()",
        {Outcome.RUNTIME_ERROR, Outcome.COMPILE_ERROR},
    ),
}


@pytest.mark.parametrize("name", MADE)
def test_made_source(name: str, rooms: SandboxPool, attention: Problem) -> None:
    source, permitted = MADE[name]
    attack = Attack(name, source, "made", (112, 113), frozenset(permitted))
    check(attempt(attack, rooms))


# -- limits told apart

HONEST = (FOLDER / "control_numpy.py").read_text()
ENTRY = "def scaled_dot_product_attention(q, k, v, scale=None):\n"


@pytest.mark.parametrize(
    ("body", "limits", "outcome", "words"),
    [
        (
            "    x = [bytes(1 << 16) for _ in iter(int, 1)]",
            {"memory_mib": 64},
            Outcome.MEMORY_LIMIT,
            "more than 64 MiB",
        ),
        ("    return bytes(1 << 30)", {"memory_mib": 64}, Outcome.MEMORY_LIMIT, "more than 64 MiB"),
        ("    raise MemoryError", {}, Outcome.MEMORY_LIMIT, "more than 512 MiB"),
        ("    while v.shape == (5, 3): pass", {"wall_s": 2}, Outcome.TIME_LIMIT, "still computing"),
        (
            "    import time; time.sleep(9)",
            {"wall_s": 0.5},
            Outcome.TIME_LIMIT,
            "waiting, not computing",
        ),
        (
            "    while v.shape == (5, 3): pass",
            {"cpu_s": 0.1, "wall_s": 30},
            Outcome.TIME_LIMIT,
            "s of CPU",
        ),
        ("    print('x' * 10**6)", {}, Outcome.OUTPUT_LIMIT, "more than 64 KiB"),
        (
            "    return np.zeros(1 << 22), q",
            {"output_mib": 1},
            Outcome.OUTPUT_LIMIT,
            "larger than allowed",
        ),
        ("    f = lambda n: f(n + 1); f(0)", {}, Outcome.RUNTIME_ERROR, "RecursionError"),
        ("    import ctypes; ctypes.string_at(0)", {}, Outcome.RUNTIME_ERROR, "SIGSEGV"),
        ("    import ctypes; ctypes.CDLL(None).abort()", {}, Outcome.RUNTIME_ERROR, "SIG"),
        ("    import os; os._exit(7)", {}, Outcome.RUNTIME_ERROR, "exit 7"),
        ("    import sys; sys.exit(0)", {}, Outcome.RUNTIME_ERROR, "SystemExit"),
        ("    1 / 0", {}, Outcome.RUNTIME_ERROR, "ZeroDivisionError"),
        ("    raise NotImplementedError", {}, Outcome.RUNTIME_ERROR, "not implemented yet"),
    ],
    ids=(
        "memory at_once memory_error loop sleep cpu printed returned recursion segfault abort exit"
        " system_exit exception starter".split()
    ),
)
def test_limits_are_told_apart(
    body: str,
    limits: dict[str, float],
    outcome: Outcome,
    words: str,
    rooms: SandboxPool,
    attention: Problem,
) -> None:
    found = judged(f"import numpy as np\n{ENTRY}{body}\n", rooms, attention, **limits)
    assert found.verdict is outcome
    assert words in found.cases[0].message


@pytest.mark.parametrize(
    ("line", "limits", "outcome", "words"),
    [
        ("while True: pass", {"wall_s": 0.5}, Outcome.TIME_LIMIT, "line 1: no answer after 0.5 s"),
        (
            "import time; time.sleep(9)",
            {"wall_s": 0.5},
            Outcome.TIME_LIMIT,
            "line 1: no answer after 0.5 s; it was waiting, not computing",
        ),
        (
            "x = bytes(1 << 30)",
            {"memory_mib": 64},
            Outcome.MEMORY_LIMIT,
            "more than 64 MiB of memory",
        ),
        ("print('x' * 10**6)", {}, Outcome.OUTPUT_LIMIT, "too much output: more than 64 KiB"),
        (
            "import os; os._exit(3)",
            {},
            Outcome.RUNTIME_ERROR,
            "the program ended its own process: exit 3",
        ),
    ],
    ids="loop sleep memory printed exit".split(),
)
def test_limits_at_import_name_the_phase(
    line: str,
    limits: dict[str, float],
    outcome: Outcome,
    words: str,
    rooms: SandboxPool,
    attention: Problem,
) -> None:
    found = judged(f"{line}\n{HONEST}", rooms, attention, **limits)
    assert found.verdict is outcome
    assert found.cases[0].message.startswith(words)
    assert found.cases[0].message.endswith(" (while the file was being loaded)")
    assert {case.verdict for case in found.cases} == {outcome}


def test_one_case_over_the_memory_limit_costs_only_itself(
    rooms: SandboxPool, attention: Problem
) -> None:
    answers = answers_for(attention, Framework.NUMPY, rooms)
    (q,) = [a.case.inputs["q"] for a in answers.cases if a.case.name == "two queries, three keys"]
    only_there = f"q.shape == {q.shape} and round(float(q.sum()), 3) == {float(q.sum()):.3f}"
    hoard = f"\n    if {only_there}:\n        hoard = [np.ones(1 << 17) for _ in iter(int, 1)]\n"
    found = judged(
        HONEST.replace(ENTRY, ENTRY + hoard.lstrip("\n")), rooms, attention, memory_mib=64
    )
    assert {case.verdict for case in found.cases if case.name != "two queries, three keys"} == {
        Outcome.ACCEPTED
    }
    assert [case.verdict for case in found.cases if case.name == "two queries, three keys"] == [
        Outcome.MEMORY_LIMIT
    ]


def test_an_answer_that_costs_too_much_leaves_no_child(rooms: SandboxPool) -> None:
    before = at_rest(rooms, Framework.NUMPY)
    source = "import numpy as np\ndef f(x):\n    sum(range(3_000_000))\n    return x\n"
    entry = Entry("f", (Parameter("x", True),), ("y",))
    case = Case("one", inputs={"x": np.ones(2)})
    job = Job(
        source, Framework.NUMPY, Kind.FUNCTION, (entry,), (case,), Limits(), cpu_ms={"one": 1.0}
    )
    assert [run.ended for run in rooms.run(job)] == [Ended.CPU_TIME]
    assert settled(before, rooms, Framework.NUMPY) == ()


@pytest.mark.parametrize("attempt_number", range(5))
def test_whoever_vanishes_after_the_answer_has_not_answered(
    attempt_number: int, rooms: SandboxPool, attention: Problem
) -> None:
    attack = BY_NAME["memory_then_vanish"]
    found = judge(
        replace(attention, limits=attack.limits), Submission(attack.framework, attack.source), rooms
    )
    (vanished,) = [case for case in found.cases if case.name == "a long sentence"]
    assert vanished.verdict in (
        Outcome.MEMORY_LIMIT,
        Outcome.RUNTIME_ERROR,
        Outcome.WRONG_ANSWER,
    )


def test_real_time_is_recorded(rooms: SandboxPool, attention: Problem) -> None:
    found = judge(attention, Submission(Framework.NUMPY, BY_NAME["fake_timers"].source), rooms)
    assert all(case.wall_ms >= 50 for case in found.cases)


# -- what is told of hidden cases


def test_hidden_cases_tell_no_input_that_the_submission_spells_out(
    rooms: SandboxPool, attention: Problem
) -> None:
    """It spells out what it is called with; what is told of a hidden case is what it spells out of
    the public twin.
    """
    found = judge(
        attention, Submission(Framework.NUMPY, BY_NAME["exfiltrate_by_name"].source), rooms
    )
    hidden = [case for case in found.cases if not case.sample]
    # where only the inputs are looked at afterwards, any result will do
    judged_by_result = [case for case in hidden if case.name != "inputs afterwards"]
    assert {case.verdict for case in judged_by_result} == {
        Outcome.RUNTIME_ERROR,
        Outcome.WRONG_ANSWER,
    }
    told = formats.as_json(found) + "".join(case.printed for case in found.cases)
    answers = answers_for(attention, Framework.NUMPY, rooms)
    spelled = {
        "hidden": [_spelled(a.case.inputs["q"]) for a in answers.cases if not a.case.sample],
        "public": [
            _spelled(a.case.inputs["q"]) for a in answers.twins.values() if not a.case.sample
        ],
    }
    # a case may draw some of its inputs only
    secret = set(spelled["hidden"]) - set(spelled["public"])
    assert len(secret) > len(hidden) / 2
    assert [words for words in secret if words in told] == []
    assert [words for words in spelled["public"] if words in told] != []


def _spelled(q: np.ndarray) -> str:
    """The first numbers of an input as `exfiltrate_by_name` spells them."""
    return "LEAK" + "".join(f"x{abs(float(x)):.4f}".replace(".", "p") for x in q.ravel()[:4])


def test_text_of_a_sample_is_shown(rooms: SandboxPool, attention: Problem) -> None:
    found = judge(
        attention, Submission(Framework.NUMPY, BY_NAME["print_fake_verdict"].source), rooms
    )
    assert '"verdict": "accepted"' in found.cases[0].printed
    assert found.verdict is Outcome.WRONG_ANSWER


def test_tensors_under_names_that_nobody_asked_for_go_nowhere(
    rooms: SandboxPool, attention: Problem
) -> None:
    found = judge(attention, Submission(Framework.NUMPY, BY_NAME["foreign_names"].source), rooms)
    assert {name for case in found.cases for name in case.got} <= {"output", "weights"}


def test_strange_characters_are_shown_not_obeyed(rooms: SandboxPool, attention: Problem) -> None:
    found = judge(attention, Submission(Framework.NUMPY, BY_NAME["hostile_text"].source), rooms)
    assert "\\x1b[2J" in found.cases[0].printed and "\\u202e" in found.cases[0].printed
    hostile = [
        c
        for c in found.cases[0].printed
        if unicodedata.category(c) in ("Cc", "Cf", "Cs") and c not in "\n\t"
    ]
    assert hostile == []


# -- the room itself


@pytest.mark.parametrize("framework", Framework)
def test_zygote_shares_no_memory_and_has_one_thread(
    framework: Framework, rooms: SandboxPool
) -> None:
    zygote = zygote_of(rooms, framework)
    maps = Path(f"/proc/{zygote}/maps").read_text().splitlines()
    assert len(maps) > 50
    assert [line for line in maps if line.split()[1][1] == "w" and line.split()[1][3] == "s"] == []
    assert len(list(Path(f"/proc/{zygote}/task").iterdir())) == 1


def test_containers_share_no_namespace_with_each_other_or_the_zygote(rooms: SandboxPool) -> None:
    at_rest(rooms, Framework.NUMPY)
    zygote = zygote_of(rooms, Framework.NUMPY)
    processes = ["self", *matrix.descendants(zygote)]
    assert len(processes) == 2 + SPARES
    for kind in ("user", "pid", "mnt", "net", "ipc", "uts", "cgroup"):
        seen = {Path(f"/proc/{pid}/ns/{kind}").readlink() for pid in processes}
        assert len(seen) == len(processes), kind


def test_memory_stays_flat(rooms: SandboxPool) -> None:
    """The attacks that move most, three times, after a first round that fills caches."""
    names = (
        "output_flood large_return frame_claims_terabytes heap_litter foreign_names exit_in_call"
        " hostile_text zeros".split()
    )
    chosen = [BY_NAME[name] for name in names]
    sizes = []
    for _ in range(4):
        for attack in chosen:
            attempt(attack, rooms)
        at_rest(rooms, Framework.NUMPY)
        sizes.append(
            (memory_kib(zygote_of(rooms, Framework.NUMPY), "Rss"), memory_kib("self", "Rss"))
        )
    (zygote, own), (zygote_later, own_later) = sizes[1], sizes[-1]
    assert zygote_later <= zygote * 1.02 + 256
    assert own_later <= own * 1.05 + 4096


def test_the_judge_never_loads_torch(home: Path) -> None:
    program = (
        "import sys; from tests.attacks.matrix import attacks, attempt; from grader.sandbox import"
        " open_sandbox\nwith open_sandbox() as rooms:\n    attempt(attacks(['zeros'])[0],"
        " rooms)\nprint('torch' in sys.modules)"
    )
    found = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=300, cwd=BANK
    )
    if "RoomError" in found.stderr:
        missing(found.stderr)
    assert found.stdout.strip() == "False", found.stderr


# -- an instructor's code is judged by nobody, and trusted by nobody either

HOSTILE_CASES = {
    "exit": "import os\nos._exit(0)\n",
    "fork": "import os\nos.fork()\n",
    "network": "import socket\nsocket.create_connection(('127.0.0.1', 80), 1)\n",
    "file": "open('/tmp/attack-residue-cases', 'w')\n",
    "raise": "raise SystemExit(0)\n",
    "flood": "def cases(rng):\n    while True:\n        print('x' * 10_000)\n    yield\n",
    "not_a_case": "def cases(rng):\n    yield {'name': 'x'}\n",
    "object_array": (
        "import numpy as np\nfrom grader.case import Case\n"
        "def cases(rng):\n    yield Case('x', inputs={'q': np.array([object()])})\n"
    ),
    "too_many": (
        "from grader.case import Case\ndef cases(rng):\n    n = 0\n    while True:\n        n +="
        " 1\n        yield Case(f'c{n}')\n"
    ),
    "forged": (
        'import os, struct\nt = b\'{"frame": "case", "case": {"name": 7, "x": 1}}\'\n'
        "os.write(3, struct.pack('<IQ', len(t), 0) + t)\n"
        "import time; time.sleep(9)"
    ),
    "no_function": "x = 1\n",
}


@pytest.mark.parametrize("name", HOSTILE_CASES)
def test_hostile_cases(name: str, rooms: SandboxPool) -> None:
    before = at_rest(rooms, Framework.NUMPY)
    with pytest.raises(CaseError):
        rooms.generate(HOSTILE_CASES[name], Framework.NUMPY, 0)
    assert settled(before, rooms, Framework.NUMPY) == ()


@pytest.mark.parametrize(
    "name", ["fork_bomb", "exit_at_import", "memory_list", "forged_frame", "output_flood"]
)
def test_hostile_reference(name: str, rooms: SandboxPool, attention: Problem) -> None:
    sources = {Framework.NUMPY: BY_NAME[name].source}
    limits = Limits(memory_mib=64, wall_s=1)
    problem = replace(
        attention,
        references=sources,
        frameworks=(Framework.NUMPY,),
        digest=f"hostile reference {name}",
        mistakes=(),
        limits=limits,
    )
    before = at_rest(rooms, Framework.NUMPY)
    with pytest.raises(ProblemError):
        answers_for(problem, Framework.NUMPY, rooms)
    assert settled(before, rooms, Framework.NUMPY) == ()


def test_a_room_that_dies_at_each_attempt_is_our_fault(attention: Problem, home: Path) -> None:
    """Whatever kills room after room never counts against the learner."""
    with open_sandbox() as found:
        try:
            found.room(Framework.NUMPY)
        except RoomError as error:
            missing(str(error))
        honest(attention, Framework.NUMPY, found)

        class Poisoned:
            """The same sandbox, whose rooms lose their children's answers."""

            name = found.name

            def run(self, job: Job) -> Iterator[object]:
                for run in found.run(job):
                    yield replace(run, ended=Ended.LOST, tensors={})

            generate, close, prepare = found.generate, found.close, found.prepare

        verdict = judge(attention, Submission(Framework.NUMPY, HONEST), Poisoned())
    assert (verdict.verdict, verdict.score) == (Outcome.JUDGE_ERROR, 0)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ('"""Try.\n\nrows: 1\n"""', "missing keys"),
        ('"""Try.\n\nrows: 1\nverdicts: accepted\nspeed: fast\n"""', "unknown keys"),
        ('"""no full stop\n\nrows: 1\nverdicts: accepted\n"""', "no strategy"),
        ('"""Try.\n\nrows: 1\nverdicts: perfect\n"""', "perfect"),
    ],
    ids=["missing", "unknown", "strategy", "verdict"],
)
def test_a_docstring_says_what_is_needed(text: str, wrong: str, tmp_path: Path) -> None:
    path = tmp_path / "try.py"
    path.write_text(text)
    with pytest.raises(ValueError, match=wrong):
        matrix.parse(path)
