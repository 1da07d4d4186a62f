import torch


def online_softmax(blocks):
    m = torch.tensor(float("-inf"), dtype=blocks[0].dtype)
    denominator = torch.tensor(0.0, dtype=blocks[0].dtype)
    for block in blocks:
        block_max = block.max()
        if torch.isinf(block_max):
            continue
        m_new = torch.maximum(m, block_max)
        denominator = denominator * torch.exp(m - m_new) + torch.exp(block - m_new).sum()
        m = m_new
    scores = torch.cat(list(blocks))
    weights = torch.exp(scores - m) / denominator
    return torch.where(torch.isinf(scores), torch.zeros_like(scores), weights)
