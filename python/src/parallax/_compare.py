"""Comparisons: whole, in shards, with progress."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import warnings
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Callable, Iterator, List, Optional, Sequence, Tuple, Union

from ._options import CompareOptions, MergeOptions, ShardOptions, Size, SourceOptions, takes
from ._program import CHECK_FAILED, call, end, fail, interrupt, options, start
from ._results import Comparison, Interrupted, Record, lines
from ._source import Inputs, Shader, Source, StrPath, inputs
from ._verbs import Drawing, Models, described, models_word, name_of, problems, size_word

if TYPE_CHECKING:
    from typing_extensions import Unpack

INTERRUPTED = 130
# Names in the message of a comparison without results.
SHOWN = 5

# Called with the number of shaders that are done, that of all, and the name of the last one.
Progress = Callable[[int, int, Optional[str]], None]


@takes(CompareOptions)
def compare(
    *shaders: Shader,
    models: Optional[Models] = None,
    size: Optional[Size] = None,
    isa: Optional[str] = None,
    out: Optional[StrPath] = None,
    check: bool = False,
    progress: Union[None, bool, Progress] = None,
    **more: Unpack[CompareOptions],
) -> Comparison:
    """Runs shaders under several models and says where, by how much and how visibly they differ.

    :param shaders: names of files and folders, or programs as :class:`Source`; without any the embedded corpus.
    :param models: names, groups or patterns, such as ``["ieee", "mali-*"]``.
    :param out: folder for the report; without it none is written.
    :param check: raise :class:`CheckFailed` when a limit, a profile or an earlier run (``tolerance``, ``profile``,
        ``baseline``) is not kept, instead of saying so in the result.
    :param progress: by default a bar where ``tqdm`` is installed and somebody looks: in a terminal or a notebook. ``True``
        asks for a bar, or for lines without ``tqdm``; ``False`` for neither; a function is called with the number of
        shaders that are done, that of all, and the name of the last one.
    :return: one record for each shader and model; a shader that is broken has its record, too, and :func:`info` has its
        problems.
    :raises ParallaxError: none of the shaders could be compared.
    :raises Interrupted: the user interrupted it; the exception has the results of what was finished.
    """
    if out is not None and any(isinstance(shader, (Source, bytes)) for shader in shaders):
        raise ValueError("a report names its programs by their files; write the source to one, or leave `out` away")
    report: List[str] = ["--no-report"] if out is None else [f"--out={os.fspath(out)}"]
    given = options({"models": models_word(models), "size": size_word(size), **more})
    words = ["compare", "--format=jsonl", "--progress=json", *report, *given]
    with inputs(shaders, isa) as named, _told(progress) as told:
        found = _follow([*words, *named.words], named, told)
    draw = Drawing(shaders, size, isa, more)
    failed = any(line.startswith(("limit: ", "profile: ", "baseline: ")) for line in found.messages.splitlines())
    unfinished = max(0, found.total - len({record["shader"] for record in found.records}))
    passed = not failed and found.code != CHECK_FAILED
    if found.interrupted or found.code == INTERRUPTED:
        raise Interrupted(Comparison(found.records, passed, found.messages, unfinished, draw))
    # A corpus with a broken shader still has results: codes 2 and 3 with records are no errors.
    if not found.records or found.code not in (0, CHECK_FAILED, 2, 3):
        fail(found.code, found.messages)
    if check and not passed:
        fail(CHECK_FAILED, found.messages)
    if not any(record["status"] == "ok" for record in found.records):
        names = list(dict.fromkeys(record["shader"] for record in found.records))
        known = {name_of(shader): shader for shader in shaders}
        read = {name: value for name, value in more.items() if name in SourceOptions.__annotations__}
        _, records = described([known.get(name, name) for name in names[:SHOWN]], isa, read)
        rest = f"\nand {len(names) - SHOWN} more" if len(names) > SHOWN else ""
        fail(found.code, (problems(records) or f"nothing could be compared: {', '.join(names[:SHOWN])}") + rest)
    return Comparison(found.records, passed, found.messages, 0, draw)


class _Found:
    """What a comparison has said so far."""

    def __init__(self) -> None:
        self.records: List[Record] = []
        self.said: List[str] = []
        self.total = 0
        self.code = 0
        self.interrupted = False

    @property
    def messages(self) -> str:
        return "".join(self.said)


def _follow(words: Sequence[str], named: Inputs, progress: Progress) -> _Found:
    """Runs a comparison and takes results and progress as they come. An interrupt stops it in order, a second at once."""
    found = _Found()
    process = start(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    came: "queue.Queue[Tuple[str, bytes]]" = queue.Queue()
    streams = {"out": process.stdout, "err": process.stderr}
    threads = [threading.Thread(target=_read, args=(kind, stream, came), daemon=True) for kind, stream in streams.items()]
    for thread in threads:
        thread.start()
    try:
        while streams:
            try:
                _take(came, streams, named, found, progress)
            except KeyboardInterrupt:
                if found.interrupted:
                    process.kill()
                    raise
                found.interrupted = True
                interrupt(process)
        found.code = process.wait()
    finally:
        end(process, process.wait)
    return found


def _read(kind: str, stream: IO[bytes], came: "queue.Queue[Tuple[str, bytes]]") -> None:
    for line in stream:
        came.put((kind, line))
    stream.close()
    came.put((kind, b""))


def _take(
    came: "queue.Queue[Tuple[str, bytes]]", streams: "dict[str, Any]", named: Inputs, found: _Found, progress: Progress
) -> None:
    """Takes the next line of either stream."""
    try:
        # Not for ever: some systems deliver an interrupt only between two waits.
        kind, line = came.get(timeout=0.5)
    except queue.Empty:
        return
    if not line:
        del streams[kind]
        return
    line = named.clean(line)
    if kind == "out":
        found.records.extend(lines(line))
        return
    told = _progress(line)
    if told is None:
        found.said.append(line.decode("utf-8", "replace"))
    else:
        found.total = told["total"]
        progress(told["done"], told["total"], told["shader"])


def _progress(line: bytes) -> Optional[Record]:
    """A line about progress; other lines are messages."""
    if not line.startswith(b"{"):
        return None
    try:
        told = json.loads(line)
    except ValueError:
        return None
    return told if isinstance(told, dict) and told.get("kind") == "progress" else None


@contextmanager
def _told(progress: Union[None, bool, Progress]) -> Iterator[Progress]:
    """What is done with progress."""
    if callable(progress):
        yield progress
        return
    if progress is None and not (sys.stderr.isatty() or _in_notebook()):
        progress = False
    bar = None if progress is False else _bar()
    if bar is None:
        yield _lines if progress else _nothing
        return

    def told(done: int, total: int, shader: Optional[str]) -> None:
        bar.total = total
        bar.update(max(0, done - bar.n))
        bar.set_postfix_str(shader or "")

    try:
        yield told
    finally:
        bar.close()


def _bar() -> Any:
    """A bar; none without ``tqdm``."""
    try:
        with warnings.catch_warnings():
            # Without ipywidgets it is a bar of characters, which is as good.
            warnings.simplefilter("ignore")
            from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm(total=0, unit="shader", leave=False)


def _in_notebook() -> bool:
    """Whether a kernel runs this: then somebody looks at standard error, which is no terminal."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return hasattr(shell, "kernel")


def _nothing(done: int, total: int, shader: Optional[str]) -> None:
    pass


def _lines(done: int, total: int, shader: Optional[str]) -> None:
    print(f"{done} of {total}{f': {shader}' if shader else ''}", file=sys.stderr)


@takes(ShardOptions)
def compare_shard(
    *paths: StrPath,
    shard: int,
    shards: int,
    out: StrPath,
    models: Optional[Models] = None,
    size: Optional[Size] = None,
    isa: Optional[str] = None,
    **more: Unpack[ShardOptions],
) -> Path:
    """Runs one shard of a comparison, numbered from 1, and keeps what it finds under ``out``.

    A shard that is there already is not run again. Every shard needs the same arguments; ``out`` is a folder that all
    of them can write.

    :return: the shard's file.
    """
    given = options({"models": models_word(models), "size": size_word(size), **more})
    words = ["compare", f"--shard={shard}/{shards}", f"--out={os.fspath(out)}", "--format=csv", "--quiet", *given]
    for path in paths:
        if not isinstance(path, (str, os.PathLike)):
            raise TypeError(f"{type(path).__name__} is no path: shards run in processes that read files")
    with inputs(paths, isa) as named:
        # Broken shaders have their records, and failed checks are told when all shards are put together.
        done = call([*words, *named.words], allow=[CHECK_FAILED, 2, 3])
    part = Path(out) / "parts" / f"{shard:05}-of-{shards:05}.json"
    if not part.is_file():
        fail(done.returncode, done.stderr.decode("utf-8", "replace"))
    return part


@takes(MergeOptions)
def merge(out: StrPath, **more: Unpack[MergeOptions]) -> Comparison:
    """Puts all shards of a comparison together: results with the bytes of an undivided run.

    :raises ParallaxError: a shard is missing, damaged, or of another comparison.
    """
    done = call(["compare", "--format=jsonl", f"--merge={os.fspath(out)}", *options(more)], allow=[CHECK_FAILED, 2, 3])
    messages = done.stderr.decode("utf-8", "replace")
    records = lines(done.stdout)
    if not records:
        fail(done.returncode, messages)
    return Comparison(records, passed=done.returncode != CHECK_FAILED, messages=messages)
