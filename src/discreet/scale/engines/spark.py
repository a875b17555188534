"""Executors of Spark: a master that runs already, or Spark on this machine.

A stage is a DataFrame of pickled tasks, one row each. `applyInArrow` runs each row as a group and a partition of its
own; what comes back is the task's number and its dictionary as JSON. What a task raises travels back pickled and is
raised here. Spark repeats a task whose worker process or executor dies.
"""

from __future__ import annotations

import json
import os
import pickle
import shutil
import socket
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from discreet.errors import DiscreetError, InputError
from discreet.scale.engines import Task
from discreet.scale.engines.workers import faults_of, worker_facts

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark import Accumulator, SparkConf, SparkContext
    from pyspark.sql import SparkSession

SECONDS_TO_ANSWER = 10
"""After this long a master that does not answer counts as not there."""
LOOK = 0.05
"""Seconds between two looks at which tasks have ended."""
FAILURES = 4
"""How often Spark may run a task whose worker dies: its own default, which it does not apply on one machine."""
CANDIDATES = 20
"""Keys tried for each partition; one gets none with a chance of e^-20, and its task then shares another's."""
HERE = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.ui.enabled": "false",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
}
"""On this machine nothing listens to the network, and Java, which has little to do, does not compile for long runs."""


class Spark:
    def __init__(self, session: SparkSession) -> None:
        self._context = session.sparkContext
        # A session of our own in the same context: its settings are not those of whoever works beside us.
        self._session = session.newSession()
        self._session.conf.set("spark.sql.adaptive.enabled", "false")  # would put small partitions together

    def run(self, tasks: Sequence[Task], done: Callable[[int], None]) -> list[dict[str, Any]]:
        if not tasks:
            return []
        from pyspark.accumulators import AddingAccumulatorParam

        group = uuid4().hex
        ended = self._context.accumulator([], AddingAccumulatorParam([]))
        seen = 0
        with ThreadPoolExecutor(1, "discreet-spark") as pool:
            rows = pool.submit(self._collect, tasks, group, ended)
            try:
                finished = False
                while not finished:
                    finished = bool(wait([rows], LOOK).done)
                    news = ended.value[seen:]
                    seen += len(news)
                    for i, error in news:
                        if error:
                            raise pickle.loads(error)
                        done(i)
                results = dict(rows.result())
            except Exception as error:
                raise _explained(error) from None
            finally:
                self._context.cancelJobGroup(group)
        return [json.loads(results[i]) for i in range(len(tasks))]

    def _collect(self, tasks: Sequence[Task], group: str, ended: Accumulator[Any]) -> list[tuple[int, str]]:
        from pyspark import cloudpickle

        stages = sorted({task.name.rpartition("-")[0] or task.name for task in tasks})
        self._context.setJobGroup(group, f"discreet: {', '.join(stages)}", interruptOnCancel=True)
        self._session.conf.set("spark.sql.shuffle.partitions", str(len(tasks)))
        keys = self._keys(len(tasks))
        calls = [
            (keys[i], i, task.name, cloudpickle.dumps((task.function, task.arguments))) for i, task in enumerate(tasks)
        ]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that a version of pandas, which is not used, is newer than expected
            frame = self._session.createDataFrame(calls, "key long, task int, name string, call binary")
            answers = frame.groupBy("key").applyInArrow(_runner(ended), "task int, result string")
            return [(row.task, row.result) for row in answers.collect()]

    def _keys(self, count: int) -> list[int]:
        """A key for each partition that Spark's hash puts there: the tasks of one partition run one after the other."""
        places = self._session.range(CANDIDATES * count, numPartitions=1).selectExpr("id", f"pmod(hash(id), {count}) p")
        first: dict[int, int] = {}
        for row in places.collect():
            first.setdefault(row.p, row.id)
        return [first.get(partition, partition) for partition in range(count)]


def _runner(ended: Accumulator[Any]) -> Callable[[pa.Table], pa.Table]:
    """Runs the task of a group; made here so that it travels as code, whether or not discreet is there."""

    def run(group: pa.Table) -> pa.Table:
        numbers, results = [], []
        for row in group.to_pylist():
            try:
                function, arguments = pickle.loads(row["call"])
                result = json.dumps(function(*arguments))
                ended.add([(row["task"], b"")])
            except Exception as error:
                result = "null"
                try:
                    told = pickle.dumps(error)
                    pickle.loads(told)
                except Exception:
                    told = pickle.dumps(RuntimeError(f"{row['name']} failed with {type(error).__name__}"))
                ended.add([(row["task"], told)])
            numbers.append(row["task"])
            results.append(result)
        return pyarrow.table({"task": pyarrow.array(numbers, "int32"), "result": results})

    import pyarrow

    return run


def _explained(error: Exception) -> Exception:
    """What Spark itself raises, in one sentence; what tasks raise stays as it is."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    if not isinstance(error, Py4JError | PySparkException):
        return error
    if "No module named" in str(error):
        return InputError("the Python of Spark's workers lacks pyarrow or discreet: install discreet[spark] there")
    return DiscreetError(
        "Spark gave the run up: workers died again and again, most often for lack of memory (give less with --memory), "
        "or the master cannot be reached any more"
    )


@contextmanager
def open_spark(cluster: str, shared: Sequence[Path]) -> Iterator[Spark]:
    """The master at `spark://host:port`, or `local[2]`; a session that exists already is used, and left as it is."""
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise InputError(f"cluster {cluster} needs Spark: install it with pip install 'discreet[spark]'") from None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        session = SparkSession.getActiveSession()
        ours = session is None
        if session is None:
            session = _start(cluster)
        elif session.sparkContext.master.split(",")[0].rstrip("]") != cluster.rstrip("]"):
            raise InputError(
                f"a Spark session is open with master {session.sparkContext.master}: stop it, or name its master"
            )
    try:
        engine = Spark(session)
        _check_workers(engine, session.sparkContext, shared)
        yield engine
    finally:
        if ours:
            session.stop()


def _start(cluster: str) -> SparkSession:
    from pyspark import SparkConf, SparkContext
    from pyspark.sql import SparkSession

    here = cluster.startswith("local")
    if not here and not any(map(_answers, cluster.removeprefix("spark://").split(","))):
        raise InputError(f"no Spark master answers at {cluster}: start one, or say local[2]")
    conf = SparkConf().setAppName("discreet").set("spark.executorEnv.DISCREET_THREADS", "1")
    conf.set("spark.ui.showConsoleProgress", "false").set("spark.log.level", "OFF")
    conf.setMaster(f"{cluster[:-1]},{FAILURES}]" if here else cluster)
    if here:
        conf.setAll(list(HERE.items()))
    context = SparkContext(conf=conf, gateway=_java(conf))
    if here and not os.environ.get("PYSPARK_PYTHON"):
        context.pythonExec = sys.executable  # else the first python3 on the path, which may know nothing of discreet
    return SparkSession(context)


def _answers(address: str) -> bool:
    """Whether anything listens there: Spark itself takes a minute to notice that nothing does."""
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=SECONDS_TO_ANSWER).close()
    except (OSError, ValueError, OverflowError):
        return False
    return True


def _java(conf: SparkConf) -> Any:
    """Java for Spark, with what it writes about itself put aside; None if this process has one already."""
    from pyspark import SparkContext
    from pyspark.errors import PySparkException
    from pyspark.java_gateway import launch_gateway

    if SparkContext._gateway is not None:
        return None
    home = os.environ.get("JAVA_HOME")
    if not (Path(home, "bin", "java").exists() if home else shutil.which("java")):
        raise InputError("Spark needs Java 17 or later: install it (Debian: default-jre-headless), or set JAVA_HOME")
    with tempfile.TemporaryFile() as log:
        try:
            return launch_gateway(conf, {"stderr": log})
        except PySparkException:
            log.seek(0)
            said = log.read().decode(errors="replace").strip().splitlines()
            raise InputError(f"Java for Spark did not start: {said[0] if said else 'it said nothing'}") from None


def _check_workers(engine: Spark, context: SparkContext, shared: Sequence[Path]) -> None:
    """Asked in as many places as run at once: Spark has no way to ask every executor."""
    look = worker_facts([str(path) for path in shared])
    tasks = [Task(f"look-{i}", look, ()) for i in range(context.defaultParallelism)]
    faults = faults_of(engine.run(tasks, lambda _: None))
    if faults:
        raise InputError(faults)
