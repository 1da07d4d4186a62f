import torch


def online_softmax(blocks):
    m = torch.tensor(-1e30)
    total = torch.tensor(0.0)
    for block in blocks:
        new = torch.maximum(m, block.max().float())
        total = total * torch.exp(m - new) + torch.exp(block.float() - new).sum()
        m = new
    out = [torch.exp(b.float() - m) / total.clamp(min=1e-30) for b in blocks]
    return torch.cat(out).to(blocks[0].dtype)
