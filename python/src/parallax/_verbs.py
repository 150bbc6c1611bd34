"""The verbs that answer once, as functions."""

from __future__ import annotations

import io
import json
import os
import tempfile
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, List, Mapping, Optional, Sequence, Tuple, Union

import numpy

from ._options import (
    AsOptions,
    DisOptions,
    ExplainOptions,
    IdentifyOptions,
    ModelsOptions,
    Pixel,
    RunOptions,
    Size,
    SourceOptions,
    SweepOptions,
    TranslateOptions,
    takes,
)
from ._pictures import Picture, Pictures, beside
from ._program import CHECK_FAILED, ParallaxWarning, call, fail, options
from ._results import Explanation, Identification, Info, Listing, Module, Record, Sweep, Table, lines
from ._source import Shader, Source, StrPath, inputs

if TYPE_CHECKING:
    from typing_extensions import Unpack

Models = Union[str, Sequence[str]]


def size_word(size: Optional[Size]) -> Optional[str]:
    if isinstance(size, tuple):
        width, height = size
        return f"{width}x{height}"
    return size


def models_word(models: Optional[Models]) -> Optional[str]:
    return models if models is None or isinstance(models, str) else ",".join(models)


def name_of(shader: Shader) -> str:
    """The name that the program's results have for a shader."""
    if isinstance(shader, (bytes, bytearray)):
        shader = Source(bytes(shader))
    return shader.name if isinstance(shader, Source) else os.fspath(shader)


@dataclass(frozen=True)
class Drawing:
    """How one of the shaders of a call is drawn under a model, with the same options. Results that hold it can be pickled."""

    shaders: Tuple[Shader, ...]
    size: Optional[Size]
    isa: Optional[str]
    options: Mapping[str, Any]

    def __call__(self, shader: str, model: str) -> Picture:
        given = {name: value for name, value in self.options.items() if name in RunOptions.__annotations__}
        named = {name_of(known): known for known in self.shaders}
        # Notebooks show pictures by themselves: what they warn of has been said.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ParallaxWarning)
            return run(named.get(shader, shader), model=model, size=self.size, isa=self.isa, **given)


@dataclass(frozen=True)
class Sides:
    """The two pictures of an explanation: shader and model of each."""

    draw: Drawing
    first: Tuple[str, str]
    second: Tuple[str, str]

    def __call__(self) -> Pictures:
        return beside(self.draw(*self.first), self.draw(*self.second))


@takes(RunOptions)
def run(
    shader: Shader,
    *,
    model: Optional[str] = None,
    size: Optional[Size] = None,
    isa: Optional[str] = None,
    **more: Unpack[RunOptions],
) -> Picture:
    """Draws a shader and gives its first colour output; of a kernel, the words of a buffer that it writes.

    :param shader: the name of a file as a string or path, or the program itself as :class:`Source` or bytes.
    :param model: arithmetic, such as ``"nv40"``; by default the instruction set's own.
    :param size: width and height in pixels; by default the manifest's, or 128 by 128.
    :param isa: instruction set, where the contents do not say it.
    :return: a picture; ``pixels`` is a binary32 array of shape (height, width, 4), rows from the top. Of a kernel it has one
        dimension, and the type of the buffer's words.
    :raises ParallaxError: the shader is invalid or not supported.
    """
    given = options({"model": model, "size": size_word(size), **more})
    with inputs([shader], isa) as named:
        done = call(["run", "--output=-", "--image=npy", "--format=json", *given, *named.words], clean=named.clean)
    pixels: numpy.ndarray[Any, Any] = numpy.load(io.BytesIO(done.stdout), allow_pickle=False)
    return Picture(pixels, name_of(shader), model)


@takes(ExplainOptions)
def explain(
    shader: Shader,
    other: Optional[Shader] = None,
    *,
    model: Optional[str] = None,
    against: Optional[str] = None,
    pixel: Optional[Pixel] = None,
    size: Optional[Size] = None,
    isa: Optional[str] = None,
    **more: Unpack[ExplainOptions],
) -> Explanation:
    """Finds the instruction that makes a shader differ under a model, the rule behind it, and the evidence.

    With two programs it finds what makes the second differ from the first.

    :param model: arithmetic; by default the instruction set's own. Of two programs, that of both, or of the first.
    :param against: what it is compared with; by default ``binary64``. Of two programs, that of the second.
    :param pixel: (x, y): explain the quad of this pixel only.
    :raises ParallaxError: a program is invalid, not supported, or cannot be explained.
    """
    at = f"{pixel[0]},{pixel[1]}" if isinstance(pixel, tuple) else pixel
    given = options({"model": model, "against": against, "pixel": at, "size": size_word(size), **more})
    shaders = [shader] if other is None else [shader, other]
    with inputs(shaders, isa) as named:
        done = call(["explain", "--json", *given, *named.words], allow=[CHECK_FAILED], clean=named.clean)
    records = lines(done.stdout)
    last = name_of(shader if other is None else other)
    sides = None
    if {record["shader"] for record in records} == {last}:
        model, against = records[0]["model"], records[0]["against"]
        draw = Drawing(tuple(shaders), size, isa, more)
        # Of two programs, `model` is that of the second.
        pair = ((last, model), (last, against)) if other is None else ((name_of(shader), against), (last, model))
        sides = Sides(draw, *pair)
    return Explanation(records, done.stderr.decode("utf-8", "replace"), sides)


@takes(IdentifyOptions)
def identify(
    shader: Shader,
    capture: "Union[StrPath, Picture, numpy.ndarray[Any, Any]]",
    *,
    models: Optional[Models] = None,
    isa: Optional[str] = None,
    **more: Unpack[IdentifyOptions],
) -> Identification:
    """Finds the models that draw what another renderer drew.

    :param capture: a PNG or ``.npy`` file, or an array of shape (height, width) or (height, width, 1 to 4).
    :param models: models to try; by default all.
    :return: pictures, the closest first; ``explains`` says whether one of them is close enough.
    """
    with tempfile.TemporaryDirectory(prefix="parallax-") as folder:
        if not isinstance(capture, (str, os.PathLike)):
            array = numpy.asarray(capture)
            capture = Path(folder) / "capture.npy"
            numpy.save(capture, array)
        given = options({"capture": capture, "models": models_word(models), **more})
        with inputs([shader], isa) as named:
            done = call(["identify", "--json", *given, *named.words], allow=[CHECK_FAILED], clean=named.clean)
    records = lines(done.stdout)
    if not records:
        fail(done.returncode, done.stderr.decode("utf-8", "replace"))
    return Identification(records, bool(records[0]["explains"]), done.stderr.decode("utf-8", "replace"))


@takes(SourceOptions)
def info(*shaders: Shader, isa: Optional[str] = None, **more: Unpack[SourceOptions]) -> Info:
    """Describes files: instruction set, interface, size, what is not supported.

    Damaged programs have records too, with their ``problems``.

    :raises ParallaxError: none of the files can be read and recognised.
    """
    if not shaders:
        raise TypeError("info() needs a shader")
    code, records = described(shaders, isa, more)
    if not any(record.get("isa") or record.get("status") != "invalid" for record in records):
        fail(code, problems(records))
    return Info(records)


def described(shaders: Sequence[Shader], isa: Optional[str], more: Mapping[str, Any]) -> Tuple[int, List[Record]]:
    """The exit code of ``info``, and its records."""
    with inputs(shaders, isa) as named:
        done = call(["info", "--format=jsonl", *options(more), *named.words], allow=[2, 3], clean=named.clean)
    return done.returncode, lines(done.stdout)


def problems(records: Sequence[Record]) -> str:
    """What is wrong with files, a line for each error."""
    return "\n".join(
        f"{record.get('file')}{':{}'.format(problem['line']) if 'line' in problem else ''}: {problem['message']}"
        for record in records
        for problem in record.get("problems", [])
        if problem["severity"] == "error"
    )


@takes(DisOptions)
def dis(binary: Shader, *, isa: Optional[str] = None, **more: Unpack[DisOptions]) -> Listing:
    """Disassembles a binary. Words that are no instructions are listed as such, and ``complete`` is false.

    :raises ParallaxError: there is nothing to list.
    """
    with inputs([binary], isa) as named:
        done = call(["dis", *options(more), *named.words], allow=[2, 3], clean=named.clean)
    messages = done.stderr.decode("utf-8", "replace").strip()
    if done.returncode != 0 and not done.stdout:
        fail(done.returncode, messages)
    return Listing(done.stdout.decode("utf-8", "replace"), done.returncode == 0, messages)


@takes(AsOptions)
def assemble(text: Shader, *, isa: Optional[str] = None, **more: Unpack[AsOptions]) -> bytes:
    """Assembles a text to machine words: the command ``as``, whose name is a keyword of Python.

    :return: the words; every function that takes a program takes them.
    :raises ParallaxError: the text is invalid, or its instruction set has no machine words.
    """
    with inputs([text], isa) as named:
        return call(["as", "--output=-", *options(more), *named.words], clean=named.clean).stdout


@takes(TranslateOptions)
def translate(
    shader: Shader,
    *,
    to: str = "spirv",
    model: Optional[str] = None,
    isa: Optional[str] = None,
    **more: Unpack[TranslateOptions],
) -> Module:
    """Writes a shader for other engines.

    :param to: ``spirv``, a module that computes a model's bits in integers; ``wgsl``, ``glsl``, ``hlsl`` or ``msl``, its text; of a
        fragment shader, or for instruction sets that have them of a vertex shader, ``tgsi``, ``arb``, ``nvfp``, ``nv40``, ``attila``,
        ``spa5`` or ``usc``, a program of another instruction set, as ``form`` says: ``text``, ``words`` or ``container``.
    :raises ParallaxError: an operation has no translation, which the message names; or the program writes no texts of languages.
    """
    is_program = to in _INSTRUCTION_SETS
    with tempfile.TemporaryDirectory(prefix="parallax-") as folder:
        output, file = Path(folder) / "output", Path(folder) / "beside"
        given = options({"to": to, "model": model, "manifest_out" if is_program else "interface": file, **more})
        with inputs([shader], isa) as named:
            done = call(["translate", f"--output={output}", *given, *named.words], clean=named.clean)
        words, beside = output.read_bytes(), file.read_text(encoding="utf-8")
    messages = done.stderr.decode("utf-8", "replace").strip()
    if is_program:
        return Module(words, {}, messages, language=to, manifest=beside)
    return Module(words, json.loads(beside), messages, language=to)


# Targets that are no shading languages.
_INSTRUCTION_SETS = ("tgsi", "arb", "nvfp", "nv40", "attila", "spa5", "usc")


@takes(ModelsOptions)
def models(
    name: Optional[str] = None, *, diff: Optional[Tuple[str, str]] = None, **more: Unpack[ModelsOptions]
) -> Table:
    """All models, or the fields of one, or the fields in which two differ.

    Of all: name, title, vendor, year, class, what it inherits, fields by how well they are known. Of one: a record for each
    field, with value, tier and source.

    :param diff: names of two models.
    """
    if name is not None and diff is not None:
        raise TypeError("models() takes a name or diff, not both")
    words = ["--diff", *diff] if diff is not None else ["--", name] if name is not None else []
    given = [*options(more), *words]
    if name is None:
        return Table(lines(call(["models", "--format=jsonl", *given]).stdout))
    fields: List[Record] = json.loads(call(["models", "--format=json", *given]).stdout)["fields"]
    return Table(fields)


@takes(SweepOptions)
def sweep(
    op: str,
    *,
    model: str = "ieee",
    float: Optional[str] = None,  # noqa: A002
    out: Optional[StrPath] = None,
    **more: Unpack[SweepOptions],
) -> Sweep:
    """Evaluates one operation under one model over all its inputs, or a stated sample.

    :param op: operation, such as ``"rcp"``.
    :param float: format of operands and result: ``fp32``, ``half``, ``fp64``, ``fx12``, ``fx9``.
    :param out: folder for parts and results, in which an interrupted sweep goes on; without it none is kept.
    :return: the summary, errors by binade of the first operand, and classes of special values.
    """
    with tempfile.TemporaryDirectory(prefix="parallax-") as folder:
        kept = folder if out is None else os.fspath(out)
        given = options({"model": model, "float": float, "output": kept, **more})
        # A result that is not legal is in the summary.
        done = call(["sweep", "--format=jsonl", "--quiet", *given, "--", op], allow=[CHECK_FAILED])
        file = Path(kept) / "sweep.jsonl"
        # One shard of several has no results yet.
        rows = lines(file.read_bytes()) if file.is_file() else []

    def of(kind: str) -> Table:
        return Table([row for row in rows if row.get("kind") == kind])

    summary = lines(done.stdout)
    return Sweep(summary[0] if summary else {}, of("binade"), of("special"), done.returncode != CHECK_FAILED)
