import torch
import torch.nn.functional as F
from torch import nn

class FeedForward(nn.Module):
    def __init__(self, d_model, hidden, kind="gelu"):
        super().__init__()
        self.W_in = nn.Linear(d_model, hidden, bias=False)
        self.W_out = nn.Linear(hidden, d_model, bias=False)
        self.W_gate = nn.Linear(d_model, hidden, bias=False) if kind == "swiglu" else None
        self.how = {"gelu": "none", "gelu_tanh": "tanh"}.get(kind)

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        h = torch.einsum("te,fe->tf", flat, self.W_in.weight)
        if self.W_gate is None:
            h = F.gelu(h, approximate=self.how)
        else:
            h = h * F.silu(torch.einsum("te,fe->tf", flat, self.W_gate.weight))
        return torch.einsum("tf,ef->te", h, self.W_out.weight).view(x.shape).squeeze(-2) if x.dim() > 2 else torch.einsum("tf,ef->te", h, self.W_out.weight).view(x.shape)
