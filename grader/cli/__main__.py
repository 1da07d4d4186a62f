"""`python -m grader.cli`: the same as `grade`."""

from grader.cli import main

if __name__ == "__main__":
    main()
