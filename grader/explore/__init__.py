"""Shows a submission at work on public inputs: its trace, and its first wrong step.

It may know the sandbox, answers and verdicts. Nothing in here is ever told of a hidden case.
"""
