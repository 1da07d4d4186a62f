"""Loops over rows and columns, with lists of zeros."""
# causes: none

Q = [[-0.3, 1.1], [-1.4, -0.1], [1.3, -0.3]]
K = [[0.2, -1.1], [1.6, -0.9], [0.7, 0.9]]
V = [[2, 0], [0, 1], [1, 4]]
scores = [[0.0] * 3 for _ in range(3)]
weights = [[0.0] * 3 for _ in range(3)]
output = [[0.0] * 2 for _ in range(3)]
for i in range(3):
    for j in range(3):
        for t in range(2):
            scores[i][j] += Q[i][t] * K[j][t]
    total = 0
    for j in range(3):
        weights[i][j] = 2.71828 ** (scores[i][j] / 1.41421)
        total += weights[i][j]
    for j in range(3):
        weights[i][j] /= total
        for t in range(2):
            output[i][t] += weights[i][j] * V[j][t]
