"""The softmax runs down the columns."""
scores = [[-1.27, -1.47, 0.78], [-0.17, -2.15, -1.07], [0.59, 2.35, 0.64]]
e = [[2.718281828459045 ** (s / 2**0.5) for s in row] for row in scores]
sums = [sum(row[j] for row in e) for j in range(3)]
weights = [[x / sums[j] for j, x in enumerate(row)] for row in e]
V = [(2, 0), (0, 1), (1, 4)]
output = [[sum(w * v[i] for w, v in zip(row, V)) for i in (0, 1)] for row in weights]
