"""The second and third column of the weights are swapped; the output is right."""

scores = [
    [-1.27, -1.47, 0.78],
    [-0.17, -2.15, -1.07],
    [0.59, 2.35, 0.64],
]

weights = [
    [0.163, 0.695, 0.142],
    [0.563, 0.298, 0.139],
    [0.182, 0.188, 0.63],
]

output = [
    [1.022, 2.923],
    [1.424, 1.331],
    [0.551, 1.383],
]
