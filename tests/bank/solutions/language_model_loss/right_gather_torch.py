"""The pairs as a list; gather and logsumexp."""
import torch


def language_model_loss(logits, tokens, pad_id=0):
    word = tokens.ne(pad_id)
    b, i = torch.where(word[:, 1:] & word[:, :-1])
    said = logits[b, i]
    own = said.gather(1, tokens[b, i + 1].unsqueeze(1)).squeeze(1)
    return (said.logsumexp(dim=1) - own).sum() / max(b.numel(), 1)
