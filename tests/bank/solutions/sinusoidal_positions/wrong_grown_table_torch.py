"""Breaks "Any start" on a later call: a kept table is made anew only if it has fewer than n rows, not start + n. First
(5, 8), then (3, 8, start=4): the second result has one row."""
import torch

_tables = {}


def _make(rows, E, base):
    speed = base ** (-torch.arange(0, E, 2, dtype=torch.float64) / E)
    angles = torch.arange(rows, dtype=torch.float64)[:, None] * speed
    table = torch.zeros(rows, E)
    table[:, 0::2] = torch.sin(angles).float()
    table[:, 1::2] = torch.cos(angles[:, : E // 2]).float()
    return table


def sinusoidal_positions(n, E, base=10000.0, start=0):
    key = (E, float(base))
    table = _tables.get(key)
    if table is None or len(table) < n:
        table = _tables[key] = _make(start + n, E, float(base))
    return table[start:start + n].clone()
