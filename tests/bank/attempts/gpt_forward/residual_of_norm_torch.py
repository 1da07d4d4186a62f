"""First x is normalised, then the part is added to it; and the text must be shorter than the context."""
# causes: residual_of_both_norms|residual_of_the_norm, full_context_refused

import math

import torch


def normed(x, p, eps):
    mean = x.mean(dim=-1, keepdim=True)
    var = x.var(dim=-1, keepdim=True, unbiased=False)
    return (x - mean) * torch.rsqrt(var + eps) * p["gain"] + p["bias"]


def gelu(z):
    inner = math.sqrt(2 / math.pi) * (z + 0.044715 * z.pow(3))
    return 0.5 * z * (1 + torch.tanh(inner))


def attend(x, layer, H):
    B, n, E = x.shape
    q = (x @ layer["w_q"]).unflatten(-1, (H, E // H))
    k = (x @ layer["w_k"]).unflatten(-1, (H, E // H))
    v = (x @ layer["w_v"]).unflatten(-1, (H, E // H))
    s = torch.einsum("bihd,bjhd->bhij", q, k) / math.sqrt(E // H)
    s = s.masked_fill(~torch.ones(n, n, dtype=torch.bool).tril(), -math.inf)
    o = torch.einsum("bhij,bjhd->bihd", torch.softmax(s, dim=-1), v)
    return o.flatten(2) @ layer["w_o"]


def gpt(tokens: torch.Tensor, weights: dict, config: dict) -> torch.Tensor:
    context = weights["positions"].shape[0]
    n = tokens.shape[1]
    if n >= context:
        raise ValueError("the text must be shorter than the context")
    x = weights["embedding"][tokens] + weights["positions"][:n]
    for layer in weights["layers"]:
        x = normed(x, layer["norm_1"], config["eps"])
        x = x + attend(x, layer, config["num_heads"])
        x = normed(x, layer["norm_2"], config["eps"])
        x = x + gelu(x @ layer["w_in"]) @ layer["w_out"]
    return normed(x, weights["norm"], config["eps"]) @ weights["embedding"].T
