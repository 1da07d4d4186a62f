def softmax_backward(weights, grad_weights):
    if weights.ndim == 1:
        return weights * grad_weights
    return weights * (grad_weights - (weights * grad_weights).sum(-1, keepdims=True))
