"""Trains the model of the capstone on the project's own English, and writes its weights.

    python scripts/train_model.py [OUTPUT]

The text (scripts/model_text.py), the seed and the number of threads decide the weights. It takes
about a quarter of an hour of CPU time on one core. How far a second run was compared with the first
stands in docs/design/capstone.md.
"""

import hashlib
import lzma
import math
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from grader.capstone.weights import ALPHABET, CONTEXT, EPS, FILE, HEADS, LAYERS, WIDTH, shapes

TEXT = Path(__file__).with_name("model_text.xz")
SEED, THREADS = 20, 1
STEPS, BATCH, RATE, WARM_UP, DECAY, DROPOUT = 2000, 32, 3e-3, 100, 0.1, 0.1
HELD_OUT = 0.05  # of the paragraphs: what the loss is measured on


class Layer(nn.Module):
    """One layer of the model. As in the room, but for a whole text at once, and with gradients."""

    def __init__(self, kind: str, shape: dict[str, tuple[int, ...]]) -> None:
        super().__init__()
        self.kind = kind
        self.weights = nn.ParameterDict(
            {n.replace(".", "_"): _drawn(n, s) for n, s in shape.items()}
        )

    def forward(self, x: torch.Tensor, rotation: torch.Tensor) -> torch.Tensor:
        """X (B, n, E) -> (B, n, E)."""
        w = self.weights
        x = x + self.dropped(self.attention(self.norm(x, "norm_1"), rotation) @ w["W_o"].T)
        h = F.gelu(self.norm(x, "norm_2") @ w["W_in"].T)
        return x + self.dropped(h @ w["W_out"].T)

    def dropped(self, x: torch.Tensor) -> torch.Tensor:
        """What is added to the stream, with some of it left out while the model learns."""
        return F.dropout(x, DROPOUT, self.training)

    def norm(self, x: torch.Tensor, name: str) -> torch.Tensor:
        """The norm that this kind of layer has."""
        w = self.weights
        if self.kind == "block":
            return F.layer_norm(x, (WIDTH,), w[f"{name}_weight"], w[f"{name}_bias"], EPS)
        return F.rms_norm(x, (WIDTH,), w[name], EPS)

    def attention(self, x: torch.Tensor, rotation: torch.Tensor) -> torch.Tensor:
        """The heads side by side, before W_o."""
        B, n, E = x.shape
        names = ("W_q", "W_k", "W_v")
        q, k, v = (
            (x @ self.weights[name].T).view(B, n, HEADS, E // HEADS).transpose(1, 2)
            for name in names
        )
        if self.kind == "rotary":
            q, k = turned(q, rotation), turned(k, rotation)
        heads = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return heads.transpose(1, 2).reshape(B, n, E)


class Model(nn.Module):
    """tokens (B, n) -> logits (B, n, V)."""

    def __init__(self) -> None:
        super().__init__()
        whole = shapes()
        self.embedding = _drawn("embedding", whole["embedding"])
        self.norm = _drawn("norm", whole["norm"])
        self.layers = nn.ModuleList(
            Layer(kind, {n[2:]: s for n, s in whole.items() if n.startswith(f"{i}.")})
            for i, kind in enumerate(LAYERS)
        )

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        """Returns the logits at every place."""
        rotation = angles(tokens.shape[1])
        x = self.embedding[tokens]
        for layer in self.layers:
            x = layer(x, rotation)
        return F.rms_norm(x, (WIDTH,), self.norm, EPS) @ self.embedding.T

    def stored(self) -> dict[str, np.ndarray]:
        """Returns the weights as the file has them."""
        weights = {"embedding": self.embedding, "norm": self.norm}
        for number, layer in enumerate(self.layers):
            names = (n for n in shapes() if n.startswith(f"{number}."))
            weights |= {n: layer.weights[n[2:].replace(".", "_")] for n in names}
        return {n: weights[n].detach().numpy().astype(np.float16) for n in shapes()}


def _drawn(name: str, shape: tuple[int, ...]) -> nn.Parameter:
    """What a weight begins with. What writes into the stream begins small: there are eight."""
    if len(shape) == 1:
        return nn.Parameter(torch.zeros(shape) if name.endswith("bias") else torch.ones(shape))
    deviation = {"embedding": 0.05, "W_o": 0.02, "W_out": 0.01}.get(name, 1 / math.sqrt(shape[1]))
    return nn.Parameter(torch.randn(shape) * deviation)


def angles(n: int) -> torch.Tensor:
    """(n, D/2) complex numbers of length 1."""
    D = WIDTH // HEADS
    theta = 10000.0 ** (-torch.arange(0, D, 2) / D)
    return torch.polar(torch.ones(n, D // 2), torch.arange(n)[:, None] * theta)


def turned(x: torch.Tensor, rotation: torch.Tensor) -> torch.Tensor:
    """X (B, H, n, D) with neighbouring pairs turned."""
    pairs = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2))
    return torch.view_as_real(pairs * rotation).flatten(-2)


def tokens_of(parts: list[str]) -> torch.Tensor:
    """Paragraphs as one line of tokens."""
    return torch.tensor([ALPHABET.index(char) for char in "\n".join(["", *parts, ""])])


def batches(data: torch.Tensor, generator: torch.Generator) -> Iterator[torch.Tensor]:
    """Pieces of the text, each a character longer than the context."""
    while True:
        starts = torch.randint(len(data) - CONTEXT, (BATCH,), generator=generator)
        yield data[starts[:, None] + torch.arange(CONTEXT + 1)]


def loss_of(model: Model, piece: torch.Tensor) -> torch.Tensor:
    """The mean cross entropy of the next character."""
    logits = model(piece[:, :-1])
    return F.cross_entropy(logits.flatten(0, 1), piece[:, 1:].flatten())


def rate(step: int) -> float:
    """A warm-up, then half a cosine down to a thousandth."""
    if step < WARM_UP:
        return (step + 1) / WARM_UP
    return 0.001 + 0.999 * 0.5 * (1 + math.cos(math.pi * (step - WARM_UP) / (STEPS - WARM_UP)))


def train(model: Model, learned: torch.Tensor, held_out: torch.Tensor) -> None:
    """AdamW; gains and biases do not decay."""
    matrices = [p for p in model.parameters() if p.dim() == 2]
    others = [p for p in model.parameters() if p.dim() == 1]
    groups = [{"params": matrices, "weight_decay": DECAY}, {"params": others, "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=RATE, betas=(0.9, 0.98))
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, rate)
    drawn = batches(learned, torch.Generator().manual_seed(SEED))
    for step in range(STEPS):
        loss = loss_of(model, next(drawn))
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        if step % 100 == 99:
            lost = f"loss {float(loss.detach()):.3f}, held out {measured(model, held_out):.3f}"
            print(f"{step + 1:5} {lost}", flush=True)


@torch.no_grad()
def measured(model: Model, data: torch.Tensor) -> float:
    """The loss in nats a character."""
    model.eval()
    pieces = data[: len(data) // (CONTEXT + 1) * (CONTEXT + 1)].view(-1, CONTEXT + 1)
    loss = float(loss_of(model, pieces[:128]))
    model.train()
    return loss


def main() -> None:
    """Reads the text, trains, and writes the file."""
    torch.manual_seed(SEED)
    torch.set_num_threads(THREADS)
    torch.use_deterministic_algorithms(True)
    text = lzma.decompress(TEXT.read_bytes()).decode()
    parts = text.split("\n")
    every = round(1 / HELD_OUT)
    learned = tokens_of([p for i, p in enumerate(parts) if i % every])
    held_out = tokens_of(parts[::every])
    model = Model()
    print(f"{len(text):,} characters, sha256 {hashlib.sha256(text.encode()).hexdigest()}")
    print(f"{sum(p.numel() for p in model.parameters()):,} parameters")
    started = time.perf_counter()
    train(model, learned, held_out)
    print(f"{(time.perf_counter() - started) / 60:.1f} minutes")
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else FILE
    np.savez_compressed(path, **model.stored())
    print(f"{path}: {path.stat().st_size:,} bytes, {hashlib.sha256(path.read_bytes()).hexdigest()}")


if __name__ == "__main__":
    main()
