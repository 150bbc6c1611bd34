//! What `check` warns of.

use crate::support;

use support::Place;

/// In texts of several instruction sets: a register that nothing was written to, and one that is always written before it is read.
#[test]
fn registers_that_are_read_before_they_are_written_get_a_warning() {
    let place = Place::new();
    place
        .put(
            "a.tgsi",
            "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\nADD TEMP[0].xy, TEMP[1], TEMP[1]\nMOV OUT[0], TEMP[0].xxyy\nEND\n",
        )
        .put("b.fp", "!!FP1.0\nADDR R1, R0, f[TEX0];\nMOVR o[COLR], R1;\nEND\n")
        .put(
            "c.arbfp",
            "!!ARBfp1.0\nTEMP sum, late;\nADD sum, late, fragment.texcoord[0];\nMOV result.color, sum;\nEND\n",
        )
        .put("d.attila", "add r1, r0, i0\nmov o1, r1\nend\n");
    for (file, register, line) in
        [("a.tgsi", "TEMP[1].xy", 4), ("b.fp", "R0.xyzw", 2), ("c.arbfp", "late.xyzw", 3), ("d.attila", "r0.xyzw", 1)]
    {
        let run = place.run(&["check", file]);
        run.exits(0).says(&format!("warning[uninitialised]: `{register}` is read before it has been written"));
        run.says(&format!("{file}:{line}:")).prints("ok");
        assert_eq!(run.err.matches("uninitialised").count(), 1, "{}", run.err);
        let json = &place.run(&["check", file, "--format", "jsonl"]).exits(0).lines()[0];
        assert_eq!((&json["status"], &json["problems"][0]["severity"]), (&"ok".into(), &"warning".into()));
    }
}

/// A register that some lanes leave unwritten is read before it has been written; one that is written on both ways is not.
#[test]
fn branches_are_looked_into() {
    let place = Place::new();
    let text = |other: &str| {
        format!(
            "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0]\nIF IN[0].xxxx\nMOV TEMP[0], IN[0]\n\
             {other}ENDIF\nMOV OUT[0], TEMP[0]\nEND\n"
        )
    };
    place.put("some.tgsi", text("")).put("all.tgsi", text("ELSE\nMOV TEMP[0], IN[0].yyyy\n"));
    place.run(&["check", "some.tgsi"]).exits(0).says("`TEMP[0].xyzw` is read before it has been written in all lanes");
    assert!(!place.run(&["check", "all.tgsi"]).exits(0).err.contains("uninitialised"));
}

/// Groups: registers that are written half by half, or where a count of masks says so, are written.
#[test]
fn groups_that_write_parts_of_registers_are_understood() {
    let place = Place::new();
    place.put("read.usc", "0 : fadd ft0, r5, c64\n    mov o0, ft0\n1 : nop.end\n");
    let written = "0 : (ignorepe) { cndst 0, r7, c0, 1 }\n\
                   1 : mov ft0, sh0 ; mov ft1, c64 ; tstl.f32 ftt, p0, ft0, ft1\n\
                   2 : (ignorepe) { cndst 1, r7, r7, 1 }\n\
                   3 : sop r2.e0.joutj, sh0, c64, add, 0, c64\n\
                   4 : sop r2.e1.joutj, sh1, c64, add, 0, c64\n\
                   5 : (ignorepe) { cndend r7, r7, 1 }\n\
                   6 : mov ft0, r2 ; mov o0, ft0\n\
                   7 : nop.end\n";
    place.put("written.usc", written);
    let run = place.run(&["check", "read.usc"]);
    run.exits(0).says("read.usc:1:").says("`r5` is read before it has been written in all lanes");
    assert!(!place.run(&["check", "written.usc"]).exits(0).err.contains("uninitialised"));
}

/// Of two instructions under a predicate and its opposite, one writes in each lane.
#[test]
fn opposite_predicates_write_all_lanes() {
    let place = Place::new();
    let text =
        |last: &str| format!("ISETP.LT.AND P0, PT, RZ, c[0x0][0x0], PT\n@P0 MOV R1, RZ\n{last}FADD R0, R1, R1\nEXIT\n");
    place.put("some.spa5", text("")).put("all.spa5", text("@!P0 MOV R1, c[0x0][0x4]\n"));
    place.run(&["check", "some.spa5"]).exits(0).says("some.spa5:3:").says("`R1` is read before it has been written");
    assert!(!place.run(&["check", "all.spa5"]).exits(0).err.contains("`R1`"));
}
