def attention_flops(n, d):
    # q @ k.T: n * n dot products of width d, a multiplication and an addition for each term
    scores = 2 * n * n * d
    softmax = 5 * n * n  # maximum, subtraction, exponential, sum, division
    output = 2 * n * n * d  # weights @ v
    return scores + softmax + output


def attention_bytes(n, d, itemsize=4):
    vectors = 4 * n * d  # q, k, v and the output
    matrix = n * n  # the scores
    return (vectors + matrix) * itemsize
