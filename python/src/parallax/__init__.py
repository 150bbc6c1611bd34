"""Shaders under the arithmetic of many GPUs.

``run`` draws a shader, ``compare`` sets models beside each other, ``explain`` finds the instruction and the rule that make a
difference, ``identify`` the model that drew a capture, ``sweep`` evaluates one operation over all its inputs, ``translate``
writes a model's bits as SPIR-V, ``dis`` and ``assemble`` go from words to text and back, ``info`` describes a file, ``models``
lists the arithmetics, and ``eval`` answers requests in one process. All results are those of the ``parallax`` program, bit for
bit.

A string or a path is the name of a file. A program itself is a :class:`Source`, or bytes. Options that have no parameter of their
own are keywords, spelled as on the command line: ``compare("in", demote="fp32=half")``.
"""

from typing import TYPE_CHECKING

from ._compare import compare, compare_shard, merge
from ._pictures import Picture, Pictures, beside
from ._program import CheckFailed, ParallaxError, ParallaxWarning, version
from ._results import Comparison, Explanation, Identification, Info, Interrupted, Listing, Module, Sweep, Table
from ._session import Answer, Session
from ._session import eval as eval
from ._source import Source
from ._verbs import assemble, dis, explain, identify, info, models, run, sweep, translate

if TYPE_CHECKING:
    __version__: str

# `eval` is not among them: `from parallax import *` would hide Python's.
__all__ = [
    "Answer",
    "CheckFailed",
    "Comparison",
    "Explanation",
    "Identification",
    "Info",
    "Interrupted",
    "Listing",
    "Module",
    "ParallaxError",
    "ParallaxWarning",
    "Picture",
    "Pictures",
    "Session",
    "Source",
    "Sweep",
    "Table",
    "assemble",
    "beside",
    "compare",
    "compare_shard",
    "dis",
    "explain",
    "identify",
    "info",
    "merge",
    "models",
    "run",
    "sweep",
    "translate",
    "version",
]


if not TYPE_CHECKING:

    def __getattr__(name: str) -> str:
        # Package and program have one version, and the program knows it.
        if name == "__version__":
            return version()
        raise AttributeError(f"module 'parallax' has no attribute {name!r}")
