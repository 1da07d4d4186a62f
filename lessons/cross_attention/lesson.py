"""A decoder of four words reads a source of six: shapes, masks, and what is computed once."""

import numpy as np
from bank import masked_attention, multi_head_attention, scaled_dot_product_attention

source_words = ["the", "dog", "ran", "until", "it", "slept"]
target_words = ["狗", "跑", "到", "睡"]  # dog, run, until, sleep

# [tokens]
source = np.array(  # S = 6 words, as the encoder leaves them; columns: thing, action, time, rest
    [
        [0.5, 0.0, 0.0, 0.0],  # the
        [2.4, 0.2, 0.0, 0.0],  # dog
        [0.2, 2.2, 0.0, -1.4],  # ran
        [0.0, 0.0, 2.4, 0.0],  # until
        [1.3, 0.2, 0.2, 0.3],  # it
        [0.2, 2.0, 0.0, 1.8],  # slept
    ]
)  # (S, E) = (6, 4)
target = np.array(  # L = 4 words of the translation: dog, run, until, sleep
    [
        [2.0, 0.2, 0.0, 0.0],
        [0.2, 2.0, 0.0, -1.6],
        [0.0, 0.0, 2.2, 0.0],
        [0.2, 1.8, 0.0, 1.8],
    ]
)  # (L, E) = (4, 4)
# [end]

# [cross]
w_q = w_k = w_v = np.eye(4)  # identity matrices, so that the numbers stay readable
q = target @ w_q  # (L, D): the decoder asks
k, v = source @ w_k, source @ w_v  # (S, D): the encoder answers
scores = q @ k.T / np.sqrt(4)  # (L, S) = (4, 6)
output, weights = scaled_dot_product_attention(q, k, v)  # (L, D), (L, S)
# [end]
rows, columns = scores.shape
dog_dog, dog_it = weights[0, 1], weights[0, 4]
sleep_slept = weights[3, 5]
the_most = weights[:, 0].max()
alignment = {
    "kind": "heatmap",
    "values": weights,
    "rows": target_words,
    "columns": source_words,
    "low": 0.0,
    "high": 1.0,
}
column_sum = weights[:, 1].sum()

# [masks]
padded = np.vstack([source, np.zeros((2, 4))])  # (8, 4): two places of padding
real = np.array([[True] * 6 + [False] * 2])  # (B, S) = (1, 8)
_, padded_weights = masked_attention(q[None], padded[None], padded[None], real)
_, own_weights = masked_attention(q[None], q[None], q[None], None, causal=True)  # (1, L, L)
# [end]
padded_difference = np.abs(padded_weights[0, :, :6] - weights).max()
padding_weight = padded_weights[0, :, 6:].sum()
three = {
    "kind": "mask",
    "scores": q @ q.T / 2,
    "mask": own_weights[0] > 0,
    "rows": target_words,
    "columns": target_words,
}

# [prefix]
first_two = scaled_dot_product_attention(q[:2], k, v)[0]  # the decoder has written two words
prefix_difference = np.abs(first_two - output[:2]).max()
# [end]

# [once]
S, L, E = 1000, 200, 512  # a long source, a translation of 200 words
kept = 2 * S * E * E  # keys and values of the source, projected once
again = L * kept  # projected again for each new word
# [end]
saving = again // kept

# [heads]
rng = np.random.default_rng(1)
m_q, m_k, m_v, m_o = rng.standard_normal((4, 4, 4))
several = multi_head_attention(
    target[None], source[None], source[None], m_q, m_k, m_v, m_o, num_heads=2
)  # (B, L, E)
# [end]
out_rows, out_width = several.shape[1:]

# [swap]
order = [3, 1, 5, 0, 4, 2]
swapped, _ = scaled_dot_product_attention(q, k[order], v[order])
swap_difference = np.abs(swapped - output).max()
# [end]
