import math
import torch
import torch.nn.functional as F
from torch import nn

def train_step(weights, tokens, learning_rate):
    w = {name: value.requires_grad_() for name, value in weights.items()}
    with torch.enable_grad():
        x = F.embedding(tokens[:, :-1], w["embedding"])
        n, E = x.shape[1:]
        s = (x @ w["w_q"]) @ (x @ w["w_k"]).mT / math.sqrt(E)
        s = s.masked_fill(torch.ones(n, n, dtype=torch.bool).triu(1), -math.inf)
        h = x + s.softmax(-1) @ (x @ w["w_v"])
        logits = h @ w["w_out"]
        loss = F.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())
        loss.backward()
    new = {name: value.detach().clone() - learning_rate * value.grad for name, value in w.items()}
    return new, loss.detach()
