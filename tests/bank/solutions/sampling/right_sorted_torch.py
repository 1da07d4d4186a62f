"""Right: stable torch.sort, log_softmax in double, kept words scattered back into the order of the vocabulary, torch.searchsorted for the word."""
import torch


def next_token(logits, temperature, top_k, top_p, u) -> int:
    ranked, order = torch.sort(logits.detach().double(), descending=True, stable=True)
    if temperature == 0:
        return order[0].item()
    count = len(order) if top_k == 0 else min(top_k, len(order))
    ranked, order = ranked[:count], order[:count]
    share = torch.log_softmax((ranked - ranked[0]) / temperature, dim=0).exp()
    if top_p < 1:
        before = share.cumsum(0) - share
        before[0] = 0.0
        keep = before < top_p
        share, order = share[keep], order[keep]
    row = torch.zeros(logits.shape[0], dtype=torch.float64).scatter(0, order, share)
    sums = row.cumsum(0)
    place = torch.searchsorted(sums, sums[-1:] * u, right=True).item()
    return min(place, int(row.nonzero()[-1]))
