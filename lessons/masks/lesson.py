"""Padding, causal, additive and sparse masks, and rows that see nothing."""

import numpy as np
from bank import additive_mask as self_attention_with_mask
from bank import causal_mask, masked_attention, padding_mask, sparse_mask
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
)  # (6, 4)
w_q = np.array([[0.0, 1.0], [1.0, 0.0], [0.0, 0.0], [1.5, 0.5]])  # (4, 2)
w_k = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0], [-0.5, 0.0]])
w_v = np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
scores = (x @ w_q) @ (x @ w_k).T / np.sqrt(2)  # (6, 6)


# [hide]
visible = np.ones((6, 6), dtype=bool)
visible[:, 5] = False  # nobody may see "slept"
hidden_scores = np.where(visible, scores, -np.inf)
weights = softmax(hidden_scores)  # (6, 6)
# [end]
it_dog_before, it_dog_after = softmax(scores)[4, 1], weights[4, 1]
it_slept_before, it_slept_after = softmax(scores)[4, 5], weights[4, 5]
it_ran_before, it_ran_after = softmax(scores)[4, 2], weights[4, 2]
ratio_before, ratio_after = it_dog_before / it_ran_before, it_dog_after / it_ran_after
paint = {"kind": "mask", "scores": scores, "mask": visible, "rows": words, "columns": words}

# [padding]
tokens = np.array([[1, 2, 3, 4, 5, 6], [5, 6, 0, 0, 0, 0]])  # (2, 6); 0 is padding
table = np.vstack([np.zeros(4), x])  # (7, 4); row 0 is the vector of the padding
batch = table[tokens]  # (2, 6, 4)
q, k, v = batch @ w_q, batch @ w_k, batch @ w_v  # (2, 6, 2) each
mask = padding_mask(tokens)  # (2, 1, 6): True where there is a word
# [end]
careless = masked_attention(q, k, v)[1]
careful = masked_attention(q, k, v, tokens != 0)[1]
leaked = careless[1, 1, 2:].sum()
careful_leak = careful[1, 1, 2:].sum()
padded = ["it", "slept", "pad", "pad", "pad", "pad"]
padding_weights = {
    "kind": "heads",
    "values": np.stack([careless[1], careful[1]]),
    "rows": padded,
    "columns": padded,
    "names": ["mask = None", "mask = tokens != 0"],
}

# [causal]
triangle = causal_mask(6)  # (6, 6): j <= i
causal_weights = softmax(np.where(triangle, scores, -np.inf))
# [end]
causal_map = {
    "kind": "mask",
    "scores": scores,
    "mask": triangle,
    "rows": words,
    "columns": words,
}
last_two = causal_mask(2, 6).astype(int)
first_of_last_two = last_two[0].sum()

# [additive]
bias = np.where(triangle, 0.0, -np.inf)  # a mask as numbers: add 0 or minus infinity
bias[:, 1] -= 2.0  # and a preference: "dog" is a little less interesting
_, biased = self_attention_with_mask(x, w_q, w_k, w_v, bias)
# [end]
odds_plain = causal_weights[4, 1] / causal_weights[4, 2]
odds_biased = biased[4, 1] / biased[4, 2]
odds_change = odds_biased / odds_plain

# [sparse]
n, stride = 16, 4
pattern = sparse_mask(n, stride)  # (16, 16): near, or a landmark
seen = pattern.mean()
# [end]
seen_long = sparse_mask(1024, 32).mean()
sparse_map = {
    "kind": "heatmap",
    "values": pattern.astype(float),
    "rows": [str(i) for i in range(n)],
    "columns": [str(i) for i in range(n)],
    "low": 0.0,
    "high": 1.0,
}

# [blind]
nothing = np.full(6, -np.inf)
with np.errstate(invalid="ignore"):
    exponentials = np.exp(nothing - nothing.max())  # -inf - -inf is NaN
naive = exponentials / exponentials.sum()
low = softmax(np.full(6, -1e9))  # a large negative number instead: 1/6 each
all_padding = np.zeros((2, 6), dtype=bool)
out, agreed = masked_attention(q, k, v, all_padding)  # the convention of this site: zeros
# [end]
naive_nans = int(np.isnan(naive).sum())
low_share = low[0]
agreed_sum = agreed.sum()

after = softmax(scores) * triangle  # too late: the hidden scores have already taken their share
after_sum = after[3].sum()
zeroed = softmax(np.where(triangle, scores, 0.0))  # a score of 0 is not a weight of 0
zeroed_leak = zeroed[0, 1:].sum()
penalised = softmax(np.array([-600.0, 500.0 - 1000.0]))  # the second is hidden by "- 1000"
penalty_leak = penalised[1]
