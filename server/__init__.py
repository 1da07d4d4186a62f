"""The web service: learners solve attention exercises in the browser.

`create_app` puts it together; docs/server.md explains it.
"""

from server.app import create_app

__all__ = ["create_app"]
