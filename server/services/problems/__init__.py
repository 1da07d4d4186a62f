"""Problems: the bank, drafts as files, their verification, published versions.

May know the core, the tables and the services beside it.
"""
