"""Results as tables."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Tuple

if TYPE_CHECKING:
    import pandas
    import pyarrow


def lines(text: bytes) -> List[Dict[str, Any]]:
    """JSON lines as records."""
    return [json.loads(line) for line in text.decode("utf-8").splitlines() if line]


@dataclass(frozen=True)
class Table:
    """Records with the same keys, in the order the program gave them."""

    records: List[Dict[str, Any]]

    def __len__(self) -> int:
        return len(self.records)

    def __iter__(self) -> Iterator[Dict[str, Any]]:
        return iter(self.records)

    def __getitem__(self, row: int) -> Dict[str, Any]:
        return self.records[row]

    def to_pandas(self) -> "pandas.DataFrame":
        """A data frame; missing figures are NA. Nested records (``trust``, ``argmax``) stay dictionaries."""
        import pandas

        return pandas.DataFrame.from_records(self.records).convert_dtypes()

    def to_arrow(self) -> "pyarrow.Table":
        """An Arrow table; nested records become structs."""
        import pyarrow

        return pyarrow.Table.from_pylist(self.records)


@dataclass(frozen=True)
class Comparison(Table):
    """One record for each shader and model: docs/commands.md describes the keys.

    ``passed`` says whether all checks that were asked for passed, ``messages`` is what the program said beside.
    """

    passed: bool = True
    messages: str = ""

    def worst(self, count: int = 10) -> "Comparison":
        """Records of the pictures that look most different from those of plain binary32."""

        def seen(record: Dict[str, Any]) -> Tuple[int, int]:
            return record.get("baseline_max8") or 0, record.get("baseline_pixels8") or 0

        ordered = sorted(self.records, key=seen, reverse=True)
        return Comparison([r for r in ordered if seen(r) > (0, 0)][:count], self.passed, self.messages)


@dataclass(frozen=True)
class Sweep:
    """One operation over all its inputs: docs/sweeps.md describes the figures."""

    summary: Dict[str, Any]
    binades: Table = field(default_factory=lambda: Table([]))
    special: Table = field(default_factory=lambda: Table([]))
