"""The pages that manage accounts and show the audit log.

May know the services, the tables and what is in server/web itself.
"""
