"""The core of the attention judge: problems in, verdicts out. It knows nothing of Flask or SQL."""

__version__ = "0.1.0"
