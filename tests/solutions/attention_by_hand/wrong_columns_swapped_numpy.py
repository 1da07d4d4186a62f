"""The second and third column of the weights are swapped; the output is right."""

scores = [
    [1.0, 2.0, 0.0],
    [2.0, 0.0, -1.0],
    [3.0, 2.0, -1.0],
]

weights = [
    [0.284, 0.14, 0.576],
    [0.734, 0.088, 0.178],
    [0.644, 0.038, 0.318],
]

output = [
    [0.708, 1.136],
    [1.555, 0.53],
    [1.327, 0.47],
]
