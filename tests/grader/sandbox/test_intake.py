"""The wire: what goes in comes out, and what a hostile program may write is refused within the
caps.
"""

import contextlib
import json
import struct
import threading
import time
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from safetensors.numpy import load

from grader.case import Case
from grader.inside.frames import (
    DTYPES,
    HEADER,
    META_BYTES,
    FrameError,
    FrameLimits,
    decode,
    encode,
    unfit,
)
from grader.model import Ended, Framework, Kind, Limits, Outcome, Phase
from grader.problem import Entry, Parameter, Problem
from grader.sandbox.intake import decode as replies
from grader.sandbox.intake.decode import NAMES, TEXT_CHARS
from grader.sandbox.intake.reader import FrameTooLarge, Reader
from grader.sandbox.job import KEPT_BYTES, Job, asked
from tests.grader.sandbox.fuzz_intake import (
    CAP,
    CUTS,
    LIMITS,
    STREAMS,
    TABLES,
    blob,
    check,
    decoded,
    frame,
    problem,
    row,
    varied,
    verdict_of,
)

EACH = 3  # streams made of each that is drawn: to draw one takes longer than to check it
EXAMPLES = {"bytes": 2500, "mutated": 4000, "meta": 2500, "tensors": 2500}
RESULT = {"frame": "result", "index": 0, "ended": "returned", "dtypes": {"output": "float32"}}


@pytest.fixture(scope="module")
def attention() -> Problem:
    return problem()


def test_there_are_ten_thousand_streams() -> None:
    assert sum(EXAMPLES.values()) >= 10_000
    assert set(EXAMPLES) == set(STREAMS)


@pytest.mark.slow
@pytest.mark.parametrize("kind", STREAMS)
def test_any_stream_ends_in_a_verdict(kind: str, attention: Problem) -> None:
    @settings(
        max_examples=EXAMPLES[kind] // EACH,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(STREAMS[kind], CUTS)
    def run(stream: bytes, cuts: list[int]) -> None:
        for each in varied(stream, EACH):
            check(each, cuts, attention)

    run()


@settings(max_examples=300, derandomize=True)
@given(
    st.dictionaries(
        st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8).filter(
            lambda n: n != "__metadata__"
        ),
        st.sampled_from(sorted(DTYPES)),
        max_size=3,
    ),
    st.data(),
    CUTS,
)
def test_a_frame_comes_back_as_it_was(
    names: dict[str, str], data: st.DataObject, cuts: list[int]
) -> None:
    shapes = arrays.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4)
    tensors = {
        name: data.draw(arrays.arrays(np.dtype(dtype), shapes)) for name, dtype in names.items()
    }
    stream = encode({"index": 3, "text": "é\ud800"}, tensors)
    reader, found, at = Reader(FrameLimits(CAP)), [], 0
    for end in [*sorted(cut % (len(stream) + 1) for cut in cuts), len(stream)]:
        found += reader.feed(stream[at:end])
        at = end
    ((meta, back),) = found
    assert meta == {"index": 3, "text": "é\ud800"}
    assert set(back) == set(tensors)
    assert all(
        back[n].dtype == t.dtype and back[n].shape == t.shape and back[n].tobytes() == t.tobytes()
        for n, t in tensors.items()
    )
    assert reader.pending == 0
    text, size = HEADER.unpack_from(stream)
    theirs = load(stream[HEADER.size + text :]) if size else {}
    inside = decode(stream[HEADER.size : HEADER.size + text], stream[HEADER.size + text :])[1]
    for read in (theirs, inside):  # by the library, and in the room
        assert {n: (t.dtype, t.shape, t.tobytes()) for n, t in read.items()} == {
            n: (t.dtype, t.shape, t.tobytes()) for n, t in tensors.items()
        }


TOO_LARGE = {
    "meta": HEADER.pack(META_BYTES + 1, 0),
    "meta_4_gib": HEADER.pack(2**32 - 1, 0),
    "blob": HEADER.pack(2, CAP + 1),
    "blob_16_eib": HEADER.pack(2, 2**64 - 1),
    "second_frame": frame(b"{}", b"") + HEADER.pack(2, CAP + 1),
}


@pytest.mark.parametrize("name", TOO_LARGE)
def test_a_length_beyond_the_cap_is_refused_before_it_is_read(
    name: str, attention: Problem
) -> None:
    with pytest.raises(FrameTooLarge):
        list(Reader(LIMITS).feed(TOO_LARGE[name]))
    ended_before = name == "second_frame"  # one frame is due: whatever follows it is not looked at
    assert verdict_of(TOO_LARGE[name], attention) is (
        Outcome.WRONG_ANSWER if ended_before else Outcome.OUTPUT_LIMIT
    )


def header(**fields: object) -> bytes:
    return blob(
        json.dumps(
            {"output": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8], **fields}}
        ).encode(),
        bytes(8),
    )


NOT_FRAMES = {
    "empty_meta": (b"", b""),
    "list": (b"[]", b""),
    "number": (b"7", b""),
    "null": (b"null", b""),
    "not_json": (b"{'a': 1}", b""),
    "not_utf8": (b'{"a": "\xff\xfe"}', b""),
    "deep": (b'{"a":' + b"[" * 50_000 + b"]" * 50_000 + b"}", b""),
    "huge_number": (b'{"a": ' + b"9" * 100_000 + b"}", b""),
    "trailing": (b"{} {}", b""),
    "short_blob": (b"{}", b"\0" * 7),
    "header_beyond_blob": (b"{}", struct.pack("<Q", 2**63)),
    "shape_too_large": (b"{}", header(shape=[2**40])),
    "shape_overflows": (b"{}", header(shape=[2**62, 2**62])),
    "shape_negative": (b"{}", header(shape=[-2])),
    "shape_fraction": (b"{}", header(shape=[2.0])),
    "shape_nan": (b"{}", header(shape=[float("nan")])),
    "shape_of_text": (b"{}", header(shape=["2"])),
    "too_many_dimensions": (b"{}", header(shape=[1] * 65 + [2])),
    "offsets_reversed": (b"{}", header(data_offsets=[8, 0])),
    "offsets_beyond": (b"{}", header(data_offsets=[0, 2**40])),
    "offsets_gap": (b"{}", header(data_offsets=[4, 8], shape=[1])),
    "object_dtype": (b"{}", header(dtype="O")),
    "bfloat16": (b"{}", header(dtype="BF16", shape=[4])),
    "float8": (b"{}", header(dtype="F8_E4M3", shape=[8])),
    "unknown_dtype": (b"{}", header(dtype="F128")),
    "half_a_character": (
        b"{}",
        blob(b'{"\\udc80": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}', bytes(8)),
    ),
    "pickle": (b"{}", b"\x80\x04\x95\x10\0\0\0\0\0\0\0\x8c\x05posix\x94"),
}


@pytest.mark.parametrize("name", NOT_FRAMES)
def test_what_is_no_frame_is_a_wrong_answer(name: str, attention: Problem) -> None:
    meta, body = NOT_FRAMES[name]
    with pytest.raises(FrameError):
        decoded(meta, body)
    assert (
        verdict_of(
            frame(json.dumps(RESULT).encode() if meta == b"{}" else meta, body)[: 1 << 16],
            attention,
        )
        is not Outcome.ACCEPTED
    )


ROOMY = FrameLimits(64 << 20, names=frozenset(["output", "other", *(f"t{i}" for i in range(62))]))


def million_tensors() -> bytes:
    """62 MiB of table: a million tensors without entries."""
    entry = '{"dtype":"F32","shape":[0],"data_offsets":[0,0]}'
    return blob("{{{}}}".format(",".join(f'"{i}":{entry}' for i in range(1_100_000))).encode(), b"")


def refused(stream: bytes, limits: FrameLimits = ROOMY) -> tuple[int, float]:
    """Bytes allocated at most, and seconds of CPU, until a stream that comes piece by piece is refused."""
    reader = Reader(limits)
    tracemalloc.start()
    started = time.thread_time()
    try:
        with pytest.raises(FrameError) as error:
            for at in range(0, len(stream), 1 << 16):
                assert list(reader.feed(stream[at : at + (1 << 16)])) == []
        assert not isinstance(error.value, FrameTooLarge)
        return tracemalloc.get_traced_memory()[1], time.thread_time() - started
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", TABLES)
def test_a_table_that_no_honest_program_sends(name: str, attention: Problem) -> None:
    stream = frame(json.dumps(RESULT).encode(), TABLES[name])
    allocated, seconds = refused(stream)
    assert allocated < 4 << 20
    assert seconds < 2
    assert verdict_of(stream, attention) is Outcome.WRONG_ANSWER


def test_a_million_tensors_are_refused_by_the_length_of_their_table() -> None:
    allocated, seconds = refused(frame(b"{}", million_tensors()))
    assert allocated < 1 << 20
    assert seconds < 2


def test_a_table_is_refused_before_its_bytes_arrive() -> None:
    table = json.dumps(
        {"output": row((2 << 20,), (0, 8 << 20)), "another": row((0,), (0, 0))}
    ).encode()
    begun = (
        HEADER.pack(2, 8 + len(table) + (8 << 20)) + b"{}" + struct.pack("<Q", len(table)) + table
    )
    with pytest.raises(FrameError, match="'another' was not asked for"):
        list(Reader(ROOMY).feed(begun))


LARGEST = {f"t{i}": np.full((62 << 20) // 62 // 4, i, np.float32) for i in range(62)}


def test_the_largest_frame_that_is_taken_lets_other_threads_go_on() -> None:
    """The time for which nothing else could run, the least of some attempts: the machine may be
    busy with other things.
    """
    stream = encode(RESULT, LARGEST)
    longest: list[float] = []
    while len(longest) < 60 and min(longest, default=1.0) >= 0.04:
        gaps, done = [0.0], threading.Event()
        watch = threading.Thread(target=ticks, args=(gaps, done))
        watch.start()
        reader, found = Reader(ROOMY), []
        for at in range(0, len(stream), 1 << 18):
            found += reader.feed(stream[at : at + (1 << 18)])
        done.set()
        watch.join()
        longest.append(max(gaps))
        ((_, tensors),) = found
        assert sum(tensor.nbytes for tensor in tensors.values()) > 60 << 20
    assert min(longest) < 0.04


def ticks(gaps: list[float], done: threading.Event) -> None:
    """Note how long each turn of a thread that only sleeps has to wait."""
    before = time.perf_counter()
    while not done.is_set():
        time.sleep(0.0005)
        now = time.perf_counter()
        gaps.append(now - before)
        before = now


def test_the_largest_frame_is_held_once() -> None:
    stream = encode(RESULT, LARGEST)
    reader = Reader(ROOMY)
    tracemalloc.start()
    try:
        found = [
            each
            for at in range(0, len(stream), 1 << 18)
            for each in reader.feed(stream[at : at + (1 << 18)])
        ]
        held, most = tracemalloc.get_traced_memory()
        assert len(found) == 1
        assert held < 1.1 * len(stream)
        assert most < 1.1 * len(stream)
    finally:
        tracemalloc.stop()


METAS = {
    "lists": b'{"a":[' + b"[]," * (META_BYTES // 3 - 4) + b"[]]}",
    "objects": b'{"a":[' + b"{}," * (META_BYTES // 3 - 4) + b"{}]}",
    "numbers": b'{"a":[' + b"1e9," * (META_BYTES // 4 - 4) + b"1]}",
    "names": b"{" + b",".join(b'"%x":0' % i for i in range(META_BYTES // 10)) + b"}",
    "deep": b'{"a":' + b"[" * (META_BYTES // 2 - 4) + b"]" * (META_BYTES // 2 - 4) + b"}",
}


@pytest.mark.parametrize("name", METAS)
def test_the_largest_meta_is_read_in_no_time(name: str) -> None:
    meta = METAS[name]
    assert META_BYTES * 0.8 < len(meta) <= META_BYTES
    seconds = []
    for _ in range(3):
        started = time.thread_time()
        with contextlib.suppress(FrameError):
            list(Reader(FrameLimits(0)).feed(frame(meta, b"")))
        seconds.append(time.thread_time() - started)
    assert min(seconds) < 0.2


def test_a_byte_that_is_neither_true_nor_false_is_true() -> None:
    lies = blob(json.dumps({"output": row((3,), (0, 3), "BOOL")}).encode(), b"\0\1\xff")
    _, tensors = decoded(b"{}", lies)
    assert tensors["output"].tobytes() == b"\0\1\1"


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        ((), ""),
        ((1,) * 16, ""),
        ((0, 3), ""),
        ((2, 0, 1 << 19), ""),
        ((1 << 30,), ""),
        ((1,) * 17, "too_many_axes"),
        ((2, 0, (1 << 19) + 1), "empty_too_large"),
        ((10**18, 0), "empty_too_large"),
    ],
    ids=str,
)
def test_shapes_that_no_answer_has(shape: tuple[int, ...], words: str) -> None:
    assert unfit(shape) == words


def test_what_is_said_of_types_is_short_and_of_wanted_tensors_only() -> None:
    told_of = {**RESULT, "dtypes": {"output": "\U0010ffff" * 500, "n" * 5000: "float32"}}
    run = replies.run_from(told_of, {}, "one", Phase.CALL, 0, ["output", "weights"])
    assert set(run.dtypes) == {"output"}
    assert len(run.dtypes["output"]) == replies.DTYPE_CHARS


def test_names_of_a_failure_are_short() -> None:
    run = replies.run_from(
        {
            "frame": "not_loaded",
            "error": {"type": "missing", "text": "f", "bases": ["\u202e" * 5000] * 5000},
        },
        {},
        "",
        Phase.IMPORT,
        -1,
    )
    assert run.error is not None
    assert [len(name) for name in run.error.bases] == [80] * 10
    forbidden = {
        "frame": "forbidden",
        "error": {"type": "forbidden", "text": "a." * 5000, "lineno": 1},
    }
    run = replies.run_from(forbidden, {}, "", Phase.IMPORT, -1)
    assert run.error is not None and len(run.error.text) == 80


@pytest.mark.parametrize("name", [n for n, (meta, _) in NOT_FRAMES.items() if meta == b"{}"])
def test_tensors_that_lie_take_no_memory(name: str) -> None:
    meta, body = NOT_FRAMES[name]
    tracemalloc.start()
    try:
        with pytest.raises(FrameError):
            decoded(meta, body)
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


def test_two_frames_where_one_is_due_are_garbled(attention: Problem) -> None:
    right = encode(RESULT, {"output": np.array([0.25, -7.5], np.float32)})
    assert verdict_of(right * 2, attention) is Outcome.WRONG_ANSWER


def test_the_fuzzer_can_see_an_accepted_answer(attention: Problem) -> None:
    right = encode(RESULT, {"output": np.array([0.25, -7.5], np.float32)})
    assert verdict_of(right, attention) is Outcome.ACCEPTED


DUE = {
    "other_index": {**RESULT, "index": 1},
    "index_true": {**RESULT, "index": True},
    "index_float": {**RESULT, "index": 0.0},
    "no_index": {k: v for k, v in RESULT.items() if k != "index"},
    "other_frame": {**RESULT, "frame": "loaded"},
    "frame_list": {**RESULT, "frame": ["result"]},
    "ended_unknown": {**RESULT, "ended": "accepted"},
    "ended_list": {**RESULT, "ended": ["returned"]},
    "dtypes_list": {**RESULT, "dtypes": ["float32"]},
}


@pytest.mark.parametrize("name", DUE)
def test_a_frame_that_was_not_due_is_garbled(name: str) -> None:
    assert replies.run_from(DUE[name], {}, "one", Phase.CALL, 0).ended is Ended.GARBLED


@pytest.mark.parametrize(
    "kind", [None, 7, [], {}, ["loaded"], {"loaded": 1}, "result", "done", True], ids=repr
)
def test_loading_ends_in_one_of_three_ways(kind: object) -> None:
    assert replies.run_from({"frame": kind}, {}, "one", Phase.IMPORT, 0).ended is Ended.GARBLED


NEST: object = "deep"
for _ in range(600):
    NEST = [NEST]


@pytest.mark.parametrize(
    "thing",
    [None, 7, 1e308, [1], {"a": 1}, NEST, True, ["x"] * 10_000],
    ids=["null", "int", "float", "list", "dict", "nest", "bool", "long"],
)
def test_an_error_takes_its_shape_whatever_it_is(thing: object) -> None:
    for found in (
        replies.failure(thing),
        replies.failure(dict.fromkeys(["type", "text", "lineno", "bases", "trace"], thing)),
    ):
        assert all(
            type(field) is str and len(field) <= TEXT_CHARS
            for field in (found.type, found.text, found.trace, *found.bases)
        )
        assert found.lineno is None or found.lineno == 7
        assert len(found.bases) <= NAMES


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\ttext\n", "plain\ttext\n"),
        ("\x1b[31m", "\\x1b[31m"),
        ("\r\b\x07\x00", "\\r\\x08\\x07\\x00"),
        ("\x9b2J", "\\x9b2J"),
        ("\u202e\u2066\u200f", "\\u202e\\u2066\\u200f"),
        ("\u2028\u2029", "\\u2028\\u2029"),
        ("\ud800\udc80", "\\ud800\\udc80"),
        ("\ufeff\u200b\u00ad", "\\ufeff\\u200b\\xad"),
        ("\uffff\U0010ffff", "\\uffff\\U0010ffff"),
        ("\ue000\U000e0041", "\\ue000\\U000e0041"),
        ("中文 é ∑ 🙂", "中文 é ∑ 🙂"),
        ("<b>&amp;", "<b>&amp;"),
    ],
    ids=(
        "plain escape bell c1 bidi lines surrogates invisible nonchars private letters markup".split()
    ),
)
def test_text_from_the_room_is_made_visible(text: str, shown: str) -> None:
    assert replies.clean(text) == shown


def test_a_small_question_is_encoded_once_for_all_submissions() -> None:
    entry = Entry("attention", (Parameter("q", True),), ("output",))
    small, large = (
        Case("small", inputs={"q": np.ones(3)}),
        Case("large", inputs={"q": np.ones(KEPT_BYTES)}),
    )
    job = Job(
        "one source", Framework.NUMPY, Kind.FUNCTION, (entry,), (small, large), Limits(), frames={}
    )
    other = replace(job, source="another", seed=7)
    frames = [asked(job, i, case) for i, case in enumerate(job.cases)]
    assert asked(other, 0, small) is frames[0]
    assert asked(replace(other, frames=None), 0, small) == frames[0]
    assert asked(other, 1, small) != frames[0]  # the index is in the frame
    assert asked(other, 1, large) == frames[1]
    assert set(job.frames or {}) == {(0, "small"), (1, "small")}
