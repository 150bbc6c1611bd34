"""Results as tables, and what a notebook shows of them."""

from __future__ import annotations

import html
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

from ._pictures import Picture, Pictures
from ._program import ParallaxError
from ._source import StrPath

if TYPE_CHECKING:
    import pandas
    import pyarrow

Record = Dict[str, Any]
Draw = Callable[[str, str], Picture]

# Rows of a table that a notebook shows.
SHOWN_ROWS = 20
# Pictures that a notebook shows of one result without being asked.
SHOWN_PICTURES = 12


def lines(text: bytes) -> List[Record]:
    """JSON lines as records."""
    return [json.loads(line) for line in text.decode("utf-8").splitlines() if line]


def table(titles: Sequence[str], rows: Sequence[Sequence[Any]], more: int = 0) -> str:
    """A table in HTML; ``more`` rows are counted at its end."""
    head = "".join(f"<th>{html.escape(title)}</th>" for title in titles)
    body = "".join("<tr>" + "".join(f"<td>{_cell(value)}</td>" for value in row) + "</tr>" for row in rows)
    rest = f"<p>and {more} more</p>" if more > 0 else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{rest}"


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, (dict, list)):
        value = json.dumps(value)
    text = str(value)
    return html.escape(text if len(text) <= 120 else text[:117] + "...")


def count(number: int, singular: str) -> str:
    return f"{number} {singular}{'' if number == 1 else 's'}"


def percent(share: Optional[float]) -> str:
    return "" if share is None else f"{100 * share:.3g} %"


@dataclass(frozen=True, repr=False)
class Table:
    """Records in the order in which the program gave them."""

    records: List[Record]

    def __len__(self) -> int:
        return len(self.records)

    def __iter__(self) -> Iterator[Record]:
        return iter(self.records)

    def __getitem__(self, row: int) -> Record:
        return self.records[row]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({count(len(self.records), 'record')})"

    def _repr_html_(self) -> str:
        titles = list(dict.fromkeys(key for record in self.records[:SHOWN_ROWS] for key in record))
        return self._shown(self.records, titles)

    def _shown(self, records: Sequence[Record], titles: Sequence[str]) -> str:
        rows = [[record.get(title) for title in titles] for record in records[:SHOWN_ROWS]]
        return table(titles, rows, len(records) - len(rows))

    def to_pandas(self) -> "pandas.DataFrame":
        """A data frame; missing figures are NA. Nested records (``trust``, ``argmax``) stay dictionaries."""
        import pandas

        return pandas.DataFrame.from_records(self.records).convert_dtypes()

    def to_arrow(self) -> "pyarrow.Table":
        """An Arrow table; nested records become structs."""
        import pyarrow

        return pyarrow.Table.from_pylist(self.records)


@dataclass(frozen=True, repr=False)
class Comparison(Table):
    """One record for each shader and model: docs/commands.md describes the keys.

    ``passed`` says whether all checks that were asked for passed, ``messages`` is what the program said beside, and
    ``unfinished`` is the number of shaders that an interrupted comparison has no records of.
    """

    passed: bool = True
    messages: str = ""
    unfinished: int = 0
    draw: Optional[Draw] = field(default=None, compare=False)

    @property
    def shaders(self) -> List[str]:
        """Names of the shaders, in order."""
        return list(dict.fromkeys(record["shader"] for record in self.records))

    def worst(self, count: int = 10) -> "Comparison":
        """Records of the pictures that look most different from those of plain binary32."""

        def seen(record: Record) -> Tuple[int, int]:
            return record.get("baseline_max8") or 0, record.get("baseline_pixels8") or 0

        ordered = sorted(self.records, key=seen, reverse=True)
        found = [record for record in ordered if seen(record) > (0, 0)][:count]
        return Comparison(found, self.passed, self.messages, self.unfinished, self.draw)

    def pictures(self, shader: Optional[str] = None) -> Pictures:
        """Pictures of one shader beside each other, each result once. They are drawn when this is called.

        :param shader: name as in the records; it may be left out if there is only one.
        :raises ValueError: there is no such shader, or nothing to draw it with.
        :raises ParallaxError: it cannot be drawn, as a kernel.
        """
        names = self.shaders
        if shader is None and len(names) == 1:
            shader = names[0]
        if shader not in names:
            raise ValueError(f"{shader!r} is not one of the {len(names)} shaders of the comparison")
        if self.draw is None:
            raise ValueError("merged shards cannot be drawn: parallax.run draws a shader")
        models: Dict[str, List[str]] = {}
        for record in self.records:
            if record["shader"] == shader and record["status"] == "ok":
                models.setdefault(record["result"], []).append(record["model"])
        drawn = tuple(self.draw(shader, same[0]) for same in models.values())
        return Pictures(drawn, tuple(", ".join(same) for same in models.values()))

    def __repr__(self) -> str:
        failed = "" if self.passed else ", a check failed"
        missing = f", {count(self.unfinished, 'shader')} not run" if self.unfinished else ""
        done = f"{count(len(self.shaders), 'shader')}, {count(len(self.records), 'record')}"
        return f"Comparison({done}{missing}{failed})"

    def _repr_html_(self) -> str:
        titles = ["shader", "model", "status", "verdict", "baseline_pixels8", "baseline_max8", "max_ulp", "correct_bits", "lowest_tier"]
        one = len(self.shaders) == 1
        shown = self._shown(self.records if one else self.worst(len(self.records)).records or self.records, titles)
        results = {record.get("result") for record in self.records}
        if self.draw is not None and one and len(results) <= SHOWN_PICTURES:
            shown = drawn(self.pictures) + shown
        return f"<p>{html.escape(repr(self))}</p>{shown}"


def drawn(pictures: Callable[[], Pictures]) -> str:
    """Pictures in HTML; nothing of what cannot be drawn any more."""
    try:
        return pictures()._repr_html_()
    except (ParallaxError, OSError):
        return ""


class Interrupted(KeyboardInterrupt):
    """A comparison was interrupted; ``finished`` has the results of the shaders that were done."""

    def __init__(self, finished: Comparison) -> None:
        self.finished = finished
        super().__init__(finished)

    def __str__(self) -> str:
        return f"{self.finished!r}; the exception's `finished` has the results"


@dataclass(frozen=True, repr=False)
class Explanation(Table):
    """What makes shaders differ: docs/explain.md describes the records, which have a ``kind``."""

    messages: str = ""
    draw: Optional[Callable[[], Pictures]] = field(default=None, compare=False)

    def of(self, kind: str) -> List[Record]:
        """Records of one kind, such as ``"instruction"``, ``"special"`` or ``"edit"``."""
        return [record for record in self.records if record["kind"] == kind]

    @property
    def instructions(self) -> List[Record]:
        """Instructions, those that make most of the difference first."""
        return self.of("instruction")

    @property
    def edits(self) -> List[Record]:
        """Of two programs in one language: the changes, those that make most of the difference first."""
        return self.of("edit")

    def pictures(self) -> Pictures:
        """Both sides of the difference, beside each other. They are drawn when this is called.

        :raises ValueError: several shaders were explained.
        :raises ParallaxError: they cannot be drawn, as kernels.
        """
        if self.draw is None:
            raise ValueError("pictures are drawn of one shader, or of two that were explained beside each other")
        return self.draw()

    def __repr__(self) -> str:
        kinds = {"instruction": "instruction", "edit": "change", "birth": "place", "demotion": "format"}
        counts = [count(len(self.of(kind)), name) for kind, name in kinds.items() if self.of(kind)]
        first = next((record for record in self.records if record["kind"] in kinds), None)
        line = f"; first: {_what(first)}" if first is not None and _what(first) else ""
        return f"Explanation({', '.join(counts) or 'no difference'}{line})"

    def _repr_html_(self) -> str:
        shown = drawn(self.pictures) if self.draw is not None else ""
        rows = [
            [r["rank"], percent(r.get("fixed")), percent(r.get("caused")), r.get("pixels"), _line(r), _what(r), _field(r)]
            for r in self.records
            if r["kind"] in ("instruction", "edit", "birth")
        ]
        titles = ["#", "fixed", "caused", "pixels", "line", "what", "rule"]
        if rows:
            shown += table(titles, rows[:SHOWN_ROWS], len(rows) - SHOWN_ROWS)
        return shown or f"<p>{html.escape(repr(self))}</p>"


def _what(record: Record) -> str:
    if record["kind"] == "edit":
        return "; ".join(record["after"]["text"]) or "removed: " + "; ".join(record["before"]["text"])
    if record["kind"] == "birth":
        return str(record["place"]["text"])
    return str(record.get("text", ""))


def _line(record: Record) -> Any:
    for place in (record, record.get("after") or {}, record.get("place") or {}):
        if "line" in place:
            # Binaries have no lines.
            return place["line"] or f"byte {place.get('offset', '')}"
    return None


def _field(record: Record) -> str:
    first = (record.get("fields") or [None])[0]
    if first is None:
        return ""
    return f"{first['op']}.{first['field']} = {first['value']} instead of {first['other']} ({first['tier']})"


@dataclass(frozen=True, repr=False)
class Identification(Table):
    """Pictures that a capture may be, the closest first: docs/captures.md describes the records."""

    explains: bool = False
    messages: str = ""

    @property
    def models(self) -> List[str]:
        """The models that draw the closest picture."""
        return list(self.records[0]["models"]) if self.records else []

    def __repr__(self) -> str:
        if not self.records:
            return "Identification(nothing)"
        first = self.records[0]
        found = f"{', '.join(first['models'][:3])}{' and others' if len(first['models']) > 3 else ''}"
        share = percent(first["close"] / first["pixels"])
        return f"Identification({found}: {share} of pixels within 1/255{'' if self.explains else '; no model explains it'})"

    def _repr_html_(self) -> str:
        rows = [
            [r["rank"], ", ".join(r["models"]), r["target"], r["flip"], percent(r["equal"] / r["pixels"]),
             percent(r["close"] / r["pixels"]), r["largest"]]
            for r in self.records[:SHOWN_ROWS]
        ]  # fmt: skip
        titles = ["#", "models", "target", "flip", "equal", "within 1/255", "largest"]
        return f"<p>{html.escape(repr(self))}</p>{table(titles, rows, len(self.records) - len(rows))}"


@dataclass(frozen=True, repr=False)
class Info(Table):
    """What files are: one record each, as ``parallax info --format json`` prints it."""

    def __repr__(self) -> str:
        return f"Info({'; '.join(_about(record) for record in self.records[:3])}{'; ...' if len(self.records) > 3 else ''})"

    def _repr_html_(self) -> str:
        if len(self.records) == 1:
            return table(["key", "value"], [[key, value] for key, value in self.records[0].items()])
        return self._shown(self.records, ["file", "isa", "stage", "status", "instructions", "bytes", "effect"])


def _about(record: Record) -> str:
    words = [record.get("isa"), record.get("stage"), f"{record['instructions']} instructions" if "instructions" in record else None]
    return f"{record.get('file')}: {' '.join(str(word) for word in words if word)}"


@dataclass(frozen=True, repr=False)
class Listing:
    """A disassembly. ``complete`` is false where words are no instructions; ``messages`` says which."""

    text: str
    complete: bool = True
    messages: str = ""

    @property
    def lines(self) -> List[str]:
        return self.text.splitlines()

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Listing({count(len(self.lines), 'line')}{'' if self.complete else ', incomplete'})"

    def _repr_html_(self) -> str:
        said = "" if self.complete else f"<p>{html.escape(self.messages)}</p>"
        return f"<pre>{html.escape(self.text)}</pre>{said}"


@dataclass(frozen=True, repr=False)
class Module:
    """A shader as a SPIR-V module, or as the text of one: docs/translate.md says how to bind what ``interface`` lists.

    A program of another instruction set has no interface but a ``manifest`` that draws it, in TOML.
    """

    words: bytes
    interface: Record
    messages: str = ""
    language: str = "spirv"
    manifest: Optional[str] = None

    @property
    def text(self) -> str:
        """The text.

        :raises ValueError: modules of SPIR-V and microcode are none.
        """
        if self.language in ("spirv", "nv40"):
            raise ValueError(f"a translation to {self.language} is no text: save it, or ask for another language")
        return self.words.decode("utf-8")

    def __bytes__(self) -> bytes:
        return self.words

    def save(self, path: StrPath) -> None:
        """Writes the module or text."""
        with open(path, "wb") as file:
            file.write(self.words)

    def __repr__(self) -> str:
        if self.language == "spirv":
            return f"Module({len(self.words) // 4} words, {self.interface.get('model')})"
        return f"Module({len(self.words)} bytes of {self.language})"

    def _repr_html_(self) -> str:
        rows = [
            [kind, entry.get("name"), ", ".join(f"{key} {value}" for key, value in entry.items() if key != "name" and value is not None)]
            for kind in ("inputs", "constants", "textures", "outputs")
            for entry in self.interface.get(kind, [])
        ]
        return f"<p>{html.escape(repr(self))}</p>{table(['', 'name', 'where'], rows)}"


@dataclass(frozen=True, repr=False)
class Sweep:
    """One operation over all its inputs: docs/sweeps.md describes the figures.

    ``passed`` is false where ``profile`` was given and a result is not legal.
    """

    summary: Record
    binades: Table = field(default_factory=lambda: Table([]))
    special: Table = field(default_factory=lambda: Table([]))
    passed: bool = True

    def __repr__(self) -> str:
        plan = self.summary.get("plan", {})
        return f"Sweep({plan.get('op')}, {plan.get('model')}: {self.summary.get('inputs')} inputs, max_ulp {self.summary.get('max_ulp')})"

    def _repr_html_(self) -> str:
        rows = [[key, value] for key, value in self.summary.items() if not isinstance(value, (dict, list))]
        return f"<p>{html.escape(repr(self))}</p>{table(['figure', 'value'], rows)}"
