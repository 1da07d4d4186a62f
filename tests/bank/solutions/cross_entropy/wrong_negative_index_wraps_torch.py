"""A negative ignore_index counts from the end, so that a word is ignored too."""

import torch


def _row_weights(
    logits: torch.Tensor, targets: torch.Tensor, ignore_index: int
) -> tuple[torch.Tensor, torch.Tensor]:
    vocabulary = logits.shape[1]
    weight = torch.ones(vocabulary, dtype=logits.dtype, device=logits.device)
    if abs(ignore_index) < vocabulary:
        weight[ignore_index] = 0
    inside = (targets >= 0) & (targets < vocabulary)
    words = torch.where(inside, targets, torch.zeros_like(targets))
    return words, torch.where(inside, weight[words], torch.zeros_like(weight[words]))


def cross_entropy(
    logits: torch.Tensor, targets: torch.Tensor, ignore_index: int = -100
) -> torch.Tensor:
    words, weights = _row_weights(logits, targets, ignore_index)
    log_p = logits.log_softmax(dim=1).gather(1, words[:, None])[:, 0]
    log_p = log_p.masked_fill(weights == 0, 0.0)
    return -log_p.sum() / weights.sum().clamp(min=1)


def cross_entropy_backward(
    logits: torch.Tensor, targets: torch.Tensor, ignore_index: int = -100
) -> torch.Tensor:
    words, weights = _row_weights(logits, targets, ignore_index)
    truth = torch.zeros_like(logits).scatter(1, words[:, None], 1.0)
    grad = (logits.softmax(dim=1) - truth) * weights[:, None]
    return grad / weights.sum().clamp(min=1)
