# Replace each 0 by your number, to three decimals.
# Rows are queries, columns are keys: The, cat, sat.

# query i · key j, before any division
scores = [
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
]

# softmax of each row of scores / √2
weights = [
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
]

# the values, each multiplied by its weight, added up
output = [
    [0, 0],
    [0, 0],
    [0, 0],
]
