"""Change every global setting of PyTorch, and answer honestly: the next submission notices nothing.

rows: 22
verdicts: accepted, runtime_error
framework: torch
"""
import torch


def scaled_dot_product_attention(q, k, v, scale=None):
    torch.set_default_dtype(torch.float64)
    try:
        torch.use_deterministic_algorithms(True)
    except OSError:  # it wants a folder for temporary files
        pass
    torch.set_flush_denormal(True)
    torch.autograd.set_detect_anomaly(True)
    torch.set_printoptions(precision=1, threshold=1)
    torch.manual_seed(0)
    torch.nn.modules.module.register_module_forward_hook(lambda *a: None)
    w = torch.softmax(q @ k.mT * (q.shape[-1] ** -0.5 if scale is None else scale), -1)
    return w @ v, w
