"""Right: a torch.autograd.Function with the gradient (softmax minus one-hot, over the number of pairs)
written by hand; only the rows that count are ever looked at."""
import torch


class _MeanSurprise(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, tokens, counts):
        rows = logits[:, :-1][counts]
        words = tokens[:, 1:][counts]
        rows = rows - rows.amax(dim=-1, keepdim=True)
        grown = rows.exp()
        total = grown.sum(dim=-1, keepdim=True)
        losses = total.squeeze(-1).log() - rows.gather(1, words[:, None]).squeeze(-1)
        ctx.number = max(int(counts.sum()), 1)
        ctx.shape = logits.shape
        ctx.save_for_backward(grown / total, words, counts)
        return losses.sum() / ctx.number

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, grad_output):
        p, words, counts = ctx.saved_tensors
        g = p.clone()
        g[torch.arange(len(words)), words] -= 1
        grad = torch.zeros(ctx.shape, dtype=p.dtype)
        grad[:, :-1][counts] = g * (grad_output / ctx.number)
        return grad, None, None


def language_model_loss(logits, tokens, pad_id=0):
    real = tokens != pad_id
    return _MeanSurprise.apply(logits, tokens, real[:, :-1] & real[:, 1:])
