import numpy as np

from grader.case import Case


def draw(rng: np.random.Generator, *shape: int) -> np.ndarray:
    return rng.standard_normal(shape).astype(np.float32)


def cases(rng: np.random.Generator):
    """Inputs, parameters and the reason each case exists; never an expected value."""
    yield Case(
        "two tokens",
        inputs={"x": np.round(draw(rng, 1, 2, 3), 1)},
        init={"d_model": 3},
        state={"W.weight": np.round(draw(rng, 3, 3), 1)},  # as in the state dict of the module
        sample=True,
        note="The definition, small enough to follow by hand.",
    )
    # an empty note is refused
    yield Case(
        "a batch",
        inputs={"x": draw(rng, 2, 7, 5)},
        init={"d_model": 5},
        state={"W.weight": draw(rng, 5, 5)},
        note="",
    )
    yield Case(
        "gradients",
        inputs={"x": draw(rng, 3, 4, 6)},
        init={"d_model": 6},
        state={"W.weight": draw(rng, 6, 6)},
        wants=("grad.x", "grad.W.weight"),
        note="",
    )
