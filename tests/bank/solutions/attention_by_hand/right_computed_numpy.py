"""Worked out in plain Python, without an import."""

q = [[-0.3, 1.1], [-1.4, -0.1], [1.3, -0.3]]
k = [[0.2, -1.1], [1.6, -0.9], [0.7, 0.9]]
v = [[2, 0], [0, 1], [1, 4]]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def softmax(row):
    e = [2.718281828459045**x for x in row]
    return [x / sum(e) for x in e]


scores = [[dot(a, b) for b in k] for a in q]
weights = [softmax([s / 2**0.5 for s in row]) for row in scores]
output = [[dot(row, column) for column in zip(*v)] for row in weights]
