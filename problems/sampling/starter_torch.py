import torch


def next_token(logits: torch.Tensor, temperature: float, top_k: int, top_p: float, u: float) -> int:
    """Choose one word of the vocabulary.

    logits       (V,)
    temperature  0 takes the best word
    top_k        how many words may come; 0 means all
    top_p        how much probability may come; 1 means all
    u            the random number, at least 0 and below 1
    returns      the index of the word
    """
    raise NotImplementedError
