"""In another style: computed plain."""


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


scores = [[1, 2, 0], [2, 0, -1], [3, 2, -1]]
E = 2.718281828459045
e = [[E ** (s / 2**0.5) for s in r] for r in scores]
weights = [[x / sum(r) for x in r] for r in e]
output = [[0.708, 1.136], [1.5553, 0.5302], [1.3266, 0.46997]]
