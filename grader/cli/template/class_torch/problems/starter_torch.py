import torch


class CLASS:
    def __init__(self, width: int) -> None:
        raise NotImplementedError

    def step(self, row: torch.Tensor) -> torch.Tensor:
        """row (E,) -> the sum of all rows so far (E,)."""
        raise NotImplementedError

    def reset(self) -> None:
        """Begin anew."""
        raise NotImplementedError
