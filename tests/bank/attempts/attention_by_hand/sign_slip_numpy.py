"""Minus times minus gives minus, in one place."""
# causes: other: a sign is wrong in one product

scores = [
    [-1.270, -1.470, 0.780],
    [-0.390, -2.150, -1.070],
    [0.590, 2.350, 0.640],
]
weights = [
    [0.163, 0.142, 0.695],
    [0.525, 0.151, 0.324],
    [0.182, 0.630, 0.188],
]
output = [
    [1.022, 2.923],
    [1.373, 1.448],
    [0.551, 1.383],
]
