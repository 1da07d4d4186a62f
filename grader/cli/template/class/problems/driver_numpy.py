import numpy as np


def run(solution, x, reset_at=0):
    """Gives the rows of x to one object, and the rows of -x to another by turns.

    Before row number `reset_at` (0: never), the first one begins anew.
    """
    total, other = solution.make(), solution.make()
    sums = []
    for i, row in enumerate(x):
        if reset_at and i == reset_at:
            total.reset()
        sums.append(total.step(row))
        other.step(-row)
    return np.stack(sums)
