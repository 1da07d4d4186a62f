import torch


class CLASS:
    def __init__(self, width: int) -> None:
        self.width = width
        self.reset()

    def step(self, row: torch.Tensor) -> torch.Tensor:
        """row (E,) -> the sum of all rows so far (E,)."""
        self.total = self.total + row  # (E,)
        return self.total.to(row.dtype)

    def reset(self) -> None:
        """Begin anew."""
        self.total = torch.zeros(self.width, dtype=torch.float64)  # (E,)
