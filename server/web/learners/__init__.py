"""The pages of everybody: the bank, submissions, an account, courses as a learner sees them.

May know the services, the tables and what is in server/web itself.
"""
