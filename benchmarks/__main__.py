import sys

from benchmarks.harness import run

sys.exit(run(sys.argv[1:]))
