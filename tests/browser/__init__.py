"""The site as a reader meets it: a real server, a real room, Debian's Chromium."""
