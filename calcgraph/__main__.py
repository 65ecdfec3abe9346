"""``python -m calcgraph``."""

import sys

from calcgraph.cli import main

if __name__ == "__main__":
    sys.exit(main())
