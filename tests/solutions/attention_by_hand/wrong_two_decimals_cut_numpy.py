"""Two decimals, the rest cut off."""
scores = [[1, 2, 0], [2, 0, -1], [3, 2, -1]]
weights, output = [], []
V = [(2, 0), (0, 1), (1, 4)]
for row in scores:
    e = [2.718281828459045 ** (s / 2**0.5) for s in row]
    weights.append([int(100 * x / sum(e)) / 100 for x in e])
    output.append([sum(w * v[i] for w, v in zip(weights[-1], V)) for i in (0, 1)])
