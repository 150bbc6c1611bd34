"""A session: one process, an answer for each request."""

import threading

import pytest

import parallax

ADD = {"isa": "nvfp", "dialect": "patent", "text": "ADD H0,c[0],c[1];", "watch": ["H0"]}


def test_requests_are_mappings_or_keywords() -> None:
    with parallax.eval() as session:
        answer = session.ask(ADD, state={"c[0]": ["3fc00000", "40000000", "40400000", "40800000"]})
        assert answer.ok and answer.lanes[3]["H0"] == ["3e00", "4000", "4200", "4400"]
        assert repr(answer) == "Answer(lanes)" and "<td>3e00 4000 4200 4400</td>" in answer._repr_html_()
        assert session(op="as", isa="attila", text="mov r0, i0", options={"end": True})["hex"]
        assert session(ADD, id="mine").record["id"] == "mine"
        assert repr(session) == "Session(open, 3 requests)"
    assert repr(session) == "Session(closed, 3 requests)"
    session.close()
    with pytest.raises(parallax.ParallaxError, match="closed"):
        session.ask(ADD)


def test_a_bad_request_is_an_answer_and_the_next_one_is_served() -> None:
    with parallax.eval(engine="interp") as session:
        bad = session(isa="nvfp", dialect="patent", text="ADDD H0,c[0],c[1];")
        assert not bad.ok and bad.error is not None and bad.error["kind"] == "invalid"
        with pytest.raises(parallax.ParallaxError, match=bad.error["code"]) as error:
            bad.lanes
        assert error.value.exit_code == 2
        assert "ADDD" in repr(bad) or "opcode" in repr(bad)
        assert not session(ADD, colour="red").ok, "the program knows its keys"
        assert session(ADD).ok


def test_threads_get_their_own_answers() -> None:
    wrong = []
    with parallax.eval() as session:

        def ask(number: int) -> None:
            for turn in range(50):
                name = f"{number}-{turn}"
                if session(ADD, id=name).record["id"] != name:
                    wrong.append(name)

        threads = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert wrong == []


def test_a_program_that_does_not_start_says_why() -> None:
    session = parallax.eval(model_file="nope.toml")
    with session, pytest.raises(parallax.ParallaxError, match="nope.toml"):
        session(ADD)
        session(ADD)
