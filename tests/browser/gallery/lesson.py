import numpy as np
from bank import scaled_dot_product_attention

rng = np.random.default_rng(1)
tokens = ["the", "cat", "sat", "down"]
x = rng.normal(size=(4, 6))

# [call]
output, weights = scaled_dot_product_attention(x, x, x)
# [end]
per_head = np.stack([scaled_dot_product_attention(x * s, x, x)[1] for s in (0.5, 2.0)])

largest = weights.max()
sums = weights.sum(axis=-1)
sides = {"rows": tokens, "columns": tokens}
heat = {"kind": "heatmap", "values": weights, **sides}
heads = {
    "kind": "heads",
    "values": per_head,
    "names": ["flat", "sharp"],
    **sides,
    "zh": {"flat": "平缓", "sharp": "尖锐"},
}
plane = {
    "kind": "vectors",
    "vectors": {"cat": [2.0, 1.0], "dog": [1.5, 1.5], "car": [-1.0, 2.0]},
    "compare": ["cat", "dog"],
}
bars = {
    "kind": "softmax",
    "scores": [1.0, 2.0, 3.0, 0.5],
    "labels": tokens,
    "scale": 1.0,
    "most": 8.0,
}
paint = {"kind": "mask", "scores": (x @ x.T).round(2), "mask": np.tri(4, dtype=bool), **sides}
product = {"kind": "product", "left": [[1, 2, 0], [0, 1, -1]], "right": [[1, 0], [2, 1], [0, 3]]}
n = np.array([16, 64, 256, 1024])
cost = {
    "kind": "curve",
    "x": n,
    "lines": {"scores": n**2, "linear": n * 64},
    "log": True,
    "x_name": "tokens",
    "y_name": "numbers",
    "zh": {"tokens": "词元数"},
}
