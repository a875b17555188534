"""What worker processes on this machine begin with: on Linux they are copies of one process that imports this module.

The libraries are then loaded once and not by every worker. Nothing is done there that would start a thread, since a
copy has none: only an allocator of Arrow's has one, which it starts anew.
"""

import sys
from contextlib import suppress

# A file of the user's in the folder that the program was started in must not be taken for a library.
sys.path[:] = [place for place in sys.path if place]
with suppress(ImportError):
    import distributed
    import numba
    import numpy
    import pyarrow.parquet
    import scipy.spatial

    __all__ = ["distributed", "numba", "numpy", "pyarrow", "scipy"]
