//! What a layout leaves over: jumps to where control goes anyway, scopes nothing leaves.

use super::{OUT, PerNode, Step};
use smallvec::{SmallVec, smallvec};

/// Makes a program shorter without changing what it does. Labels other than that of the program are below `labels`.
///
/// Dropped are jumps to where control goes anyway, and scopes that nothing leaves; those around nothing but a loop, too, as
/// leaving the loop is the same.
pub(super) fn trim(steps: &mut Vec<Step>, labels: usize) {
    let mut scopes = Scopes { leaves: smallvec![NOTHING; labels + 1] };
    // From the end, so that what a list ends with is known before what it holds, and what leaves a scope before its start.
    let mut lists: PerNode<List> = smallvec![List::before(0, NO_LOOP)];
    let mut ends: PerNode<u32> = PerNode::new();
    let mut kept = steps.len();
    for at in (0..steps.len()).rev() {
        let step = steps[at];
        let Some(list) = lists.last_mut() else { break };
        let is_last = !std::mem::replace(&mut list.is_begun, true);
        let stays = match step {
            Step::EndScope(_) | Step::EndLoop(_) | Step::EndIf => {
                let (first, again) = if is_last { (list.first_end, list.again) } else { (ends.len(), NO_LOOP) };
                lists.push(match step {
                    Step::EndLoop(label) => List::before(ends.len(), label),
                    _ => List::before(first, again),
                });
                if let Step::EndScope(label) = step {
                    ends.push(label);
                }
                true
            }
            Step::Else => {
                let has_steps = list.count > 0;
                *list = List::before(list.first_end, list.again);
                has_steps
            }
            Step::Scope(_) | Step::Loop(_) | Step::If(_) | Step::IfBelow(_) => {
                let List { count, lone, .. } = *list;
                lists.pop();
                let Some(around) = lists.last_mut() else { break };
                let mut dissolves = false;
                if let Step::Scope(label) = step {
                    ends.pop();
                    let leaves = scopes.of(label);
                    if *leaves != NOTHING && count == 1 && lone != NO_LOOP {
                        *leaves = lone;
                    }
                    dissolves = *leaves != ITSELF;
                }
                if !dissolves {
                    around.add(1, if let Step::Loop(label) = step { label } else { NO_LOOP });
                } else if count > 0 {
                    around.add(count, lone);
                }
                !dissolves
            }
            Step::Break(label) if is_last && ends[list.first_end..].contains(&label) => false,
            Step::Continue(label) if is_last && list.again == label => false,
            Step::Break(_) | Step::Continue(_) | Step::Block(_) | Step::Select(_) => {
                list.add(1, NO_LOOP);
                if let Step::Break(label) = step {
                    *scopes.of(label) = ITSELF;
                }
                true
            }
        };
        if stays {
            kept -= 1;
            steps[kept] = step;
        }
    }
    let mut count = 0;
    for at in kept..steps.len() {
        steps[count] = match steps[at] {
            Step::EndScope(label) if *scopes.of(label) != ITSELF => continue,
            Step::Break(label) => match *scopes.of(label) {
                ITSELF => Step::Break(label),
                instead => Step::Break(instead),
            },
            step => step,
        };
        count += 1;
    }
    steps.truncate(count);
}

/// No loop.
const NO_LOOP: u32 = u32::MAX;

/// A list of steps, seen from its end.
#[derive(Copy, Clone)]
struct List {
    /// The first of the scopes whose end follows it directly.
    first_end: usize,
    /// The loop whose next iteration follows it directly.
    again: u32,
    /// Whether a step of it was seen.
    is_begun: bool,
    /// Steps of it that stay.
    count: u32,
    /// The last of them that was seen, if it is a loop.
    lone: u32,
}

impl List {
    fn before(first_end: usize, again: u32) -> List {
        List { first_end, again, is_begun: false, count: 0, lone: NO_LOOP }
    }

    fn add(&mut self, count: u32, lone: u32) {
        self.count += count;
        self.lone = lone;
    }
}

/// What leaves the scope of each label: nothing, jumps to its own end, or jumps to the end of a loop in their place.
struct Scopes {
    leaves: SmallVec<[u32; 32]>,
}

const NOTHING: u32 = u32::MAX;
const ITSELF: u32 = u32::MAX - 1;

impl Scopes {
    fn of(&mut self, label: u32) -> &mut u32 {
        let last = self.leaves.len() - 1;
        &mut self.leaves[if label == OUT { last } else { label as usize }]
    }
}
