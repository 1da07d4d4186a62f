"""Wrong: M is minus infinity, and scores go down to -1e4. Hidden scores are set to -1e4. Shown by E = 1, embedding
[[100], [50]], w_q = [[-1]], w_k = [[1]], tokens [[0, 1, 0]]: the first token sees itself (-1e4) and the next alike."""
import torch
import torch.nn.functional as F


def _forward(weights, tokens):
    inputs, targets = tokens[:, :-1], tokens[:, 1:]
    x = weights["embedding"][inputs]
    n, width = x.shape[1:]
    s = (x @ weights["w_q"]) @ (x @ weights["w_k"]).transpose(1, 2) / width ** 0.5
    s = s.masked_fill(torch.ones(n, n, dtype=torch.bool).triu(1), -1e4)
    h = x + torch.softmax(s, dim=-1) @ (x @ weights["w_v"])
    logits = h @ weights["w_out"]
    return F.cross_entropy(logits.reshape(-1, logits.shape[-1]), targets.reshape(-1))


def train_step(weights, tokens, learning_rate):
    leaves = {name: w.detach().clone().requires_grad_(True) for name, w in weights.items()}
    loss = _forward(leaves, tokens)
    loss.backward()
    new = {name: w.detach() - learning_rate * w.grad for name, w in leaves.items()}
    return new, loss.detach()
