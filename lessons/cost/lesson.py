"""The cost of attention: n squared, linear attention, online softmax and blocks."""

import numpy as np
from bank import attention_cost as attention_flops
from bank import flash_attention, linear_attention, online_softmax, scaled_dot_product_attention

# [count]
d, E = 64, 768  # the width of a head, and of the model: 12 heads
lengths = [2**p for p in range(7, 18)]  # 128 to 131072
attention = [12 * attention_flops(n, d) for n in lengths]  # scores, softmax, weighted sums
projections = [4 * 2 * n * E * E for n in lengths]  # W_q, W_k, W_v and W_o
# [end]
work = {
    "kind": "curve",
    "x": lengths,
    "lines": {
        "attention": [float(a) for a in attention],
        "four projections": [float(p) for p in projections],
    },
    "log": True,
    "x_name": "n",
    "y_name": "operations",
    "zh": {"attention": "注意力", "four projections": "四个投影", "operations": "运算次数"},
}
doubling = attention[-1] / attention[-2]
crossing = next(n for n, a, p in zip(lengths, attention, projections, strict=True) if a > p)
scores_gib = 65536**2 * 4 / 2**30  # one table of scores, float32

# [order]
rng = np.random.default_rng(0)
phi_q, phi_k = rng.random((2, 6, 2))  # (n, r): features, never negative
v = rng.standard_normal((6, 2))  # (n, dv)
table_first = (phi_q @ phi_k.T) @ v  # (n, n) in the middle
summary_first = phi_q @ (phi_k.T @ v)  # (r, dv) in the middle
# [end]
order_difference = np.abs(table_first - summary_first).max()
summary = {"kind": "product", "left": phi_k.T.round(2), "right": v.round(2)}


# [linear]
def feature(x):
    """elu(x) + 1, never negative."""
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))


n, width = 16, 8
keys = rng.standard_normal((n, width))
values = rng.standard_normal((n, width))
queries = 4 * keys  # each query looks for one key, loudly
likeness = feature(queries) @ feature(keys).T
linear_weights = likeness / likeness.sum(axis=1, keepdims=True)
exact, exact_weights = scaled_dot_product_attention(queries, keys, values)
linear = linear_attention(queries[None], keys[None], values[None])[0]
# [end]
linear_agrees = np.abs(linear_weights @ values - linear).max()
exact_own = exact_weights.diagonal().mean()
linear_own = linear_weights.diagonal().mean()
even = 1 / n
sharpness = {
    "kind": "heads",
    "values": np.stack([exact_weights, linear_weights]),
    "rows": [str(i) for i in range(n)],
    "columns": [str(i) for i in range(n)],
    "names": ["softmax", "linear"],
    "zh": {"linear": "线性"},
}

# [online]
first, second = np.array([1.0, 3.0]), np.array([5.0, 2.0])  # scores come in two blocks
m1 = first.max()
l1 = np.exp(first - m1).sum()  # the sum, relative to m1
m2 = max(m1, second.max())
l2 = l1 * np.exp(m1 - m2) + np.exp(second - m2).sum()  # the old sum made relative to m2
# [end]
everything = np.concatenate([first, second])
l_all = np.exp(everything - everything.max()).sum()
correction = np.exp(m1 - m2)
online_difference = np.abs(online_softmax([first, second]) - np.exp(everything - m2) / l_all).max()

# [flash]
long_q, long_k, long_v = rng.standard_normal((3, 1009, 64))
whole, _ = scaled_dot_product_attention(long_q, long_k, long_v)
blocks = flash_attention(long_q, long_k, long_v, block_size=128)
flash_difference = np.abs(whole - blocks).max()
# [end]
table_numbers = 1009 * 1009
block_numbers = 1009 * 128
memory = {
    "kind": "curve",
    "x": lengths,
    "lines": {
        "table of scores": [n * n * 4 / 2**20 for n in lengths],
        "blocks of 128": [n * 128 * 4 / 2**20 for n in lengths],
        "linear attention": [64 * 64 * 4 / 2**20 for n in lengths],
    },
    "log": True,
    "x_name": "n",
    "y_name": "MiB",
    "zh": {
        "table of scores": "分数表",
        "blocks of 128": "每块 128 个键",
        "linear attention": "线性注意力",
    },
}
