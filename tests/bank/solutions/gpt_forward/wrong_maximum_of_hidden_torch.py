"""The maximum of a row is taken over the future too."""
import torch


def norm(x, p, eps):
    var, mean = torch.var_mean(x, dim=-1, keepdim=True, correction=0)
    return (x - mean) * torch.rsqrt(var + eps) * p["gain"] + p["bias"]


def gelu(z):
    return z * torch.sigmoid(2 * (2 / torch.pi) ** 0.5 * (z + 0.044715 * z * z * z))


def gpt(tokens, weights, config):
    B, n = tokens.shape
    C, E = weights["positions"].shape
    if n > C:
        raise ValueError
    H = config["num_heads"]
    x = weights["embedding"][tokens] + weights["positions"][:n]
    future = torch.arange(n)[None, :] > torch.arange(n)[:, None]
    for L in weights["layers"]:
        qkv = norm(x, L["norm_1"], config["eps"]) @ torch.cat([L["w_q"], L["w_k"], L["w_v"]], 1)
        q, k, v = qkv.unflatten(-1, (3, H, E // H)).unbind(2)
        s = torch.einsum("bihd,bjhd->bhij", q, k) / (E // H) ** 0.5
        a = (s - s.amax(-1, keepdim=True)).exp().masked_fill(future, 0.0)
        a = a / a.sum(-1, keepdim=True)
        x = x + torch.einsum("bhij,bjhd->bihd", a, v).flatten(2) @ L["w_o"]
        x = x + gelu(norm(x, L["norm_2"], config["eps"]) @ L["w_in"]) @ L["w_out"]
    return norm(x, weights["norm"], config["eps"]) @ weights["embedding"].T
