"""What is a path, and what is a program."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Iterator, Optional, Sequence, Union

from ._program import options

StrPath = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True, repr=False)
class Source:
    """A program itself, as text or words, where a string would be the name of a file.

    :param contents: the text, or the bytes of a binary.
    :param isa: instruction set or language, as for ``--from``, where the contents do not say it.
    :param name: name in results and messages; it has no folders.
    """

    contents: Union[str, bytes]
    isa: Optional[str] = None
    name: str = "source"

    def __post_init__(self) -> None:
        if not isinstance(self.contents, (str, bytes)):
            raise TypeError(f"a source is text or bytes, not {type(self.contents).__name__}")
        if self.name in ("", ".", "..") or any(mark in self.name for mark in "/\\:"):
            raise ValueError(f"{self.name!r} is not the name of a source: it may have no folder and no colon")

    def __bytes__(self) -> bytes:
        return self.contents.encode("utf-8") if isinstance(self.contents, str) else self.contents

    def __repr__(self) -> str:
        isa = f", isa={self.isa!r}" if self.isa else ""
        return f"Source({self.name!r}, {len(bytes(self))} bytes{isa})"


Shader = Union[StrPath, bytes, Source]


@dataclass(frozen=True)
class Inputs:
    """Programs as words of the command line: sources are files in a folder that goes away."""

    words: list[str]
    folder: Optional[str]

    def clean(self, text: bytes) -> bytes:
        """What the program printed, with sources under their own names."""
        if self.folder is None:
            return text
        prefix = self.folder + os.sep
        # JSON doubles the backslashes of a path.
        for form in (prefix, prefix.replace("\\", "\\\\")):
            text = text.replace(os.fsencode(form), b"")
        return text


@contextmanager
def inputs(shaders: Sequence[Shader], isa: Optional[str]) -> Iterator[Inputs]:
    """The words that name programs, the instruction set among them.

    :raises TypeError: something is neither a path nor a program.
    :raises ValueError: two sources of one name, or instruction sets that contradict each other.
    """
    sources: dict[str, Source] = {}
    words: list[str] = []
    isa = _isa(shaders, isa)
    with tempfile.TemporaryDirectory(prefix="parallax-") as folder:
        for shader in shaders:
            if isinstance(shader, (bytes, bytearray)):
                shader = Source(bytes(shader))
            if isinstance(shader, Source):
                if shader.name in sources:
                    raise ValueError(f"two sources have the name {shader.name!r}; give them names of their own")
                sources[shader.name] = shader
                path = Path(folder) / shader.name
                path.write_bytes(bytes(shader))
                words.append(os.fspath(path))
            elif isinstance(shader, (str, os.PathLike)):
                words.append(os.fspath(shader))
            else:
                raise TypeError(f"{type(shader).__name__} is no program: a path, bytes or a Source was expected")
        named = options({"from": isa})
        # Names can begin with a dash.
        yield Inputs([*named, "--", *words] if words else named, folder if sources else None)


def _isa(shaders: Sequence[Shader], isa: Optional[str]) -> Optional[str]:
    """The instruction set that one call names; it holds for all of its programs."""
    named = {shader.isa if isinstance(shader, Source) else None for shader in shaders}
    if isa is not None:
        named = (named - {None}) | {isa}
    if len(named) > 1:
        found = ", ".join(sorted(name or "none" for name in named))
        raise ValueError(f"an instruction set that is named holds for all programs of a call, and here are several: {found}")
    return next(iter(named), None)
