import numpy as np


class CLASS:
    def __init__(self, width: int) -> None:
        self.width = width
        self.reset()

    def step(self, row: np.ndarray) -> np.ndarray:
        """row (E,) -> the sum of all rows so far (E,)."""
        self.total = self.total + row  # (E,)
        return self.total.astype(row.dtype)

    def reset(self) -> None:
        """Begin anew."""
        self.total = np.zeros(self.width)  # (E,)
