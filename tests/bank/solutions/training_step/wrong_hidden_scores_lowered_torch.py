# wrong: -10 000 is added to the scores of later words; where visible scores lie near -10 000 and a later one near or above 0, the later word is seen
import torch
from torch.nn import functional as F


def train_step(weights, tokens, learning_rate):
    w = {name: t.detach().clone().requires_grad_() for name, t in weights.items()}
    tokens = tokens.long()
    x = w["embedding"][tokens[:, :-1]]
    s = (x @ w["w_q"]) @ (x @ w["w_k"]).mT / x.shape[-1] ** 0.5
    a = (s + torch.full_like(s, -1e4).triu(1)).softmax(dim=-1)
    logits = (x + a @ (x @ w["w_v"])) @ w["w_out"]
    loss = F.cross_entropy(logits.transpose(1, 2), tokens[:, 1:])
    grads = torch.autograd.grad(loss, list(w.values()))
    return {name: (t - learning_rate * g).detach() for (name, t), g in zip(w.items(), grads)}, loss.detach()
