"""What the service can do: submissions, accounts, problems, courses, rejudging, and what pages show
of them.

May know the core and the tables. Never imports Flask, pages or workers, so that each caller passes
what is needed.
"""
