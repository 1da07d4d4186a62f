"""Right. Leading sizes are broadcast and flattened to one, baddbmm takes the scale as alpha, and all is folded back."""
import torch


def _flat(a, lead):
    return a.expand(*lead, *a.shape[-2:]).reshape(-1, *a.shape[-2:])


def scaled_dot_product_attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, scale: float | None = None
):
    length, width = q.shape[-2:]
    count = k.shape[-2]
    alpha = width**-0.5 if scale is None else float(scale)
    lead = torch.broadcast_shapes(q.shape[:-2], k.shape[:-2])
    queries, keys = _flat(q, lead), _flat(k, lead)
    scores = torch.baddbmm(
        queries.new_zeros(1, 1, 1), queries, keys.transpose(1, 2), beta=0, alpha=alpha
    )
    weights = torch.softmax(scores, dim=2).reshape(*lead, length, count)
    wide = torch.broadcast_shapes(lead, v.shape[:-2])
    output = torch.bmm(_flat(weights, wide), _flat(v, wide))
    return output.reshape(*wide, length, v.shape[-1]), weights
