"""Order: what a shuffle changes; waves, relative biases, rotation and ALiBi."""

import numpy as np
from bank import alibi as alibi_bias
from bank import rotary_embedding as apply_rope
from bank import self_attention, sinusoidal_positions
from bank import stable_softmax as softmax

rng = np.random.default_rng(0)

# [shuffle]
x = rng.standard_normal((3, 4))  # dog, bites, man
w_q, w_k, w_v = rng.standard_normal((3, 4, 4))
output, _ = self_attention(x, w_q, w_k, w_v)
turned, _ = self_attention(x[::-1], w_q, w_k, w_v)  # man, bites, dog
same = np.abs(turned[::-1] - output).max()
# [end]

# [waves]
n, width = 64, 32
waves = sinusoidal_positions(n, width)  # (n, E): one row for each position
places = sinusoidal_positions(3, 4)  # for the three words
with_order, _ = self_attention(x + places, w_q, w_k, w_v)
turned_order, _ = self_attention(x[::-1] + places, w_q, w_k, w_v)
different = np.abs(turned_order[::-1] - with_order).max()
# [end]
hands = {
    "kind": "curve",
    "x": list(range(32)),
    "lines": {
        "sin, i = 0": waves[:32, 0].tolist(),
        "sin, i = 4": waves[:32, 8].tolist(),
        "sin, i = 8": waves[:32, 16].tolist(),
    },
    "log": False,
    "x_name": "position",
    "y_name": "value",
    "zh": {"position": "位置", "value": "数值"},
}
near = waves[10] @ waves[11]
far = waves[10] @ waves[30]
near_later = waves[40] @ waves[41]

# [relative]
m = 2  # distances beyond 2 are not told apart
bias_table = np.array([-1.0, 0.5, 0.0, -2.0, -2.0])  # 2 m + 1 numbers; here one head
i, j = np.arange(6)[:, None], np.arange(6)[None, :]
bias = bias_table[np.clip(j - i, -m, m) + m]  # (n, n)
# [end]
words = ["the", "dog", "ran", "until", "it", "slept"]
before_weights = softmax(np.zeros((6, 6)) + bias)
relative_map = {"kind": "heatmap", "values": bias, "rows": words, "columns": words}
previous_share, self_share = before_weights[3, 2], before_weights[3, 3]


# [turn]
def turn(arrow, position, speed=0.5):
    """An arrow of two numbers, turned by position * speed radians."""
    angle = position * speed
    c, s = np.cos(angle), np.sin(angle)
    return np.array([arrow[0] * c - arrow[1] * s, arrow[0] * s + arrow[1] * c])


q, k = np.array([2.0, 0.5]), np.array([1.5, 1.0])
score_near = turn(q, 3) @ turn(k, 1)  # positions 3 and 1
score_later = turn(q, 103) @ turn(k, 101)  # the same distance, a hundred further on
score_other = turn(q, 3) @ turn(k, 0)  # another distance
# [end]
length_before, length_after = np.linalg.norm(q), np.linalg.norm(turn(q, 3))
arrows = {
    "kind": "vectors",
    "vectors": {
        **{f"q, p = {p}": turn(q, p).tolist() for p in (0, 1, 2, 3)},
        "k, p = 1": turn(k, 1).tolist(),
    },
    "compare": ["q, p = 3", "k, p = 1"],
}

# [distance]
D = 64
one = np.ones((1, 1, 128, D))  # the same query and key everywhere, at 128 positions
rotated = apply_rope(one, np.arange(128))[0, 0]  # (128, D)
by_distance = rotated @ rotated[0] / D  # the score at distances 0, 1, 2, …
shifted = rotated[50:] @ rotated[50] / D
# [end]
shift_difference = np.abs(shifted - by_distance[:78]).max()
at_zero, at_four, at_sixty = by_distance[0], by_distance[4], by_distance[60]
fading = {
    "kind": "curve",
    "x": list(range(128)),
    "lines": {"rotary": by_distance.tolist()},
    "log": False,
    "x_name": "distance",
    "y_name": "score",
    "zh": {"distance": "距离", "score": "分数", "rotary": "旋转"},
}

# [alibi]
penalties = alibi_bias(4, 6, 6).astype(float)  # (H, L, S), to be added to the scaled scores
slopes = -penalties[:, 1, 0]  # what one step costs in each head
# [end]
steep, flat = slopes[0], slopes[-1]
steep_factor = np.exp(-10 * steep)
flat_factor = np.exp(-10 * flat)
penalty_map = {
    "kind": "heads",
    "values": penalties,
    "rows": words,
    "columns": words,
    "names": ["head 0", "head 1", "head 2", "head 3"],
    "zh": {f"head {h}": f"头 {h}" for h in range(4)},
}
