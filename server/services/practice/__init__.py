"""Practice in the service: which items a problem has, who may answer them, what was answered.

Items are made and answers judged by the worker; docs/design/practice.md has the reasons.
"""
