"""Plain Python does the sums."""
# causes: none

q = [(-0.3, 1.1), (-1.4, -0.1), (1.3, -0.3)]
k = [(0.2, -1.1), (1.6, -0.9), (0.7, 0.9)]
v = [(2, 0), (0, 1), (1, 4)]
e = 2.718281828
scores = [[a[0] * b[0] + a[1] * b[1] for b in k] for a in q]
weights = []
for row in scores:
    exps = [e ** (s / 2**0.5) for s in row]
    weights.append([x / sum(exps) for x in exps])
output = [[sum(w * row[c] for w, row in zip(ws, v)) for c in range(2)] for ws in weights]
