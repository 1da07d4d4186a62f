"""End the process with status 0 before any function is asked for.

rows: 1
verdicts: runtime_error
"""
import os

os._exit(0)
