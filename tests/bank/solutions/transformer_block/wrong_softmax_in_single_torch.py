"""The softmax is computed in float32 and cast back."""
import math
import torch
import torch.nn.functional as F
from torch import nn


class Block(nn.Module):
    def __init__(self, d_model, num_heads, hidden, norm="pre"):
        super().__init__()
        self.h, self.pre = num_heads, norm == "pre"
        self.norm_1 = nn.LayerNorm(d_model)
        self.norm_2 = nn.LayerNorm(d_model)
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))
        self.W_in = nn.Linear(d_model, hidden, bias=False)
        self.W_out = nn.Linear(hidden, d_model, bias=False)

    def attn(self, x):
        B, T, C = x.shape
        q, k, v = (w(x).view(B, T, self.h, C // self.h).transpose(1, 2) for w in (self.W_q, self.W_k, self.W_v))
        att = (q @ k.transpose(-2, -1)) / math.sqrt(k.size(-1))
        att = att.masked_fill(torch.ones(T, T, device=x.device).tril() == 0, float("-inf"))
        return self.W_o((torch.softmax(att, -1, dtype=torch.float32).to(v.dtype) @ v).transpose(1, 2).reshape(B, T, C))

    def ffn(self, x):
        return self.W_out(F.gelu(self.W_in(x)))

    def forward(self, x):
        if self.pre:
            x = x + self.attn(self.norm_1(x))
            return x + self.ffn(self.norm_2(x))
        x = self.norm_1(x + self.attn(x))
        return self.norm_2(x + self.ffn(x))
