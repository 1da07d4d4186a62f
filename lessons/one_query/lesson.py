"""One query, many keys and values: the mixture, and a curve smoothed by it."""

import numpy as np
from bank import single_query_attention

# [vectors]
words = ["the", "dog", "ran", "until", "it", "slept"]
query = np.array([3.2, 1.8])  # of "it": wants a thing, and a little an action
keys = np.array(
    [
        [0.2, 0.0],  # the      what a word offers: thing, action
        [2.0, 0.4],  # dog
        [0.2, 1.8],  # ran
        [-0.5, -0.2],  # until
        [-0.2, 0.2],  # it
        [0.6, 1.4],  # slept
    ]
)  # (6, 2)
values = np.array(
    [
        [0.4, 0.0],  # the      what a word hands over: thing, motion
        [2.0, 0.3],  # dog
        [0.2, 1.8],  # ran
        [-0.4, 0.0],  # until
        [0.8, 0.0],  # it
        [0.6, -1.6],  # slept
    ]
)  # (6, 2)
# [end]

# [attention]
d = query.shape[0]
scores = keys @ query / np.sqrt(d)  # (6,)
weights = np.exp(scores - scores.max())
weights = weights / weights.sum()  # (6,)
output = weights @ values  # (2,)
# [end]
dot_dog = keys[1] @ query
score_dog, score_slept, score_it = scores[1], scores[5], scores[4]
w_dog, w_slept, w_ran = weights[1], weights[5], weights[2]
out_thing, out_motion = output

geometry = {
    "kind": "vectors",
    "vectors": {
        "q: it": query.tolist(),
        "k: dog": keys[1].tolist(),
        "k: ran": keys[2].tolist(),
        "k: it": keys[4].tolist(),
        "k: slept": keys[5].tolist(),
    },
    "compare": ["q: it", "k: dog"],
}
bars = {"kind": "softmax", "scores": scores, "labels": words, "scale": 1.0, "most": 4.0}
mixture = {
    "kind": "vectors",
    "vectors": {
        **{f"v: {words[i]}": values[i].tolist() for i in (1, 2, 4, 5)},
        "output": output.tolist(),
    },
    "compare": ["output", "v: dog"],
}

# [louder]
keys_louder = keys.copy()
keys_louder[5] = 2 * keys[5]  # "slept" speaks twice as loudly; no value has changed
output_louder, weights_louder = single_query_attention(query, keys_louder, values)
# [end]
w_slept_louder = weights_louder[5]
motion_louder = output_louder[1]

plain_thing = values.mean(axis=0)[0]  # every word the same weight, whatever the query

# [curve]
rng = np.random.default_rng(3)
place = np.linspace(0, 6, 40)  # where something was measured
measured = np.sin(place) + rng.normal(0, 0.3, 40)  # and what, with errors
c = 4.0  # the larger, the fewer neighbours count
curve_keys = np.stack([2 * place, -(place**2)], axis=1) * c * np.sqrt(2)  # (40, 2)
smooth = [
    float(single_query_attention(np.array([p, 1.0]), curve_keys, measured[:, None])[0][0])
    for p in place
]
# [end]
true = np.sin(place)
error_measured = np.sqrt(np.mean((measured - true) ** 2))
error_smooth = np.sqrt(np.mean((np.array(smooth) - true) ** 2))
smoothing = {
    "kind": "curve",
    "x": place.tolist(),
    "lines": {
        "measured": measured.tolist(),
        "attention": smooth,
        "truth": true.tolist(),
    },
    "log": False,
    "x_name": "place",
    "y_name": "value",
    "zh": {
        "measured": "测量值",
        "attention": "注意力",
        "truth": "真值",
        "place": "位置",
        "value": "数值",
    },
}
