"""Shards, by hand and on a cluster."""

import importlib.util
from pathlib import Path

import pytest

import parallax

FILES = ("results.jsonl", "results.csv", "pairs.csv")


def test_shards_give_the_bytes_of_one_run(corpus: Path, tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    given = {"models": ["ieee", "nv40"], "size": (16, 16)}
    parallax.compare(corpus, out=whole, **given)
    for number in (3, 1, 2):
        parallax.compare_shard(corpus, shard=number, shards=3, out=cut, **given)
    merged = parallax.merge(cut)
    assert len(merged) == 8
    assert (cut / "index.html").is_file()
    for name in FILES:
        assert (cut / name).read_bytes() == (whole / name).read_bytes(), name


def test_a_missing_shard_is_named(corpus: Path, tmp_path: Path) -> None:
    parallax.compare_shard(corpus, shard=1, shards=2, out=tmp_path, models="ieee", size=(4, 4))
    with pytest.raises(parallax.ParallaxError, match="--shard 2/2"):
        parallax.merge(tmp_path)


def test_a_corpus_on_a_cluster(corpus: Path, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    path = Path(__file__).parents[1] / "examples" / "corpus_on_dask.py"
    spec = importlib.util.spec_from_file_location("corpus_on_dask", path)
    assert spec is not None and spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    out = tmp_path / "report"
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None
    ) as cluster, distributed.Client(cluster) as client:
        found = example.run([str(corpus)], str(out), 3, "ieee,nv40", client)
        # Interrupted after some shards, it goes on with the others.
        (out / "parts" / "00002-of-00003.json").unlink()
        again = example.run([str(corpus)], str(out), 3, "ieee,nv40", client)
    assert found.records == again.records
    whole = tmp_path / "whole"
    parallax.compare(corpus, models="ieee,nv40", out=whole)
    for name in FILES:
        assert (out / name).read_bytes() == (whole / name).read_bytes(), name
