import torch

def _norm(x, p, eps):
    var, mean = torch.var_mean(x, -1, unbiased=False, keepdim=True)
    return torch.addcmul(p["bias"], (x - mean) * torch.rsqrt(var + eps), p["gain"])

def _gelu(z):
    c = z.clamp(-20, 20)
    return z / 2 * (1 + torch.tanh((2 / torch.pi) ** 0.5 * (c + 0.044715 * c ** 3)))

def _attend(x, layer, heads):
    n, D = x.shape[1], x.shape[2] // heads
    hide = torch.arange(n)[None] > torch.arange(n)[:, None]
    parts = []
    for h in range(heads):
        cut = slice(h * D, (h + 1) * D)
        q, k, v = (x @ layer[w][:, cut] for w in ("w_q", "w_k", "w_v"))
        s = (q @ k.mT / D ** 0.5).masked_fill(hide, -torch.inf)
        parts.append(torch.softmax(s, -1) @ v)
    return torch.cat(parts, -1) @ layer["w_o"]

def gpt(tokens, weights, config):
    heads, eps = config["num_heads"], config["eps"]
    table, places = weights["embedding"], weights["positions"]
    n = tokens.shape[1]
    if n > len(places):
        raise ValueError("too long")
    x = table[tokens.long()] + (places[:n] if len(tokens) != n else places[:n, None])
    for layer in weights["layers"]:
        x = x + _attend(_norm(x, layer["norm_1"], eps), layer, heads)
        x = x + _gelu(_norm(x, layer["norm_2"], eps) @ layer["w_in"]) @ layer["w_out"]
    return _norm(x, weights["norm"], eps) @ table.t()
