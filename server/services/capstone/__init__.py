"""The capstone in the service: which parts are a learner's own, what the model is asked to write,
and certificates. The worker runs the model; docs/design/capstone.md has the reasons.
"""
