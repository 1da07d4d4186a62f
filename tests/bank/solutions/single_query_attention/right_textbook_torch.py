"""The lessons' usual line: the root is a float32 tensor of its own, also beside float64 inputs."""
import torch
import torch.nn.functional as F


def attention(query, keys, values):
    scores = torch.matmul(keys, query) / torch.sqrt(torch.tensor(query.size(-1), dtype=torch.float32))
    weights = F.softmax(scores, dim=-1)
    return torch.matmul(weights, values), weights
