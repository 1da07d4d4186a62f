"""sat times The is 0.26 - 0.33 = -0.07."""
# causes: other: sign slip in one dot product

# query i · key j, before any division
scores = [
    [-1.27, -1.47, 0.78],
    [-0.17, -2.15, -1.07],
    [-0.07, 2.35, 0.64],
]

# softmax of each row of scores / √2
weights = [
    [0.163, 0.142, 0.695],
    [0.563, 0.139, 0.298],
    [0.122, 0.676, 0.202],
]

# the values, each multiplied by its weight, added up
output = [
    [1.022, 2.923],
    [1.424, 1.331],
    [0.446, 1.483],
]
