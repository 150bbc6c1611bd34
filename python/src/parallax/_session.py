"""``parallax eval`` as a session: one process, one answer for each request."""

from __future__ import annotations

import json
import subprocess
import tempfile
import threading
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, NoReturn, Optional, Type

from ._options import EvalOptions, takes
from ._program import ParallaxError, fail, options, start
from ._results import Record, count, table

if TYPE_CHECKING:
    from typing_extensions import Unpack

# The kinds of errors in answers, as exit codes: docs/commands.md.
CODES = {"invalid": 2, "unsupported": 3, "internal": 4}


@dataclass(frozen=True, repr=False)
class Answer:
    """The answer to a request: docs/commands.md describes its keys.

    ``ok`` says whether there is a result; ``error`` is what the program says where there is none. Reading a key of a result
    that is not there raises :class:`ParallaxError` with that message.
    """

    record: Record

    @property
    def ok(self) -> bool:
        return bool(self.record["ok"])

    @property
    def error(self) -> Optional[Record]:
        return self.record.get("error")

    def __getitem__(self, key: str) -> Any:
        if not self.ok and key not in self.record:
            error = self.record["error"]
            raise ParallaxError(CODES.get(error["kind"], 4), f"{error['code']}: {error['message']}")
        return self.record[key]

    @property
    def lanes(self) -> List[Record]:
        """What was watched, for each of the four lanes: registers as lists of hexadecimal patterns."""
        found: List[Record] = self["lanes"]
        return found

    def __repr__(self) -> str:
        if self.ok:
            return f"Answer({', '.join(key for key in self.record if key not in ('id', 'ok'))})"
        return f"Answer(error: {self.record['error']['message']})"

    def _repr_html_(self) -> str:
        if not self.ok:
            return table(["key", "value"], list(self.record["error"].items()))
        if "lanes" not in self.record:
            return table(["key", "value"], list(self.record.items()))
        names = list(dict.fromkeys(name for lane in self.lanes for name in lane))
        rows = [[number, *(_cell(lane.get(name)) for name in names)] for number, lane in enumerate(self.lanes)]
        return table(["lane", *names], rows)


def _cell(value: Any) -> Any:
    return " ".join(map(str, value)) if isinstance(value, list) else value


class Session:
    """A running ``parallax eval``. It ends with the ``with`` block, or with :meth:`close`.

    Several threads may ask; each gets its own answer.
    """

    def __init__(self, words: List[str]) -> None:
        # What it says on standard error is read at the end: a pipe could fill.
        self._said = tempfile.TemporaryFile()
        self._lock = threading.Lock()
        self._count = 0
        self._process = start(
            ["eval", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._said
        )

    def __enter__(self) -> "Session":
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def ask(self, request: Optional[Mapping[str, Any]] = None, **keys: Any) -> Answer:
        """Sends one request and waits for its answer.

        Keys are those of the machine interface (docs/commands.md, ``eval``), in a mapping, as keywords, or both. Unknown
        keys, which the program knows, are answers that are not ``ok``.

        :raises ParallaxError: the session is closed, or the program ended.
        """
        given: Dict[str, Any] = {**(request or {}), **keys}
        with self._lock:
            if self._process.poll() is not None:
                self._ended()
            self._count += 1
            given.setdefault("id", self._count)
            text = json.dumps(given)
            stdin, stdout = self._process.stdin, self._process.stdout
            assert stdin is not None and stdout is not None
            try:
                stdin.write(text.encode("utf-8") + b"\n")
                stdin.flush()
                line = stdout.readline()
            except BrokenPipeError:
                line = b""
            except BaseException:
                # An answer that nobody took would be taken for the next one.
                self._process.kill()
                raise
            if not line:
                self._process.wait()
                self._ended()
        return Answer(json.loads(line))

    __call__ = ask

    def _ended(self) -> NoReturn:
        said = ""
        if not self._said.closed:
            self._said.seek(0)
            said = self._said.read().decode("utf-8", "replace")
        fail(self._process.returncode or 2, said or "the session is closed")

    def close(self) -> None:
        """Ends the program; closing twice is no error."""
        with self._lock:
            if self._process.stdin is not None:
                try:
                    self._process.stdin.close()
                except BrokenPipeError:
                    pass
            self._process.wait()
            if self._process.stdout is not None:
                self._process.stdout.close()
            self._said.close()

    def __repr__(self) -> str:
        return f"Session({'open' if self._process.poll() is None else 'closed'}, {count(self._count, 'request')})"


@takes(EvalOptions)
def eval(**more: Unpack[EvalOptions]) -> Session:  # noqa: A001
    """Starts a session: ``with parallax.eval() as session: session(isa="nvfp", text="...")``."""
    return Session(options(more))
