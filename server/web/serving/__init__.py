"""How answers leave: the two servers, requests that wait, built files, compression.

May know Flask and the servers, and nothing of what the pages show.
"""
