"""The pages of instructors: drafts, versions, rejudging, courses, gradebook, mistakes, similar
submissions.

May know the services, the tables and what is in server/web itself.
"""
