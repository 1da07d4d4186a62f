"""Rows for keys, and softmax of the scores."""
# causes: keys_ask_queries|scores_transposed, no_scale

scores = [
    [-1.270, -0.170, 0.590],
    [-1.470, -2.150, 2.350],
    [0.780, -1.070, 0.640],
]
weights = [
    [0.096, 0.288, 0.616],
    [0.021, 0.011, 0.968],
    [0.493, 0.078, 0.429],
]
output = [
    [0.808, 2.752],
    [1.010, 3.883],
    [1.416, 1.793],
]
