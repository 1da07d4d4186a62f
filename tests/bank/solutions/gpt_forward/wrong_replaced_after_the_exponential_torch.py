# wrong: exp is taken of hidden scores too and replaced by 0 afterwards; a hidden score 100 above the row's visible maximum is inf, and the gradient 0 * inf = NaN
import math

import torch


def gpt(tokens, weights, config):
    """tokens (B, n) -> logits (B, n, V)"""
    n, context = tokens.shape[1], len(weights["positions"])
    if n > context:
        raise ValueError(f"{n} tokens do not fit into a context of {context}")
    H, eps = config["num_heads"], config["eps"]

    x = weights["embedding"][tokens] + weights["positions"][:n]  # (B, n, E)
    for layer in weights["layers"]:
        x = x + attention(layer_norm(x, layer["norm_1"], eps), layer, H)
        x = x + feed_forward(layer_norm(x, layer["norm_2"], eps), layer)
    x = layer_norm(x, weights["norm"], eps)
    return x @ weights["embedding"].T  # (B, n, V)


def layer_norm(x, norm, eps):
    mean = x.mean(dim=-1, keepdim=True)
    variance = ((x - mean) ** 2).mean(dim=-1, keepdim=True)
    return (x - mean) / torch.sqrt(variance + eps) * norm["gain"] + norm["bias"]


def attention(x, layer, H):
    """Causal self-attention with H heads: x (B, n, E) -> (B, n, E)"""
    B, n, E = x.shape
    D = E // H
    q = (x @ layer["w_q"]).reshape(B, n, H, D).transpose(1, 2)  # (B, H, n, D)
    k = (x @ layer["w_k"]).reshape(B, n, H, D).transpose(1, 2)  # (B, H, n, D)
    v = (x @ layer["w_v"]).reshape(B, n, H, D).transpose(1, 2)  # (B, H, n, D)
    scores = q @ k.transpose(2, 3) / math.sqrt(D)  # (B, H, n, n)
    visible = torch.ones(n, n, dtype=torch.bool).tril()
    top = scores.masked_fill(~(visible), -math.inf).amax(dim=-1, keepdim=True)
    top = torch.where(torch.isneginf(top), 0.0, top).detach()
    exp = torch.where(visible, torch.exp(scores - top), 0.0)
    total = exp.sum(dim=-1, keepdim=True)
    weights = exp / torch.where(total == 0, 1.0, total)
    heads = weights @ v  # (B, H, n, D)
    return heads.transpose(1, 2).reshape(B, n, E) @ layer["w_o"]


def feed_forward(x, layer):
    return gelu(x @ layer["w_in"]) @ layer["w_out"]


def gelu(x):
    return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
