"""`python -m stepcheck` is the console script."""

import sys

# Python puts the working directory first, and there may stand the checked project's own `yaml.py` or `click.py`:
# nothing of it is ever imported. Nothing but `sys` may be imported above this line.
if __name__ == "__main__" and not sys.flags.safe_path:
    del sys.path[0]

from stepcheck.cli import main

if __name__ == "__main__":
    main()
