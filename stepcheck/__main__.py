"""`python -m stepcheck` is the console script."""

from stepcheck.cli import main

if __name__ == "__main__":
    main()
