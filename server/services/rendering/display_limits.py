"""Bounds what is stored with a submission for its page: the numbers of its samples, and what it
printed.

A page is made from this each time it is read, so a submission must not decide how large it is.
"""

import json
from typing import Any

MOST_BYTES = 512 << 10  # of JSON
MOST_PRINTED = 16 << 10  # characters of one sample
GROUPS = ("inputs", "expected", "got", "difference")

Json = dict[str, Any]


def within(shown: Json, most: int = MOST_BYTES) -> Json:
    """The same, in at most `most` bytes: tensors lose their data, the largest first, and each
    sample says which (`left_out`).

    What is still too large without them keeps nothing but the notes of the problem's cases.
    """
    for sample in shown["samples"]:
        if len(sample["printed"]) > MOST_PRINTED:
            sample["printed"] = (
                f"{sample['printed'][:MOST_PRINTED]}\n… ({len(sample['printed']):,} characters in"
                " all)"
            )
    size = _bytes(shown)
    if size <= most:
        return shown
    for bytes_, sample, group, name in sorted(_tensors(shown), key=lambda tensor: -tensor[0]):
        if size <= most:
            break
        del sample[group][name]["data"]
        sample.setdefault("left_out", []).append(f"{group}: {name}"[:80])
        size -= bytes_
    return shown if _bytes(shown) <= most else {"notes": shown["notes"], "samples": []}


def _tensors(shown: Json) -> list[tuple[int, Json, str, str]]:
    return [
        (_bytes(tensor["data"]), sample, group, name)
        for sample in shown["samples"]
        for group in GROUPS
        for name, tensor in sample[group].items()
        if "data" in tensor
    ]


def _bytes(value: Any) -> int:
    return len(json.dumps(value))
