import numpy as np
from bank import causal_mask, scaled_dot_product_attention

rng = np.random.default_rng(5)
tokens = ["the", "cat", "sat", "down"]
x = rng.normal(size=(4, 8)).astype(np.float32)

scores = x @ x.T / np.sqrt(8)
visible = causal_mask(4)

# [mask]
hidden = np.where(visible, scores, -np.inf)
exp = np.exp(hidden - hidden.max(axis=-1, keepdims=True))
weights = exp / exp.sum(axis=-1, keepdims=True)
# [end]

without = scaled_dot_product_attention(x, x, x)[1]
future = float(without[1, 2:].sum())
kept = int(visible.sum())
row = weights[1].round(2)

before = {
    "kind": "heatmap",
    "values": without,
    "rows": tokens,
    "columns": tokens,
    "low": 0,
    "high": 1,
}
paint = {
    "kind": "mask",
    "scores": scores.round(2),
    "mask": visible,
    "rows": tokens,
    "columns": tokens,
}
