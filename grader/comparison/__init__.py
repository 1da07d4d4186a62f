"""Compares one run with one answer: how the call ended, which tensors differ, where and how.

It may know runs, cases and findings. It knows no submission, no sandbox and no verdict.
"""
