"""Pictures, and how a notebook shows them."""

from __future__ import annotations

import base64
import html
import struct
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Iterator, Optional, Tuple

import numpy

from ._source import StrPath

# Small pictures are shown with pixels enlarged to about this width, in CSS pixels.
SHOWN_WIDTH = 256


@dataclass(frozen=True, eq=False, repr=False)
class Picture:
    """The first colour output of a shader under a model.

    ``pixels`` is a binary32 array of shape (height, width, 4), rows from the top; components that the shader does not write
    are 0, alpha 1, and pixels that it does not cover are all 0. ``numpy.asarray(picture)`` is the same array. Of a kernel it is
    the words of a buffer, in one dimension.
    """

    pixels: "numpy.ndarray[Any, Any]"
    shader: str
    model: Optional[str] = None

    @property
    def shape(self) -> Tuple[int, ...]:
        return tuple(self.pixels.shape)

    @property
    def words(self) -> "numpy.ndarray[Any, Any]":
        """The bits of the numbers, to be compared: NaN has a payload, and -0 is not 0."""
        view: numpy.ndarray[Any, Any] = self.pixels.view(numpy.uint32)
        return view

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> "numpy.ndarray[Any, Any]":
        if copy or dtype is not None:
            made: numpy.ndarray[Any, Any] = numpy.array(self.pixels, dtype=dtype)
            return made
        return self.pixels

    def same(self, other: "Picture") -> bool:
        """Whether two pictures have the same bits."""
        return self.shape == other.shape and bool(numpy.array_equal(self.words, other.words))

    def bytes8(self) -> "numpy.ndarray[Any, Any]":
        """Components in 8 bits as in ``parallax run -o picture.png``: clamped to [0, 1], rounded to nearest even; NaN is 0."""
        if self.pixels.ndim != 3:
            raise ValueError(f"words of a buffer are no picture: their shape is {self.shape}")
        # In binary64 the product is exact.
        scaled = numpy.clip(numpy.nan_to_num(self.pixels.astype(numpy.float64), nan=0.0), 0.0, 1.0) * 255.0
        rounded: numpy.ndarray[Any, Any] = numpy.rint(scaled).astype(numpy.uint8)
        return rounded

    def png(self, opaque: bool = False) -> bytes:
        """The picture as PNG.

        :param opaque: leave alpha out where anything is drawn, so that shaders that do not care for it can be looked at.
        """
        shown = self.bytes8()
        if opaque:
            shown[..., 3] = numpy.where(self.words.any(axis=-1), 255, 0)
        return encode(shown)

    def save(self, path: StrPath) -> None:
        """Writes the picture as PNG."""
        Path(path).write_bytes(self.png())

    def __repr__(self) -> str:
        size = "x".join(map(str, self.shape[1::-1])) if self.pixels.ndim == 3 else f"{self.pixels.size} words"
        return f"Picture({self.shader!r}, {self.model or 'its own model'}, {size})"

    def _repr_html_(self) -> str:
        if self.pixels.ndim != 3:
            return f"<p>{html.escape(repr(self))}</p>"
        return Pictures((self,))._repr_html_()


@dataclass(frozen=True, repr=False)
class Pictures:
    """Pictures that a notebook shows beside each other."""

    pictures: Tuple[Picture, ...]
    captions: Tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.pictures)

    def __iter__(self) -> Iterator[Picture]:
        return iter(self.pictures)

    def __getitem__(self, number: int) -> Picture:
        return self.pictures[number]

    def __repr__(self) -> str:
        return f"Pictures({', '.join(self._captions())})"

    def _captions(self) -> Tuple[str, ...]:
        return self.captions or tuple(picture.model or picture.shader for picture in self.pictures)

    def _repr_html_(self) -> str:
        shown = "".join(_figure(p, caption) for p, caption in zip(self.pictures, self._captions()))
        return f'<div style="display:flex;flex-wrap:wrap;gap:12px">{shown}</div>'


def beside(*pictures: Picture) -> Pictures:
    """Pictures beside each other, in a notebook."""
    shaders = {picture.shader for picture in pictures}
    captions = tuple(
        (picture.model or picture.shader) if len(shaders) == 1 else f"{picture.shader}, {picture.model or 'its own model'}"
        for picture in pictures
    )
    return Pictures(pictures, captions)


def _figure(picture: Picture, caption: str) -> str:
    data = base64.b64encode(picture.png(opaque=True)).decode("ascii")
    height, width = picture.shape[:2]
    scale = max(1, SHOWN_WIDTH // max(width, 1))
    caption = html.escape(caption)
    return (
        f'<figure style="margin:0"><img src="data:image/png;base64,{data}" width="{width * scale}" height="{height * scale}" '
        f'style="image-rendering:pixelated" alt="{caption}"><figcaption>{caption}</figcaption></figure>'
    )


def encode(pixels: "numpy.ndarray[Any, Any]") -> bytes:
    """A PNG of 8-bit red, green, blue, alpha: an array of shape (height, width, 4)."""
    height, width = pixels.shape[:2]

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    # Every row begins with its filter: none.
    rows = numpy.zeros((height, 1 + 4 * width), numpy.uint8)
    rows[:, 1:] = pixels.reshape(height, 4 * width)
    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    data = zlib.compress(rows.tobytes())
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")
