"""The program: where it is, how it is called, how it ends."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import warnings
from pathlib import Path
from typing import Any, Callable, Iterable, Mapping, NoReturn, Sequence

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
        super().__init__(exit_code, messages)

    def __str__(self) -> str:
        return f"exit code {self.exit_code}\n{self.messages}" if self.messages else f"exit code {self.exit_code}"


class CheckFailed(ParallaxError):
    """A check that was asked for failed: a limit, a profile, an earlier run."""


class ParallaxWarning(UserWarning):
    """What the program warned of while it did what was asked."""


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


def options(given: Mapping[str, Any]) -> list[str]:
    """Keywords as options of the command line: ``model_file="m.toml"`` is ``--model-file=m.toml``.

    A list repeats the option, and a mapping repeats it with ``NAME=VALUE``.
    """
    out: list[str] = []
    for name, value in given.items():
        flag = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            out.append(flag)
        elif isinstance(value, Mapping):
            out.extend(f"{flag}={key}={_word(item)}" for key, item in value.items())
        elif isinstance(value, (list, tuple)):
            out.extend(f"{flag}={_word(item)}" for item in value)
        else:
            out.append(f"{flag}={_word(value)}")
    return out


def _word(value: Any) -> str:
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return repr(value)
    raise TypeError(f"{value!r} is not a value of an option: a string, a path or a number was expected")


def start(words: Iterable[str], **streams: Any) -> "subprocess.Popen[bytes]":
    """Starts the program in a group of its own.

    Ctrl-C in a terminal, and a notebook that interrupts its kernel, reach every process of the group. The program takes
    the second of two interrupts as an order to end at once, so it gets only the one that :func:`interrupt` sends.
    """
    apart: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return subprocess.Popen([os.fspath(program()), *words], **apart, **streams)


def interrupt(process: "subprocess.Popen[bytes]") -> None:
    """Asks the program for an orderly end: what is finished is kept."""
    if sys.platform == "win32":
        process.send_signal(signal.CTRL_BREAK_EVENT)
    else:
        process.send_signal(signal.SIGINT)


def call(
    words: Iterable[str], allow: Sequence[int] = (), clean: Callable[[bytes], bytes] = bytes
) -> "subprocess.CompletedProcess[bytes]":
    """Runs the program; exit codes other than 0 and those allowed become exceptions.

    Warnings of a call that succeeds are :class:`ParallaxWarning`. ``clean`` goes over all that it prints.
    """
    process = start(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        out, err = process.communicate()
    except BaseException:
        end(process, process.communicate)
        raise
    out, err = clean(out), clean(err)
    if process.returncode != 0 and process.returncode not in allow:
        fail(process.returncode, err.decode("utf-8", "replace"))
    for line in err.decode("utf-8", "replace").splitlines():
        if line.startswith(("warning: ", "warning[")):
            warnings.warn(line, ParallaxWarning, stacklevel=4)
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


def end(process: "subprocess.Popen[bytes]", wait: Callable[[], object]) -> None:
    """Interrupts the program and waits for it; ends it at once if that is interrupted, too.

    ``wait`` must see to it that somebody reads what the program still prints.
    """
    if process.poll() is None:
        interrupt(process)
        try:
            wait()
        except BaseException:
            process.kill()
            process.wait()
            raise


def fail(code: int, messages: str) -> NoReturn:
    """Raises what the exit code stands for."""
    raise (CheckFailed if code == CHECK_FAILED else ParallaxError)(code, messages.strip())


def version() -> str:
    """Version of the program."""
    return call(["--version"]).stdout.decode().split()[-1]
