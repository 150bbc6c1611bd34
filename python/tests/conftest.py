"""Programs that the tests run."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

BLEND = """!!FP1.0
MULR R0, f[TEX0], f[TEX0].yxzw;
SINR R1.x, R0.x;
MADR o[COLR], R0, R1.x, R0;
END
"""
BROKEN = "!!FP1.0\nMULQ R0, R0, R0;\nEND\n"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A folder with three shaders that run and one that does not."""
    folder = tmp_path / "in"
    folder.mkdir()
    for name in ("a", "b", "c"):
        (folder / f"{name}.fp").write_text(BLEND)
    (folder / "d.fp").write_text(BROKEN)
    return folder
