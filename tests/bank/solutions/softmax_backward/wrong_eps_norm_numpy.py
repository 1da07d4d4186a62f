"""Wrong: the formula, and 'Keeps precision'. The mean of the row is divided by the sum of the weights plus 1e-8.
Shown by float64: a single weight of 1 and g = 1000 gives 1e-5 instead of 0."""
import numpy as np


def softmax_backward(weights, grad_weights):
    mean = (weights * grad_weights).sum(axis=-1, keepdims=True)
    mean = mean / (weights.sum(axis=-1, keepdims=True) + 1e-8)
    return weights * grad_weights - weights * mean
