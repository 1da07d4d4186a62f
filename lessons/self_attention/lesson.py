"""Self-attention: the three projections, and the experiment behind the root of d."""

import numpy as np
from bank import self_attention
from bank import stable_softmax as softmax

# [words]
words = ["the", "dog", "ran", "until", "it", "slept"]
x = np.array(
    [
        [0.4, 0.0, 0.0, 0.4],  # the      columns: thing, action, motion, pointer
        [2.0, 0.4, 0.3, 0.0],  # dog
        [0.2, 1.8, 1.8, 0.0],  # ran
        [-0.4, -0.2, 0.0, 0.2],  # until
        [0.8, 0.2, 0.0, 2.0],  # it
        [0.6, 1.4, -1.6, 0.0],  # slept
    ]
)  # (n, E) = (6, 4)
# [end]

# [matrices]
w_q = np.array([[0.0, 1.0], [1.0, 0.0], [0.0, 0.0], [1.5, 0.5]])  # (E, D) = (4, 2)
w_k = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0], [-0.5, 0.0]])  # (E, D)
w_v = np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 1.0], [0.0, 0.0]])  # (E, Dv) = (4, 2)
# [end]
projection = {"kind": "product", "left": x, "right": w_q}

# [attention]
q, k, v = x @ w_q, x @ w_k, x @ w_v  # (n, D), (n, D), (n, Dv)
scores = q @ k.T / np.sqrt(q.shape[1])  # (n, n)
weights = softmax(scores)  # (n, n), each row sums to 1
output = weights @ v  # (n, Dv)
# [end]
q_it = q[4]
it_dog = weights[4, 1]
dog_it = weights[1, 4]

raw = softmax(x @ x.T / np.sqrt(4))  # the words compared with themselves, no matrices
raw_it_it, raw_it_dog = raw[4, 4], raw[4, 1]
two_ways = {
    "kind": "heads",
    "values": np.stack([weights, raw]),
    "rows": words,
    "columns": words,
    "names": ["with W_q and W_k", "x with x"],
    "zh": {"with W_q and W_k": "用 W_q 和 W_k", "x with x": "x 直接比 x"},
}

interest = w_q @ w_k.T  # (E, E): who asks, about what
pointer_thing = interest[3, 0]
features = ["thing", "action", "motion", "pointer"]
interest_map = {
    "kind": "heatmap",
    "values": interest,
    "rows": features,
    "columns": features,
    "zh": {"thing": "东西", "action": "动作", "motion": "动静", "pointer": "指代"},
}

# [spread]
rng = np.random.default_rng(0)
widths = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]
spread, divided = [], []
for d in widths:
    queries, keys = rng.standard_normal((2, 4000, d))  # entries of mean 0 and variance 1
    dots = (queries * keys).sum(axis=1)  # 4000 dot products
    spread.append(float(dots.std()))
    divided.append(float((dots / np.sqrt(d)).std()))
# [end]
spread_four, spread_last, divided_last = spread[2], spread[-1], divided[-1]
last_width = widths[-1]
spreads = {
    "kind": "curve",
    "x": widths,
    "lines": {"q · k": spread, "q · k / √d": divided},
    "log": True,
    "x_name": "d",
    "y_name": "spread",
    "zh": {"spread": "标准差"},
}

# [hard]
largest = {"q · k": [], "q · k / √d": [], "q · k / d": []}
slopes = {"q · k": [], "q · k / √d": []}
for d in widths:
    queries, keys = rng.standard_normal((50, d)), rng.standard_normal((32, d))  # 32 keys each
    for name, divisor in (("q · k", 1.0), ("q · k / √d", np.sqrt(d)), ("q · k / d", d)):
        top = softmax(queries @ keys.T / divisor).max(axis=1)  # (50,)
        largest[name].append(float(top.mean()))
        if name in slopes:
            slopes[name].append(float((top * (1 - top)).mean()))
# [end]
top_plain, top_root, top_d = (line[-1] for line in largest.values())
slope_plain, slope_root = (line[-1] for line in slopes.values())
even = 1 / 32
hardness = {
    "kind": "curve",
    "x": widths,
    "lines": largest,
    "log": True,
    "x_name": "d",
    "y_name": "largest weight",
    "zh": {"largest weight": "最大的权重"},
}

# [order]
shuffle = np.array([5, 2, 0, 4, 1, 3])
output_shuffled, _ = self_attention(x[shuffle], w_q, w_k, w_v)
order_difference = np.abs(output_shuffled - output[shuffle]).max()
# [end]
