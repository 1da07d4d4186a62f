"""I left out the signs, and there is no root."""
# causes: other: the signs are left out, no_scale

scores = [
    [1.270, 1.470, 1.200],
    [0.390, 2.330, 1.070],
    [0.590, 2.350, 1.180],
]
weights = [
    [0.317, 0.387, 0.296],
    [0.101, 0.701, 0.199],
    [0.116, 0.675, 0.209],
]
output = [
    [0.930, 1.570],
    [0.400, 1.496],
    [0.441, 1.512],
]
