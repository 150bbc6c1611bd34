//! What a variable holds where definitions meet: at selects, at the end of constructs, at the head of loops.
//!
//! Definitions of one type meet as that type, of several types as bits. A deferred value has no type yet. Where it meets
//! floats, it may be a float that was moved or an integer: two values are made, a float that deferred values are read as,
//! and the bits. The variable then has both *views*, a use takes the one it needs, and what nobody uses is dropped later.
//! So integers never pass through a float container, which may flush, quiet or round them, and floats keep all the
//! precision of theirs.

use crate::lifter::Lifter;
use crate::variable::{Deferred, DeferredKind, ParamId, ViewsId};
use parallax_core::{Type, ValueId};
use parallax_num::{Decl, Op};
use smallvec::SmallVec;

/// A value that may be a float or bits.
#[derive(Clone, Debug)]
pub(crate) struct Views {
    pub(crate) float: ValueId,
    pub(crate) bits: ValueId,
    open: Open,
}

/// Whether something deferred may be among the definitions. Of parameters of loops still open this is not known.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Open {
    certain: bool,
    /// Parameters that decide, sorted; none where it is certain.
    params: SmallVec<[ParamId; 4]>,
}

/// Types of the definitions that meet.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
enum Decided {
    /// None is decided.
    #[default]
    None,
    One(Type),
    Several,
}

/// What is known of definitions that meet.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Nature {
    types: Decided,
    pub(crate) open: Open,
}

impl Open {
    fn certain() -> Open {
        Open { certain: true, params: SmallVec::new() }
    }

    /// What one parameter decides.
    fn param(param: ParamId) -> Open {
        Open { certain: false, params: SmallVec::from_slice(&[param]) }
    }

    /// Takes on what is known of another; says whether that is more.
    #[inline]
    pub(crate) fn join(&mut self, other: &Open) -> bool {
        if self.certain || *other == Open::default() {
            return false;
        }
        if other.certain {
            *self = Open::certain();
            return true;
        }
        let mut more = false;
        for &param in &other.params {
            if let Err(at) = self.params.binary_search(&param) {
                self.params.insert(at, param);
                more = true;
            }
        }
        more
    }

    /// Takes away the parameters `known` knows, and gives them.
    pub(crate) fn take_params(&mut self, known: impl Fn(ParamId) -> bool) -> SmallVec<[ParamId; 4]> {
        if self.params.is_empty() {
            return SmallVec::new();
        }
        let (taken, kept) = self.params.iter().copied().partition(|&p| known(p));
        self.params = kept;
        taken
    }
}

impl Decided {
    fn join(self, other: Decided) -> Decided {
        match (self, other) {
            (types, Decided::None) | (Decided::None, types) => types,
            (Decided::One(a), Decided::One(b)) if a == b => Decided::One(a),
            _ => Decided::Several,
        }
    }
}

impl Nature {
    /// That of definitions of one type, none of which is deferred.
    pub(crate) fn of(ty: Type) -> Nature {
        Nature { types: Decided::One(ty), open: Open::default() }
    }

    /// Takes on what is known of other definitions; says whether that is more.
    pub(crate) fn join(&mut self, other: &Nature) -> bool {
        let types = self.types.join(other.types);
        let more = types != self.types;
        self.types = types;
        self.open.join(&other.open) | more
    }
}

/// How definitions meet.
#[derive(Debug)]
pub(crate) enum Meeting {
    /// All are deferred.
    Undecided,
    /// As this type.
    As(Type),
    /// As this float, and as bits.
    Both(Type, Open),
}

/// Types of the values that a variable holds after a meeting.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Types {
    first: Type,
    /// Whether there are bits as well.
    both: bool,
}

impl Types {
    pub(crate) fn count(self) -> usize {
        1 + usize::from(self.both)
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = Type> {
        [self.first, Type::I32].into_iter().take(self.count())
    }
}

impl Meeting {
    /// Types of the values made; without a decision, bits.
    #[inline]
    pub(crate) fn types(&self) -> Types {
        match *self {
            Meeting::Undecided => Types { first: Type::I32, both: false },
            Meeting::As(ty) => Types { first: ty, both: false },
            Meeting::Both(ty, _) => Types { first: ty, both: true },
        }
    }
}

impl Lifter<'_> {
    /// What is known of one definition.
    pub(crate) fn nature(&self, val: Deferred) -> Nature {
        Nature { types: self.decided(val), open: self.openness(val) }
    }

    /// Its type, as far as it is decided.
    fn decided(&self, val: Deferred) -> Decided {
        let ty = match val.kind() {
            DeferredKind::Value(v) => Some(self.b.func.ty(v)),
            DeferredKind::Views(id) => Some(self.b.func.ty(self.views[id.0 as usize].float)),
            DeferredKind::Param(p) => {
                let param = &self.params[p.0 as usize];
                match param.stands_for.or(param.settled) {
                    Some(known) => return self.decided(known),
                    None => self.type_of(param.init),
                }
            }
            _ => None,
        };
        ty.map_or(Decided::None, Decided::One)
    }

    /// Whether it may be deferred, and what decides that.
    fn openness(&self, val: Deferred) -> Open {
        match val.kind() {
            // Zero is the same bits as float and integer.
            DeferredKind::Value(_) | DeferredKind::Word(0) => Open::default(),
            DeferredKind::Views(id) => self.known_now(&self.views[id.0 as usize].open),
            DeferredKind::Param(p) => {
                let param = &self.params[p.0 as usize];
                match param.stands_for.or(param.settled) {
                    Some(known) => self.openness(known),
                    None if self.is_mixed(param.init) => Open::param(p),
                    None => Open::default(),
                }
            }
            _ => Open::certain(),
        }
    }

    /// Whether there is something that decides that it is deferred.
    fn may_be_deferred(&self, val: Deferred) -> bool {
        match val.kind() {
            DeferredKind::Value(_) | DeferredKind::Word(0) => false,
            DeferredKind::Views(id) => self.is_open(&self.views[id.0 as usize].open),
            DeferredKind::Param(p) => {
                let param = &self.params[p.0 as usize];
                match param.stands_for.or(param.settled) {
                    Some(known) => self.may_be_deferred(known),
                    None => self.is_mixed(param.init),
                }
            }
            _ => true,
        }
    }

    /// Whether later iterations may put something deferred in the place of this first value: only floats and bits are ever mixed.
    fn is_mixed(&self, init: Deferred) -> bool {
        matches!(self.type_of(init), None | Some(Type::Float(_)))
    }

    /// The same with nothing but parameters of loops still open.
    fn known_now(&self, open: &Open) -> Open {
        let mut now = Open { certain: open.certain, params: SmallVec::new() };
        for &p in &open.params {
            let param = &self.params[p.0 as usize];
            now.join(&match param.stands_for.or(param.settled) {
                Some(known) => self.openness(known),
                None => Open::param(p),
            });
        }
        now
    }

    /// Whether something deferred may be among the definitions, as far as is known now.
    fn is_open(&self, open: &Open) -> bool {
        let may_be = |p: &ParamId| {
            let param = &self.params[p.0 as usize];
            param.stands_for.or(param.settled).is_none_or(|known| self.may_be_deferred(known))
        };
        open.certain || open.params.iter().any(may_be)
    }

    /// How definitions of this nature meet.
    pub(crate) fn meeting_of(&self, nature: Nature) -> Meeting {
        match nature.types {
            Decided::None => Meeting::Undecided,
            // What is deferred has 32 bits, which are not those of a wider float.
            Decided::One(ty @ Type::Float(Decl::F64)) => Meeting::As(ty),
            Decided::One(ty @ Type::Float(_)) if self.is_open(&nature.open) => Meeting::Both(ty, nature.open),
            Decided::One(ty) => Meeting::As(ty),
            Decided::Several => Meeting::As(Type::I32),
        }
    }

    /// How these definitions meet.
    pub(crate) fn meeting(&self, vals: &[Deferred]) -> Meeting {
        if let Some(ty) = self.type_of_values(vals) {
            return Meeting::As(ty);
        }
        let types = vals.iter().fold(Decided::None, |types, &val| types.join(self.decided(val)));
        let mut open = Open::default();
        if let Decided::One(Type::Float(_)) = types {
            for &val in vals {
                open.join(&self.openness(val));
            }
        }
        self.meeting_of(Nature { types, open })
    }

    /// The type of definitions that are all values of one.
    pub(crate) fn type_of_values(&self, vals: &[Deferred]) -> Option<Type> {
        let mut types = vals.iter().map(|val| match val.kind() {
            DeferredKind::Value(value) => Some(self.b.func.ty(value)),
            _ => None,
        });
        let first = types.next()??;
        types.all(|ty| ty == Some(first)).then_some(first)
    }

    /// How deferred values meet that are used as a type.
    pub(crate) fn undecided_as(&self, ty: Type) -> Meeting {
        match ty {
            Type::Float(decl) if decl != Decl::F64 => Meeting::Both(ty, Open::certain()),
            _ => Meeting::As(ty),
        }
    }

    /// What a variable holds after a meeting; the values are of [`Meeting::types`].
    pub(crate) fn met(&mut self, meeting: Meeting, values: &[ValueId]) -> Deferred {
        match (meeting, values) {
            (Meeting::Both(_, open), &[float, bits]) => {
                self.views.push(Views { float, bits, open });
                Deferred::of(DeferredKind::Views(ViewsId(self.views.len() as u32 - 1)))
            }
            _ => values[0].into(),
        }
    }

    /// A float and its bits, in whichever way they were made.
    pub fn float_or_bits(&mut self, float: ValueId, bits: ValueId) -> Deferred {
        let ty = self.b.func.ty(float);
        self.met(Meeting::Both(ty, Open::certain()), &[float, bits])
    }

    /// The views of a value that has two.
    pub(crate) fn open_views(&self, val: Deferred) -> Option<(ValueId, ValueId)> {
        match self.normal(val).kind() {
            DeferredKind::Views(id) => {
                let views = &self.views[id.0 as usize];
                self.is_open(&views.open).then_some((views.float, views.bits))
            }
            _ => None,
        }
    }

    /// `pred ? a : b` of moved values. If both are deferred, a float if `undecided` is one, but bits as well.
    pub fn choose(
        &mut self,
        pred: ValueId,
        a: impl Into<Deferred>,
        b: impl Into<Deferred>,
        undecided: Type,
    ) -> Deferred {
        let (a, b) = (a.into(), b.into());
        // Most are.
        if let Some(ty) = self.type_of_values(&[a, b]) {
            let (a, b) = (self.force(a, ty), self.force(b, ty));
            return self.b.select(pred, a, b).into();
        }
        let meeting = match self.meeting(&[a, b]) {
            Meeting::Undecided => self.undecided_as(undecided),
            meeting => meeting,
        };
        let mut chosen: SmallVec<[ValueId; 2]> = SmallVec::new();
        for ty in meeting.types().iter() {
            let (a, b) = (self.force(a, ty), self.force(b, ty));
            chosen.push(self.b.select(pred, a, b));
        }
        self.met(meeting, &chosen)
    }

    /// Whether a value may be data of another type than [`Lifter::type_of`] says. What a loop still open leaves in a variable
    /// may be.
    pub fn is_undecided(&self, val: Deferred) -> bool {
        match self.meeting_of(self.nature(val)) {
            Meeting::Undecided | Meeting::Both(..) => true,
            Meeting::As(_) => false,
        }
    }

    /// A moved value as a float: nothing is rounded, flushed or quieted.
    pub fn moved(&mut self, val: Deferred, decl: Decl) -> ValueId {
        let ty = Type::Float(decl);
        let val = self.normal(val);
        let both = match val.kind() {
            DeferredKind::Views(_) | DeferredKind::Param(_) => self.is_undecided(val),
            _ => false,
        };
        if both && self.type_of(val).is_none_or(|own| own == ty) {
            let (float, bits) = (self.force(val, ty), self.force(val, Type::I32));
            // Where the float has those bits, it may have more digits.
            let of_float = self.convert(float, Type::I32);
            let same = self.b.int(Op::Ieq, &[of_float, bits]);
            let of_bits = self.convert(bits, ty);
            return self.b.select(same, float, of_bits);
        }
        if self.type_of(val) == Some(ty) {
            return self.force(val, ty);
        }
        let word = self.force(val, Type::I32);
        self.convert(word, ty)
    }
}
