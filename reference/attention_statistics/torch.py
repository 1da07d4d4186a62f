import torch


def attention_statistics(weights):
    # (H, L, S), 0 where the weight is 0
    logarithms = torch.log(torch.where(weights > 0, weights, 1))
    surprise = -(weights * logarithms).sum(dim=-1)  # (H, L)
    entropy = surprise.mean(dim=-1)  # (H,)
    received = weights.sum(dim=1).mean(dim=0)  # (S,)
    diagonal = torch.diagonal(weights, dim1=1, dim2=2).mean(dim=0)  # (min(L, S),)
    return entropy, received, diagonal
