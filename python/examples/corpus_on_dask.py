"""Compares a corpus on a Dask cluster: one task a shard, and one report at the end.

    python corpus_on_dask.py shaders --out report --shards 16 --scheduler tcp://head:8786

Without ``--scheduler`` a cluster of this machine is used. Run again after an interruption, it goes on: shards that are there are
not run again. The folders must be the same for all workers.
"""

from __future__ import annotations

import argparse
from typing import List, Optional

import parallax
from distributed import Client, LocalCluster, as_completed


def run(paths: List[str], out: str, shards: int, models: Optional[str], client: Client) -> parallax.Comparison:
    """Runs all shards and puts them together."""
    tasks = [
        client.submit(
            parallax.compare_shard, *paths, shard=number, shards=shards, out=out, models=models, threads=1, pure=False
        )
        for number in range(1, shards + 1)
    ]
    for done, task in enumerate(as_completed(tasks), start=1):
        print(f"{done} of {shards}: {task.result()}")
    return parallax.merge(out)


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("paths", nargs="+")
    words.add_argument("--out", default="report")
    words.add_argument("--shards", type=int, default=16)
    words.add_argument("--models")
    words.add_argument("--scheduler")
    given = words.parse_args()
    cluster = given.scheduler or LocalCluster(threads_per_worker=1, dashboard_address=None)
    with Client(cluster) as client:
        found = run(given.paths, given.out, given.shards, given.models, client)
    for record in found.worst():
        print(f"{record['shader']} under {record['model']}: up to {record['baseline_max8']}/255")


if __name__ == "__main__":
    main()
