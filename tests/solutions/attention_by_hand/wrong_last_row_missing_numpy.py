"""The last word was left out of weights and output."""

scores = [
    [1.0, 2.0, 0.0],
    [2.0, 0.0, -1.0],
    [3.0, 2.0, -1.0],
]

weights = [
    [0.284, 0.576, 0.14],
    [0.734, 0.178, 0.088],
]

output = [
    [0.708, 1.136],
    [1.555, 0.53],
]
