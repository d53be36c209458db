"""A job beyond one machine: its pieces as tasks of a Dask cluster. Needs the extra `sweep`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from itertools import islice
from typing import Any

from ...engine.errors import PaludariumError
from .job import Done, Job

TASK_PIECES = 4
"""Pieces per task: about a second of work, so that a lost worker costs little and the scheduler is not kept busy."""
TASKS_AT_ONCE = 512
"""Tasks that the scheduler knows of at a time: enough for some hundred cores, and few enough to be cancelled quickly."""
CONNECT_SECONDS = 10


class ClusterError(PaludariumError):
    """The cluster cannot be reached or cannot do the work; what has been measured stays where it is."""


def measure_task(indices: list[int], job: Job[Any]) -> tuple[str, list[Done[Any]]]:
    """What a worker does: its version, and the pieces."""
    from ... import __version__

    return __version__, [job.measure(index) for index in indices]


def measure_on_cluster(address: str) -> Callable[[Any, list[int]], Iterator[Done[Any]]]:
    """Who does the work of a job, in place of `measure_on_cores`: the workers of the Dask scheduler at an address.

    Tasks of a worker that dies go to the others. The workers need this package in the same version.

    Example::

        run_sweep(sweep, "swimmer.csv", measure_on_cluster("tcp://192.168.1.5:8786"))
    """

    def measure(job: Job[Any], indices: list[int]) -> Iterator[Done[Any]]:
        from ... import __version__

        client, as_completed = _connect(address)
        with client:
            tasks = (indices[k : k + TASK_PIECES] for k in range(0, len(indices), TASK_PIECES))
            running = as_completed(client.map(measure_task, list(islice(tasks, TASKS_AT_ONCE)), job=job, pure=False),
                                   loop=client.loop)  # fmt: skip
            try:
                for future in running:
                    version, done = _result(future, address)
                    if version != __version__:
                        raise ClusterError(f"a worker of {address} has version {version}: allowed is {__version__}, as here")
                    for indices_of_task in islice(tasks, 1):
                        running.add(client.submit(measure_task, indices_of_task, job=job, pure=False))
                    yield from done
            finally:
                client.cancel(list(running.futures))

    return measure


def _connect(address: str) -> tuple[Any, Any]:
    try:
        from distributed import Client, as_completed
    except ImportError:
        raise ClusterError("a Dask cluster needs the extra: pip install 'paludarium[sweep]'") from None
    try:
        return Client(address, timeout=CONNECT_SECONDS, set_as_default=False), as_completed
    except (OSError, ValueError, TypeError) as problem:
        raise ClusterError(f"no Dask scheduler answers at {address!r} ({problem}): allowed is HOST:PORT") from None


def _result(future: Any, address: str) -> tuple[str, list[Done[Any]]]:
    from distributed import KilledWorker

    try:
        return future.result()
    except (CancelledError, OSError):
        raise ClusterError(f"the connection to the scheduler at {address} was lost; run it again to go on") from None
    except KilledWorker:
        raise ClusterError(f"several workers of {address} died on the same task; run it again to go on") from None
    except ImportError as problem:
        raise ClusterError(f"a worker of {address} lacks this package: {problem}") from None
