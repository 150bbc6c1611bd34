"""Results: what they are in Python, and what a notebook shows."""

import pickle
import re
import struct
import zlib
from dataclasses import FrozenInstanceError
from pathlib import Path

import numpy
import pytest

import parallax
from conftest import BLEND, BROKEN, ROOT

SIZE = (16, 8)


def decoded(png: bytes) -> numpy.ndarray:
    """Pixels of a PNG with 8-bit red, green, blue, alpha; the filters of the format, from its specification."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    at, data, size = 8, b"", (0, 0)
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        kind, body = png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        assert struct.unpack(">I", png[at + 8 + length : at + 12 + length]) == (zlib.crc32(kind + body),)
        if kind == b"IHDR":
            width, height, depth, colour, *rest = struct.unpack(">IIBBBBB", body)
            assert (depth, colour, rest) == (8, 6, [0, 0, 0])
            size = (height, width)
        data += body if kind == b"IDAT" else b""
        at += 12 + length
    raw = zlib.decompress(data)
    out = numpy.zeros((size[0], size[1] * 4), numpy.uint8)
    stride = size[1] * 4 + 1
    for y in range(size[0]):
        kind, row = raw[y * stride], raw[y * stride + 1 : (y + 1) * stride]
        for x, value in enumerate(row):
            a = int(out[y, x - 4]) if x >= 4 else 0
            b = int(out[y - 1, x]) if y else 0
            c = int(out[y - 1, x - 4]) if y and x >= 4 else 0
            p = a + b - c
            nearest = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            out[y, x] = (value + (0, a, b, (a + b) // 2, nearest)[kind]) % 256
    return out.reshape(*size, 4)


@pytest.mark.parametrize("name", ["tgsi/toon.tgsi", "tgsi/eclipse.tgsi", "tgsi/gear.tgsi", "nvfp/nan_sign.nvfp"])
def test_a_png_is_that_of_the_program(name: str, tmp_path: Path) -> None:
    from parallax._program import call

    file = tmp_path / "a.png"
    call(["run", str(ROOT / "corpus" / name), "--size=24x20", f"--output={file}"])
    picture = parallax.run(ROOT / "corpus" / name, size=(24, 20))
    picture.save(tmp_path / "b.png")
    assert numpy.array_equal(decoded(file.read_bytes()), decoded((tmp_path / "b.png").read_bytes()))


def test_bytes_are_clamped_and_rounded() -> None:
    # The only number that is halfway between two bytes is one half.
    half = numpy.float32(0.5)
    numbers = [half, numpy.nextafter(half, numpy.float32(0)), -1.0, 2.0, numpy.nan, numpy.inf, -numpy.inf, 1.0]
    picture = parallax.Picture(numpy.array(numbers, numpy.float32).reshape(1, 2, 4), "x")
    assert picture.bytes8().ravel().tolist() == [128, 127, 0, 255, 0, 255, 0, 255]


def test_pictures_are_arrays_with_a_name() -> None:
    picture = parallax.run(parallax.Source(BLEND), model="nv40", size=SIZE)
    assert repr(picture) == "Picture('source', nv40, 16x8)"
    assert numpy.asarray(picture) is picture.pixels
    assert numpy.asarray(picture, numpy.float64).dtype == numpy.float64
    with pytest.raises(FrozenInstanceError):
        picture.model = "ieee"  # type: ignore[misc]
    both = parallax.beside(picture, parallax.run(parallax.Source(BLEND), model="ati-r300", size=SIZE))
    assert repr(both) == "Pictures(nv40, ati-r300)"
    assert not both[0].same(both[1]) and both[0].same(both[0])
    shown = both._repr_html_()
    assert shown.count("data:image/png;base64,") == 2
    assert "<figcaption>ati-r300</figcaption>" in shown


def test_a_kernel_gives_the_words_of_a_buffer() -> None:
    words = parallax.run(ROOT / "corpus/kernels/sums.spvasm", model="ieee")
    assert words.pixels.ndim == 1 and repr(words).endswith("words)")
    assert "img" not in words._repr_html_()
    with pytest.raises(ValueError, match="no picture"):
        words.png()


def test_a_comparison_shows_each_result_once() -> None:
    found = parallax.compare(ROOT / "corpus/tgsi/toon.tgsi", models=["ieee", "fermi", "nv40"], size=(32, 32))
    assert repr(found) == "Comparison(1 shader, 3 records)"
    pictures = found.pictures()
    assert [record["result"] for record in found][0] == found[1]["result"], "fermi computes this as ieee does"
    assert repr(pictures) == "Pictures(ieee, fermi, nv40)" and len(pictures) == 2
    assert pictures[1].same(parallax.run(ROOT / "corpus/tgsi/toon.tgsi", model="nv40", size=(32, 32)))
    shown = found._repr_html_()
    assert shown.count("<img") == 2 and "<td>nv40</td>" in shown
    with pytest.raises(ValueError, match="not one of the 1 shaders"):
        found.pictures("other")


def test_several_shaders_are_a_table(corpus: Path) -> None:
    found = parallax.compare(corpus, models=["ieee", "vc4"], size=SIZE)
    assert repr(found) == "Comparison(4 shaders, 8 records)"
    assert "<img" not in found._repr_html_()
    assert len(found.pictures(found.shaders[0])) == 2


def test_names_are_no_markup(tmp_path: Path) -> None:
    file = tmp_path / "<b>.fp"
    file.write_text(BLEND)
    assert "<b>" not in parallax.compare(file, models="ieee", size=SIZE)._repr_html_()
    assert "<b>" not in parallax.run(file, size=SIZE)._repr_html_()


def test_an_explanation_names_instruction_and_rule() -> None:
    found = parallax.explain(ROOT / "corpus/tgsi/eclipse.tgsi", model="ieee", against="d3d9")
    assert found.instructions[0]["text"].startswith("MUL TEMP[4].xyz")
    assert repr(found) == "Explanation(1 instruction; first: MUL TEMP[4].xyz, TEMP[4], TEMP[5])"
    shown = found._repr_html_()
    assert shown.count("<img") == 2 and "mul.zero_mul = ieee instead of zero (exact)" in shown
    assert repr(found.pictures()) == "Pictures(ieee, d3d9)"


def test_two_programs_are_explained_beside_each_other() -> None:
    old = ROOT / "corpus/tgsi/plasma.tgsi"
    new = parallax.Source(old.read_text().replace("0.25}", "0.2501}"), name="edited")
    found = parallax.explain(old, new, model="nv40", manifest=ROOT / "corpus/tgsi/plasma.toml")
    assert len(found.edits) == 1 and found.edits[0]["fixed"] == 1.0
    assert found.edits[0]["shader"] == "edited", "the folder that held the source is no part of its name"
    assert repr(found) == "Explanation(1 change; first: IMM[0] FLT32 {0.0, 1.0, 0.5, 0.2501})"
    assert not found.pictures()[0].same(found.pictures()[1])


def test_a_capture_is_identified(tmp_path: Path) -> None:
    shader = ROOT / "corpus/attila/voronoi.attila"
    shot = parallax.run(shader, model="maxwell", size=(32, 32))
    found = parallax.identify(shader, shot, models=["2000s", "ieee", "maxwell"], flip="none")
    assert found.explains and found.models[0] == "maxwell"
    assert repr(found).startswith("Identification(maxwell")
    shot.save(tmp_path / "shot.png")
    assert parallax.identify(shader, tmp_path / "shot.png", models=["ieee", "maxwell"]).models[0] == "maxwell"
    other = parallax.identify(shader, numpy.zeros((32, 32), numpy.uint8), models=["ieee"])
    assert not other.explains and repr(other).endswith("no model explains it)")


def test_info_describes_files(corpus: Path) -> None:
    found = parallax.info(corpus / "a.fp")
    assert (found[0]["isa"], found[0]["stage"]) == ("nvfp", "fragment")
    assert re.fullmatch(r"Info\(.*a\.fp: nvfp fragment 3 instructions\)", repr(found))
    assert "<td>nvfp</td>" in found._repr_html_()
    broken = parallax.info(corpus / "d.fp", corpus / "a.fp")
    assert [record["status"] for record in broken] == ["invalid", "ok"]
    assert broken[0]["problems"][0]["code"] == "nvfp-opcode"
    with pytest.raises(parallax.ParallaxError, match="cannot be read"):
        parallax.info(corpus / "nope.fp")
    with pytest.raises(TypeError, match="needs a shader"):
        parallax.info()


def test_words_and_text() -> None:
    text = "mul r0, i0, c0\nadd_sat o0, r0, 0.25\n"
    words = parallax.assemble(parallax.Source(text))
    assert len(words) == 32
    listing = parallax.dis(words, exact=True)
    assert listing.complete and listing.lines[0] == "mul r0, i0, c0"
    assert parallax.assemble(parallax.Source(str(listing))) == words
    assert repr(listing) == "Listing(2 lines)" and "<pre>mul r0" in listing._repr_html_()
    damaged = parallax.dis(b"\xff" * 16 + words, isa="attila")
    assert not damaged.complete and damaged.messages
    with pytest.raises(parallax.ParallaxError, match="not recognised"):
        parallax.dis(b"\1\2\3")
    with pytest.raises(parallax.ParallaxError, match="2:1"):
        parallax.assemble(parallax.Source("mov r0, i0\nmof r1, r0\n", isa="attila"))


def test_a_module_and_its_interface(tmp_path: Path) -> None:
    module = parallax.translate(ROOT / "corpus/attila/fog.attila", model="ati-r300")
    assert bytes(module)[:4] == b"\x03\x02\x23\x07", "the magic number of SPIR-V"
    assert module.interface["entry"] == "main" and "<td>i0</td>" in module._repr_html_()
    assert repr(module) == f"Module({len(module.words) // 4} words, ati-r300)"
    module.save(tmp_path / "fog.spv")
    # The module computes the model's bits under plain binary32 arithmetic; it is read as any other program.
    assert parallax.info(tmp_path / "fog.spv")[0]["isa"] == "spirv"
    with pytest.raises(parallax.ParallaxError) as refused:
        parallax.translate(ROOT / "corpus/tgsi/specular_sweep.tgsi", model="binary64[denorm_out=flush]")
    assert refused.value.exit_code == 3
    mixed = parallax.translate(ROOT / "corpus/attila/fog.attila", model="ieee", assume=["rte", "denorm-preserve"])
    assert mixed.interface["arithmetic"] == "mixed"
    card = parallax.translate(ROOT / "corpus/tgsi/texture_card.tgsi", model="nv40", lookups="faithful")
    assert card.interface["textures"][0]["faithful"]["image_texels"] == "unorm8"
    with pytest.raises(ValueError, match="no text"):
        mixed.text


PROGRAMS = {"tgsi": "FRAG", "arb": "!!ARBfp1.0", "nvfp": "!!ARBfp1.0", "attila": "", "spa5": ".header", "usc": "0   :"}


@pytest.mark.parametrize(("to", "start"), PROGRAMS.items())
def test_programs_of_other_instruction_sets(to: str, start: str, tmp_path: Path) -> None:
    program = parallax.translate(ROOT / "corpus/tgsi/blend.tgsi", to=to)
    assert program.text.startswith(start) and program.manifest is not None and program.interface == {}
    assert repr(program) == f"Module({len(program.words)} bytes of {to})"
    # The program is read as what it is.
    isa = {"arb": "nvfp"}.get(to, to)
    assert parallax.info(parallax.Source(program.text, isa=isa))[0]["isa"] == isa
    microcode = parallax.translate(ROOT / "corpus/tgsi/blend.tgsi", to="nv40")
    with pytest.raises(ValueError, match="no text"):
        microcode.text
    with pytest.raises(parallax.ParallaxError) as refused:
        parallax.translate(ROOT / "corpus/tgsi/marble.tgsi", to="tgis")
    assert refused.value.exit_code == 2


@pytest.mark.parametrize("to", ["wgsl", "glsl", "hlsl", "msl"])
def test_texts_or_the_feature_that_writes_them(to: str) -> None:
    try:
        text = parallax.translate(ROOT / "corpus/tgsi/blend.tgsi", to=to, model="ieee")
    except parallax.ParallaxError as refused:
        assert refused.exit_code == 3 and "feature `texts`" in str(refused)
    else:
        assert text.interface["language"] == to.upper() and "main" in text.text


def test_models_fields_and_differences() -> None:
    assert len(parallax.models()) > 30
    fields = parallax.models("nv40")
    assert {"field", "scope", "value", "tier", "source"} <= set(fields[0])
    differing = {record["field"] for record in parallax.models(diff=("ieee", "nv40"))}
    assert "mad" in differing
    own = parallax.models("fp24", model_file=ROOT / "docs/models/fp24.toml")
    assert own[0]["model"] == "fp24"
    with pytest.raises(parallax.ParallaxError, match="unknown model"):
        parallax.models("nope")
    with pytest.raises(TypeError, match="not both"):
        parallax.models("nv40", diff=("ieee", "nv40"))


def test_a_sweep_goes_on_in_its_folder(tmp_path: Path) -> None:
    first = parallax.sweep("rcp", float="half", model="nv40", out=tmp_path)
    assert repr(first).startswith("Sweep(rcp, nv40: 65536 inputs, max_ulp 0.4")
    assert (tmp_path / "sweep.svg").is_file()
    assert parallax.sweep("rcp", float="half", model="nv40", out=tmp_path).summary == first.summary
    assert first.passed
    assert not parallax.sweep("rsq", model="ati-r300", profile="vulkan-highp", range="1..1.001").passed


def test_warnings_are_warnings_of_python() -> None:
    shot = parallax.run(parallax.Source(BLEND), size=SIZE)
    with pytest.warns(parallax.ParallaxWarning, match="have several colours") as warned:
        parallax.identify(parallax.Source(BLEND), shot, scale=2, models="ieee")
    assert warned[0].filename == __file__


def test_a_path_and_a_source_are_never_guessed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    # A string is a name, whatever it looks like.
    with pytest.raises(parallax.ParallaxError, match="cannot be read"):
        parallax.run(BLEND)
    Path("!!FP1.0").write_text(BLEND)
    assert parallax.run("!!FP1.0", size=SIZE).same(parallax.run(BLEND.encode(), size=SIZE))
    for wrong in (3, None, [BLEND]):
        with pytest.raises(TypeError, match="is no program"):
            parallax.run(wrong)
    with pytest.raises(TypeError, match="text or bytes"):
        parallax.Source(Path("x"))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no folder"):
        parallax.Source("", name="../x")
    with pytest.raises(ValueError, match="two sources"):
        parallax.explain(parallax.Source("a"), parallax.Source("b"))
    with pytest.raises(ValueError, match="nvfp, tgsi"):
        parallax.explain(parallax.Source("a", isa="nvfp"), parallax.Source("b", isa="tgsi", name="b"))
    with pytest.raises(ValueError, match="write the source"):
        parallax.compare(parallax.Source(BLEND), out="x")
    with pytest.raises(parallax.ParallaxError) as error:
        parallax.run(parallax.Source(BROKEN, name="mine"))
    assert "--> mine:2:1" in error.value.messages
    # Sources and files in one call.
    found = parallax.compare(parallax.Source(BLEND, name="mine"), "!!FP1.0", models="ieee", size=(4, 4))
    assert found.shaders == ["mine", "!!FP1.0"] and found[0]["result"] == found[1]["result"]


def test_results_and_errors_go_to_other_processes(corpus: Path) -> None:
    found = parallax.compare(parallax.Source(BLEND), models=["ieee", "vc4"], size=SIZE)
    again = pickle.loads(pickle.dumps(found))
    assert again == found and len(again.pictures()) == 2
    why = pickle.loads(pickle.dumps(parallax.explain(corpus / "a.fp", model="vc4", against="ieee", size=SIZE)))
    assert repr(why.pictures()) == "Pictures(vc4, ieee)"
    error = pickle.loads(pickle.dumps(parallax.CheckFailed(1, "limit")))
    assert type(error) is parallax.CheckFailed and str(error) == "exit code 1\nlimit"
    stopped = pickle.loads(pickle.dumps(parallax.Interrupted(found)))
    assert stopped.finished == found and "`finished` has the results" in str(stopped)
