"""A word as a list of numbers; the dot product, length and angle."""

import numpy as np

# [words]
words = ["the", "dog", "ran", "until", "it", "slept"]
x = np.array(
    [
        [0.4, 0.0],  # the      columns: thing, action
        [2.0, 0.4],  # dog
        [0.2, 1.8],  # ran
        [-0.4, -0.2],  # until
        [0.8, 0.2],  # it
        [0.6, 1.4],  # slept
    ]
)  # (6, 2)
# [end]
the, dog, ran, until, it, slept = x

# [dot]
dog_it = (dog * it).sum()  # multiply entry by entry, then add up
dog_ran = dog @ ran  # NumPy's short form of the same
# [end]
ran_slept = ran @ slept
dog_until = dog @ until
first, second = dog * it


# [angle]
length_dog = np.sqrt(dog @ dog)
length_it = np.sqrt(it @ it)
cosine = dog @ it / (length_dog * length_it)
angle_dog_it = np.degrees(np.arccos(cosine))
# [end]
length_ran, length_slept = np.linalg.norm(ran), np.linalg.norm(slept)
cosine_ran_slept = ran_slept / (length_ran * length_slept)
angle_ran_slept = np.degrees(np.arccos(cosine_ran_slept))
cosine_dog_ran = dog_ran / (length_dog * length_ran)
angle_dog_ran = np.degrees(np.arccos(cosine_dog_ran))
doubled = (2 * dog) @ it

# [likeness]
likeness = x @ x.T  # (6, 2) times (2, 6) is (6, 6): every word with every word
# [end]
it_dog, it_it = likeness[4, 1], likeness[4, 4]

# [angles_by_width]
rng = np.random.default_rng(0)
widths = [2, 4, 8, 16, 32, 64, 128, 256, 512]
typical = []
for d in widths:
    a, b = rng.standard_normal((2, 2000, d))  # 2000 pairs of random vectors
    cosines = (a * b).sum(axis=1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)
    typical.append(float(np.sqrt(np.mean(cosines**2))))
# [end]
typical_two, typical_last, last_width = typical[0], typical[-1], widths[-1]

plane = {
    "kind": "vectors",
    "vectors": {w: v for w, v in zip(words, x.tolist(), strict=True) if w != "the"},
    "compare": ["dog", "it"],
}
table = {"kind": "product", "left": x, "right": x.T}
likeness_map = {"kind": "heatmap", "values": likeness, "rows": words, "columns": words}
narrow = {
    "kind": "curve",
    "x": widths,
    "lines": {"cos": typical, "1 / √d": [d**-0.5 for d in widths]},
    "log": True,
    "x_name": "d",
    "y_name": "cos",
}
