"""`/api/v1`, for programs: problems, submissions, publishing; described by OpenAPI 3.1.

May know the services, the tables and what is in server/web itself.
"""
