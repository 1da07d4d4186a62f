"""Measures the figures of docs/, each with its baselines. `make bench` runs everything.

May import everything, also the modules of tests/ that start services. Nothing here is installed.
"""
