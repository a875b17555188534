"""`python -m discreet`. Ctrl-C is no reason for a traceback, not even while the command is being loaded."""

import os

try:
    from discreet.cli import main
except KeyboardInterrupt:
    os._exit(130)

main()
