"""What any sandbox must do: one suite, run for each launcher.

`process` promises limits and fresh state, but no wall.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grader.case import Case, CaseError
from grader.errors import RoomError, UsageError
from grader.inside.kernel import processors
from grader.model import ISOLATIONS, Ended, Framework, Kind, Limits, Phase, Run
from grader.problem import Entry, Parameter, Rules
from grader.sandbox import SandboxPool, launchers, open_sandbox
from grader.sandbox.job import Job
from grader.sandbox.pool import MAX_CHILDREN
from tests.conftest import ROOT, missing

NUMPY, TORCH = Framework.NUMPY, Framework.TORCH
PATIENT = Limits(wall_s=30, cpu_s=20, memory_mib=256, output_mib=8, text_kib=16)
HASTY = Limits(wall_s=1.0, cpu_s=20, memory_mib=256, output_mib=8, text_kib=16)
ONE = Case("one")

every = pytest.mark.parametrize("rooms", ISOLATIONS, indirect=True, scope="module")
sealed = pytest.mark.parametrize("rooms", ["bubblewrap", "docker"], indirect=True, scope="module")
bubblewrap = pytest.mark.parametrize("rooms", ["bubblewrap"], indirect=True, scope="module")
here = pytest.mark.parametrize("rooms", ["bubblewrap", "process"], indirect=True, scope="module")


def opened(isolation: str) -> SandboxPool:
    """A warm sandbox, or a skip that says what is missing here."""
    found = open_sandbox(isolation)
    try:
        found.room(NUMPY)
    except RoomError as error:
        found.close()
        if isolation == "docker":
            pytest.skip(str(error))
        missing(str(error))
    return found


@pytest.fixture(scope="module")
def rooms(request: pytest.FixtureRequest) -> Iterator[SandboxPool]:
    """One warm sandbox of each launcher for the whole file."""
    with opened(request.param) as found:
        yield found


@pytest.fixture(autouse=True)
def freed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """However a submission ends, the judge's thread may run on every processor again."""
    monkeypatch.setattr(processors, "_running", lambda: 1)  # as if no other test were at work
    before = os.sched_getaffinity(0)
    yield
    assert os.sched_getaffinity(0) == before


def job(
    body: str,
    cases: tuple[Case, ...] = (ONE,),
    limits: Limits = PATIENT,
    framework: Framework = NUMPY,
    params: tuple[str, ...] = (),
    returns: tuple[str, ...] = ("answer",),
    **options: Any,
) -> Job:
    """A submission whose `probe` has this body; a body with `def probe` is the whole file."""
    if "def probe" in body or options.get("kind") is Kind.VALUES:
        source = body
    else:
        lines = "\n".join(f"    {line}" for line in body.strip("\n").split("\n"))
        source = f"import os, sys\nimport numpy as np\n\ndef probe({', '.join(params)}):\n{lines}\n"
    kind = options.pop("kind", Kind.FUNCTION)
    entries = options.pop(
        "entries", (Entry("probe", tuple(Parameter(p, True) for p in params), returns),)
    )
    return Job(source, framework, kind, entries, cases, limits, **options)


def asked(
    rooms: SandboxPool,
    body: str,
    cases: tuple[Case, ...] = (ONE,),
    limits: Limits = PATIENT,
    **options: Any,
) -> list[Run]:
    """The runs of all cases."""
    return list(rooms.run(job(body, cases, limits, **options)))


def once(rooms: SandboxPool, body: str, limits: Limits = PATIENT, **options: Any) -> Run:
    """The run of one case."""
    (run,) = asked(rooms, body, limits=limits, **options)
    return run


def printed(rooms: SandboxPool, body: str, **options: Any) -> str:
    """What a probe that returns prints; the last way for it to tell anything."""
    run = once(rooms, f"{body.strip(chr(10))}\nreturn 1.0", **options)
    assert run.ended is Ended.RETURNED, run
    return run.printed.strip()


def many(count: int) -> tuple[Case, ...]:
    return tuple(Case(f"case {i}", options={"i": i}) for i in range(count))


# --------------------------------------------------------------------------------------------------
# what goes in and out


@every
def test_a_number_comes_back_with_its_type(rooms: SandboxPool) -> None:
    run = once(rooms, "return np.float32(2.5)")
    assert (run.case, run.ended, run.phase, run.error) == ("one", Ended.RETURNED, Phase.CALL, None)
    assert (run.tensors["answer"].item(), dict(run.dtypes)) == (2.5, {"answer": "float32"})
    assert run.wall_ms > 0


ARRAYS = [
    np.arange(6).reshape(2, 3).astype(name)
    for name in (
        "float64 float32 float16 int64 int32 int16 int8 uint64 uint32 uint16 uint8 bool".split()
    )
]
ARRAYS += [np.array(1.5), np.empty((0, 3), np.float32), np.array([np.nan, np.inf, -np.inf, -0.0])]


@every
def test_arrays_of_every_type_go_in_and_come_out_as_they_are(rooms: SandboxPool) -> None:
    cases = tuple(Case(f"{i}", inputs={"x": array}) for i, array in enumerate(ARRAYS))
    for array, run in zip(ARRAYS, asked(rooms, "return x", cases, params=("x",)), strict=True):
        found = run.tensors["answer"]
        assert (found.dtype, found.shape, found.tobytes()) == (
            array.dtype,
            array.shape,
            array.tobytes(),
        )


@every
def test_several_values_have_names(rooms: SandboxPool) -> None:
    run = once(rooms, "return np.ones(2), np.zeros(3)", returns=("output", "weights"))
    assert {name: t.tolist() for name, t in run.tensors.items()} == {
        "output": [1, 1],
        "weights": [0, 0, 0],
    }


@every
def test_cases_are_answered_in_order_by_one_child(rooms: SandboxPool) -> None:
    source = (
        "import numpy as np\nseen = []\n\ndef probe(i):\n    seen.append(i)\n    return"
        " np.array(seen)\n"
    )
    found = asked(rooms, source, many(4), params=("i",))
    assert [(run.case, run.tensors["answer"].tolist()) for run in found] == [
        (f"case {i}", list(range(i + 1))) for i in range(4)
    ]


@every
def test_required_parameters_go_by_position_and_options_by_keyword(rooms: SandboxPool) -> None:
    entry = Entry(
        "probe",
        (Parameter("q", True), Parameter("k", True), Parameter("scale", False)),
        ("answer",),
    )
    case = Case("one", inputs={"k": np.array(3.0), "q": np.array(2.0)}, options={"scale": 10})
    run = next(
        rooms.run(
            job(
                "def probe(first, second, *, scale=1):\n    return (first - second) * scale\n",
                (case,),
                entries=(entry,),
            )
        )
    )
    assert run.tensors["answer"].item() == -10


@every
def test_layouts(rooms: SandboxPool) -> None:
    body = "return np.array([x.flags.c_contiguous, x.flags.forc, x.flags.writeable, x.sum() == 15])"
    x = np.arange(6.0).reshape(2, 3)
    cases = tuple(
        Case(layout, inputs={"x": x}, layout={"x": layout})
        for layout in ("contiguous", "strided", "transposed", "readonly")
    )
    found = [run.tensors["answer"].tolist() for run in asked(rooms, body, cases, params=("x",))]
    assert found == [
        [True, True, True, True],
        [False, False, True, True],
        [False, True, True, True],
        [True, True, False, True],
    ]


@every
def test_an_input_that_is_changed_is_seen_and_does_not_reach_the_next_case(
    rooms: SandboxPool,
) -> None:
    x = np.ones(3)
    cases = (
        Case("a", inputs={"x": x}, wants=("answer", "after.x")),
        Case("b", inputs={"x": x}, wants=("answer",)),
    )
    first, second = asked(rooms, "x += 1\nreturn x.copy()", cases, params=("x",))
    assert (first.tensors["after.x"].tolist(), second.tensors["answer"].tolist()) == (
        [2, 2, 2],
        [2, 2, 2],
    )


@every
def test_only_what_is_wanted_comes_out(rooms: SandboxPool) -> None:
    (run,) = asked(
        rooms, "return 1.0, 2.0", (Case("a", wants=("weights",)),), returns=("output", "weights")
    )
    assert {name: t.item() for name, t in run.tensors.items()} == {"weights": 2.0}


@every
def test_a_second_call_takes_the_result_of_the_first(rooms: SandboxPool) -> None:
    source = "def probe(x):\n    return x + 1\n\ndef back(y):\n    return y * 10\n"
    entries = (
        Entry("probe", (Parameter("x", True),), ("y",)),
        Entry("back", (Parameter("y", True),), ("answer",)),
    )
    (run,) = rooms.run(
        job(source, (Case("a", inputs={"x": np.array(2.0)}, then="back"),), entries=entries)
    )
    assert run.tensors["answer"].item() == 30


@every
def test_values_are_read_from_the_module(rooms: SandboxPool) -> None:
    run = once(
        rooms,
        "scores = [[1, 2], [3, 4.5]]\nweights = 0.5\n",
        kind=Kind.VALUES,
        returns=("scores", "weights"),
    )
    assert (run.tensors["scores"].tolist(), dict(run.dtypes)) == (
        [[1, 2], [3, 4.5]],
        {"scores": "list", "weights": "float"},
    )


ROWS = {
    "the first": ("scores = [[1, 2], [3, 4.5]]\n", 0, [1, 2], "list"),
    "the last": ("scores = ([1, 2], (3, 4.5))\n", 1, [3, 4.5], "list"),
    "one that is not there": ("scores = [[1, 2]]\n", 1, None, "absent:rows:1"),
    "of a single number": ("scores = 0.5\n", 0, 0.5, "float"),
    "of a row": ("scores = [1, 2]\n", 1, 2, "int"),
    "of nothing": ("scores = []\n", 0, None, "absent:rows:0"),
}


@every
@pytest.mark.parametrize(("source", "row", "value", "dtype"), ROWS.values(), ids=ROWS.keys())
def test_a_row_of_values(
    rooms: SandboxPool, source: str, row: int, value: object, dtype: str
) -> None:
    run = once(
        rooms,
        source,
        kind=Kind.VALUES,
        returns=("scores",),
        cases=(Case("one", options={"row": row}),),
    )
    assert (run.ended, dict(run.dtypes)) == (Ended.RETURNED, {"scores": dtype})
    assert {name: tensor.tolist() for name, tensor in run.tensors.items()} == (
        {} if value is None else {"scores": value}
    )


NOT_PLAIN = {
    "None": ("return None", "builtins.NoneType"),
    "text": ("return 'x'", "builtins.str"),
    "a list": ("return [1.0]", "builtins.list"),
    "complex": ("return np.ones(2) * 1j", "complex128"),
    "objects": ("return np.array([None])", "object"),
    "matrix": ("return np.matrix([[1.0]])", "numpy.matrix"),
    "masked": ("return np.ma.masked_array([1.0])", "numpy.ma.MaskedArray"),
    "a huge integer": ("return 10**30", "a Python int beyond 64 bits"),
    "a class of its own": (
        "class Yes:\n    def __array__(self, *a): return np.ones(1)\nreturn Yes()",
        "solution.probe.<locals>.Yes",
    ),
    "a subclass": (
        "class Yes(np.ndarray): pass\nreturn np.ones(1).view(Yes)",
        "solution.probe.<locals>.Yes",
    ),
    "a class with a long name": ("return type('n' * 10**6, (), {})()", "solution." + "n" * 71),
    "an empty giant": (
        "return np.empty((10**18, 0))",
        "empty_too_large",
    ),
    "an empty wide array": (
        "return np.empty((2 * 10**8, 0), np.int8)",
        "empty_too_large",
    ),
    "seventeen axes": ("return np.ones((1,) * 17)", "too_many_axes"),
    "too few values": ("return 1.0", "absent:one:float"),
    "one value with a long name": (
        "return type('n' * 10**6, (), {})()",
        "absent:one:" + "n" * 80,
    ),
    "too many values": ("return 1.0, 2.0, 3.0", "absent:items:3:tuple"),
}


@every
@pytest.mark.parametrize(("body", "dtype"), NOT_PLAIN.values(), ids=NOT_PLAIN.keys())
def test_what_is_no_plain_array_is_named_and_stays_inside(
    rooms: SandboxPool, body: str, dtype: str
) -> None:
    run = once(
        rooms, body, returns=("answer", "weights") if dtype.startswith("absent") else ("answer",)
    )
    assert (
        run.ended,
        dict(run.tensors),
        run.dtypes["answer"].replace("numpy.matrixlib.defmatrix", "numpy"),
    ) == (Ended.RETURNED, {}, dtype)


LONG = {
    "defined": (
        "for i in range(99):\n    globals()['n' * 9999 + str(i)] = globals()[i] = i\nwhat = 'def"
        " probe'\n"
    ),
    "raised": (
        "def probe():\n    raise type('n' * 9999, (type('n' * 9999, (ValueError,), {}),), {})('n' *"
        " 9999)\n"
    ),
    "not callable": "probe = type('n' * 9999, (), {})()\nwhat = 'def probe'\n",
    "forbidden": "import os\ndef probe():\n    return os." + "n" * 9999 + "\n",
}


@every
@pytest.mark.parametrize("source", LONG.values(), ids=LONG.keys())
def test_names_that_are_told_are_short_and_few(rooms: SandboxPool, source: str) -> None:
    run = once(rooms, source, rules=Rules(("os." + "n" * 9999,)))
    assert run.error is not None and run.ended in (Ended.NOT_LOADED, Ended.RAISED, Ended.FORBIDDEN)
    assert max(len(name) for name in (run.error.type, *run.error.bases)) <= 80
    assert len(run.error.bases) <= 10
    assert len(run.error.text) <= (1000 if run.ended is Ended.RAISED else 80)


@every
def test_large_arrays_pass_both_ways(rooms: SandboxPool) -> None:
    x = np.random.default_rng(0).standard_normal((900, 1000))
    (run,) = asked(rooms, "return x[::-1]", (Case("a", inputs={"x": x}),), params=("x",))
    assert run.tensors["answer"].tobytes() == x[::-1].tobytes()


@every
def test_what_is_printed_is_kept_with_its_case(rooms: SandboxPool) -> None:
    body = (
        "print('out', i)\nprint('err', i, file=sys.stderr)\nos.write(1,"
        " b'raw\\xff\\n')\nsys.stdout.write('no newline')\nreturn 1.0"
    )
    found = asked(rooms, body, many(2), params=("i",))
    assert [run.printed for run in found] == [
        f"out {i}\nerr {i}\nraw\\xff\nno newline" for i in range(2)
    ]


@every
def test_no_control_character_comes_out(rooms: SandboxPool) -> None:
    assert (
        printed(rooms, "print('\\x1b[31m red \\u202e \\x07 tab\\t end')")
        == "\\x1b[31m red \\u202e \\x07 tab\t end"
    )
    run = once(rooms, "raise ValueError('\\x1b[2J \\u202e')")
    assert run.error is not None and run.error.text == "\\x1b[2J \\u202e"


@here
@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="one processor is for both")
def test_judge_and_container_have_a_processor_each(rooms: SandboxPool) -> None:
    body = "print(sorted(os.sched_getaffinity(0)))\nreturn 1.0"
    all_of_them = os.sched_getaffinity(0)
    for run in rooms.run(job(body, many(2), params=("i",))):
        own = os.sched_getaffinity(0)
        assert len(own) == 1 and run.printed.strip() == str(sorted(all_of_them - own))
    assert os.sched_getaffinity(0) == all_of_them


# --------------------------------------------------------------------------------------------------
# how a call can end


@every
def test_an_exception_is_told_with_its_line(rooms: SandboxPool) -> None:
    run = once(rooms, "def probe():\n    helper()\n\ndef helper():\n    raise KeyError('q')\n")
    assert run.ended is Ended.RAISED and run.error is not None
    assert (run.error.type, run.error.text, run.error.lineno) == ("KeyError", "'q'", 5)
    assert run.error.bases[:3] == ("KeyError", "LookupError", "Exception")
    assert run.error.trace == "line 2, in probe: helper()\nline 5, in helper: raise KeyError('q')"


@every
@pytest.mark.parametrize(
    "leave", ["sys.exit(0)", "raise SystemExit", "raise KeyboardInterrupt", "raise GeneratorExit"]
)
def test_leaving_by_an_exception_is_raising(rooms: SandboxPool, leave: str) -> None:
    first, second = asked(rooms, f"if i == 0: {leave}\nreturn 1.0", many(2), params=("i",))
    assert (first.ended, second.ended) == (Ended.RAISED, Ended.RETURNED)


@every
def test_a_recursion_without_end_is_an_exception(rooms: SandboxPool) -> None:
    run = once(rooms, "def probe():\n    return probe()\n")
    assert (
        run.ended is Ended.RAISED and run.error is not None and run.error.type == "RecursionError"
    )


DEATHS = {
    "exit 0": ("os._exit(0)", ("exit 0",)),
    "exit 3": ("os._exit(3)", ("exit 3",)),
    # process 1 of a namespace does not heed the first, and ends by the second
    "abort": ("os.abort()", ("SIGABRT", "SIGSEGV")),
    "segmentation fault": ("import ctypes\nctypes.string_at(0)", ("SIGSEGV",)),
}


@every
@pytest.mark.parametrize(("body", "how"), DEATHS.values(), ids=DEATHS.keys())
def test_a_death_is_told_and_the_next_case_goes_on(
    rooms: SandboxPool, body: str, how: tuple[str, ...]
) -> None:
    lines = "\n".join(f"    {line}" for line in body.split("\n"))
    found = asked(rooms, f"if i == 1:\n{lines}\nreturn float(i)", many(3), params=("i",))
    assert [run.ended for run in found] == [Ended.RETURNED, Ended.DIED, Ended.RETURNED]
    assert found[1].error is not None and found[1].error.type in how
    assert found[2].tensors["answer"].item() == 2


@every
def test_at_most_three_children_are_spent_on_a_submission(rooms: SandboxPool) -> None:
    source = (
        "import os\ntoken = os.urandom(4).hex()\n\ndef probe(i):\n    print(token, flush=True)\n   "
        " os._exit(0)\n"
    )
    found = asked(rooms, source, many(6), params=("i",))
    assert [(run.case, run.ended) for run in found] == [(f"case {i}", Ended.DIED) for i in range(6)]
    tokens = [run.printed.strip() for run in found]
    assert len(set(tokens[:3])) == MAX_CHILDREN and all(tokens[:3])
    assert tokens[3:] == ["", "", ""]
    assert [run.executed for run in found] == [True] * 3 + [False] * 3


@every
def test_what_fails_while_loading_is_not_tried_again(rooms: SandboxPool) -> None:
    found = asked(rooms, "import os\nos._exit(4)\ndef probe(i): ...\n", many(3), params=("i",))
    assert [(run.case, run.ended, run.phase) for run in found] == [
        (f"case {i}", Ended.DIED, Phase.IMPORT) for i in range(3)
    ]


NOT_LOADED = {
    "does not parse": ("def probe(:\n", "SyntaxError", 1),
    "raises": ("x = 1\ndef probe(): ...\nraise ValueError('no')\n", "ValueError", 3),
    "exits": ("def probe(): ...\nraise SystemExit\n", "SystemExit", 2),
    "imports what is not there": ("import pandas\ndef probe(): ...\n", "ModuleNotFoundError", 1),
    "is nested without end": (f"def probe(): return {'(' * 100_000}\n", "MemoryError", None),
    "is one deep sum": (
        f"def probe(): return {'+'.join(['1'] * 50_000)}\n",
        "RecursionError",
        None,
    ),
}


@every
@pytest.mark.parametrize(("source", "error", "line"), NOT_LOADED.values(), ids=NOT_LOADED.keys())
def test_a_file_that_does_not_load(
    rooms: SandboxPool, source: str, error: str, line: int | None
) -> None:
    run = once(rooms, source)
    assert (run.ended, run.phase) == (Ended.NOT_LOADED, Phase.IMPORT)
    assert run.error is not None
    # how deep a parser goes is its own affair
    assert (run.error.type, run.error.lineno) in ((error, line), ("SyntaxError", 1))


@every
def test_a_caret_points_at_what_does_not_parse(rooms: SandboxPool) -> None:
    run = once(rooms, "def probe():\n    return 1 +* 2\n")
    assert run.error is not None
    assert (
        run.error.trace
        == '  File "solution.py", line 2\n    return 1 +* 2\n              ^\nSyntaxError: invalid'
        " syntax\n"
    )


@every
def test_a_missing_entry_lists_what_is_there(rooms: SandboxPool) -> None:
    run = once(
        rooms, "import numpy as np\ndef attention(): ...\nscale = 2\n_hidden = 1\n# def probe\n"
    )
    assert run.ended is Ended.NOT_LOADED and run.error is not None
    assert (run.error.type, run.error.text, run.error.bases) == (
        "missing",
        "probe",
        ("attention", "scale"),
    )


@every
def test_rules_are_applied_before_anything_runs(rooms: SandboxPool) -> None:
    source = "print('ran')\nimport os\ndef probe(): return float(os.getpid() > 0)\n"
    run = once(rooms, source, rules=Rules(("os.getpid",)))
    assert (run.ended, run.printed) == (Ended.FORBIDDEN, "")
    assert run.error is not None and (run.error.text, run.error.lineno) == ("os.getpid", 3)
    assert once(rooms, source, rules=Rules((), imports=False)).ended is Ended.FORBIDDEN
    assert once(rooms, source).ended is Ended.RETURNED


@every
def test_bytes_in_the_result_channel_are_no_result(rooms: SandboxPool) -> None:
    first, second = asked(
        rooms,
        'if i == 0: os.write(3, b\'{"ended": "returned"}\' * 9)\nreturn 1.0',
        many(2),
        params=("i",),
    )
    assert first.ended in (Ended.GARBLED, Ended.OUTPUT)
    assert second.ended is Ended.RETURNED


# --------------------------------------------------------------------------------------------------
# limits


@every
def test_a_sleeper_is_killed_and_the_next_case_goes_on(rooms: SandboxPool) -> None:
    started = time.monotonic()
    first, second = asked(
        rooms, "import time\nif i == 0: time.sleep(600)\nreturn 1.0", many(2), HASTY, params=("i",)
    )
    assert (first.ended, second.ended) == (Ended.WALL_TIME, Ended.RETURNED)
    assert first.cpu_ms < 500 and first.wall_ms >= 1000
    assert time.monotonic() - started < 60


@every
def test_a_loop_is_killed(rooms: SandboxPool) -> None:
    run = once(rooms, "while True: pass", HASTY)
    assert run.ended is Ended.WALL_TIME and run.cpu_ms > 0


@every
@pytest.mark.parametrize(
    ("body", "limits", "cpu_ms"),
    [
        ("i = 0\nwhile i < 9: i * 2", HASTY, None),
        ("import time\ntime.sleep(600)", HASTY, None),
        ("i = 0\nwhile i < 9: i * 2", PATIENT, {"one": 200.0}),
    ],
    ids=["computing", "waiting", "costly"],
)
def test_who_is_out_of_time_says_in_which_line(
    rooms: SandboxPool, body: str, limits: Limits, cpu_ms: dict[str, float] | None
) -> None:
    before = job(body).source.partition("while i")[0].partition("time.sleep")[0]
    run = once(rooms, body, limits, cpu_ms=cpu_ms)
    assert run.ended in (Ended.WALL_TIME, Ended.CPU_TIME)
    assert run.error is not None and run.error.lineno == before.count("\n") + 1


@every
@pytest.mark.parametrize("handler", ["signal.SIG_IGN", "signal.SIG_DFL", "lambda *_: os._exit(0)"])
def test_who_does_not_say_where_it_is_has_no_more_time(rooms: SandboxPool, handler: str) -> None:
    body = f"import signal\nsignal.signal(signal.SIGUSR1, {handler})\nwhile True: pass"
    run = once(rooms, body, HASTY)
    assert (run.ended, run.error) == (Ended.WALL_TIME, None)


@every
def test_what_comes_after_the_time_is_no_result(rooms: SandboxPool) -> None:
    body = "i = 0\ntry:\n    while i < 9: i * 2\nexcept BaseException: return 1.0"
    run = once(rooms, body, HASTY)
    assert (run.ended, run.error, run.tensors) == (Ended.WALL_TIME, None, {})


@every
def test_a_loop_that_catches_everything_is_killed(rooms: SandboxPool) -> None:
    body = (
        "import signal\nsignal.signal(15, signal.SIG_IGN)\nwhile True:\n    try:\n        while"
        " True: pass\n    except BaseException: pass"
    )
    assert once(rooms, body, HASTY).ended is Ended.WALL_TIME


@every
def test_a_loop_while_loading_is_killed(rooms: SandboxPool) -> None:
    run = once(rooms, "while True: pass\ndef probe(): ...\n", HASTY)
    assert (run.ended, run.phase) == (Ended.WALL_TIME, Phase.IMPORT)
    assert run.error is not None and run.error.lineno == 1


@every
def test_a_result_that_never_ends_is_killed(rooms: SandboxPool) -> None:
    run = once(
        rooms,
        "import time\nos.write(3, b'\\x05\\x00\\x00\\x00' + bytes(8) + b'{')\ntime.sleep(600)",
        HASTY,
    )
    assert run.ended is Ended.WALL_TIME


@every
def test_cpu_of_all_cases_together_is_limited(rooms: SandboxPool) -> None:
    found = asked(rooms, "while True: pass", limits=Limits(wall_s=60, cpu_s=1, memory_mib=256))
    assert [run.ended for run in found] == [Ended.CPU_TIME]


@every
def test_cpu_of_one_case_is_limited_where_it_has_a_limit(rooms: SandboxPool) -> None:
    body = "if i == 1:\n    while True: pass\nreturn 1.0"
    found = asked(rooms, body, many(3), params=("i",), cpu_ms={"case 1": 200.0})
    assert [run.ended for run in found] == [Ended.RETURNED, Ended.CPU_TIME, Ended.RETURNED]
    assert found[1].cpu_ms >= 200


CLOSED = "os.close(1)\nos.close(2)\n"
ONE_BYTE_AT_A_TIME = """
import json, struct
answer = {"dtype": "U8", "shape": [1 << 20], "data_offsets": [0, 1 << 20]}
table = json.dumps({"answer": answer}).encode()
head = struct.pack("<IQQ", 2, 8 + len(table) + (1 << 20), len(table))[:12]
os.write(3, head + b"{}" + struct.pack("<Q", len(table)) + table)
while True: os.write(3, b"x")
"""
IDLE = {  # while the submission does this, the judge uses at most this share of a core
    "closed pipe": (0.1, f"{CLOSED}import time\ntime.sleep(600)"),
    "frame of single bytes": (0.6, ONE_BYTE_AT_A_TIME),
    "prints of single bytes": (
        0.6,
        "while True:\n    os.write(1, b'x')\n    for _ in range(500): pass",
    ),
}


@every
@pytest.mark.parametrize(("share", "body"), IDLE.values(), ids=IDLE.keys())
def test_the_judge_is_idle_while_a_submission_is_busy(
    rooms: SandboxPool, share: float, body: str
) -> None:
    roomy = Limits(wall_s=2, cpu_s=20, memory_mib=256, output_mib=8, text_kib=4096)
    before = time.thread_time()
    run = once(rooms, body, roomy)
    assert run.ended is Ended.WALL_TIME
    assert time.thread_time() - before < share * run.wall_ms / 1e3


@every
@pytest.mark.parametrize(
    "body",
    [f"{CLOSED}while True: pass", ONE_BYTE_AT_A_TIME, "while True: os.write(1, b'x')"],
    ids=IDLE.keys(),
)
def test_cpu_is_limited_whatever_is_written_or_closed(rooms: SandboxPool, body: str) -> None:
    roomy = Limits(wall_s=30, cpu_s=20, memory_mib=256, output_mib=8, text_kib=1 << 20)
    run = once(rooms, body, roomy, cpu_ms={"one": 200.0})
    assert run.ended is Ended.CPU_TIME
    assert 200 <= run.cpu_ms < 5000


@every
def test_what_is_printed_after_one_of_two_outputs_is_closed_is_read(rooms: SandboxPool) -> None:
    assert printed(rooms, "os.close(2)\nprint('still here')") == "still here"


def over_total(run: Run) -> bool:
    """Did it end, or was it not asked, because the whole submission had used its time?"""
    return run.ended is Ended.WALL_TIME and run.error is not None and run.error.type == "total"


SLOW = Limits(wall_s=10, cpu_s=20, memory_mib=256, output_mib=8, text_kib=16, total_s=4.5)
SLOWLY = {  # a source, and how the cases end before the time of the whole submission is over
    "in every case": (
        "import time\ndef probe(i):\n    time.sleep(1.53)\n    return 1.0\n",
        [Ended.RETURNED] * 2,
    ),
    "while loading": (
        "import time\ntime.sleep(1.53)\ndef probe(i):\n    time.sleep(1.53)\n    return 1.0\n",
        [Ended.RETURNED],
    ),
    "in several children": (
        "import os, time\ndef probe(i):\n    time.sleep(1.53)\n    os._exit(1)\n",
        [Ended.DIED] * 2,
    ),
    "in one case": ("import time\ndef probe(i):\n    time.sleep(9)\n", []),
    "with a frame of single bytes": (
        (
            "import os, time\ndef probe(i):\n    while True:\n        os.write(3, b'\\2');"
            " time.sleep(0.6)\n"
        ),
        [],
    ),
}


@every
@pytest.mark.parametrize(("source", "before"), SLOWLY.values(), ids=SLOWLY.keys())
def test_the_whole_submission_has_a_time(
    rooms: SandboxPool, source: str, before: list[Ended]
) -> None:
    started = time.monotonic()
    found = asked(rooms, source, many(8), SLOW, params=("i",))
    assert time.monotonic() - started < 30
    count = len(before)
    assert [run.ended for run in found[:count]] == before
    assert all(over_total(run) for run in found[count:]), [run.ended for run in found]
    assert [run.executed for run in found] == [True] * (count + 1) + [False] * (7 - count)


@every
def test_loading_may_use_the_time_of_the_whole_submission(rooms: SandboxPool) -> None:
    found = asked(
        rooms, "import time\ntime.sleep(9)\ndef probe(i): ...\n", many(3), SLOW, params=("i",)
    )
    assert all(over_total(run) for run in found)
    assert [(run.phase, run.executed) for run in found] == [
        (Phase.IMPORT, True),
        (Phase.IMPORT, False),
        (Phase.IMPORT, False),
    ]


@every
def test_a_call_over_its_own_time_is_told_from_the_whole_submission(rooms: SandboxPool) -> None:
    run = once(rooms, "import time\ntime.sleep(600)", HASTY)
    assert run.ended is Ended.WALL_TIME and not over_total(run)


@every
def test_sleeping_costs_no_cpu(rooms: SandboxPool) -> None:
    run = once(rooms, "import time\ntime.sleep(0.5)\nreturn 1.0", cpu_ms={"one": 300.0})
    assert run.ended is Ended.RETURNED and run.wall_ms >= 500


GREEDY = {
    "at once": "return np.ones(1 << 30)[0]",
    "little by little": "kept = []\nwhile True: kept.append(bytearray(1 << 20))",
    "in a list": "kept = [0]\nwhile True: kept += kept",
    "in a text": "kept = 'x'\nwhile True: kept += kept",
    "once, and given back": "bytes(300 << 20)\nreturn 1.0",
    "and the failure is swallowed": (
        """
kept = []
try:
    while True: kept.append(bytearray(1 << 20))
except MemoryError: kept.clear()
return 1.0
"""
    ),
}


@every
@pytest.mark.parametrize("body", GREEDY.values(), ids=GREEDY.keys())
def test_memory_is_limited(rooms: SandboxPool, body: str) -> None:
    run = once(rooms, body)
    assert run.ended is Ended.MEMORY


@every
def test_memory_below_the_limit_is_given_and_measured(rooms: SandboxPool) -> None:
    run = once(rooms, "return np.ones(100 << 17).sum()")  # 100 MiB
    assert run.ended is Ended.RETURNED
    assert 90 < run.memory_mib < 256


@every
def test_a_case_with_a_limit_of_its_own_runs_in_a_child_of_its_own(rooms: SandboxPool) -> None:
    source = (
        "import os, numpy as np\nkept = []\n\ndef probe(mib):\n    kept.append(1)\n    np.ones(mib"
        " << 17)\n    return len(kept)\n"
    )
    small, large = {"mib": 40}, {"mib": 300}
    cases = (
        Case("a", options=small),
        Case("b", options=small),
        Case("c", options=large, memory_mib=600),
        Case("d", options=small, memory_mib=20),
    )
    found = asked(rooms, source, cases, params=("mib",))
    assert [run.ended for run in found] == [
        Ended.RETURNED,
        Ended.RETURNED,
        Ended.RETURNED,
        Ended.MEMORY,
    ]
    assert [run.tensors["answer"].item() for run in found[:3]] == [1, 2, 1]


@every
def test_a_flood_of_text_is_stopped(rooms: SandboxPool) -> None:
    first, second = asked(
        rooms, "while i == 0: print('x' * 1000)\nreturn 1.0", many(2), params=("i",)
    )
    assert (first.ended, second.ended) == (Ended.OUTPUT, Ended.RETURNED)
    assert len(first.printed) <= PATIENT.text_kib * 1024


@every
def test_each_case_may_print_as_much(rooms: SandboxPool) -> None:
    body = "print('x' * 10_000)\nreturn 1.0"  # of 16 KiB
    found = asked(rooms, body, many(4), params=("i",))
    assert [run.ended for run in found] == [Ended.RETURNED] * 4
    body = "print('x' * (17_000 if i == 1 else 10_000))\nreturn 1.0"
    found = asked(rooms, body, many(3), params=("i",))
    assert [run.ended for run in found] == [Ended.RETURNED, Ended.OUTPUT, Ended.RETURNED]


@every
def test_a_result_that_is_too_large_is_stopped(rooms: SandboxPool) -> None:
    first, second = asked(
        rooms, "return np.ones((9 if i == 0 else 1) << 17)", many(2), params=("i",)
    )
    assert (first.ended, second.ended) == (Ended.OUTPUT, Ended.RETURNED)


# --------------------------------------------------------------------------------------------------
# a fresh child

DRAW = (
    "import random\nreturn np.array([random.random(), np.random.rand(),"
    " np.random.default_rng(int(random.random() * 1e9)).random()])"
)


@every
def test_the_same_seed_draws_the_same_numbers_and_another_seed_others(rooms: SandboxPool) -> None:
    def drawn(seed: int) -> list[list[float]]:
        return [
            run.tensors["answer"].tolist()
            for run in asked(rooms, DRAW, many(2), params=("i",), seed=seed)
        ]

    first = drawn(1)
    asked(rooms, "np.random.seed(5)\nreturn np.random.rand()")
    assert drawn(1) == first
    assert drawn(2) != first
    assert first[0] != first[1]  # each case has its own


@every
def test_a_case_draws_the_same_whatever_the_case_before_it_drew(rooms: SandboxPool) -> None:
    def second(count: int) -> list[float]:
        cases = (Case("a", options={"i": count}), Case("b", options={"i": 1}))
        found = asked(rooms, "return np.random.rand(max(i, 1))[-1]", cases, params=("i",), seed=3)
        return found[1].tensors["answer"].tolist()

    assert second(1) == second(50)


@every
def test_a_generator_without_a_seed_differs_between_children(rooms: SandboxPool) -> None:
    """The kernel's own randomness is not copied by a clone."""
    assert printed(rooms, "print(os.urandom(8).hex())") != printed(
        rooms, "print(os.urandom(8).hex())"
    )


TRACES = {
    "an attribute": ("np.note = 1", "hasattr(np, 'note')"),
    "a module": ("sys.modules['note'] = sys", "'note' in sys.modules"),
    "a patched function": ("np.exp = None", "np.exp is None"),
    "a builtin": (
        "import builtins\nbuiltins.note = 1",
        "'note' in dir(__builtins__) or 'note' in vars(__import__('builtins'))",
    ),
    "the recursion limit": ("sys.setrecursionlimit(77)", "sys.getrecursionlimit() == 77"),
    "an error state": ("np.seterr(all='raise')", "np.geterr()['divide'] == 'raise'"),
    "a variable of the environment": ("os.environ['NOTE'] = '1'", "'NOTE' in os.environ"),
    "the module itself": ("global note\nnote = 1", "hasattr(sys.modules['solution'], 'note')"),
    "the working directory": ("os.chdir('/')", "os.getcwd() != start"),
}


@every
@pytest.mark.parametrize(("leave", "find"), TRACES.values(), ids=TRACES.keys())
def test_nothing_of_one_submission_is_seen_by_the_next(
    rooms: SandboxPool, leave: str, find: str
) -> None:
    start = printed(rooms, "print(os.getcwd())")
    if "start" not in find:
        assert printed(rooms, f"{leave}\nprint({find})") == "True"
    else:
        once(rooms, f"{leave}\nreturn 1.0")
    assert printed(rooms, f"start = {start!r}\nprint({find})") == "False"


@every
def test_the_environment_holds_nothing_of_ours(rooms: SandboxPool) -> None:
    # without it, torch asks who the user is
    assert printed(rooms, "print(dict(os.environ))") == "{'TORCHINDUCTOR_CACHE_DIR': '/tmp'}"


@every
def test_four_descriptors_are_open(rooms: SandboxPool) -> None:
    body = (
        "found = []\nfor fd in range(512):\n    try: os.fstat(fd)\n    except OSError: continue\n  "
        "  found.append(fd)\nprint(found)"
    )
    assert printed(rooms, body) == "[0, 1, 2, 3]"


@every
def test_nothing_can_be_read_from_standard_input(rooms: SandboxPool) -> None:
    run = once(rooms, "return input()")
    assert run.error is not None and run.error.type == "EOFError"


@every
def test_one_thread(rooms: SandboxPool) -> None:
    assert printed(rooms, "import threading\nprint(threading.active_count())") == "1"


# --------------------------------------------------------------------------------------------------
# the wall

REFUSED = {
    "a socket": "import socket\nsocket.socket()",
    "a socket pair": "import socket\nsocket.socketpair()",
    "a name server": "import socket\nsocket.getaddrinfo('example.org', 80)",
    "a fork": "os.fork()",
    "a thread": "import threading\nthreading.Thread(target=print).start()",
    "a program": "import subprocess\nsubprocess.run(['/bin/true'])",
    "to become a program": "os.execv(sys.executable, ['python'])",
    "the password file": "open('/etc/passwd').read()",
    "a file in /tmp": "open('/tmp/note', 'w')",
    "a file in /": "open('/note', 'w')",
    "a file in /dev/shm": "open('/dev/shm/note', 'w')",
    "a file in the room": "open('/room/grader/note', 'w')",
    "a folder": "os.mkdir('/tmp/note')",
    "a link": "os.symlink('/room', '/tmp/note')",
    "a pipe": "os.pipe()",
    "a file in memory": "os.memfd_create('note')",
    "shared memory": (
        "from multiprocessing import shared_memory\nshared_memory.SharedMemory(create=True,"
        " size=64)"
    ),
    "a signal to everybody": "os.kill(-1, 9)",
    "a signal to the parent": "os.kill(os.getppid(), 15)",
    "another priority": "os.nice(-5)",
    "more processor time": "import resource\nresource.setrlimit(resource.RLIMIT_CPU, (1000, 1000))",
    "another user": "os.setuid(0)",
    "another root": "os.chroot('/room')",
    "the answers": "import grader.answers",
    "the judge": "import grader.judge",
    "the reference": f"open({str(ROOT / 'reference')!r} + '/causal_mask/numpy.py')",
    "the bank": f"os.listdir({str(ROOT / 'problems')!r})",
    "another package": "import click",
    "the command line of a process": "open('/proc/self/cmdline').read()",
}


@sealed
@pytest.mark.parametrize("body", REFUSED.values(), ids=REFUSED.keys())
def test_the_room_refuses(rooms: SandboxPool, body: str) -> None:
    run = once(rooms, f"{body}\nreturn 1.0")
    assert run.ended is Ended.RAISED and run.error is not None, run
    assert {"OSError", "ImportError", "RuntimeError", "ValueError"} & set(run.error.bases), (
        run.error
    )


CALLS = {
    "mount": 165,
    "ptrace": 101,
    "unshare": 272,
    "bpf": 321,
    "io_uring_setup": 425,
    "keyctl": 250,
    "clone3": 435,
    "memfd_create": 319,
    "setns": 308,
}


@sealed
@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the numbers are those of x86-64")
@pytest.mark.parametrize("number", CALLS.values(), ids=CALLS.keys())
def test_the_kernel_refuses(rooms: SandboxPool, number: int) -> None:
    body = (
        f"import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\nprint(libc.syscall({number}, 0,"
        " 0, 0, 0, 0), ctypes.get_errno())"
    )
    assert printed(rooms, body) in ("-1 1", "-1 38")


@sealed
def test_proc_is_empty(rooms: SandboxPool) -> None:
    assert printed(rooms, "print(os.listdir('/proc'))") == "[]"


@sealed
def test_a_process_alone_in_its_namespace_without_name_or_rights(rooms: SandboxPool) -> None:
    assert printed(rooms, "print(os.getpid(), os.getppid(), os.uname().nodename)") == "1 0 room"
    body = (
        "import resource\nprint(resource.getrlimit(resource.RLIMIT_FSIZE),"
        " resource.getrlimit(resource.RLIMIT_CORE))"
    )
    assert printed(rooms, body) == "(0, 0) (0, 0)"


@sealed
def test_the_room_holds_nothing_else(rooms: SandboxPool) -> None:
    found = set(printed(rooms, "print(*sorted(os.listdir('/')))").split())
    mounted = {inside.split("/")[1] for _, inside in launchers.mounts(NUMPY)}
    assert found <= {*mounted, "dev", "proc", "tmp"} | (
        {"sys", "etc", ".dockerenv"} if rooms.name == "docker" else set()
    )
    assert printed(rooms, "print(*sorted(os.listdir('/room')))").split() in (
        ["grader", "lib"],
        ["grader", "io", "lib"],
    )
    assert printed(rooms, "print(os.path.exists('/room/grader/answers'))") == "False"


@sealed
def test_nothing_in_the_room_can_be_written(rooms: SandboxPool) -> None:
    body = """
found = []
for folder, names, files in os.walk('/'):
    for name in [*names, *files]:
        path = os.path.join(folder, name)
        try: os.close(os.open(path, os.O_WRONLY))
        except OSError: continue
        found.append(path)
print(found)
"""
    keep_nothing = {"/dev/null", "/dev/urandom"} | (
        {"/dev/zero", "/dev/full", "/dev/random"} if rooms.name == "docker" else set()
    )
    # a list of paths, printed by our own probe
    assert set(eval(printed(rooms, body))) <= keep_nothing


@sealed
def test_the_network_has_no_interface(rooms: SandboxPool) -> None:
    assert printed(rooms, "print(os.path.exists('/sys/class/net'))") == "False"


def test_a_plain_process_says_that_it_is_no_wall() -> None:
    with opened("process") as rooms:
        assert rooms.name == "process" and not rooms.room(NUMPY).launch.sealed
        assert once(rooms, f"return os.path.exists({str(ROOT)!r})").tensors["answer"].item() is True


# --------------------------------------------------------------------------------------------------
# PyTorch in the room


def torch_job(rooms: SandboxPool, source: str, case: Case, **options: Any) -> Run:
    (run,) = rooms.run(job(source, (case,), framework=TORCH, **options))
    return run


X = np.array([[1.0, 2.0], [3.0, 4.0]], np.float32)


@pytest.mark.torch
@here
def test_gradients_are_products_with_a_fixed_cotangent(rooms: SandboxPool) -> None:
    source = "def probe(x):\n    return x ** 2\n"
    case = Case("a", inputs={"x": X}, wants=("answer", "grad.x"))
    found = [torch_job(rooms, source, case, params=("x",)).tensors for _ in range(2)]
    cotangent = found[0]["grad.x"] / (2 * X)
    assert len(set(cotangent.ravel().tolist())) == 4  # random: a sum() would give ones
    assert found[0]["grad.x"].tobytes() == found[1]["grad.x"].tobytes()


NO_GRADIENT = {
    "detached": (
        "def probe(x):\n    return x.detach() * 2\n",
        "absent:detached",
    ),
    "not used": (
        "import torch\ndef probe(x):\n    return torch.ones(2, requires_grad=True) * 2\n",
        "absent:unreached",
    ),
}


@pytest.mark.torch
@here
@pytest.mark.parametrize(("source", "words"), NO_GRADIENT.values(), ids=NO_GRADIENT.keys())
def test_a_gradient_that_does_not_flow_is_named(
    rooms: SandboxPool, source: str, words: str
) -> None:
    run = torch_job(
        rooms, source, Case("a", inputs={"x": X}, wants=("answer", "grad.x")), params=("x",)
    )
    assert run.dtypes["grad.x"] == words


TENSORS = {
    "bfloat16 is widened": ("x.bfloat16()", "bfloat16", True),
    "a parameter": ("torch.nn.Parameter(x)", "float32", True),
    "a transposed view": ("x.T", "float32", True),
    "sparse": ("x.to_sparse()", "float32 tensor (sparse_coo, cpu)", False),
    "meta": ("x.to('meta')", "float32 tensor (strided, meta)", False),
    "complex": ("x * 1j", "complex64", False),
    "an empty giant": (
        "torch.empty((10**18, 0))",
        "empty_too_large",
        False,
    ),
    "seventeen axes": (
        "x.reshape((1,) * 15 + tuple(x.shape))",
        "too_many_axes",
        False,
    ),
    "an array": ("x.numpy()", "numpy.ndarray", False),
}


@pytest.mark.torch
@here
@pytest.mark.parametrize(("value", "dtype", "comes"), TENSORS.values(), ids=TENSORS.keys())
def test_tensors_by_their_true_type(
    rooms: SandboxPool, value: str, dtype: str, comes: bool
) -> None:
    run = torch_job(
        rooms,
        f"import torch\ndef probe(x):\n    return {value}\n",
        Case("a", inputs={"x": X}),
        params=("x",),
    )
    assert (run.ended, run.dtypes["answer"], "answer" in run.tensors) == (
        Ended.RETURNED,
        dtype,
        comes,
    )


MODULE = """
import torch
from torch import nn

class Probe(nn.Module):
    def __init__(self, d, bias=True):
        super().__init__()
        self.W = nn.Linear(d, d, bias=bias)
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        return self.drop(self.W(x))
# def probe
"""
PROBE = (
    Entry(
        "Probe",
        (Parameter("x", True),),
        ("answer",),
        (Parameter("d", True), Parameter("bias", False)),
    ),
)
STATE = {"W.weight": 2 * np.eye(2, dtype=np.float32), "W.bias": np.ones(2, np.float32)}


def module_run(rooms: SandboxPool, source: str = MODULE, **fields: Any) -> Run:
    case = Case("a", **{"inputs": {"x": X}, "init": {"d": 2}, "state": STATE, **fields})
    return torch_job(rooms, source, case, kind=Kind.MODULE, entries=PROBE)


@pytest.mark.torch
@here
def test_a_module_is_built_and_its_parameters_are_loaded_by_name(rooms: SandboxPool) -> None:
    run = module_run(rooms, wants=("answer", "grad.W.weight"))
    assert run.tensors["answer"].tolist() == (2 * X + 1).tolist()
    assert run.tensors["grad.W.weight"].shape == (2, 2)


COUNTING = MODULE.replace(
    "return self.drop(self.W(x))",
    "self.calls = [*getattr(self, 'calls', []), float(x.sum())]; return 0 * x + sum(self.calls)",
)


@pytest.mark.torch
@here
@pytest.mark.parametrize(
    ("before", "answer"),
    [({}, 3.0), ({"x": 5 * np.ones((1, 2), np.float32)}, 23.0)],
    ids=["once", "after two calls"],
)
def test_a_module_may_be_called_before(
    rooms: SandboxPool, before: dict[str, np.ndarray], answer: float
) -> None:
    """Earlier calls of the same instance: what they leave behind counts, not their results."""
    run = module_run(
        rooms, COUNTING, inputs={"x": np.array([[1.0, 2.0]], np.float32)}, before=before
    )
    assert run.tensors["answer"].tolist() == [[answer, answer]]


KEEPING = MODULE.replace(
    "return self.drop(self.W(x))",
    "seen = getattr(self, 'seen', None); self.seen = x; return x + float(seen is x)",
)


@pytest.mark.torch
@here
@pytest.mark.parametrize(
    ("before", "same"),
    [(np.full((1, 2), 5, np.float32), 1.0), (np.full((3, 2), 5, np.float32), 0.0)],
    ids=["of the same shape", "of another shape"],
)
def test_the_call_before_gets_the_same_object_with_other_numbers(
    rooms: SandboxPool, before: np.ndarray, same: float
) -> None:
    """What is kept by identity shows; the later call finds its own numbers."""
    x = np.array([[1.0, 2.0]], np.float32)
    run = module_run(rooms, KEEPING, inputs={"x": x}, before={"x": before})
    assert run.tensors["answer"].tolist() == [[1 + same, 2 + same]]


@pytest.mark.torch
@here
def test_draws_are_told_by_their_mean_and_spread(rooms: SandboxPool) -> None:
    run = module_run(rooms, train=True, draws=400)
    assert set(run.tensors) == {"mean.answer", "spread.answer"}
    np.testing.assert_allclose(run.tensors["mean.answer"], (2 * X + 1).mean(0), rtol=0.2)


DROPPED = "torch.nn.functional.dropout(torch.ones({}), 0.5, self.training).expand(*x.shape[:-1], 2)"
INDEPENDENT = {
    "each entry": ("*x.shape[:-1], 2", [True, True, True]),
    "one for the batch": ("1, x.shape[1], 2", [True, False, True]),
    "one for all rows": ("len(x), 1, 2", [True, True, False]),
    "one for all calls": ("*x.shape[:-1], 2, generator", [False, True, True]),
}


@pytest.mark.torch
@here
@pytest.mark.parametrize(("shape", "independent"), INDEPENDENT.values(), ids=INDEPENDENT.keys())
def test_spread_tells_along_which_axis_draws_are_shared(
    rooms: SandboxPool, shape: str, independent: list[bool]
) -> None:
    """Along the draws, the batch and the rows, in this order: 0 where one draw serves them all."""
    seeded = shape.endswith("generator")
    dropped = DROPPED.format(shape.removesuffix(", generator"))
    source = MODULE.replace(
        "return self.drop(self.W(x))",
        f"{'torch.manual_seed(0); ' if seeded else ''}return {dropped}",
    )
    assert source != MODULE
    wants = ("least.answer", "most.answer", "spread.answer")
    run = module_run(
        rooms,
        source,
        inputs={"x": np.ones((20, 5, 2), np.float32)},
        train=True,
        draws=20,
        wants=wants,
    )
    assert [run.tensors["least.answer"].tolist(), run.tensors["most.answer"].tolist()] == [
        [0.0, 0.0],
        [2.0, 2.0],
    ]
    spread = run.tensors["spread.answer"]
    assert spread.shape == (3, 2)
    assert [bool(row.min() > 0.7) for row in spread] == independent
    assert [bool(row.max() < 1e-6) for row in spread] == [not free for free in independent]


@pytest.mark.torch
@here
def test_in_float64_the_module_is_in_float64(rooms: SandboxPool) -> None:
    wide = {name: value.astype(np.float64) for name, value in STATE.items()}
    assert (
        module_run(rooms, inputs={"x": X.astype(np.float64)}, state=wide).dtypes["answer"]
        == "float64"
    )


BAD_STATES = {
    "another name": (
        MODULE.replace("self.W", "self.weights"),
        "parameter_names",
        {
            "missing": ("W.bias", "W.weight"),
            "unexpected": ("weights.weight", "weights.bias"),
        },
    ),
    "one missing": (
        MODULE.replace("bias=bias", "bias=False"),
        "parameter_names",
        {"missing": ("W.bias",), "unexpected": ()},
    ),
    "one too many": (
        MODULE.replace(
            "self.drop =", "self.gain = nn.Parameter(torch.ones(1))\n        self.drop ="
        ),
        "parameter_names",
        {"missing": (), "unexpected": ("gain",)},
    ),
    "another shape": (
        MODULE.replace("nn.Linear(d, d", "nn.Linear(d + 1, d"),
        "parameter_shape",
        {"parameter": "W.weight", "shape": (2, 3), "expected": (2, 2)},
    ),
    "no module": (
        "class Probe:\n    def __init__(self, d): ...\n# def probe\n",
        "not_a_module",
        {"entry": "Probe", "made": ""},
    ),
}


@pytest.mark.torch
@here
@pytest.mark.parametrize(("source", "code", "details"), BAD_STATES.values(), ids=BAD_STATES.keys())
def test_a_module_with_other_parameters_is_told_which(
    rooms: SandboxPool, source: str, code: str, details: dict[str, object]
) -> None:
    run = module_run(rooms, source)
    assert run.ended is Ended.BAD_STATE and run.error is not None
    assert (run.error.type, run.error.details) == (code, details)


@pytest.mark.torch
@here
def test_torch_draws_anew_in_every_child(rooms: SandboxPool) -> None:
    source = "import torch\ndef probe():\n    return torch.randn(3)\n"
    found = [
        torch_job(rooms, source, ONE, seed=seed).tensors["answer"].tolist() for seed in (1, 2, 1)
    ]
    assert found[0] == found[2] != found[1]


@pytest.mark.torch
@here
def test_torch_has_one_thread(rooms: SandboxPool) -> None:
    run = torch_job(
        rooms,
        "import torch\ndef probe():\n    a = torch.randn(600, 600)\n    a @ a\n    return"
        " torch.get_num_threads()\n",
        ONE,
    )
    assert run.tensors["answer"].item() == 1


@pytest.mark.torch
@here
def test_memory_of_tensors_is_limited(rooms: SandboxPool) -> None:
    assert (
        torch_job(
            rooms, "import torch\ndef probe():\n    return torch.ones(1 << 30).sum()\n", ONE
        ).ended
        is Ended.MEMORY
    )


# --------------------------------------------------------------------------------------------------
# an instructor's

CASES = """
from grader.case import Case

def cases(rng):
    a, b = {"x": rng.standard_normal(3)}, {"x": rng.standard_normal((2, 0))}
    scale = {"scale": 2.0}
    yield Case("a", inputs=a, options=scale, labels=("x", "y"), sample=True, points=3, note="n")
    yield Case("b", inputs=b, raises="ValueError", layout={"x": "strided"})
"""


@every
def test_cases_hang_on_their_seed(rooms: SandboxPool) -> None:
    one, two, other = (rooms.generate(CASES, NUMPY, seed) for seed in (1, 1, 2))
    assert [case.to_meta() for case in one] == [case.to_meta() for case in other]
    assert [c.inputs["x"].tolist() for c in one] == [c.inputs["x"].tolist() for c in two]
    assert one[0].inputs["x"].tolist() != other[0].inputs["x"].tolist()
    first, second = one
    assert (first.labels, first.sample, first.points, first.options, first.note) == (
        ("x", "y"),
        True,
        3,
        {"scale": 2.0},
        "n",
    )
    assert (second.inputs["x"].shape, second.raises, second.layout) == (
        (2, 0),
        "ValueError",
        {"x": "strided"},
    )


@every
def test_cases_that_fail_say_so_in_their_own_words(rooms: SandboxPool) -> None:
    with pytest.raises(CaseError, match=r"^ZeroDivisionError: division by zero \(line 2\)$"):
        rooms.generate("def cases(rng):\n    yield 1 / 0", NUMPY, 0)


# --------------------------------------------------------------------------------------------------
# processes, threads, the end


def descendants(pid: int) -> list[int]:
    """Every process below one, as the kernel tells."""
    found = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in task.read_text().split():
            found += [int(child), *descendants(int(child))]
    return found


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


def settled(count: Any, patience: float = 20.0) -> Any:
    """The value of a count once it has not changed for a moment: the dead are buried in the
    background.
    """
    end, last, since = time.monotonic() + patience, count(), time.monotonic()
    while time.monotonic() < end and time.monotonic() - since < 0.4:
        time.sleep(0.05)
        now = count()
        if now != last:
            last, since = now, time.monotonic()
    return last


def gone(pids: list[int], patience: float = 20.0) -> bool:
    """Have these processes ended? A zombie that nobody has waited for has."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        left = []
        for pid in pids:
            try:
                left += (
                    [pid]
                    if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
                    else []
                )
            except OSError:
                continue
        if not left:
            return True
        time.sleep(0.05)
    return False


linux = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="counts processes in /proc")


@linux
@every
def test_nothing_is_left_behind(rooms: SandboxPool) -> None:
    bodies = [
        "return 1.0",
        "os._exit(0)",
        "raise ValueError",
        "kept = []\nwhile True: kept.append(bytearray(1 << 20))",
        "print('x' * 10**6)",
    ]

    def count() -> tuple[int, int]:
        return descriptors(), len(descendants(rooms.room(NUMPY).pid))

    for body in bodies:
        once(rooms, body)
    before = settled(count)
    for body in bodies * 3:
        once(rooms, body)
    assert settled(count) == before


@linux
@every
def test_a_run_that_nobody_reads_to_its_end_leaves_nothing(rooms: SandboxPool) -> None:
    def count() -> tuple[int, int]:
        return descriptors(), len(descendants(rooms.room(NUMPY).pid))

    once(rooms, "return 1.0")
    before = settled(count)
    for _ in range(3):
        running = rooms.run(job("return 1.0", many(5), params=("i",)))
        next(running)
        running.close()  # type: ignore[attr-defined]
    assert settled(count) == before


@every
def test_two_threads_get_their_own_answers(rooms: SandboxPool) -> None:
    found: dict[int, list[float]] = {}

    def learner(number: int) -> None:
        found[number] = [
            once(rooms, f"print({number})\nreturn float({number} * 1000 + {i})")
            .tensors["answer"]
            .item()
            for i in range(6)
        ]

    threads = [threading.Thread(target=learner, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert found == {number: [number * 1000 + i for i in range(6)] for number in range(3)}


@every
def test_two_threads_can_begin_at_once_with_a_cold_room(rooms: SandboxPool) -> None:
    with open_sandbox(rooms.name) as cold:
        found: list[Ended] = []
        threads = [
            threading.Thread(target=lambda: found.append(once(cold, "return 1.0").ended))
            for _ in range(3)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(120)
        assert found == [Ended.RETURNED] * 3
        assert cold.restarts == 0


def zygote_of(launcher: int) -> int:
    """The interpreter that clones; its children carry the same command line, so the first one found
    is it.
    """
    for pid in descendants(launcher):
        if (
            b"zygote.py" in Path(f"/proc/{pid}/cmdline").read_bytes()
            and b"--unshare-pid" not in Path(f"/proc/{pid}/cmdline").read_bytes()
        ):
            return pid
    raise AssertionError("no zygote")


@linux
@bubblewrap
@pytest.mark.parametrize("victim", ["launcher", "zygote"])
def test_a_room_killed_between_two_runs_is_started_again(rooms: SandboxPool, victim: str) -> None:
    with opened(rooms.name) as own:
        assert once(own, "return 1.0").ended is Ended.RETURNED
        launcher = own.room(NUMPY).pid
        below = descendants(launcher)
        os.kill(launcher if victim == "launcher" else zygote_of(launcher), signal.SIGKILL)
        assert gone(below)  # else the container that waits may answer before it dies with the room
        assert once(own, "return 2.0").tensors["answer"].item() == 2.0
        assert own.restarts == 1


@linux
@bubblewrap
@pytest.mark.parametrize("victim", ["launcher", "zygote"])
def test_a_room_killed_in_the_middle_of_a_run_is_never_the_learners_fault(
    rooms: SandboxPool, victim: str
) -> None:
    """kill -9 while a case runs: the case is asked again in a new room, and the rest goes on."""
    with opened(rooms.name) as own:
        once(own, "return 1.0")
        launcher = own.room(NUMPY).pid
        running = own.run(
            job("import time\nif i == 1: time.sleep(2)\nreturn float(i)", many(3), params=("i",))
        )
        first = next(running)
        murder = threading.Timer(
            0.5,
            os.kill,
            (launcher if victim == "launcher" else zygote_of(launcher), signal.SIGKILL),
        )
        murder.start()
        found = [first, *running]
        murder.join()
        assert [run.ended for run in found] == [Ended.RETURNED] * 3
        assert [run.tensors["answer"].item() for run in found] == [0, 1, 2]
        assert own.restarts == 1


@linux
@bubblewrap
def test_a_room_that_dies_again_and_again_is_lost(rooms: SandboxPool) -> None:
    with opened(rooms.name) as own:
        stop = threading.Event()

        def murderer() -> None:
            while not stop.wait(0.3):
                room = own.rooms.started(NUMPY)
                if room is not None and room._ready and room.alive():
                    os.kill(room.pid, signal.SIGKILL)

        thread = threading.Thread(target=murderer)
        thread.start()
        try:
            ended = once(own, "import time\ntime.sleep(3)\nreturn 1.0").ended
        except RoomError:
            ended = Ended.LOST  # killed while it was being started: ours as well
        finally:
            stop.set()
            thread.join()
        assert ended is Ended.LOST


@linux
@here
def test_a_launcher_that_is_killed_costs_no_answer(rooms: SandboxPool) -> None:
    """Without namespaces a child outlives its zygote: it answers, or the case is asked again."""
    with opened(rooms.name) as own:
        once(own, "return 1.0")
        os.kill(own.room(NUMPY).pid, signal.SIGKILL)
        assert [once(own, f"return float({i})").tensors["answer"].item() for i in range(3)] == [
            0,
            1,
            2,
        ]


@linux
@here
def test_a_room_outlives_the_thread_that_started_it(rooms: SandboxPool) -> None:
    with open_sandbox(rooms.name) as own:
        thread = threading.Thread(target=own.room, args=(NUMPY,))
        thread.start()
        thread.join()
        time.sleep(0.2)
        assert once(own, "return 1.0").ended is Ended.RETURNED
        assert own.restarts == 0


JUDGE = """
import sys
from grader.model import Framework
from grader.sandbox import open_sandbox
from tests.grader.sandbox.test_sandbox import descendants, job, many

rooms = open_sandbox(sys.argv[1])
with rooms:
    body = "import time\\nif i: time.sleep(600)\\nreturn 1.0"
    running = rooms.run(job(body, many(2), params=("i",)))
    next(running)
    pid = rooms.room(Framework.NUMPY).pid
    print(pid, *descendants(pid), flush=True)
    next(running)
"""
KILLED = [
    ("bubblewrap", signal.SIGKILL),
    ("bubblewrap", signal.SIGTERM),
    ("bubblewrap", signal.SIGINT),
    ("process", signal.SIGINT),
]


@linux
@pytest.mark.parametrize(
    ("rooms", "how"),
    KILLED,
    indirect=["rooms"],
    ids=[f"{r}-{s.name}" for r, s in KILLED],
    scope="module",
)
def test_no_process_outlives_a_judge_that_is_ended(rooms: SandboxPool, how: signal.Signals) -> None:
    judge = subprocess.Popen(
        [sys.executable, "-c", JUDGE, rooms.name],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=ROOT,
    )
    assert judge.stdout is not None
    with judge.stdout:
        processes = [int(word) for word in judge.stdout.readline().split()]
    assert len(processes) >= 2
    time.sleep(0.3)
    judge.send_signal(how)
    judge.wait(30)
    assert gone(processes)


@linux
@here
def test_closing_ends_every_process(rooms: SandboxPool) -> None:
    own = opened(rooms.name)
    once(own, "return 1.0")
    room = own.room(NUMPY)
    processes = [room.pid, *descendants(room.pid)]
    own.close()
    assert gone(processes)
    own.close()  # twice is as good as once
    with pytest.raises(RoomError, match=r"^the sandbox is closed$"):
        once(own, "return 1.0")


@linux
@here
def test_closing_ends_a_run(rooms: SandboxPool) -> None:
    own = opened(rooms.name)
    once(own, "return 1.0")
    room = own.room(NUMPY)
    found: list[object] = []

    def learner() -> None:
        try:
            found.append(
                once(own, "import time\ntime.sleep(600)\nreturn 1.0", Limits(wall_s=300)).ended
            )
        except RoomError as error:
            found.append(error)

    thread = threading.Thread(target=learner)
    thread.start()
    time.sleep(0.5)
    processes = [room.pid, *descendants(room.pid)]
    own.close()
    thread.join(60)
    assert not thread.is_alive() and gone(processes)
    assert found and (found[0] is Ended.LOST or isinstance(found[0], RoomError))


def test_an_unknown_isolation_is_refused() -> None:
    with pytest.raises(
        UsageError, match=r"^unknown isolation 'chroot'; choose from bubblewrap, docker, process$"
    ):
        open_sandbox("chroot")


def test_nothing_is_started_before_the_first_run() -> None:
    with open_sandbox("process") as rooms:
        assert all(rooms.rooms.started(f) is None for f in Framework)
