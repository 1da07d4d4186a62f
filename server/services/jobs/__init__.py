"""One queue mechanism for every kind of job: fair order, leases, retries, dead letters.

It knows the tables and nothing of what a job does. docs/design/leases.md explains the choices.
"""
