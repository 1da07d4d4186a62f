"""What the commands print: reports, statements, the kill matrix, scripts of a public twin.

It may know what a command has to show, and a console to show it on. It runs nothing.
"""
