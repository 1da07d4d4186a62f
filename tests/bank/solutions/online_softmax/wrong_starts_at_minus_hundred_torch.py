import torch


def online_softmax(blocks):
    m, total = torch.tensor(-100.0, dtype=blocks[0].dtype), 0.0
    for block in blocks:
        new = torch.maximum(m, block.max())
        total = total * torch.exp(m - new) + torch.exp(block - new).sum()
        m = new
    out = [torch.exp(b - m) / total if total > 0 else torch.zeros_like(b) for b in blocks]
    return torch.cat(out)
