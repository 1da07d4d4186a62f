"""Names the known mistake that gives exactly the tensors of a failing submission.

It may know answers, verdicts and the sandbox, in which it runs the known mistakes. It sees only
what is public of a submission: samples, public twins, and which cases failed.
"""
