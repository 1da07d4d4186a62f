import numpy as np


class CLASS:
    def __init__(self, width: int) -> None:
        raise NotImplementedError

    def step(self, row: np.ndarray) -> np.ndarray:
        """row (E,) -> the sum of all rows so far (E,)."""
        raise NotImplementedError

    def reset(self) -> None:
        """Begin anew."""
        raise NotImplementedError
