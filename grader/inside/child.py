"""What one fresh container does, from the clone to its end: lock the door, load the submission,
answer one case at a time.

Runs inside the room only. Standard library, numpy and torch, and the files that lie beside it
there.
"""

import ast
import linecache
import os
import random
import select
import signal
import sys
import types
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from grader.case import only_cases
from grader.inside import driver, frames, lesson, rules, tracing
from grader.inside.assembly import answering
from grader.inside.call import call
from grader.inside.describe import NAME_CHARS, NAMES, describe, name_of
from grader.inside.expressions import evaluate
from grader.inside.kernel.lock import cover_proc, lock, restrict
from grader.inside.kernel.processors import NONE, leave
from grader.inside.kernel.spinning import Spin
from grader.inside.kernel.usage import address_space

DATA_FD = 3
Reply = dict[str, Any]


class OutOfTime(BaseException):
    """Raised by the judge's signal that the time is over, so that the line that runs is known."""


def _stop(number: int, frame: object) -> NoReturn:
    raise OutOfTime


def run(data_fd: int, print_fd: int, sealed: bool, warm_up: Callable[[], None]) -> NoReturn:
    """Everything that happens in one fresh container, from the clone to its end."""
    _keep_descriptors(data_fd, print_fd)
    warm_up()
    warm_bytes = address_space()
    if sealed:
        cover_proc()
    restrict(sealed)
    meta, tensors = receive()
    leave(meta.get("leave", NONE))
    lock(meta["limits"], warm_bytes, bytes(tensors["seccomp"]) if "seccomp" in tensors else b"")
    signal.signal(signal.SIGUSR1, _stop)
    try:
        if meta["mode"] == "cases":
            make_cases(meta)
        elif meta["mode"] == "inputs":
            send(*evaluate(meta["source"]))
        elif meta["mode"] == "lesson":
            seed_all(meta["seed"])
            send(lesson.ran(meta), {})
        elif meta["mode"] == "assembly":
            seed_all(meta["seed"])
            weights = {n[8:]: array for n, array in tensors.items() if n.startswith("weights.")}
            answering.answer(meta, weights, send, receive)
        else:
            answer_cases(meta)
    except (BrokenPipeError, OutOfTime):
        pass
    os._exit(0)


def receive() -> frames.Frame:
    """The next frame from the judge, read whole and never ahead; the process ends when there is
    none.
    """
    meta_len, blob_len = frames.HEADER.unpack(_exactly(frames.HEADER.size))
    return frames.decode(_exactly(meta_len), _exactly(blob_len))


def _exactly(count: int) -> bytearray:
    whole = bytearray(count)
    view, got = memoryview(whole), 0
    while got < count:
        n = os.readv(DATA_FD, [view[got:]])
        if n == 0:
            os._exit(0)
        got += n
    return whole


def send(meta: dict[str, Any], tensors: dict[str, Any]) -> None:
    """Write one frame to the judge."""
    for part in frames.parts(meta, tensors):
        view = memoryview(part)
        while view:
            view = view[os.write(DATA_FD, view) :]


def _keep_descriptors(data_fd: int, print_fd: int) -> None:
    """Keep the data socket as 3 and the pipe as 1 and 2; close everything else that is open."""
    high = max(data_fd, print_fd, 10) + 1
    os.dup2(data_fd, high)
    os.dup2(print_fd, high + 1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(high + 1, 1)
    os.dup2(high + 1, 2)
    os.dup2(high, DATA_FD)
    os.closerange(DATA_FD + 1, 4096)
    sys.stdin = sys.__stdin__ = open(0, closefd=False)  # type: ignore[misc]  # noqa: SIM115
    sys.stdout = sys.__stdout__ = _printer(1)  # type: ignore[misc]
    sys.stderr = sys.__stderr__ = _printer(2)  # type: ignore[misc]


def _printer(fd: int) -> Any:
    return open(fd, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False)


def make_cases(setup: dict[str, Any]) -> None:
    """Run an instructor's cases.py and send what it yields."""
    seed_all(setup["seed"])
    namespace: dict[str, Any] = {"__name__": "cases"}
    try:
        exec(compile(setup["source"], "cases.py", "exec"), namespace)
        if not callable(namespace.get("cases")):
            raise NameError("cases.py defines no function cases(rng)")
        yielded = namespace["cases"](np.random.default_rng(setup["seed"]))
        for index, case in enumerate(only_cases(yielded)):
            meta = {"frame": "case", "index": index, "case": case.to_meta()}
            send(meta, case.tensors())
            receive()
    except BaseException as error:
        send({"frame": "failed", "error": describe(error, setup["source"], "cases.py")}, {})
    else:
        send({"frame": "done"}, {})


def answer_cases(setup: dict[str, Any]) -> None:
    """Load the submission, then answer one case at a time."""
    spin, poll = Spin(), select.poll()
    poll.register(DATA_FD, select.POLLIN)
    seed_all(setup["seed"])
    loaded, namespace = load(setup)
    send(loaded, {})
    if loaded["frame"] != "loaded":
        return
    while True:
        spin.wait(poll)
        meta, tensors = receive()
        if meta.get("frame") == "trace":
            send(*tracing.result(namespace))
            continue
        if "source" in meta:  # another program of the same author, in the place of the last one
            setup = meta
            seed_all(setup["seed"])
            loaded, namespace = load(setup)
            send(loaded, {})
            continue
        seed_all((setup["seed"] * 1_000_003 + meta["salt"]) % 2**63)
        answer, arrays = call(namespace, setup, meta, tensors)
        _flush()
        size = sum(t.nbytes for t in arrays.values())
        if size > setup["limits"]["output_bytes"]:
            answer, arrays = {"ended": "output", "bytes": size}, {}
        send({"frame": "result", "index": meta["index"], **answer}, arrays)


def seed_all(seed: int) -> None:
    """Every generator anew: a clone inherits their state, and two children would draw the same
    numbers. docs/design/random-seed.md says from what.
    """
    random.seed(seed)
    np.random.seed(seed % 2**32)
    if "torch" in sys.modules:
        # `torch.manual_seed` asks for every kind of device: 0.3 ms a case
        sys.modules["torch"].default_generator.manual_seed(seed)


def forget() -> None:
    """Drop what `load` put where the next submission could see it."""
    sys.modules.pop("solution", None)
    linecache.cache.pop("solution.py", None)


def load(setup: dict[str, Any]) -> tuple[Reply, dict[str, Any]]:
    """Parse, apply the rules, run the module: the reply, and the names that the source defines.

    In this order, and only in here: hostile source can exhaust a parser.
    """
    if setup["driver"]:  # before anything of the solution runs
        setup["driver_code"] = driver.compiled(setup["driver"])
    module = types.ModuleType("solution")
    names = module.__dict__
    refused = _run(module, setup) or _missing(names, setup) or _of_another_kind(names, setup)
    return (refused, {}) if refused else ({"frame": "loaded"}, names)


def _run(module: types.ModuleType, setup: dict[str, Any]) -> Reply | None:
    source, given = setup["source"], setup["rules"]
    hook: dict[str, Any] = {}
    try:
        tree = ast.parse(source, "solution.py")
        forbidden = (given["forbid"], given["imports"], bool(setup["driver"])) if given else ()
        if forbidden and (violation := rules.violation(tree, *forbidden)):
            text, line = violation
            error = {"type": "forbidden", "text": text[:NAME_CHARS], "lineno": line}
            return {"frame": "forbidden", "error": error}
        if setup.get("trace"):
            code, hook = tracing.compiled(source, setup["framework"], setup["trace"])
        else:
            code = compile(tree, "solution.py", "exec")
    except BaseException as error:
        return _not_loaded(describe(error, source))
    lines = source.splitlines(keepends=True)
    linecache.cache["solution.py"] = (len(source), None, lines, "solution.py")  # for TorchScript
    sys.modules["solution"] = module
    module.__dict__.update(hook)
    try:
        exec(code, module.__dict__)
    except BaseException as error:
        _flush()
        return _not_loaded(describe(error, source))
    _flush()
    return None


def _missing(names: dict[str, Any], setup: dict[str, Any]) -> Reply | None:
    """The first name that is not there, with those that are."""
    missing = [name for name in setup["names"] if name not in names]
    if not missing:
        return None
    defined = (
        name
        for name, value in names.items()
        if type(name) is str and not isinstance(value, types.ModuleType)
    )
    public = sorted(name for name in defined if not name.startswith("_"))
    bases = [name[:NAME_CHARS] for name in public[:NAMES]]
    return _not_loaded({"type": "missing", "text": missing[0], "bases": bases})


def _of_another_kind(names: dict[str, Any], setup: dict[str, Any]) -> Reply | None:
    """The first name that is not what is asked for: a function, or a class."""
    wrong = [
        name
        for name in setup["names"]
        if (setup["kind"] != "values" and not callable(names[name]))
        or setup["classes"].get(name) is (not isinstance(names[name], type))
    ]
    if not wrong:
        return None
    bases = [name_of(type(names[wrong[0]]))]
    return _not_loaded({"type": "not_callable", "text": wrong[0], "bases": bases})


def _not_loaded(error: dict[str, Any]) -> Reply:
    return {"frame": "not_loaded", "error": error}


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):  # which may be anything by now
        try:  # noqa: SIM105 - `contextlib.suppress` costs more than the rest of a small case's end
            stream.flush()
        except BaseException:
            pass
