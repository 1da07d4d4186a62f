"""Softmax: shares from scores, its temperature, its range of numbers and its slope."""

import numpy as np
from bank import stable_softmax

# [scores]
words = ["the", "dog", "ran", "until", "it", "slept"]
scores = np.array([0.5, 5.0, 2.7, -1.4, -0.2, 3.1])  # how well each word suits "it"
exponentials = np.exp(scores)
weights = exponentials / exponentials.sum()  # (6,), sum to 1
# [end]
total = exponentials.sum()
e_dog, e_slept, e_until = exponentials[1], exponentials[5], exponentials[3]
w_dog, w_slept, w_until = weights[1], weights[5], weights[3]
difference = scores[1] - scores[5]
ratio = weights[1] / weights[5]
naive_sum = scores.sum()
naive_until = scores[3] / naive_sum

even_bits = np.log2(len(words))
bars = {"kind": "softmax", "scores": scores, "labels": words, "scale": 1.0, "most": 4.0}

# [temperature]
scales = [0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0]
shares = [stable_softmax(scores * s) for s in scales]
largest = [float(w.max()) for w in shares]
# [end]
flat, sharp = largest[1], largest[-1]
temperatures = {
    "kind": "curve",
    "x": scales,
    "lines": {"largest weight": largest, "an even share, 1/6": [1 / 6] * len(scales)},
    "log": False,
    "x_name": "scale",
    "y_name": "weight",
    "zh": {
        "largest weight": "最大的权重",
        "an even share, 1/6": "平均份额，1/6",
        "scale": "倍数",
        "weight": "权重",
    },
}

# [shift]
shifted = stable_softmax(scores + 90.0)
change = np.abs(shifted - weights).max()
# [end]

# [overflow]
large = (scores + 90.0).astype(np.float32)
with np.errstate(over="ignore", invalid="ignore"):
    e = np.exp(large)
    broken = e / e.sum()  # infinity / infinity
safe = np.exp(large - large.max())
safe = safe / safe.sum()
# [end]
infinities = int(np.isinf(e).sum())
nans = int(np.isnan(broken).sum())
safe_dog = safe[1]
limit = float(np.log(np.finfo(np.float32).max))
tiny = np.exp(np.float32(-104.0))


# [slope]
def slope(scale):
    """The slope of the weight of "dog" under its own score."""
    w = stable_softmax(scores * scale)[1]
    return w * (1 - w)


# [end]
slope_one, slope_ten = slope(1.0), slope(10.0)
slope_loss = slope_one / slope_ten
slopes_x = [0.1, 0.3, 0.5, 0.8, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0]
slopes = {
    "kind": "curve",
    "x": slopes_x,
    "lines": {"w (1 − w)": [float(slope(s)) for s in slopes_x]},
    "log": False,
    "x_name": "scale",
    "y_name": "slope",
    "zh": {"scale": "倍数", "slope": "斜率"},
}
