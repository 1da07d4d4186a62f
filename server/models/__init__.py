"""The tables, by subject, and the connection to them. Revisions of the schema are in
server/migrations.

May know SQLAlchemy, Alembic and the modes of files; nothing else of the service.
"""
