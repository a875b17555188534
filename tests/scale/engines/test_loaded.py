"""What workers begin with: libraries that they all use, nothing of the user's, and no threads."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import discreet

ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": str(Path(discreet.__file__).parents[1]),
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}
LOOK = """
import json, sys
import discreet.scale.engines.loaded
print(json.dumps([name in sys.modules for name in ("distributed", "numba", "pyarrow.parquet", "pandas", "user")]))
"""


def test_libraries_are_loaded_and_nothing_of_the_folder_that_one_works_in(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    for name in ("distributed", "numba", "numpy"):
        (tmp_path / f"{name}.py").write_text("import user")
    (tmp_path / "user.py").write_text("")
    ran = subprocess.run([sys.executable, "-c", LOOK], cwd=tmp_path, env=ENVIRONMENT, capture_output=True, check=True)
    assert json.loads(ran.stdout) == [True, True, True, False, False]


@pytest.mark.skipif(sys.platform != "linux", reason="threads are counted in /proc")
def test_what_is_copied_has_no_threads() -> None:
    pytest.importorskip("distributed")
    look = "import os, discreet.scale.engines.loaded; print([open(f'/proc/self/task/{t}/comm').read().strip() "
    look += "for t in os.listdir('/proc/self/task')][1:])"
    ran = subprocess.run([sys.executable, "-c", look], env=ENVIRONMENT, capture_output=True, check=True, text=True)
    assert ran.stdout.strip() in ("[]", "['jemalloc_bg_thd']")
