"""The process that keeps rooms warm. `grader/sandbox/keep/` finds and starts it, and has the
theory of operation.

It imports the standard library and itself only, so that it is small and starts at once.
docs/design/keep.md has the reasons.
"""
