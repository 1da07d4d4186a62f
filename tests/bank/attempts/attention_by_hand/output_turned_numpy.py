"""Weights transposed times values; divided by 2."""
# causes: weights_transposed, divided_by_d

scores = [
    [-1.270, -1.470, 0.780],
    [-0.170, -2.150, -1.070],
    [0.590, 2.350, 0.640],
]
weights = [
    [0.213, 0.193, 0.594],
    [0.498, 0.185, 0.317],
    [0.225, 0.543, 0.231],
]
output = [
    [0.652, 1.399],
    [0.929, 2.359],
    [1.419, 1.242],
]
