"""`grade practice`: shows items in a terminal, reads answers, says what they come to.

It prints. What is right and why is decided in `grader/practice`.
"""
