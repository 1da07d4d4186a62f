"""Syllabi: whole courses as files of the bank, courses/NAME.toml. Reads them, and checks them
against the lessons and problems of the bank.

Knows lessons, problems and the steps of practice; runs nothing. What a course is made of is the
service's business.
"""

from grader.syllabi.check import faults, untranslated
from grader.syllabi.definition import Syllabus, Week
from grader.syllabi.loading import load, names, read, read_all

__all__ = ["Syllabus", "Week", "faults", "load", "names", "read", "read_all", "untranslated"]
