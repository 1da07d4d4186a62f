"""Fuzz what the judge reads from a room: `python -m tests.grader.sandbox.fuzz_intake [SECONDS]`, coverage-guided
where atheris is installed.

One stream of bytes goes the whole way that a child's bytes go, from the socket to a verdict:
`Channel`, `Reader`, `decode`, `outcome`. It must end without an exception of another kind, hold no
more than the cap, and never be accepted. The strategies serve `test_intake.py` too.
"""

import json
import os
import random
import socket
import struct
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from safetensors.numpy import load as load_tensors

from grader.answers import Answer
from grader.case import Case
from grader.comparison.compare import Expected
from grader.inside import frames
from grader.inside.frames import HEADER, META_BYTES, Frame, FrameError, FrameLimits, encode
from grader.model import Framework, Kind, Limits, Outcome
from grader.problem import Entry, Parameter, Problem, load
from grader.sandbox import container
from grader.sandbox.container import Container
from grader.sandbox.intake import channel, decode, reader
from grader.sandbox.intake.reader import Reader
from grader.sandbox.job import Job, due
from grader.verdict import outcome
from grader.verdict.outcome import judge_case
from tests.attacks.matrix import BANK

SECONDS = 60
PERMITTED = frozenset(
    [Outcome.WRONG_ANSWER, Outcome.OUTPUT_LIMIT, Outcome.RUNTIME_ERROR, Outcome.MEMORY_LIMIT]
)
ENTRY = Entry("f", (Parameter("x", True),), ("output",))
CASE = Case("one", inputs={"x": np.ones(2, np.float32)}, wants=("output",), sample=True)
ANSWER = Answer(CASE, {"output": Expected(np.array([0.25, -7.5]), "float32", 1e-6)})
JOB = Job("", Framework.NUMPY, Kind.FUNCTION, (ENTRY,), (CASE,), Limits(wall_s=20, output_mib=1))
LIMITS = due(JOB, CASE)
CAP = LIMITS.blob_bytes
UNBOUNDED = FrameLimits(*[1 << 40] * 5)


class Zygote:
    """Stands for the zygote of a container that this process plays itself."""

    class launch:
        sealed = False
        same_kernel = True

    def command(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The child has ended with status 0."""
        return {"cpu_ms": 0.0, "peak_kib": 1, "exit": 0}

    def refill(self) -> None:
        """There is no other child."""

    def later(self, chore: Callable[[], None]) -> None:
        """Nothing is left to do for it."""


def problem() -> Problem:
    """Any problem with an entry: only its names and limits are looked at."""
    return load(BANK, "scaled_dot_product_attention")


def verdict_of(stream: bytes, of: Problem) -> Outcome:
    """What the judge makes of a child that sends these bytes as its answer and ends."""
    ours, theirs = socket.socketpair()
    read_end, write_end = os.pipe()
    theirs.sendall(stream[: 1 << 16])
    theirs.close()
    os.close(write_end)
    child = Container(Zygote(), {"pid": 0, "base_kib": 1 << 50, "cpu_ms": 0.0}, ours, read_end)  # type: ignore[arg-type]
    child.memory_mib = 512
    try:
        return judge_case(of, Framework.NUMPY, ANSWER, child.ask(JOB, 0, CASE)).verdict
    finally:
        child.drop()


def frame(meta: bytes, blob: bytes) -> bytes:
    """Two halves under an honest header."""
    return HEADER.pack(len(meta), len(blob)) + meta + blob


def blob(header: bytes, body: bytes) -> bytes:
    """A safetensors blob with any header."""
    return struct.pack("<Q", len(header)) + header + body


def text(thing: Any) -> bytes:
    """JSON that Python writes, NaN and lone surrogates included."""
    return json.dumps(thing).encode("utf-8", "surrogatepass")


def table_of(**rows: Any) -> bytes:
    """A blob whose table has these rows, and eight bytes of tensors."""
    return blob(json.dumps(rows).encode(), bytes(8))


def row(
    shape: Any = (2,), offsets: Any = (0, 8), dtype: str = "F32", **more: Any
) -> dict[str, Any]:
    """A row of a table; the right one where nothing is given."""
    return {"dtype": dtype, "shape": list(shape), "data_offsets": list(offsets), **more}


ZERO = {"offsets": (0, 0), "dtype": "F32"}
TABLES = {  # tables of tensors that no honest program sends
    "many_tensors": table_of(**{f"{i}": row((0,), **ZERO) for i in range(1000)}, output=row()),
    "long_name": table_of(output=row(), **{"n" * 60_000: row((0,), **ZERO)}),
    "long_name_only": table_of(**{"n" * 60_000: row()}),
    "unasked": table_of(output=row(), extra=row((0,), **ZERO)),
    "unasked_only": table_of(extra=row()),
    "metadata": table_of(output=row(), __metadata__={"a": "b"}),
    "metadata_as_a_tensor": table_of(output=row(), __metadata__=row((0,), **ZERO)),
    "seventeen_axes": table_of(output=row([1] * 16 + [2])),
    "thousand_axes": table_of(output=row([1] * 1000 + [2])),
    "empty_giant": table_of(output=row((10**18, 0), **ZERO)),
    "empty_wide": table_of(output=row((2 * 10**8, 0), **ZERO)),
    "empty_product": table_of(output=row((0, 1025, 1025), **ZERO)),
    "empty_beyond_64_bits": table_of(output=row((0, 10**4000), **ZERO)),
    "axes_beyond_64_bits": table_of(output=row([10**4000] * 14)),
    "overlap": table_of(output=row((1,), (0, 4)), other=row((2,), (0, 8))),
    "same_bytes_twice": table_of(output=row(), other=row()),
    "gap": table_of(output=row((1,), (4, 8))),
    "rest": table_of(output=row((1,), (0, 4))),
    "name_twice": blob(
        f'{{"output":{json.dumps(row())},"output":{json.dumps(row())}}}'.encode(), bytes(8)
    ),
    "name_twice_escaped": blob(
        f'{{"output":{json.dumps(row())},"\\u006futput":{json.dumps(row())}}}'.encode(), bytes(8)
    ),
    "key_twice": blob(
        b'{"output":{"dtype":"F32","shape":[3],"shape":[2],"data_offsets":[0,8]}}', bytes(8)
    ),
    "another_key": table_of(output=row(strides=[4])),
    "row_is_list": table_of(output=["F32", [2], [0, 8]]),
    "dtype_is_list": table_of(output={**row(), "dtype": ["F32"]}),
    "three_offsets": table_of(output=row(offsets=(0, 4, 8))),
    "true_axis": table_of(output=row((True, 2))),
    "list": blob(b"[]", bytes(8)),
    "deep": blob(b'{"output":' + b"[" * 30_000 + b"]" * 30_000 + b"}", bytes(8)),
    "huge_numbers": blob(
        b'{"output":{"dtype":"F32","shape":[' + b"9" * 60_000 + b'],"data_offsets":[0,8]}}',
        bytes(8),
    ),
}


def decoded(meta: bytes, body: bytes) -> Frame:
    """The two halves of a frame that has come whole, of any size. Raises `FrameError`."""
    (found,) = Reader(UNBOUNDED).feed(HEADER.pack(len(meta), len(body)) + meta + body)
    return found


def agree(blob: bytes) -> None:
    """Whatever our reader of tables takes, the library's own takes, and makes the same of it."""
    try:
        _, ours = decoded(b"{}", blob)
    except FrameError:
        return
    theirs = load_tensors(blob) if blob else {}
    assert ours.keys() == theirs.keys()
    for name, tensor in ours.items():
        assert (tensor.dtype, tensor.shape) == (theirs[name].dtype, theirs[name].shape)
        assert tensor.dtype.kind == "b" or tensor.tobytes() == theirs[name].tobytes()


def held(stream: bytes, cuts: list[int]) -> int:
    """The most bytes that a reader held while the stream came in pieces."""
    reader, most, at = Reader(LIMITS), 0, 0
    try:
        for end in [*sorted(cut % (len(stream) + 1) for cut in cuts), len(stream)]:
            for _, tensors in reader.feed(stream[at:end]):
                most = max(most, sum(t.nbytes for t in tensors.values()))
            most, at = max(most, reader.pending), end
    except FrameError:
        pass
    return most


# -- strategies

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.text(max_size=20),
    st.sampled_from(
        [
            "result",
            "returned",
            "raised",
            "bad_state",
            "output",
            "float32",
            "\ud800",
            "\x1b[2J",
            "MemoryError",
            "solution.X",
            "0" * 300,
        ]
    ),
)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)
META = st.fixed_dictionaries(
    {},
    optional={
        "frame": st.one_of(st.just("result"), JSON),
        "index": st.one_of(st.just(0), JSON),
        "ended": st.one_of(st.sampled_from(["returned", "raised", "bad_state", "output"]), JSON),
        "dtypes": st.one_of(
            st.dictionaries(st.sampled_from(["output", "", "x"]), SCALARS, max_size=2), JSON
        ),
        "error": st.one_of(
            st.fixed_dictionaries(
                {}, optional=dict.fromkeys(["type", "text", "lineno", "bases", "trace"], JSON)
            ),
            JSON,
        ),
    },
)
SIZES = st.one_of(
    st.integers(-3, 70),
    st.sampled_from(
        [
            2**20,
            2**20 + 1,
            2 * 10**8,
            10**18,
            2**31,
            2**32,
            2**40,
            2**62,
            2**63 - 1,
            2**64,
            10**30,
            1.5,
            None,
            "2",
            True,
        ]
    ),
)
HEADERS = st.dictionaries(
    st.sampled_from(["output", "x", "__metadata__", "", "\udc80", "a" * 300]),
    st.one_of(
        st.fixed_dictionaries(
            {
                "dtype": st.sampled_from(
                    ["F32", "F64", "I64", "BOOL", "BF16", "F8_E4M3", "O", "", "U8", "F4"]
                ),
                "shape": st.lists(SIZES, max_size=5),
                "data_offsets": st.lists(SIZES, min_size=1, max_size=3),
            }
        ),
        JSON,
    ),
    max_size=3,
)
ARRAYS = st.sampled_from(
    [
        np.zeros(2, np.float32),
        np.full(2, np.nan, np.float32),
        np.zeros((0, 2**40), np.float32),
        np.float64(1),
        np.ones((2, 2), bool),
        np.array([np.inf, -np.inf]),
        np.full(2, 2**63, np.uint64),
        np.arange(4, dtype=np.int8),
        np.zeros((1,) * 40),
        np.float16([65504, 0]),
    ]
)


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """One or two right frames, then a few bytes changed, cut out or put in."""
    meta = {"frame": "result", "index": 0, "ended": "returned", "dtypes": {"output": "float32"}}
    stream = bytearray(encode(meta, {"output": draw(ARRAYS)}) * draw(st.integers(1, 2)))
    for _ in range(draw(st.integers(0, 6))):
        at = draw(st.integers(0, len(stream)))
        match draw(st.integers(0, 3)):
            case 0:
                stream[at : at + 1] = draw(st.binary(max_size=1))
            case 1:
                stream[at:at] = draw(st.binary(max_size=12))
            case 2:
                del stream[at : at + draw(st.integers(1, 40))]
            case _:
                stream[at : at + 8] = struct.pack(
                    "<Q",
                    draw(
                        st.sampled_from([0, 1, CAP, CAP + 1, META_BYTES, 2**32, 2**63, 2**64 - 1])
                    ),
                )
    return bytes(stream)


META_STREAMS = st.builds(
    lambda meta, body: frame(text(meta), body),
    META,
    st.sampled_from([b"", encode({}, {})[:0], b"\0" * 16]),
)
HEADER_STREAMS = st.builds(
    lambda header, body: frame(
        text({"frame": "result", "index": 0, "ended": "returned", "dtypes": {"output": "float32"}}),
        blob(header, body),
    ),
    st.one_of(HEADERS.map(text), st.binary(max_size=40)),
    st.binary(max_size=64),
)
STREAMS = {
    "bytes": st.binary(max_size=200),
    "mutated": mutated(),
    "meta": META_STREAMS,
    "tensors": HEADER_STREAMS,
}
CUTS = st.lists(st.integers(0, 2**16), max_size=4)


def varied(stream: bytes, count: int) -> Iterator[bytes]:
    """The stream itself, then others in which a few bytes are changed, cut out or put in."""
    yield stream
    draw = random.Random(stream)
    for _ in range(count - 1):
        other = bytearray(stream)
        for _ in range(draw.randint(1, 3)):
            at = draw.randint(0, len(other))
            other[at : at + draw.choice((0, 1, 8))] = draw.randbytes(draw.choice((0, 1, 8)))
        yield bytes(other)


def check(stream: bytes, cuts: list[int], of: Problem) -> None:
    """The property. Raises `AssertionError`, or whatever the judge should not have raised."""
    agree(stream)
    if len(stream) >= HEADER.size:
        meta_bytes, blob_bytes = HEADER.unpack_from(stream)
        agree(stream[HEADER.size + meta_bytes : HEADER.size + meta_bytes + blob_bytes])
    assert held(stream, cuts) <= HEADER.size + META_BYTES + CAP
    found = verdict_of(stream, of)
    assert found in PERMITTED, found


# -- for longer


def with_atheris(seconds: int) -> None:
    """Coverage-guided: libFuzzer mutates a corpus that begins with right frames."""
    import atheris

    for module in (frames, reader, decode, channel, container, outcome):
        for thing in list(vars(module).values()):
            for inner in vars(thing).values() if isinstance(thing, type) else [thing]:
                if isinstance(inner, FunctionType) and inner.__module__ == module.__name__:
                    atheris.instrument_func(inner)
    of = problem()

    def one(data: bytes) -> None:
        check(data, [len(data) // 2], of)

    folder = tempfile.mkdtemp()
    right = {"frame": "result", "index": 0, "ended": "returned", "dtypes": {"output": "float32"}}
    Path(folder, "tensor").write_bytes(encode(right, {"output": np.zeros(2, np.float32)}))
    Path(folder, "error").write_bytes(
        encode({**right, "ended": "raised", "error": {"type": "ValueError", "bases": ["x"]}}, {})
    )
    atheris.Setup(
        [sys.argv[0], f"-max_total_time={seconds}", "-max_len=4096", "-rss_limit_mb=4096", folder],
        one,
    )
    atheris.Fuzz()


def with_hypothesis(seconds: int) -> None:
    """Random: the strategies of the tests, anew until the time is over."""
    of, count, deadline = problem(), 0, time.monotonic() + seconds
    while time.monotonic() < deadline:
        for name, streams in STREAMS.items():

            @settings(
                max_examples=500,
                deadline=None,
                database=None,
                suppress_health_check=list(HealthCheck),
                phases=[Phase.generate, Phase.shrink],
            )
            @given(streams, CUTS)
            def run(stream: bytes, cuts: list[int]) -> None:
                check(stream, cuts, of)

            run()
            count += 500
            print(f"\r{count} streams, the last of kind {name}    ", end="", flush=True)
    print(f"\n{count} streams: no crash, nothing accepted, never more than the cap held")


def main(argv: list[str]) -> int:
    """`python -m tests.grader.sandbox.fuzz_intake [SECONDS]`."""
    seconds = int(argv[0]) if argv else SECONDS
    random.seed()
    try:
        import atheris  # noqa: F401
    except ImportError:
        print(
            "atheris is not installed (pip install atheris): hypothesis draws instead, without"
            " coverage"
        )
        with_hypothesis(seconds)
    else:
        with_atheris(seconds)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
