"""Lists of people as teachers have them: read from text and checked. Nothing here knows a table."""
