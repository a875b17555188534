"""`python -m discreet`. A request to end is no reason for a traceback or another code while the command is loaded."""

import os
import signal

signal.signal(signal.SIGTERM, lambda *_: os._exit(130))
try:
    from discreet.cli import main
except KeyboardInterrupt:
    os._exit(130)

main()
