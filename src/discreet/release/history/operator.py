"""Who works on the database from the command line: the user of the operating system, never the host."""

from __future__ import annotations

import os


def operator() -> str:
    """Such as `command line (ann)`. Asked of the system: variables of the environment can say anything."""
    try:
        import pwd

        name = pwd.getpwuid(os.getuid()).pw_name
    except ImportError:  # Windows has no such list
        name = os.getlogin()
    except KeyError:  # a user without an entry, as in many containers
        name = f"user {os.getuid()}"
    return f"command line ({name})"
