//! The quad that a request describes.

use super::answer::{Error, string};
use super::memory::words;
use super::registers;
use super::request::{Pairs, Request, Samples, Words, hex32};
use parallax::{Frontend, LaneCase, LanePlane, LanePlanes, LaneSamples, Registers};

/// Lanes of a case: one quad.
pub(super) const LANES: usize = 4;

/// The quad a request describes, and the names of all registers it sets, sorted.
pub(super) fn lane_case(request: &Request, frontend: &Frontend) -> Result<(LaneCase, Vec<String>), Error> {
    let read = |pairs: &Pairs<Words>| -> Result<Registers, Error> {
        let one = |(name, value): &(String, Words)| {
            registers::read(name, value, frontend.value_format(name, request.dialect.as_deref()))
        };
        let lists: Result<Vec<Registers>, Error> = pairs.0.iter().map(one).collect();
        Ok(lists?.into_iter().flatten().collect())
    };
    let mut case = LaneCase {
        state: read(&request.state)?,
        planes: planes(&request.planes)?,
        words: words(request)?,
        position: request.position.unwrap_or_default(),
        ..LaneCase::default()
    };
    if let Some(lanes) = &request.lanes {
        let four: &[Pairs<Words>; LANES] = lanes
            .as_slice()
            .try_into()
            .map_err(|_| Error::invalid("lanes", format!("expected 4 lanes (one quad), found {}", lanes.len())))?;
        for (lane, pairs) in case.lanes.iter_mut().zip(four) {
            *lane = read(pairs)?;
        }
    }
    if let Some(given) = &request.samples {
        case.samples = samples(given, frontend.samples)?;
    }
    let mut names: Vec<String> = case.state.iter().chain(case.lanes.iter().flatten()).map(|(n, _)| n.clone()).collect();
    names.sort();
    names.dedup();
    Ok((case, names))
}

/// Attributes as planes over the window. `1/w` is that of perspective, which no attribute can be named like.
fn planes(given: &Pairs<Vec<[String; 3]>>) -> Result<LanePlanes, Error> {
    let mut out = LanePlanes::default();
    for (name, components) in &given.0 {
        let wrong = |message: String| Error::invalid("planes", format!("`{name}`: {message}"));
        let mut planes = Vec::with_capacity(components.len());
        for component in components {
            let mut plane: LanePlane = [0; 3];
            for (word, text) in plane.iter_mut().zip(component) {
                *word = hex32(text).ok_or_else(|| wrong(format!("{} is not a hexadecimal word", string(text))))?;
            }
            planes.push(plane);
        }
        match (name.as_str(), planes.as_slice()) {
            ("1/w", [plane]) => out.inverse_w = Some(*plane),
            ("1/w", _) => return Err(wrong(format!("expected one plane, found {}", planes.len()))),
            (_, []) => return Err(wrong("expected a plane for each component: a0, dadx, dady".into())),
            _ => out.attributes.push((name.clone(), planes)),
        }
    }
    Ok(out)
}

/// Multisampling state.
fn samples(given: &Samples, most: u32) -> Result<LaneSamples, Error> {
    let wrong = |message: String| Error::invalid("samples", message);
    let count = given.count;
    if !(1..=most).contains(&count) {
        return Err(wrong(format!("{count} samples: expected 1 to {most}")));
    }
    let all = u32::MAX >> (32 - count);
    let mut out = LaneSamples { count, masks: [all; LANES], ..LaneSamples::default() };
    if let Some(coverage) = &given.coverage {
        if coverage.len() != LANES {
            return Err(wrong(format!("expected the coverage of 4 lanes, found {}", coverage.len())));
        }
        for (mask, text) in out.masks.iter_mut().zip(coverage) {
            *mask = hex32(text)
                .filter(|m| m & !all == 0)
                .ok_or_else(|| wrong(format!("{} is not a mask of {count} samples", string(text))))?;
        }
    }
    // Who gives numbers of samples shades them.
    out.per_sample = given.per_sample.unwrap_or(given.index.is_some());
    if let Some(index) = &given.index {
        out.index = index
            .as_slice()
            .try_into()
            .map_err(|_| wrong(format!("expected the sample numbers of 4 lanes, found {}", index.len())))?;
        if let Some(bad) = out.index.iter().find(|n| **n >= count) {
            return Err(wrong(format!("sample {bad} does not exist; there are {count}, counted from 0")));
        }
    }
    Ok(out)
}
