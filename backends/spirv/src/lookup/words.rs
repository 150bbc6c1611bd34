//! Lookups that give words, as of images of integers: nothing is blended or compared.

use super::cube::Around;
use super::gallivm::cube::is_seamless;
use super::grid::Touched;
use super::level::directions;
use super::place::Place;
use super::site::Site;
use super::{Given, Unit};
use parallax_core::TexOp;
use parallax_num::TextureUnit;
use parallax_step::Id;

impl dyn Site + '_ {
    /// The words of the nearest texel, whatever the filter, of two levels on the larger one.
    pub(super) fn filtered_words(&mut self, op: &TexOp, unit: &Unit, given: &Given) -> [Id; 4] {
        let place = self.place(op, unit, given);
        if unit.is_of_swiftshader(op) {
            return self.swiftshader_words(op, unit, given, &place);
        }
        let level = if unit.is_flat() {
            self.int(0)
        } else {
            let level = self.level(op, unit, given);
            self.detail(op, unit, level).level
        };
        let axes = self.axes(op, unit, &place, level, (false, op.rule.nearest, false));
        self.words_at(unit, level, axes.map(|axis| axis.low))
    }

    /// One component of the words of the four texels around a place: from the lower left against the sense of the clock.
    pub(super) fn gathered_words(&mut self, op: &TexOp, unit: &Unit, given: &Given, comp: usize) -> [Id; 4] {
        let (place, zero) = (self.place(op, unit, given), self.int(0));
        if op.rule.unit == TextureUnit::Gallivm && is_seamless(op) {
            return self.words_around(op, &place, comp);
        }
        let [x, y, z] = if unit.is_of_swiftshader(op) {
            self.swiftshader_axes_of_gather(op, unit, &place)
        } else {
            self.axes(op, unit, &place, zero, (true, op.rule.gather, true))
        };
        // A line has one row.
        let below = if directions(op) == 1 { y.low } else { y.high };
        [(x.low, below), (x.high, below), (x.high, y.low), (x.low, y.low)]
            .map(|(x, y)| self.words_at(unit, zero, [x, y, z.low])[comp])
    }

    /// Those around a place on a cube; a corner stands for the texel behind the edge along s.
    fn words_around(&mut self, op: &TexOp, place: &Place, comp: usize) -> [Id; 4] {
        let zero = self.int(0);
        let Around { texels, .. } = self.gallivm_around_edges(op, place, zero);
        [2, 3, 1, 0].map(|n| self.fetch(texels[n], zero)[comp])
    }

    /// The words of a texel, or the border.
    pub(super) fn words_at(&mut self, unit: &Unit, level: Id, at: [Touched; 3]) -> [Id; 4] {
        let words = self.fetch(at.map(|touched| touched.number), level);
        self.or_border(at, words, unit.sampler.border)
    }
}
