import numpy as np


def run(solution, logits, temperature, top_k, top_p, u):
    """Chooses once for each number of u."""
    choose = solution.next_token
    return np.array([int(choose(logits, temperature, top_k, top_p, float(each))) for each in u])
