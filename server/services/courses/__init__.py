"""Courses: terms of assignments, scores, known mistakes in a class, time zones.

May know the tables and the services beside it.
"""
