"""Shaders under the arithmetic of many GPUs.

``run`` draws a shader and gives an array, ``compare`` sets models beside each other, ``sweep`` evaluates one operation over all
its inputs, ``models`` lists the arithmetics. All results are those of the ``parallax`` program, bit for bit; options that have no
parameter of their own are given as keywords, spelled as on the command line: ``compare("in", demote="fp32=half")``.
"""

from ._program import CheckFailed, ParallaxError, version
from ._results import Comparison, Sweep, Table
from ._verbs import compare, compare_shard, merge, models, run, sweep

__all__ = [
    "CheckFailed",
    "Comparison",
    "ParallaxError",
    "Sweep",
    "Table",
    "compare",
    "compare_shard",
    "merge",
    "models",
    "run",
    "sweep",
    "version",
]
