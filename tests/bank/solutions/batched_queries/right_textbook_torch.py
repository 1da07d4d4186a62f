"""The lessons' usual line: the root is a float32 tensor of its own, also beside float64 inputs."""
import torch
import torch.nn.functional as F


def batch_attention(queries, keys, values):
    d_k = queries.size(-1)
    scores = torch.matmul(queries, keys.transpose(-2, -1)) / torch.sqrt(torch.tensor(d_k).float())
    weights = F.softmax(scores, dim=-1)
    return torch.matmul(weights, values), weights
