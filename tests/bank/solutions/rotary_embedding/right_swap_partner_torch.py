"""Right: y = x cos + partner sin with full-width tables; the partner of each entry is made by flip within its pair and a
sign; float64 tables, speeds by a running product."""
import torch


def _tables(positions, width, base):
    ratio = float(base) ** (-2.0 / width)
    speeds, speed = [], 1.0
    for _ in range(width // 2):
        speeds += [speed, speed]
        speed *= ratio
    angle = positions.double()[:, None] * torch.tensor(speeds, dtype=torch.float64, device=positions.device)
    return torch.cos(angle), torch.sin(angle)


def apply_rope(x, positions, base=10000.0):
    width = x.size(-1)
    if width & 1:
        raise ValueError("apply_rope needs an even width")
    cos, sin = _tables(positions, width, base)
    partner = x.unflatten(-1, (width // 2, 2)).flip(-1).flatten(-2)
    sign = torch.tensor([-1.0, 1.0], dtype=torch.float64, device=x.device).repeat(width // 2)
    return (x * cos + partner * (sin * sign)).to(x.dtype)
