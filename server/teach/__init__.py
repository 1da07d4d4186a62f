"""The instructors' side: problems written in the browser, verified, published, rejudged; courses. docs/instructors.md explains it."""
