//! Programs as text for the engine.

use crate::nv_walk::program::*;
use parallax_core::num::{Decl, Saturate};
use std::fmt::Write;

impl Program {
    pub(crate) fn attribute(&self, n: usize) -> &'static str {
        match self.dialect {
            Dialect::Patent => ["p[4]", "p[1]", "p[5]"][n],
            Dialect::Fp10 => ["f[TEX0]", "f[COL0]", "f[FOGC]"][n],
            Dialect::Nv1 | Dialect::Nv2 => ["fragment.texcoord[0]", "fragment.color.primary", "fragment.fogcoord"][n],
            Dialect::Vertex => ["vertex.texcoord[0]", "vertex.color.primary", "vertex.attrib[6]"][n],
        }
    }

    /// Whether an attribute has one component, the others being zero.
    pub(crate) fn is_fog(&self, n: usize) -> bool {
        !matches!(self.dialect, Dialect::Patent | Dialect::Vertex) && n == 2
    }

    pub(crate) fn parameter(&self, n: usize) -> String {
        match self.dialect {
            Dialect::Patent => format!("c[{n}]"),
            Dialect::Fp10 => format!("p[{n}]"),
            Dialect::Nv1 | Dialect::Nv2 | Dialect::Vertex => format!("program.local[{n}]"),
        }
    }

    pub(crate) fn text(&self) -> String {
        let mut out = match self.dialect {
            Dialect::Patent => "!!NVP7136070\n".to_string(),
            Dialect::Fp10 => "!!FP1.0\n".to_string(),
            Dialect::Nv1 => "!!ARBfp1.0\nOPTION NV_fragment_program;\n".to_string(),
            Dialect::Nv2 => "!!ARBfp1.0\nOPTION NV_fragment_program2;\n".to_string(),
            Dialect::Vertex => "!!ARBvp1.0\nPARAM all[3] = { program.local[0..2] };\nADDRESS A;\n\
                                TEMP wide0, wide1, wide2, wide3;\nARL A.x, vertex.texcoord[0].x;\n"
                .to_string(),
        };
        if matches!(self.dialect, Dialect::Nv1 | Dialect::Nv2) {
            out.push_str(
                "TEMP wide0, wide1, wide2;\nLONG TEMP long0, long1;\nSHORT TEMP short0, short1, short2, short3;\n",
            );
        }
        self.block(&self.body, &mut out);
        match self.dialect {
            Dialect::Patent => {}
            Dialect::Fp10 => out.push_str("MOVR o[COLR], R0;\nEND\n"),
            Dialect::Nv1 | Dialect::Nv2 | Dialect::Vertex => out.push_str("MOV result.color, wide0;\nEND\n"),
        }
        out
    }

    pub(crate) fn block(&self, body: &[Stmt], out: &mut String) {
        for stmt in body {
            match stmt {
                Stmt::Instr(instr) => out.push_str(&self.instruction(instr)),
                Stmt::Kill(test) => out.push_str(&format!("KIL {}", test_text(test))),
                Stmt::If(test, then, other) => {
                    out.push_str(&format!("IF {};\n", test_text(test)));
                    self.block(then, out);
                    out.push_str("ELSE;\n");
                    self.block(other, out);
                    out.push_str("ENDIF");
                }
                Stmt::Repeat(count, body, test) => {
                    out.push_str(&format!("REP {{{count}}};\n"));
                    self.block(body, out);
                    out.push_str(&format!("BRK ({});\nENDREP", test_text(test)));
                }
            }
            out.push_str(";\n");
        }
    }

    pub(crate) fn instruction(&self, instr: &Instr) -> String {
        let mut out = instr.name.to_string();
        match instr.precision {
            None => {}
            Some(Decl::F32) => out.push('R'),
            Some(Decl::F16) => out.push('H'),
            Some(_) => out.push('X'),
        }
        if instr.updates {
            out.push(if self.dialect == Dialect::Patent { 'c' } else { 'C' });
        }
        out.push_str(match instr.saturate {
            Saturate::None => "",
            Saturate::Unsigned => "_SAT",
            Saturate::Signed => "_SSAT",
        });
        out.push(' ');
        match (instr.register, instr.decl) {
            (Some(register), _) => out.push_str(&self.registers[register].name),
            (None, Decl::F32) => out.push_str("RC"),
            (None, Decl::F16) => out.push_str("HC"),
            (None, _) => out.push_str("IC"),
        }
        if instr.mask != [true; 4] {
            out.push('.');
            out.extend("xyzw".chars().zip(instr.mask).filter(|(_, on)| *on).map(|(letter, _)| letter));
        }
        if let Some(test) = &instr.test {
            let _ = write!(out, " ({})", test_text(test));
        }
        for source in &instr.sources {
            let base = match source.base {
                Base::Register(n) => self.registers[n].name.clone(),
                Base::Attribute(n) => self.attribute(n).to_string(),
                Base::Parameter(n) => self.parameter(n),
                Base::Relative(0) => "all[A.x]".into(),
                Base::Relative(n) => format!("all[A.x{n:+}]"),
                Base::Literal(values, true) => values[0].to_string(),
                Base::Literal([x, y, z, w], false) => format!("{{{x}, {y}, {z}, {w}}}"),
            };
            // ARB programs name a component of a literal where one number is read; it changes nothing elsewhere.
            let bare = self.dialect == Dialect::Fp10 && matches!(source.base, Base::Literal(_, true));
            let base = if bare { base } else { format!("{base}{}", swizzle_text(source.swizzle)) };
            let base = if source.absolute { format!("|{base}|") } else { base };
            let _ = write!(out, ", {}{base}", if source.negate { "-" } else { "" });
        }
        // A sign before a negative number is one too many.
        out.replace(", --", ", ").replace("|--", "|")
    }
}

pub(crate) fn swizzle_text(swizzle: [usize; 4]) -> String {
    let letter = |n: usize| ['x', 'y', 'z', 'w'][n];
    match swizzle {
        [0, 1, 2, 3] => String::new(),
        [a, b, c, d] if a == b && b == c && c == d => format!(".{}", letter(a)),
        all => format!(".{}", all.map(letter).iter().collect::<String>()),
    }
}

pub(crate) fn test_text(test: &Test) -> String {
    format!("{}{}", test.condition, swizzle_text(test.swizzle))
}
