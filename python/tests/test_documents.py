"""Every example of the guide runs."""

import re
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_the_guide_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / "docs" / "python.md").read_text(), re.M | re.S)
    assert len(blocks) >= 4
    for folder in ("tgsi", "attila", "nv40"):
        shutil.copytree(ROOT / "corpus" / folder, tmp_path / "corpus" / folder)
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    for block in blocks:
        exec(compile(block, "docs/python.md", "exec"), names)
