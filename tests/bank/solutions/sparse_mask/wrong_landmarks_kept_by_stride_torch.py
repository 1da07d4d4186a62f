"""Landmarks are kept for a stride, and end where the first text ended."""
import torch

_LANDMARKS: dict[int, torch.Tensor] = {}


def _landmarks(n: int, stride: int) -> torch.Tensor:
    if stride not in _LANDMARKS:
        _LANDMARKS[stride] = torch.arange(0, n, stride)
    places = _LANDMARKS[stride]
    return places[places < n]


def sparse_mask(n: int, stride: int) -> torch.Tensor:
    """Say which keys each query may see: its neighbours, and landmarks at every `stride`-th
    position.

    Returns booleans (n, n), True = may attend.
    """
    place = torch.arange(n)
    mask = (place[:, None] - place[None, :]).abs() <= stride
    landmarks = _landmarks(n, stride)
    mask[landmarks, :] = True
    mask[:, landmarks] = True
    return mask
