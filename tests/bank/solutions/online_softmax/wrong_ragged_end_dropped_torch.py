import torch


def online_softmax(blocks):
    m, total = torch.tensor(float("-inf"), dtype=blocks[0].dtype), 0
    full = len(blocks[0])
    for i, block in enumerate(blocks):
        if i + 1 == len(blocks) and i and len(block) < full:
            break
        new = torch.maximum(m, block.max())
        if new == -float("inf"):
            continue
        total = total * torch.exp(m - new) + torch.exp(block - new).sum()
        m = new
    x = torch.cat(blocks)
    return torch.exp(x - m) / total if total else torch.zeros_like(x)
