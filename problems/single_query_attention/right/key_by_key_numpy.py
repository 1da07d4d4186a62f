# One key after the other, as the sums are written in the formula.
import math

import numpy as np


def attention(query, keys, values):
    scores = np.array([np.dot(query, key) / math.sqrt(len(query)) for key in keys])
    exponentials = np.exp(scores - max(scores))
    weights = exponentials / sum(exponentials)
    output = sum(weight * value for weight, value in zip(weights, values, strict=True))
    return output, weights
