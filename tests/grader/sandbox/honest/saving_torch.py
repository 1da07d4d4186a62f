"""Saving and loading in memory; a file is refused politely."""

import io

import torch


def work():
    buffer = io.BytesIO()
    torch.save({"w": torch.ones(3)}, buffer)
    buffer.seek(0)
    loaded = torch.load(buffer, weights_only=True)
    try:
        torch.save(loaded, "weights.pt")
    except (OSError, RuntimeError):
        return loaded["w"].sum().item() == 3
    return False
