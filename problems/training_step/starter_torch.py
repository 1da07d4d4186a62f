import torch


def train_step(
    weights: dict[str, torch.Tensor], tokens: torch.Tensor, learning_rate: float
) -> tuple[dict[str, torch.Tensor], torch.Tensor]:
    """Let a small language model learn from some sentences, by one step of gradient descent.

    weights     embedding (V, E), w_q, w_k, w_v (E, E), w_out (E, V)
    tokens      (B, N), integers from 0 to V - 1
    returns     new weights under the same names, and the loss before the step
    """
    raise NotImplementedError
