import torch


def language_model_loss(
    logits: torch.Tensor, tokens: torch.Tensor, pad_id: int = 0
) -> torch.Tensor:
    """Average how surprised the model is by the words that come next.

    logits   (B, n, V), the scores of the next word at each place
    tokens   (B, n), integers
    returns  one number, ()
    """
    raise NotImplementedError
