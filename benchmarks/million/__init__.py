"""A million submissions in the tables: what pages and the queue cost then.

docs/design/million-submissions.md has the figures.
"""
