"""Frames as the room writes them: the same bytes in parts, and large tensors as they lie."""

import numpy as np
import pytest

from grader.inside.frames import HEADER, LARGE_BYTES, decode, encode, parts

SIDE = 2 * LARGE_BYTES
WHOLE = np.arange(SIDE, dtype=np.float32)
TENSORS = {
    "large": WHOLE,
    "small": np.arange(6.0).reshape(2, 3),
    "turned": np.arange(4 * SIDE, dtype=np.int64).reshape(4, SIDE).T,
    "backwards": WHOLE[::-1],
    "flags": np.ones((3, SIDE), bool),
    "halves": np.zeros(SIDE, np.float16),
    "empty": np.zeros((0, 7)),
    "one": np.array(3, np.int8),
}


@pytest.mark.parametrize("names", [(), ("small",), ("large",), tuple(TENSORS)], ids=len)
def test_a_frame_comes_back_as_it_was_sent(names: tuple[str, ...]) -> None:
    sent = {name: TENSORS[name] for name in names}
    frame = b"".join(parts({"index": 3}, sent))
    assert frame == encode({"index": 3}, sent)
    text, blob = HEADER.unpack_from(frame)
    assert len(frame) == HEADER.size + text + blob
    meta, found = decode(frame[HEADER.size :][:text], frame[HEADER.size + text :])
    assert (meta, set(found)) == ({"index": 3}, set(sent))
    for name, tensor in sent.items():
        np.testing.assert_array_equal(found[name], tensor)
        assert found[name].dtype == tensor.dtype


def test_a_large_tensor_is_not_copied_to_be_sent() -> None:
    tensor = np.zeros(LARGE_BYTES, np.uint8)
    _, sent, _ = parts({}, {"a": tensor})
    assert np.shares_memory(np.frombuffer(sent, np.uint8), tensor)
