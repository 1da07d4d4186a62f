"""The lessons' usual line: the root is a float32 tensor of its own, also beside float64 inputs."""
import torch
import torch.nn.functional as F


def scaled_dot_product_attention(q, k, v, scale=None):
    d_k = q.size(-1)
    scores = torch.matmul(q, k.transpose(-2, -1))
    scores = scores / torch.sqrt(torch.tensor(d_k, dtype=torch.float32)) if scale is None else scores * scale
    weights = F.softmax(scores, dim=-1)
    return torch.matmul(weights, v), weights
