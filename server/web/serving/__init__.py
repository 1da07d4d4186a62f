"""How the servers that we run keep a request aside while it waits: waiting, and one file for each
server.
"""
