def softmax_backward(weights, grad_weights):
    out = weights * (grad_weights - (weights * grad_weights).sum(-1, keepdims=True))
    return out[..., 0] if out.shape[-1] == 1 else out
