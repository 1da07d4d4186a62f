"""Wrong: "Landmarks stand at every multiple of the stride". i is a landmark where i * (1 / stride) is whole; but 49 * (1 / 49) is
0.9999999999999999, so n = 120, stride = 49 lacks the landmark at 49 (most small strides are right)."""
import torch


def sparse_mask(n, stride):
    at = torch.arange(n, dtype=torch.float64)
    turns = at * (1.0 / stride)
    landmark = turns == turns.floor()
    near = (at[:, None] - at).abs() <= stride
    return near | landmark[:, None] | landmark
