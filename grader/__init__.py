"""The core of the attention judge: problems in, verdicts out. It knows nothing of Flask or SQL."""

import os

# The judge multiplies no large matrices, and threads that would are busy while NumPy is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

__version__ = "0.1.0"
