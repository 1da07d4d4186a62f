"""Syllabi: whole courses as files of the bank, from which an instructor makes a course.

Knows the bank, its lessons and courses, and no web framework.
"""
