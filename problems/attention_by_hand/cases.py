from grader.case import Case


def cases(rng):
    yield Case("the scores", wants=("scores",), note="Step 1: nine dot products.")
    yield Case("the weights", wants=("weights",), note="Step 2: scale and softmax, row by row.")
    yield Case("the output", wants=("output",), note="Step 3: weighted sums of the values.")
