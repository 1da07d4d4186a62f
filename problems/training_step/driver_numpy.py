import numpy as np


def run(solution, weights, tokens, learning_rate=0.1, steps=1, twice=False):
    """Trains on the same tokens again and again; collects the loss of each step.

    With `twice`, each step is tried before, with the same weights; the second time counts.
    """
    losses = []
    for _ in range(steps):
        if twice:
            solution.train_step(weights, tokens, learning_rate)
        weights, loss = solution.train_step(weights, tokens, learning_rate)
        losses.append(loss)
    return np.array(losses), weights
