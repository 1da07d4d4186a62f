"""One decimal is enough."""
# causes: other: rounded to one decimal

scores = [
    [-1.3, -1.5, 0.8],
    [-0.2, -2.1, -1.1],
    [0.6, 2.4, 0.6],
]
weights = [
    [0.2, 0.1, 0.7],
    [0.6, 0.1, 0.3],
    [0.2, 0.6, 0.2],
]
output = [
    [1.0, 2.9],
    [1.4, 1.3],
    [0.6, 1.4],
]
