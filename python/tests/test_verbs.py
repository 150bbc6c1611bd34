"""The verbs give what the program gives."""

from pathlib import Path

import numpy
import pytest

import parallax
from conftest import BLEND, BROKEN


def test_run_gives_an_array(corpus: Path) -> None:
    picture = parallax.run(corpus / "a.fp", model="nv40", size=(32, 16))
    assert picture.shape == (16, 32, 4)
    assert picture.pixels.dtype == numpy.float32
    # The same from bytes, and other bits under another model.
    same = parallax.run(BLEND.encode(), model="nv40", size="32x16")
    assert numpy.array_equal(picture.words, same.words)
    other = parallax.run(corpus / "a.fp", model="ati-r300", size=(32, 16))
    assert not numpy.array_equal(picture.words, other.words)


def test_a_size_is_two_numbers() -> None:
    with pytest.raises(ValueError, match="too many values"):
        parallax.run(parallax.Source(BLEND), size=(4, 4, 4))  # type: ignore[arg-type]


def test_run_of_a_broken_shader_is_an_error(corpus: Path) -> None:
    with pytest.raises(parallax.ParallaxError, match="MULQ") as error:
        parallax.run(corpus / "d.fp")
    assert error.value.exit_code == 2
    with pytest.raises(parallax.ParallaxError):
        parallax.run(BROKEN.encode())
    with pytest.raises(parallax.ParallaxError, match="no_such"):
        parallax.run(corpus / "a.fp", model="no_such")


def test_compare_keeps_what_runs_beside_what_does_not(corpus: Path) -> None:
    found = parallax.compare(corpus, models=["ieee", "nv-patent"], size=(16, 16))
    assert len(found) == 8
    assert [r["status"] for r in found if r["model"] == "ieee"] == ["ok", "ok", "ok", "invalid"]
    frame = found.to_pandas()
    assert list(frame.columns[:4]) == ["schema", "shader", "isa", "model"]
    assert frame.loc[frame.status == "ok", "pixels"].tolist() == [256] * 6
    assert frame.loc[frame.status == "invalid", "pixels"].isna().all()
    table = found.to_arrow()
    assert table.num_rows == 8
    assert table.column("max8").type.bit_width == 64
    assert {r["model"] for r in found.worst()} <= {"nv-patent"}


def test_a_comparison_of_nothing_that_runs_is_an_error(corpus: Path) -> None:
    with pytest.raises(parallax.ParallaxError, match="nope.fp: cannot be read") as error:
        parallax.compare(corpus / "nope.fp", models="ieee")
    assert error.value.exit_code == 2
    with pytest.raises(parallax.ParallaxError, match="mine:2: unknown opcode `MULQ`"):
        parallax.compare(parallax.Source(BROKEN, name="mine"), models="ieee")
    for name in ("a", "b", "c"):
        (corpus / f"{name}.fp").write_text(BROKEN)
    for name in ("e", "f"):
        (corpus / f"{name}.fp").write_text(BROKEN)
    with pytest.raises(parallax.ParallaxError, match="and 1 more"):
        parallax.compare(corpus, models="ieee")


def test_checks_are_told_or_raised(corpus: Path) -> None:
    (corpus / "d.fp").unlink()
    limits = {"models": "nv-patent", "size": (16, 16), "tolerance": "equal=100%"}
    found = parallax.compare(corpus, **limits)
    assert not found.passed
    assert "limit: " in found.messages
    with pytest.raises(parallax.CheckFailed, match="equal is"):
        parallax.compare(corpus, check=True, **limits)
    assert parallax.compare(corpus, models="nv-patent", size=(16, 16), check=True).passed


def test_a_worse_result_than_before_is_a_failed_check(corpus: Path, tmp_path: Path) -> None:
    parallax.compare(corpus, models="nv40", size=(16, 16), out=tmp_path / "old")
    (corpus / "a.fp").write_text(BROKEN)
    found = parallax.compare(corpus, models="nv40", size=(16, 16), baseline=tmp_path / "old" / "results.jsonl")
    assert not found.passed
    assert "status ok -> invalid" in found.messages


def test_sweep_has_a_summary_and_tables() -> None:
    found = parallax.sweep("rcp", float="half", model="nv40")
    assert found.summary["inputs"] == 65536
    assert found.summary["plan"]["model"] == "nv40"
    assert sum(sum(row["counts"]) for row in found.binades) <= 65536
    assert len(found.special) > 0
    with pytest.raises(parallax.ParallaxError, match="unknown operation"):
        parallax.sweep("rcpp")


def test_models_are_listed() -> None:
    names = [model["name"] for model in parallax.models()]
    assert {"ieee", "binary64", "nv40", "rogue", "maxwell"} <= set(names)
    assert parallax.version()[0].isdigit()
    assert parallax.__version__ == parallax.version()
    assert not hasattr(parallax, "__author__")


def test_names_that_look_like_options(corpus: Path) -> None:
    odd = corpus / "-x.fp"
    (corpus / "a.fp").rename(odd)
    assert len(parallax.compare(odd, models="ieee", size=(4, 4))) == 1
