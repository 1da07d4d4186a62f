"""Row i is key i with all queries, and the scores are divided by d = 2."""
# causes: keys_ask_queries|scores_transposed, divided_by_d

# key i · query j
scores = [
    [-1.27, -0.17, 0.59],
    [-1.47, -2.15, 2.35],
    [0.78, -1.07, 0.64],
]

# softmax of each row of scores / 2
weights = [
    [0.190, 0.329, 0.481],
    [0.118, 0.084, 0.798],
    [0.429, 0.170, 0.400],
]

# the values, each multiplied by its weight, added up
output = [
    [0.861, 2.254],
    [1.034, 3.275],
    [1.259, 1.772],
]
