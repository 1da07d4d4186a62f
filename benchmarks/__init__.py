"""What the figures of the README and of docs/ are measured with, each with its baselines. `make
bench` runs them.

May know everything, also the helpers of tests/ that start services. Nothing here is installed.
"""
