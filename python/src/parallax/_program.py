"""The program, and how it ends."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Iterable, List, Mapping, Optional, Sequence, Union

StrPath = Union[str, "os.PathLike[str]"]
Option = Union[None, bool, int, float, str, "os.PathLike[str]", Sequence[Union[str, "os.PathLike[str]"]]]

# Exit codes of the program: docs/commands.md.
CHECK_FAILED = 1


class ParallaxError(Exception):
    """The program refused or could not do what was asked.

    ``exit_code`` is 2 for wrong usage or invalid input, 3 for what is valid but not supported, 4 for a bug, 130 when it
    was interrupted. ``messages`` is everything it said.
    """

    def __init__(self, exit_code: int, messages: str) -> None:
        self.exit_code = exit_code
        self.messages = messages
        super().__init__(f"exit code {exit_code}\n{messages}" if messages else f"exit code {exit_code}")


class CheckFailed(ParallaxError):
    """A check that was asked for failed: a limit, a profile, an earlier run."""


def program() -> Path:
    """Where the program is: as installed with this package, or what ``PARALLAX_PROGRAM`` names."""
    named = os.environ.get("PARALLAX_PROGRAM")
    if named:
        return Path(named)
    name = "parallax.exe" if sys.platform == "win32" else "parallax"
    schemes = [sysconfig.get_path("scripts")]
    if hasattr(sysconfig, "get_preferred_scheme"):
        schemes.append(sysconfig.get_path("scripts", sysconfig.get_preferred_scheme("user")))
    for folder in filter(None, schemes):
        if (Path(folder) / name).is_file():
            return Path(folder) / name
    found = shutil.which(name)
    if found is None:
        raise FileNotFoundError(
            "the program `parallax` is not installed; install this package with `pip install`, or name the program in "
            "PARALLAX_PROGRAM"
        )
    return Path(found)


def options(given: Mapping[str, Option]) -> List[str]:
    """Keywords as options of the command line: ``model_file="m.toml"`` is ``--model-file m.toml``."""
    out: List[str] = []
    for name, value in given.items():
        flag = "--" + name.rstrip("_").replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            out.append(flag)
        elif isinstance(value, (list, tuple)):
            out.extend(f"{flag}={os.fspath(item)}" for item in value)
        elif isinstance(value, (str, os.PathLike)):
            out.append(f"{flag}={os.fspath(value)}")
        else:
            out.append(f"{flag}={value}")
    return out


def call(words: Iterable[str], stdin: Optional[bytes] = None, allow: Sequence[int] = ()) -> "subprocess.CompletedProcess[bytes]":
    """Runs the program; exit codes other than 0 and those allowed become exceptions."""
    done = subprocess.run(
        [os.fspath(program()), *words],
        input=stdin if stdin is not None else b"",
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        check=False,
    )
    if done.returncode != 0 and done.returncode not in allow:
        said = done.stderr.decode("utf-8", "replace").strip()
        kind = CheckFailed if done.returncode == CHECK_FAILED else ParallaxError
        raise kind(done.returncode, said)
    return done


def version() -> str:
    """Version of the program."""
    return call(["--version"]).stdout.decode().split()[-1]
