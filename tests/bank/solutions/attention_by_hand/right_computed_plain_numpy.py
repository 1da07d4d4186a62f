"""In another style: computed plain."""


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


scores = [[-1.27, -1.47, 0.78], [-0.17, -2.15, -1.07], [0.59, 2.35, 0.64]]
E = 2.718281828459045
e = [[E ** (s / 2**0.5) for s in r] for r in scores]
weights = [[x / sum(r) for x in r] for r in e]
output = [[1.0215, 2.9225], [1.4243, 1.3309], [0.5513, 1.3828]]
