"""Which options each verb takes: names, types, and errors for others.

Keywords are spelled as options of the command line, with underscores: ``model_file`` is ``--model-file``. A test holds these
lists against ``parallax VERB --help``.
"""

from __future__ import annotations

import difflib
import functools
import inspect
import os
from typing import TYPE_CHECKING, Any, Callable, Mapping, Sequence, Tuple, TypedDict, TypeVar, Union

Paths = Union[str, "os.PathLike[str]", Sequence[Union[str, "os.PathLike[str]"]]]
Settings = Union[str, Sequence[str], Mapping[str, Union[str, int]]]
Size = Union[str, Tuple[int, int]]
Pixel = Union[str, Tuple[int, int]]


class EngineOptions(TypedDict, total=False):
    engine: str


class SourceOptions(EngineOptions, total=False):
    """How a program is read."""

    set: Settings
    entry: str
    stage: str
    spec: Settings
    relaxed: str
    subgroup: Union[str, int]
    block: Union[str, int]
    shared_bytes: int
    manifest: Union[str, "os.PathLike[str]"]
    compiler: Union[str, "os.PathLike[str]"]


class DrawOptions(SourceOptions, total=False):
    """How it is drawn."""

    target: str
    samples: int
    threads: int
    model_file: Paths


class RunOptions(DrawOptions, total=False):
    demote: Union[str, Sequence[str]]
    grid: Union[str, int]
    param: Settings
    check_races: bool
    robust: bool
    budget: int
    buffer: str


class CompareOptions(DrawOptions, total=False):
    all_pixels: bool
    capture: Union[str, Sequence[str]]
    demote: Union[str, Sequence[str]]
    reference: str
    small_pictures: bool
    tolerance: Union[str, Sequence[str]]
    baseline: Union[str, "os.PathLike[str]"]
    baseline_slack: Union[str, Sequence[str]]
    update_baseline: bool
    junit: Union[str, "os.PathLike[str]"]
    profile: Union[str, "os.PathLike[str]"]


class ShardOptions(DrawOptions, total=False):
    all_pixels: bool
    demote: Union[str, Sequence[str]]
    reference: str
    tolerance: Union[str, Sequence[str]]
    profile: Union[str, "os.PathLike[str]"]


class MergeOptions(EngineOptions, total=False):
    small_pictures: bool
    baseline: Union[str, "os.PathLike[str]"]
    baseline_slack: Union[str, Sequence[str]]
    update_baseline: bool
    junit: Union[str, "os.PathLike[str]"]


class ExplainOptions(DrawOptions, total=False):
    demote: str
    worst: bool


class IdentifyOptions(DrawOptions, total=False):
    crop: str
    scale: int
    flip: str
    tolerance: Union[int, float]
    mask: Union[str, "os.PathLike[str]"]
    no_drivers: bool


class DisOptions(EngineOptions, total=False):
    order: str
    vendor: bool
    exact: bool
    offsets: bool
    native: bool
    model: str
    compiler: Union[str, "os.PathLike[str]"]


class AsOptions(EngineOptions, total=False):
    order: str


class TranslateOptions(SourceOptions, total=False):
    arithmetic: str
    assume: Union[str, Sequence[str]]
    flag_inexact: bool
    constants: str
    lookups: str
    form: str
    next: Union[str, "os.PathLike[str]"]
    model_file: Paths
    demote: Union[str, Sequence[str]]


class ModelsOptions(EngineOptions, total=False):
    model_file: Paths


class SweepOptions(EngineOptions, total=False):
    against: str
    profile: Union[str, "os.PathLike[str]"]
    range: str
    all: bool
    random: int
    seed: int
    shard: str
    threads: int
    model_file: Paths


class EvalOptions(EngineOptions, total=False):
    model_file: Paths


if TYPE_CHECKING:
    Verb = TypeVar("Verb", bound=Callable[..., Any])


def takes(known: type) -> "Callable[[Verb], Verb]":
    """Makes a verb with ``**more`` refuse keywords that are not among those of ``known``.

    Its signature lists them, so that notebooks complete them and ``help`` shows them.
    """

    def wrap(verb: "Verb") -> "Verb":
        own = inspect.signature(verb)
        parameters = [p for p in own.parameters.values() if p.kind is not inspect.Parameter.VAR_KEYWORD]
        named = [p.name for p in parameters if p.kind is inspect.Parameter.KEYWORD_ONLY]
        more = sorted(known.__annotations__)
        shown = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=_written(known.__annotations__[name]))
            for name in more
        ]
        allowed = {p.name for p in parameters if p.kind is not inspect.Parameter.VAR_POSITIONAL} | set(more)

        @functools.wraps(verb)
        def checked(*words: Any, **given: Any) -> Any:
            for name in given:
                if name not in allowed:
                    raise TypeError(_unknown(verb.__name__, name, sorted(set(named) | set(more))))
            return verb(*words, **given)

        setattr(checked, "__signature__", own.replace(parameters=[*parameters, *shown]))
        return checked  # type: ignore[return-value]

    return wrap


def _written(annotation: Any) -> Any:
    """An annotation as it is written in this file."""
    return getattr(annotation, "__forward_arg__", annotation)


def _unknown(verb: str, name: str, known: Sequence[str]) -> str:
    close = ["isa"] if name in ("from", "from_") else difflib.get_close_matches(name, known, n=3)
    hint = f"; did you mean {' or '.join(repr(word) for word in close)}?" if close else f"; it takes {', '.join(known)}"
    return f"{verb}() has no argument {name!r}{hint}"
