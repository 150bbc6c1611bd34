"""The notebook of the examples runs from the first cell to the last, and shows what it says."""

from pathlib import Path

import nbformat
from nbclient import NotebookClient

PATH = Path(__file__).parents[1] / "examples" / "eclipse.ipynb"


def test_the_notebook_runs(tmp_path: Path) -> None:
    notebook = nbformat.read(PATH, as_version=4)
    nbformat.validate(notebook)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(not cell.outputs and cell.execution_count is None for cell in cells), "stored without outputs"
    NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = ["".join(out.data.get("text/html", "") for out in cell.outputs if "data" in out) for cell in cells]
    said = ["".join(out.text for out in cell.outputs if out.output_type == "stream" and out.name == "stdout") for cell in cells]
    pictures = [html.count("data:image/png;base64,") for html in shown]
    assert pictures == [0, 3, 0, 2, 0, 2, 0], "the comparison, the explanation, the program of one's own"
    assert "MUL TEMP[4].xyz" in shown[3] and "mul.zero_mul = ieee instead of zero (exact)" in shown[3]
    assert said[4].splitlines()[:2] == [
        "line 31: MUL TEMP[4].xyz, TEMP[4], TEMP[5]",
        "mul.zero_mul = ieee instead of zero, known: exact",
    ]
    assert said[6].split()[0::2] == ["ieee", "d3d9"] and said[6].split()[3] == "00000000"
    assert said[6].split()[1] not in ("00000000", "80000000")
