"""The scores are the products divided by 2."""
# causes: divided_by_d|scaled_twice, scores_already_scaled

scores = [
    [-0.635, -0.735, 0.390],
    [-0.085, -1.075, -0.535],
    [0.295, 1.175, 0.320],
]
weights = [
    [0.213, 0.193, 0.594],
    [0.498, 0.185, 0.317],
    [0.225, 0.543, 0.231],
]
output = [
    [1.020, 2.569],
    [1.313, 1.454],
    [0.682, 1.468],
]
