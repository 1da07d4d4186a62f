"""The second and third column of the weights are swapped; the output is right."""

scores = [
    [1.0, 2.0, 0.0],
    [4.0, 0.0, -2.0],
    [3.0, 2.0, -1.0],
]

weights = [
    [0.284, 0.14, 0.576],
    [0.932, 0.013, 0.055],
    [0.644, 0.038, 0.318],
]

output = [
    [0.708, 1.136],
    [1.876, 0.109],
    [1.327, 0.47],
]
