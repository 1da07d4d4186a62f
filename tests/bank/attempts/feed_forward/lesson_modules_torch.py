"""Activations as modules in a dict."""
# causes: none

import math

import torch
import torch.nn.functional as F
from torch import nn


class FeedForward(nn.Module):
    def __init__(self, d_model, hidden, kind="gelu"):
        super().__init__()
        self.kind = kind
        self.W_in = nn.Linear(d_model, hidden, bias=False)
        self.W_out = nn.Linear(hidden, d_model, bias=False)
        if kind == "swiglu":
            self.W_gate = nn.Linear(d_model, hidden, bias=False)
        acts = {"gelu": nn.GELU(), "gelu_tanh": nn.GELU(approximate="tanh"), "swiglu": nn.SiLU()}
        self.act = acts[kind]

    def forward(self, x):
        h = self.W_in(x)
        h = self.act(self.W_gate(x)) * h if self.kind == "swiglu" else self.act(h)
        return self.W_out(h)
