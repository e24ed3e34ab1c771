//! `block-size`: one size, a mix, or each for its side.

use crate::diag::{Diagnostic, Diagnostics, code};
use crate::lang::{Node, NodeCursor};
use crate::plan::decode::load::one_only;
use crate::plan::decode::{missing, origin, value};
use crate::plan::model::{Given, Provenance, Setting, Side, SizeShare, Sizes};
use crate::plan::names::{Built, Place, Word};
use crate::plan::vocabulary::Words;
use crate::plan::written::Leaf;
use crate::units::{BlockSize, Percent};

use super::weights::{Weight, weight, whole};

const SIDES: &[Word] = &[
    Word { name: "read", meaning: "reads", built: Built::Checked },
    Word { name: "write", meaning: "writes", built: Built::Checked },
    Word { name: "trim", meaning: "trims", built: Built::Checked },
];

/// One node: the side it is for, where it names one, and its sizes.
type Read = (Option<Leaf<Side>>, Leaf<Vec<SizeShare>>);

/// All `block-size` nodes of a workload, stream or load.
pub(super) fn sizes(nodes: &[&Node], place: Place, outer: Provenance, diagnostics: &mut Diagnostics) -> Leaf<Sizes> {
    let Some(first) = nodes.first() else { return Leaf::Absent };
    let read: Vec<Read> = nodes.iter().map(|node| of_node(node, place, outer, diagnostics)).collect();
    let mut sides: Vec<(Side, Vec<SizeShare>)> = Vec::new();
    let mut common = None;
    let mut is_whole = true;
    for (node, (side, mix)) in nodes.iter().zip(read) {
        let earlier = nodes.iter().take_while(|earlier| earlier.span != node.span);
        match side {
            None if nodes.len() == 1 => {}
            None => {
                diagnostics.push(
                    Diagnostic::error(code::NAME_DUPLICATE, "`block-size` is given more than once")
                        .label(node.name.span, "for all operations")
                        .also(if node.span == first.span { nodes[1].name.span } else { first.name.span }, "and here")
                        .help("keep one of them, or give each its operations: `for=\"read\"`, `for=\"write\"`"),
                );
                return Leaf::Faulty;
            }
            Some(Leaf::Written(side)) => {
                if sides.iter().any(|(known, _)| *known == side.value) {
                    let first = earlier.last().map_or(first.name.span, |earlier| earlier.name.span);
                    let name = side.value.name();
                    diagnostics.push(
                        Diagnostic::error(
                            code::NAME_DUPLICATE,
                            format!("`block-size for=\"{name}\"` is given more than once"),
                        )
                        .label(side.span, "given again here")
                        .also(first, "given before")
                        .help("keep one of them; a mix stands in braces: `{ size \"4KiB\" \"60%\"; size \"8KiB\" \"rest\"; }`"),
                    );
                    is_whole = false;
                } else if let Leaf::Written(mix) = &mix {
                    sides.push((side.value, mix.value.clone()));
                }
            }
            Some(_) => is_whole = false,
        }
        match mix {
            Leaf::Written(mix) => common = Some(mix),
            _ => is_whole = false,
        }
    }
    let Some(common) = common.filter(|_| is_whole) else { return Leaf::Faulty };
    let sizes = match (sides.is_empty(), common.value.as_slice()) {
        (false, _) => {
            sides.sort_by_key(|(side, _)| *side);
            Sizes::Sides(sides)
        }
        (true, [one]) if first.children().is_empty() => Sizes::One(Setting::Fixed(one.size)),
        (true, _) => Sizes::Mix(common.value),
    };
    let span = if nodes.len() == 1 { common.span } else { first.name.span };
    Leaf::Written(Given::written(sizes, common.provenance, span))
}

fn of_node(node: &Node, place: Place, outer: Provenance, diagnostics: &mut Diagnostics) -> Read {
    if node.arguments.len() > 1 && node.children().is_empty() {
        one_only(node, place, "a size", outer, diagnostics, value::block_size);
        return (None, Leaf::Faulty);
    }
    let mut cursor = NodeCursor::new(node);
    let outer = origin(&cursor, outer, diagnostics);
    let side = cursor.take_property("for", diagnostics).map(|literal| {
        value::leaf(literal, outer, diagnostics, |literal, d| {
            let side = value::named(literal, "block-size", "a kind of operation", SIDES, d)?;
            Some(side.map(|name| match name {
                "read" => Side::Read,
                "write" => Side::Write,
                _ => Side::Trim,
            }))
        })
    });
    let one = cursor.take_argument().map(|literal| value::leaf(literal, outer, diagnostics, value::operation_size));
    let children = cursor.take_children("size");
    let sizes = match (one, children.first()) {
        (Some(one), None) => one.given().map_or(Leaf::Faulty, |size| {
            let all = Given::default_at(Percent::HUNDRED, size.span);
            Leaf::Written(Given::written(vec![SizeShare { size: *size, share: all }], size.provenance, size.span))
        }),
        (Some(_), Some(child)) => {
            diagnostics.push(
                Diagnostic::error(code::NAME_SURPLUS_ARGUMENT, "`block-size` has a size and a mix of sizes")
                    .label(node.arguments[0].span, "a size for all operations")
                    .also(child.name.span, "a mix of sizes")
                    .help("keep one of them"),
            );
            Leaf::Faulty
        }
        (None, Some(_)) => mix(node, &children, outer, diagnostics),
        (None, None) => missing(node, place, "a size, or sizes with their shares in braces", diagnostics),
    };
    cursor.finish(&Words::of("block-size", place), diagnostics);
    (side, sizes)
}

fn mix(node: &Node, children: &[&Node], outer: Provenance, diagnostics: &mut Diagnostics) -> Leaf<Vec<SizeShare>> {
    let mut sizes: Vec<Leaf<BlockSize>> = Vec::new();
    let mut weights: Vec<Leaf<Weight>> = Vec::new();
    for child in children {
        let mut cursor = NodeCursor::new(child);
        let outer = origin(&cursor, outer, diagnostics);
        let size = match cursor.take_argument() {
            Some(literal) => value::leaf(literal, outer, diagnostics, value::operation_size),
            None => missing(child, Place::BlockSize, "a size", diagnostics),
        };
        let share = match cursor.take_argument() {
            Some(literal) => {
                value::leaf(literal, outer, diagnostics, |literal, d| weight(literal, "the share of a size", d))
            }
            None if size.is_faulty() => Leaf::Faulty,
            None => {
                diagnostics.push(
                    Diagnostic::error(code::VALUE_MISSING, "`size` stands without its share")
                        .label(child.head(), "needs a percentage of the operations, or \"rest\"")
                        .help("the form is `size Q Q%|\"rest\"`"),
                );
                Leaf::Faulty
            }
        };
        cursor.finish(&Words::of("size", Place::BlockSize), diagnostics);
        sizes.push(size);
        weights.push(share);
    }
    let mut is_distinct = true;
    for (index, size) in sizes.iter().enumerate() {
        let Some(size) = size.given() else { continue };
        let earlier = sizes[..index].iter().filter_map(Leaf::given).find(|earlier| earlier.value == size.value);
        if let Some(first) = earlier {
            is_distinct = false;
            diagnostics.push(
                Diagnostic::error(code::MIX_SIZE_TWICE, format!("the mix has the size {} twice", size.value))
                    .label(size.span, "again here")
                    .also(first.span, "first here")
                    .help("write it once, with both shares together"),
            );
        }
    }
    let shares = whole("sizes", &weights, diagnostics);
    let sizes: Option<Vec<Given<BlockSize>>> = sizes.iter().map(|size| size.given().copied()).collect();
    match (sizes, shares) {
        (Some(sizes), Some(shares)) if is_distinct => {
            let mix = sizes.into_iter().zip(shares).map(|(size, share)| SizeShare { size, share }).collect();
            Leaf::Written(Given::written(mix, outer, node.head()))
        }
        _ => Leaf::Faulty,
    }
}
