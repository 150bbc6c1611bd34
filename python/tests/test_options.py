"""The options of every verb are those of the program, and others are errors."""

import inspect
import re
from typing import Any, Callable, Dict, Set, Tuple

import pytest

import parallax
from conftest import BLEND
from parallax._program import call

# Options that are no keywords, and why.
EVERYWHERE = {"color", "quiet", "help"}  # Nothing is printed.
NONE: Set[str] = set()
LEFT_OUT = {
    "run": {"output", "image", "force", "format", "pixel"},  # The array has all pixels.
    "compare": {"no-report", "verbose", "format", "shard", "merge"},  # compare_shard and merge are functions of their own.
    "explain": {"json", "top"},  # All findings are given.
    "identify": {"json", "top"},
    "info": {"format"},
    "dis": {"output"},
    "as": {"output", "hex", "force"},  # bytes.hex().
    # --check draws and gives no module; the result has interface and manifest.
    "translate": {"output", "interface", "force", "check", "random", "size", "picture", "manifest-out"},
    "models": {"format", "toml"},  # The fields are records.
    "sweep": {"format", "models"},  # --models is for profiles without an operation.
    "eval": NONE,
}
# Parameters that are no options.
OWN = {"compare": {"check"}, "models": {"name"}}

VERBS: Dict[str, Callable[..., Any]] = {
    "run": parallax.run,
    "compare": parallax.compare,
    "explain": parallax.explain,
    "identify": parallax.identify,
    "info": parallax.info,
    "dis": parallax.dis,
    "as": parallax.assemble,
    "translate": parallax.translate,
    "models": parallax.models,
    "sweep": parallax.sweep,
    "eval": parallax.eval,
}


def of_program(verb: str) -> Set[str]:
    text = call([verb, "--help"]).stdout.decode()
    return set(re.findall(r"^ +(?:-\w, )?--([a-z][a-z0-9-]*)", text, re.M))


def of_function(verb: str) -> Set[str]:
    names = {
        p.name for p in inspect.signature(VERBS[verb]).parameters.values() if p.kind is inspect.Parameter.KEYWORD_ONLY
    } - OWN.get(verb, NONE)
    renamed = {} if verb == "compare" else {"out": "output"}
    renamed["isa"] = "from"
    return {renamed.get(name, name).replace("_", "-") for name in names}


@pytest.mark.parametrize("verb", VERBS)
def test_options_are_those_of_the_program(verb: str) -> None:
    left = LEFT_OUT[verb] | EVERYWHERE
    if verb == "identify":
        left = left | {"capture"}  # Its second parameter.
    found = of_program(verb)
    assert len(found) > 3
    assert left <= found, "an option that is left out is not there any more"
    assert of_function(verb) == found - left


@pytest.mark.parametrize("function", [parallax.compare_shard, parallax.merge])
def test_options_of_shards_are_options_of_compare(function: Callable[..., Any]) -> None:
    own = {"shard", "shards", "out", "models", "size", "isa"}
    names = {p.name for p in inspect.signature(function).parameters.values() if p.kind is inspect.Parameter.KEYWORD_ONLY}
    assert {name.replace("_", "-") for name in names - own} <= of_program("compare")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"modle": "nv40"}, "no argument 'modle'; did you mean 'model'"),
        ({"from_": "nvfp"}, "did you mean 'isa'"),
        ({"zzz": "x"}, "no argument 'zzz'; it takes .*model_file"),
    ],
)
def test_unknown_arguments_are_errors_of_python(given: Dict[str, str], said: str) -> None:
    with pytest.raises(TypeError, match=said):
        parallax.run(parallax.Source(BLEND), **given)


def test_signatures_show_all_options() -> None:
    assert "model_file" in str(inspect.signature(parallax.explain))
    assert "**" not in str(inspect.signature(parallax.explain))


VALUES: Tuple[Tuple[Any, Tuple[str, ...]], ...] = (
    (None, ()),
    (False, ()),
    (True, ("--set",)),
    (2, ("--set=2",)),
    (0.5, ("--set=0.5",)),
    (["a=1", "b=2"], ("--set=a=1", "--set=b=2")),
    ({"a": 1, "b": "2"}, ("--set=a=1", "--set=b=2")),
)


@pytest.mark.parametrize(("value", "words"), VALUES)
def test_values_as_words(value: Any, words: Tuple[str, ...]) -> None:
    from parallax._program import options

    assert options({"set": value}) == list(words)
    with pytest.raises(TypeError, match="not a value of an option"):
        options({"set": object()})
