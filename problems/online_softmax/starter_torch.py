import torch


def online_softmax(blocks: list[torch.Tensor]) -> torch.Tensor:
    """Softmax over scores that arrive block by block.

    blocks   list of tensors (n_1,), (n_2,), ...
    returns  (n_1 + n_2 + ...,), the weights of all scores
    """
    raise NotImplementedError
