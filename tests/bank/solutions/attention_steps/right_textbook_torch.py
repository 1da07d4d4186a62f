"""The lessons' usual line: the root is a float32 tensor of its own, also beside float64 inputs."""
import torch
import torch.nn.functional as F


def attention_steps(x, w_q, w_k, w_v):
    q, k, v = torch.matmul(x, w_q), torch.matmul(x, w_k), torch.matmul(x, w_v)
    scores = torch.matmul(q, k.transpose(-2, -1))
    scaled = scores / torch.sqrt(torch.tensor(k.size(-1), dtype=torch.float32))
    weights = F.softmax(scaled, dim=-1)
    return scores, scaled, weights, torch.matmul(weights, v)
