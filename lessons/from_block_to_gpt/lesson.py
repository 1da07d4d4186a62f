"""A block, its training on two sentences, sampling, and the key-value cache."""

import numpy as np
from bank import cross_entropy, layer_norm, masked_attention, sinusoidal_positions
from bank import sampling as next_token
from bank import stable_softmax as softmax

rng = np.random.default_rng(4)
vocabulary = ["the", "dog", "ran", "until", "it", "slept"]

# [norm]
word = np.array([[2.0, 0.4, 0.3, -0.7]])
gain, bias = np.ones(4), np.zeros(4)
normed = layer_norm(word, gain, bias, 1e-5)
louder = layer_norm(100 * word, gain, bias, 1e-5)
# [end]
norm_mean, norm_spread = abs(normed.mean()), normed.std()
norm_difference = np.abs(louder - normed).max()

# [residual]
depth, width = 30, 64
plain, residual = [1.0], [1.0]
a = b = np.ones(width) / np.sqrt(width)  # a signal of length 1, going back from the end
for _ in range(depth):
    layer = rng.standard_normal((width, width)) * 0.4 / np.sqrt(width)
    a = layer.T @ a  # the layer alone
    b = b + layer.T @ b  # the layer with its residual
    plain.append(float(np.linalg.norm(a)))
    residual.append(float(np.linalg.norm(b)))
# [end]
plain_last, residual_last = plain[-1], residual[-1]
signal = {
    "kind": "curve",
    "x": list(range(1, depth + 2)),
    "lines": {"layer(x)": plain, "x + layer(x)": residual},
    "log": True,
    "x_name": "layers",
    "y_name": "signal",
    "zh": {"layers": "层数", "signal": "信号"},
}

# [block]
E, F, V = 32, 128, 6  # widths of the words and of the feed-forward layer; size of the vocabulary
embedding = rng.standard_normal((V, E))
w_q, w_k, w_v, w_o = rng.standard_normal((4, E, E)) / np.sqrt(E)
w_in = rng.standard_normal((E, F)) / np.sqrt(E)
w_out = rng.standard_normal((F, E)) / np.sqrt(F)


def norm(x):
    """Each word gets mean 0 and variance 1."""
    return layer_norm(x, np.ones(E), np.zeros(E), 1e-5)


def gelu(h):
    """A smooth step: large numbers pass, negative ones hardly."""
    return h / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (h + 0.044715 * h**3)))


def block(x):
    """Words exchange, then each one thinks: (B, n, E) -> (B, n, E)."""
    h = norm(x)
    found, _ = masked_attention(h @ w_q, h @ w_k, h @ w_v, causal=True)
    x = x + found @ w_o
    return x + gelu(norm(x) @ w_in) @ w_out


# [end]
attention_parameters = 4 * E * E
forward_parameters = 2 * E * F
share_forward = forward_parameters / (attention_parameters + forward_parameters)

# [size]
layers, e, v, context = 12, 768, 50257, 1024
per_block = 4 * e * e + 2 * e * (4 * e)  # attention, feed-forward; biases and gains left out
parameters = layers * per_block + v * e + context * e
# [end]
millions = parameters / 1e6

# [texts]
texts = np.array([[0, 1, 2, 3, 4, 5], [0, 1, 5, 3, 4, 2]])
inputs, targets = texts[:, :-1], texts[:, 1:].reshape(-1)  # what is seen, what comes next
tokens = embedding[inputs] + sinusoidal_positions(5, E)  # (B, n, E) = (2, 5, 32)
read_all = norm(block(tokens)).reshape(-1, E)  # (10, E): each place knows what stands before
read_last = norm(tokens).reshape(-1, E)  # (10, E): each place knows its own word only
# [end]


# [train]
def train(features, steps=1501, rate=0.3):
    """Learns the matrix that makes logits; returns it, and the loss on the way."""
    w, losses = np.zeros((E, V)), []
    for step in range(steps):
        logits = features @ w  # (10, V)
        if step % 10 == 0:
            losses.append(float(cross_entropy(logits, targets)))
        error = softmax(logits) - np.eye(V)[targets]  # probability minus truth
        w = w - rate * features.T @ error / len(targets)
    return w, losses


w_vocabulary, loss_all = train(read_all)
_, loss_last = train(read_last)
# [end]
start, end_all, end_last = loss_all[0], loss_all[-1], loss_last[-1]
log_v = np.log(V)
floor_all, floor_last = np.log(2) / 5, 2 * np.log(2) / 5
learning = {
    "kind": "curve",
    "x": list(range(0, 1501, 10)),
    "lines": {"with attention": loss_all, "last word only": loss_last},
    "log": False,
    "x_name": "step",
    "y_name": "loss",
    "zh": {
        "with attention": "有注意力",
        "last word only": "只看最后一个词",
        "step": "步数",
        "loss": "损失",
    },
}

# [sample]
logits = read_all @ w_vocabulary  # (10, V)
after_dog = logits[1]  # "the dog …"
chances = np.linspace(0, 0.999, 1000)  # in place of random numbers from 0 to 1
draws = [next_token(after_dog, temperature=1.0, top_k=0, top_p=1.0, u=u) for u in chances]
cold = [next_token(after_dog, temperature=0.0, top_k=0, top_p=1.0, u=u) for u in chances]
# [end]
drawn_ran, drawn_slept = draws.count(2), draws.count(5)
kinds_cold = len(set(cold))
p_slept, p_ran = softmax(logits[4])[5], softmax(logits[9])[2]
choices = {
    "kind": "softmax",
    "scores": after_dog,
    "labels": vocabulary,
    "scale": 1.0,
    "most": 3.0,
}

# [cache]
h = norm(tokens[:1])  # (1, 5, E)
q, k, v_all = h @ w_q, h @ w_k, h @ w_v
whole, _ = masked_attention(q, k, v_all, causal=True)  # all five words at once
kept_k, kept_v = k[:, :4], v_all[:, :4]  # the cache after four words
new_k = np.concatenate([kept_k, k[:, 4:]], axis=1)  # the fifth word adds one key
new_v = np.concatenate([kept_v, v_all[:, 4:]], axis=1)  # and one value
last, _ = masked_attention(q[:, 4:], new_k, new_v, causal=True)  # one query, five keys
# [end]
cache_difference = np.abs(last[0, 0] - whole[0, 4]).max()
n = 1000
without_cache, with_cache = n * (n + 1) // 2, n
cache_gib = 2 * 32 * 8192 * 4096 * 2 / 2**30
