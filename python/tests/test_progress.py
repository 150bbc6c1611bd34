"""Progress of comparisons, and interrupting them."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path
from typing import List, Optional, Tuple

import pytest

import parallax
from conftest import BLEND


@pytest.fixture
def many(tmp_path: Path) -> Path:
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(30):
        (folder / f"{number:02}.fp").write_text(BLEND)
    return folder


def test_progress_is_told(corpus: Path) -> None:
    told: List[Tuple[int, int, Optional[str]]] = []
    found = parallax.compare(corpus, models="ieee", size=(4, 4), threads=1, progress=lambda *words: told.append(words))
    assert [(done, total) for done, total, _ in told] == [(done, 4) for done in range(5)]
    assert [shader for _, _, shader in told] == [None, *found.shaders]
    assert '"progress"' not in found.messages


def test_a_bar_or_lines(corpus: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    parallax.compare(corpus, models="ieee", size=(4, 4))
    assert capsys.readouterr().err == "", "nobody looks"
    parallax.compare(corpus, models="ieee", size=(4, 4), progress=True)
    assert "4/4" in capsys.readouterr().err.replace("\r", "\n")
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    parallax.compare(corpus, models="ieee", size=(4, 4), progress=True, threads=1)
    assert "2 of 4: " in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="os.kill ends the process there")
def test_an_interrupt_keeps_what_is_finished(many: Path, tmp_path: Path) -> None:
    def stop(done: int, total: int, shader: Optional[str]) -> None:
        if done == 2:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt) as stopped:
        parallax.compare(many, size=(400, 400), threads=1, out=tmp_path / "rep", progress=stop)
    assert isinstance(stopped.value, parallax.Interrupted)
    finished = stopped.value.finished
    assert 2 <= len(finished.shaders) < 30
    assert len(finished.shaders) + finished.unfinished == 30
    assert "interrupted: " in finished.messages and "not run" in repr(finished)
    kept = (tmp_path / "rep" / "results.jsonl").read_text().splitlines()
    assert len(kept) == len(finished), "the program has kept the same"
    assert len(finished.pictures(finished.shaders[0])) > 0


def test_an_error_of_the_function_stops_the_program(many: Path) -> None:
    def wrong(done: int, total: int, shader: Optional[str]) -> None:
        raise LookupError("mine")

    before = threading.active_count()
    with pytest.raises(LookupError, match="mine"):
        parallax.compare(many, size=(400, 400), threads=1, progress=wrong)
    until = time.monotonic() + 30
    while threading.active_count() > before and time.monotonic() < until:
        time.sleep(0.05)
    assert threading.active_count() == before, "its streams are read to the end"


@pytest.mark.skipif(sys.platform == "win32", reason="groups of processes")
def test_an_interrupt_of_the_whole_group_reaches_the_program_once(many: Path) -> None:
    """As Ctrl-C in a terminal, or a notebook that interrupts its kernel: every process of the group gets the signal."""
    script = textwrap.dedent(
        """
        import sys, parallax
        try:
            parallax.compare(sys.argv[1], size=(400, 400), threads=1, progress=lambda d, t, s: print(d, flush=True))
        except parallax.Interrupted as stopped:
            print("finished", len(stopped.finished.shaders), stopped.finished.unfinished)
        """
    )
    child = subprocess.Popen(
        [sys.executable, "-c", script, os.fspath(many)], stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert child.stdout is not None
    while child.stdout.readline().strip() != "1":
        pass
    os.killpg(child.pid, signal.SIGINT)
    out, _ = child.communicate(timeout=60)
    word, done, left = out.splitlines()[-1].split()
    assert word == "finished" and int(done) >= 1 and int(done) + int(left) == 30


@pytest.mark.skipif(sys.platform == "win32", reason="os.kill ends the process there")
def test_other_verbs_end_with_their_program(tmp_path: Path) -> None:
    """An interrupted sweep goes on from its folder."""
    timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        parallax.sweep("exp2", model="maxwell@high", threads=1, out=tmp_path)
    timer.join()
    assert time.monotonic() - began < 60
    assert not (tmp_path / "sweep.jsonl").exists()
