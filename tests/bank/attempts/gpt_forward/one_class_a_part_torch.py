"""Small functions for the parts, heads with einsum, the variance from the framework."""
# causes: none

import math

import torch


def gelu(z):
    return z / 2 * (1 + torch.tanh(math.sqrt(2 / math.pi) * (z + 0.044715 * z.pow(3))))


class Norm:
    def __init__(self, part, eps):
        self.gain, self.bias, self.eps = part["gain"], part["bias"], eps

    def __call__(self, x):
        variance, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
        return (x - mean) * torch.rsqrt(variance + self.eps) * self.gain + self.bias


def attend(x, layer, heads):
    length, width = x.shape[-2:]
    q, k, v = (
        (x @ layer[name]).unflatten(-1, (heads, width // heads)) for name in ("w_q", "w_k", "w_v")
    )
    scores = torch.einsum("bihd,bjhd->bhij", q, k) / math.sqrt(width // heads)
    future = torch.arange(length)[None] > torch.arange(length)[:, None]
    weights = torch.where(future, -torch.inf, scores).softmax(dim=-1)
    return torch.einsum("bhij,bjhd->bihd", weights, v).flatten(-2) @ layer["w_o"]


def gpt(tokens, weights, config):
    length = tokens.size(1)
    if length > weights["positions"].size(0):
        raise ValueError(f"{length} tokens are too many")
    x = weights["embedding"][tokens] + weights["positions"][torch.arange(length)]
    for layer in weights["layers"]:
        x = x + attend(Norm(layer["norm_1"], config["eps"])(x), layer, config["num_heads"])
        middle = gelu(Norm(layer["norm_2"], config["eps"])(x) @ layer["w_in"])
        x = x + middle @ layer["w_out"]
    return torch.einsum("ble,ve->blv", Norm(weights["norm"], config["eps"])(x), weights["embedding"])
