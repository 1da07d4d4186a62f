import operator

import numpy as np


def run(solution, logits, temperature, top_k, top_p, u, earlier=None):
    """Chooses once for each number of u. With `earlier`, the array of the logits held these before,
    and a choice was made then. What is chosen must be a whole number: a float is no index.
    """
    choose = solution.next_token
    if earlier is not None:
        array = earlier.copy()
        choose(array, temperature, top_k, top_p, float(u[0]))
        array[:] = logits
        logits = array
    words = [choose(logits, temperature, top_k, top_p, float(each)) for each in u]
    return np.array([operator.index(word) for word in words])
