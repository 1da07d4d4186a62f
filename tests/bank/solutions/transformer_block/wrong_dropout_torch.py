"""Wrong: dropout in train mode, in the post architecture."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class BASE(nn.Module):
    def __init__(self, d_model, num_heads, hidden, norm="pre"):
        super().__init__()
        self.num_heads, self.norm = num_heads, norm
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)
        self.W_in = nn.Linear(d_model, hidden, bias=False)
        self.W_out = nn.Linear(hidden, d_model, bias=False)

    def hide(self, s):
        n = s.shape[-1]
        return s.masked_fill(torch.triu(torch.ones(n, n, dtype=torch.bool), 1), float("-inf"))

    def attend(self, x):
        B, n, E = x.shape
        D = E // self.num_heads
        q, k, v = (
            w(x).view(B, n, self.num_heads, D).transpose(1, 2)
            for w in (self.W_q, self.W_k, self.W_v)
        )
        s = self.hide(q @ k.transpose(-2, -1) / D**0.5)
        return self.W_o((F.softmax(s, dim=-1) @ v).transpose(1, 2).reshape(B, n, E))

    def ffn(self, x):
        return self.W_out(F.gelu(self.W_in(x)))

    def forward(self, x):
        if self.norm == "pre":
            x = x + self.attend(self.norm_1(x))
            return x + self.ffn(self.norm_2(x))
        x = self.norm_1(x + self.attend(x))
        return self.norm_2(x + self.ffn(x))


class Block(BASE):
    def forward(self, x):
        if self.norm == "pre":
            x = x + self.attend(self.norm_1(x))
            return x + self.ffn(self.norm_2(x))
        x = self.norm_1(x + F.dropout(self.attend(x), 0.1, self.training))
        return self.norm_2(x + self.ffn(x))
