"""The verbs as functions."""

from __future__ import annotations

import io
import os
import tempfile
from pathlib import Path
from typing import List, Optional, Sequence, Tuple, Union

import numpy

from ._program import CHECK_FAILED, CheckFailed, Option, ParallaxError, StrPath, call, options
from ._results import Comparison, Sweep, Table, lines

Models = Union[str, Sequence[str]]
Size = Union[str, Tuple[int, int]]


def _size(size: Optional[Size]) -> Optional[str]:
    return f"{size[0]}x{size[1]}" if isinstance(size, tuple) else size


def _models(models: Optional[Models]) -> Optional[str]:
    return models if models is None or isinstance(models, str) else ",".join(models)


def run(
    shader: Union[StrPath, bytes],
    *,
    model: Optional[str] = None,
    size: Optional[Size] = None,
    isa: Optional[str] = None,
    **more: Option,
) -> "numpy.ndarray":
    """Draws a shader and gives its first colour output.

    :param shader: a file, or the program itself as bytes.
    :param model: arithmetic, such as ``"nv40"``; by default the instruction set's own.
    :param size: width and height in pixels; by default the manifest's, or 128 by 128.
    :param isa: instruction set, where the contents do not say it.
    :return: binary32 array of shape (height, width, 4); rows from the top.
    :raises ParallaxError: the shader is invalid or not supported.
    """
    given = options({"model": model, "size": _size(size), "from": isa, **more})
    stdin = shader if isinstance(shader, bytes) else None
    name = "-" if isinstance(shader, bytes) else os.fspath(shader)
    done = call(["run", name, "--output=-", "--image=npy", "--quiet", *given], stdin)
    picture: numpy.ndarray = numpy.load(io.BytesIO(done.stdout), allow_pickle=False)
    return picture


def compare(
    *paths: StrPath,
    models: Optional[Models] = None,
    size: Optional[Size] = None,
    out: Optional[StrPath] = None,
    check: bool = False,
    **more: Option,
) -> Comparison:
    """Runs shaders under several models and says where, by how much and how visibly they differ.

    :param paths: files and folders; without any the embedded corpus.
    :param models: names, groups or patterns, such as ``["ieee", "mali-*"]``.
    :param out: folder for the report; without it none is written.
    :param check: raise :class:`CheckFailed` when a limit, a profile or an earlier run (``tolerance``, ``profile``,
        ``baseline``) is not kept, instead of saying so in the result.
    :return: one record for each shader and model; a shader that is broken has its record, too.
    """
    report: List[str] = ["--no-report"] if out is None else [f"--out={os.fspath(out)}"]
    given = options({"models": _models(models), "size": _size(size), **more})
    # A corpus with a broken shader still has results: codes 2 and 3 with records are no errors.
    done = call(
        ["compare", "--format=jsonl", *report, *given, *_paths(paths)], allow=[CHECK_FAILED, 2, 3]
    )
    messages = done.stderr.decode("utf-8", "replace")
    records = lines(done.stdout)
    if not records or (check and done.returncode == CHECK_FAILED):
        _raise(done.returncode, messages)
    failed = any(line.startswith(("limit: ", "profile: ", "baseline: ")) for line in messages.splitlines())
    if check and failed:
        _raise(CHECK_FAILED, messages)
    return Comparison(records, passed=not failed and done.returncode != CHECK_FAILED, messages=messages)


def compare_shard(
    *paths: StrPath,
    shard: int,
    shards: int,
    out: StrPath,
    models: Optional[Models] = None,
    size: Optional[Size] = None,
    **more: Option,
) -> Path:
    """Runs one shard of a comparison, numbered from 1, and keeps what it finds under ``out``.

    A shard that is there already is not run again. Every shard needs the same arguments; ``out`` is a folder that all
    of them can write.

    :return: the shard's file.
    """
    given = options({"models": _models(models), "size": _size(size), **more})
    words = ["compare", f"--shard={shard}/{shards}", f"--out={os.fspath(out)}", "--format=csv", "--quiet"]
    # Broken shaders have their records, and failed checks are told when all shards are put together.
    done = call([*words, *given, *_paths(paths)], allow=[CHECK_FAILED, 2, 3])
    part = Path(out) / "parts" / f"{shard:05}-of-{shards:05}.json"
    if not part.is_file():
        _raise(done.returncode, done.stderr.decode("utf-8", "replace"))
    return part


def merge(out: StrPath, **more: Option) -> Comparison:
    """Puts all shards of a comparison together: results with the bytes of an undivided run.

    :raises ParallaxError: a shard is missing, damaged, or of another comparison.
    """
    done = call(["compare", "--format=jsonl", f"--merge={os.fspath(out)}", *options(more)], allow=[CHECK_FAILED, 2, 3])
    messages = done.stderr.decode("utf-8", "replace")
    records = lines(done.stdout)
    if not records:
        _raise(done.returncode, messages)
    return Comparison(records, passed=done.returncode != CHECK_FAILED, messages=messages)


def sweep(op: str, *, model: str = "ieee", float: str = "fp32", **more: Option) -> Sweep:  # noqa: A002
    """Evaluates one operation under one model over all its inputs, or a stated sample.

    :param op: operation, such as ``"rcp"``.
    :param float: format of operands and result: ``fp32``, ``half``, ``fp64``, ``fx12``, ``fx9``.
    :return: the summary, errors by binade of the first operand, and classes of special values.
    """
    with tempfile.TemporaryDirectory() as folder:
        given = options({"model": model, "float": float, **more})
        # A result that is not legal is in the summary.
        done = call(
            ["sweep", op, "--format=jsonl", "--quiet", f"--output={folder}", *given], allow=[CHECK_FAILED]
        )
        rows = lines((Path(folder) / "sweep.jsonl").read_bytes())

    def of(kind: str) -> Table:
        return Table([row for row in rows if row.get("kind") == kind])

    return Sweep(lines(done.stdout)[0], of("binade"), of("special"))


def models() -> Table:
    """All models: name, title, vendor, year, class, what it inherits, fields by how well they are known."""
    return Table(lines(call(["models", "--format=jsonl"]).stdout))


def _paths(paths: Sequence[StrPath]) -> List[str]:
    # Names can begin with a dash.
    return ["--", *(os.fspath(path) for path in paths)] if paths else []


def _raise(code: int, messages: str) -> None:
    raise (CheckFailed if code == CHECK_FAILED else ParallaxError)(code, messages.strip())
