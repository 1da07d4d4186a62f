"""Warms up an interpreter: runs one small submission, from frame to frame. Runs inside the room
only.

The zygote warms up once, since first uses are slow and some read /proc. Every child warms up again
while it waits for its submission: a clone shares its parent's pages until it writes to them, and
copying them now takes milliseconds off the verdict.
"""

from typing import Any

import numpy as np

from grader.inside import child, frames
from grader.inside.call import call

ENTRY = {
    "name": "attention",
    "params": [("q", True), ("k", True), ("mask", False)],
    "init": [],
    "returns": ["output", "weights"],
}
CASE = {
    "layout": {},
    "nested": {},
    "options": {},
    "draws": 0,
    "then": "",
    "init": {},
    "train": False,
}
SOURCES = {
    "numpy": """
import numpy as np

def attention(q, k, mask=None):
    scores = np.einsum("...ld,...sd->...ls", q, k) + q @ np.swapaxes(k, -2, -1)
    scores = np.where(mask, scores / np.sqrt(q.shape[-1]), -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    np.maximum(np.cumsum(weights, axis=-1), 0.5).reshape(-1).copy()
    return weights @ k, weights
""",
    "torch": """
import math
import torch
import torch.nn.functional as F

def attention(q, k, mask=None):
    scores = torch.einsum("...ld,...sd->...ls", q, k) + q @ k.transpose(-2, -1)
    scores = (scores / math.sqrt(q.size(-1))).masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    weights = torch.exp(scores - scores.amax(-1, keepdim=True)) / 2 + F.elu(weights).cumsum(-1) / 2
    return weights @ k, weights
""",
}


def warm_up(framework: str, rounds: int = 1) -> None:
    """Parse, check, load, call with gradients, encode and decode; then forget all of it."""
    source = SOURCES[framework]
    rules = {"forbid": [], "imports": True}
    setup = {
        "source": source,
        "framework": framework,
        "kind": "function",
        "names": ["attention"],
        "classes": {},
        "driver": "",
        "rules": rules,
        "seed": 1,
    }
    q, k = (
        np.linspace(-1, 1, 24, dtype=np.float32).reshape(2, 3, 4),
        np.linspace(1, -1, 24, dtype=np.float32).reshape(2, 3, 4),
    )
    tensors = {"inputs.q": q, "inputs.k": k, "inputs.mask": np.tril(np.ones((3, 3), bool))}
    wants = (
        ["output", "weights", "grad.q"]
        if framework == "torch"
        else ["output", "weights", "after.q"]
    )
    question: dict[str, Any] = {
        "index": 0,
        "salt": 1,
        "case": CASE,
        "entry": ENTRY,
        "returns": ENTRY["returns"],
        "wants": wants,
        "nested": [],
    }
    _, namespace = child.load(setup)
    for _ in range(rounds):
        child.seed_all(1)
        frame = frames.encode(question, tensors)
        text = frames.HEADER.size + frames.HEADER.unpack_from(frame)[0]
        meta, arrays = frames.decode(frame[frames.HEADER.size : text], frame[text:])
        answer, results = call(namespace, setup, meta, arrays)
        frames.encode({"frame": "result", "index": 0, **answer}, results)
    if answer["ended"] != "returned":
        raise RuntimeError(f"the warm-up failed: {answer}")
    child.forget()
