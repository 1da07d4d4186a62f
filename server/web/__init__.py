"""The pages, by audience, with templates/, frontend/ and static/; and what every request passes:
access, limits, language, failures.

May know the services and the tables, and the running worker through `context`.
"""
