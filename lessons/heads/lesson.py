"""Two heads: split, attend, merge; what a wrong reshape does; weights that explain nothing."""

import numpy as np
from bank import multi_head_attention
from bank import split_and_merge_heads as split_heads
from bank import stable_softmax as softmax

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

# [matrices]
w_q = np.array(
    [
        # head 0, head 1
        [0.0, 1.0, 0.0, 1.0],  # thing
        [1.0, 0.0, 0.5, 0.0],  # action
        [0.0, 0.0, 0.0, 0.0],  # motion
        [1.5, 0.5, 0.0, 1.5],  # pointer
    ]
)  # (E, E) = (4, 4)
w_k = np.array(
    [
        [1.0, 0.0, 1.0, 0.0],
        [0.0, 1.0, 0.0, 1.0],
        [0.0, 0.0, 0.0, -0.5],
        [-0.5, 0.0, 0.0, 0.0],
    ]
)
w_v = np.array(
    [
        [1.0, 0.0, 0.0, 0.0],
        [0.0, 0.0, 1.0, 0.0],
        [0.0, 1.0, 0.0, 1.0],
        [0.0, 0.0, 0.0, 0.0],
    ]
)
# [end]
w_o = np.array(
    [[0.5, 0.1, 0.0, 0.3], [0.0, 0.4, 0.2, 0.0], [0.1, 0.0, 0.6, 0.0], [0.2, 0.0, 0.0, 0.5]]
)

# [split]
n, E = x.shape
H = 2
D = E // H  # the width of one head
q = (x @ w_q).reshape(n, H, D).transpose(1, 0, 2)  # (H, n, D)
k = (x @ w_k).reshape(n, H, D).transpose(1, 0, 2)
v = (x @ w_v).reshape(n, H, D).transpose(1, 0, 2)
# [end]

# [attend]
scores = q @ k.swapaxes(-1, -2) / np.sqrt(D)  # (H, n, n)
weights = softmax(scores)  # (H, n, n): a pattern for each head
found = weights @ v  # (H, n, D)
merged = found.transpose(1, 0, 2).reshape(n, E)  # (n, E): head 0, then head 1
output = merged @ w_o  # (n, E)
# [end]
reference = multi_head_attention(x[None], x[None], x[None], w_q, w_k, w_v, w_o, H)[0]
split_agrees = np.abs(split_heads((x @ w_q)[None], H)[0] - q).max()
difference = np.abs(output - reference).max()
w0_dog, w1_slept, w1_dog = weights[0, 4, 1], weights[1, 4, 5], weights[1, 4, 1]
merged_it = merged[4]
patterns = {
    "kind": "heads",
    "values": weights,
    "rows": words,
    "columns": words,
    "names": ["head 0", "head 1"],
    "zh": {"head 0": "头 0", "head 1": "头 1"},
}

# [one]
both = (weights[0, 4] + weights[1, 4]) / 2  # one head that serves both questions
one_head = both @ v[0]  # (D,)
# [end]

# [sum]
parts = [found[h] @ w_o[h * D : (h + 1) * D] for h in range(H)]  # each (n, E)
sum_difference = np.abs(parts[0] + parts[1] - output).max()
# [end]
rank = np.linalg.matrix_rank(scores[0])

# [reshape]
tokens = np.arange(12).reshape(3, 4)  # 3 words of width 4: 0 1 2 3 | 4 5 6 7 | 8 9 10 11
right = tokens.reshape(3, 2, 2).transpose(1, 0, 2)  # (H, n, D)
wrong = tokens.reshape(2, 3, 2)  # (H, n, D) too, but not the same
# [end]
right_head, wrong_head = right[0].ravel(), wrong[0].ravel()

# [cost]
length, width = 1000, 512


def multiply_adds(heads):
    """Of the scores and of the weighted sums, over all heads."""
    return heads * 2 * length**2 * (width // heads)


# [end]
cost_one, cost_eight = multiply_adds(1), multiply_adds(8)

# [explain]
seen = weights[0, 1]  # what "dog" looks at in head 0
conditions = np.vstack([v[0].T, np.ones(n)])  # (3, 6): same output, same sum
free = np.linalg.svd(conditions)[2][3:]  # (3, 6): changes that alter none of these
change = -free.T @ free[:, 5]  # the one that takes most from "slept"
step = np.min(seen[change < 0] / -change[change < 0])
other = seen + step * change  # still positive, still summing to 1
# [end]
same_output = np.abs(other @ v[0] - seen @ v[0]).max()
seen_slept, other_slept = seen[5], other[5]
seen_ran, other_ran = seen[2], other[2]
two_readings = {
    "kind": "heatmap",
    "values": np.stack([seen, other]),
    "rows": ["w", "w′"],
    "columns": words,
}
