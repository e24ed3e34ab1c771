//! Values as the types of the model, with the bounds that hold wherever such a value stands.

use crate::diag::{Diagnostic, Diagnostics, code};
use crate::lang::{Literal, Value};
use crate::plan::limits;
use crate::plan::model::{Extent, Given, Provenance};
use crate::plan::names::{self, Built, Place, Word};
use crate::plan::written::Leaf;
use crate::text::{Spanned, is_hidden};
use crate::units::{BlockSize, ByteCount, Percent, Quantity, QueueDepth, ReadShare, RunTime, Threads};

/// Reads a value and gives it its provenance: its own, else that of the node around it.
pub(super) fn leaf<T>(
    literal: &Literal,
    outer: Provenance,
    diagnostics: &mut Diagnostics,
    read: impl Fn(&Literal, &mut Diagnostics) -> Option<Spanned<T>>,
) -> Leaf<T> {
    let provenance = literal.provenance(diagnostics).unwrap_or(outer);
    match read(literal, diagnostics) {
        Some(read) => Leaf::Written(Given::written(read.value, provenance, read.span)),
        None => Leaf::Faulty,
    }
}

/// A name: something to read, on one line, not too long for a table.
pub(in crate::plan) fn name(literal: &Literal, wanted: &str, diagnostics: &mut Diagnostics) -> Option<Spanned<String>> {
    let text = literal.read_text(wanted, diagnostics)?;
    let fault = if text.value.trim().is_empty() {
        Some(("an empty name names nothing", "write a name".to_string()))
    } else if text.value.trim() != &*text.value {
        let trimmed = format!("{:?}", text.value.trim());
        diagnostics.push(
            Diagnostic::error(code::VALUE_OUT_OF_RANGE, "a name begins or ends with a blank")
                .label(literal.span, format!("write {trimmed}"))
                .rewrite(literal.span, trimmed),
        );
        return None;
    } else if text.value.chars().any(is_hidden) {
        Some(("a name has a character in it that is not shown", "write a name of printable characters".into()))
    } else if text.value.chars().count() > limits::NAME {
        Some(("a name is too long for a table", format!("use at most {} characters", limits::NAME)))
    } else {
        None
    };
    if let Some((message, remedy)) = fault {
        diagnostics.push(Diagnostic::error(code::VALUE_OUT_OF_RANGE, message).label(literal.span, remedy));
        return None;
    }
    Some(text.map(|text| text.to_string()))
}

/// A count of threads.
pub(super) fn threads(literal: &Literal, diagnostics: &mut Diagnostics) -> Option<Spanned<Threads>> {
    let count = literal.read_count("a number of threads", 1..=limits::SLOTS, diagnostics)?;
    Some(Spanned::new(u32::try_from(count.value).ok().and_then(Threads::new)?, count.span))
}

/// A queue depth.
pub(super) fn queue_depth(literal: &Literal, diagnostics: &mut Diagnostics) -> Option<Spanned<QueueDepth>> {
    let count = literal.read_count("a queue depth", 1..=limits::SLOTS, diagnostics)?;
    Some(Spanned::new(u32::try_from(count.value).ok().and_then(QueueDepth::new)?, count.span))
}

/// The size of one operation: a multiple of the smallest logical block that there is.
pub(super) fn block_size(literal: &Literal, diagnostics: &mut Diagnostics) -> Option<Spanned<BlockSize>> {
    aligned_size(literal, limits::BLOCK_SIZE, diagnostics)
}

/// The same where the operation may be a trim, which moves no data; whether it is one is known once the load is closed.
pub(super) fn operation_size(literal: &Literal, diagnostics: &mut Diagnostics) -> Option<Spanned<BlockSize>> {
    aligned_size(literal, limits::TRIM_SIZE, diagnostics)
}

fn aligned_size(literal: &Literal, most: u64, diagnostics: &mut Diagnostics) -> Option<Spanned<BlockSize>> {
    let size = positive_size(literal, diagnostics)?;
    let bytes = size.value.get();
    if !bytes.is_multiple_of(limits::ALIGNMENT) {
        diagnostics.push(unaligned(literal, size.value));
        return None;
    }
    if bytes > most {
        refuse(literal, format!("at most {}", ByteCount::new(most)), "a block size", diagnostics);
        return None;
    }
    Some(Spanned::new(BlockSize::new(bytes)?, size.span))
}

fn unaligned(literal: &Literal, size: ByteCount) -> Diagnostic {
    let below = size.align_down(limits::ALIGNMENT).get();
    let above = ByteCount::new(below.saturating_add(limits::ALIGNMENT));
    // Who writes 4kB means 4KiB far more often than 3.5KiB.
    let binary = Some(size.get())
        .filter(|bytes| bytes.is_multiple_of(1_000_000))
        .map(|bytes| ByteCount::new((bytes / 1_000_000) << 20))
        .or_else(|| Some(size.get()).filter(|b| b.is_multiple_of(1_000)).map(|b| ByteCount::new((b / 1_000) << 10)));
    let meant = binary.filter(|binary| binary.get().is_multiple_of(limits::ALIGNMENT));
    let help = match (binary, below) {
        (Some(binary), _) => format!("write \"{binary}\", which is {} bytes", binary.get()),
        (None, 0) => format!("write \"{above}\" or more"),
        (None, below) => format!("the nearest are \"{}\" and \"{above}\"", ByteCount::new(below)),
    };
    let diagnostic = Diagnostic::error(
        code::BLOCK_SIZE_ALIGNMENT,
        format!("{} is {} bytes, no multiple of {}", literal.written, size.get(), limits::ALIGNMENT),
    )
    .label(literal.span, "no drive has such blocks")
    .help(help);
    meant.into_iter().fold(diagnostic, |diagnostic, meant| diagnostic.rewrite(literal.span, format!("\"{meant}\"")))
}

/// A size above zero.
pub(super) fn positive_size(literal: &Literal, diagnostics: &mut Diagnostics) -> Option<Spanned<ByteCount>> {
    let size = literal.read_size(diagnostics)?;
    if size.value == ByteCount::ZERO {
        refuse(literal, "above zero".into(), "a size here", diagnostics);
        return None;
    }
    Some(size)
}

/// The share of reads: 0 % is writes alone.
pub(super) fn read_share(literal: &Literal, diagnostics: &mut Diagnostics) -> Option<Spanned<ReadShare>> {
    let share = literal.read_percent(diagnostics)?;
    match ReadShare::new(share.value) {
        Some(share) => Some(Spanned::new(share, literal.span)),
        None => {
            refuse(literal, "at most 100%".into(), "a share of reads", diagnostics);
            None
        }
    }
}

/// The share of trims; 0 % is none.
pub(super) fn trim_share(literal: &Literal, diagnostics: &mut Diagnostics) -> Option<Spanned<Percent>> {
    let share = literal.read_percent(diagnostics)?;
    if share.value > Percent::HUNDRED {
        refuse(literal, "at most 100%".into(), "a share of trims", diagnostics);
        return None;
    }
    Some(share)
}

/// Bytes, or a share of something that the place defines: above zero, at most the whole.
pub(super) fn extent(literal: &Literal, of: &str, diagnostics: &mut Diagnostics) -> Option<Spanned<Extent>> {
    let accept = |quantity| match quantity {
        Quantity::Bytes(bytes) => Some(Extent::Bytes(bytes)),
        Quantity::Percent(share) => Some(Extent::Share(share)),
        _ => None,
    };
    let extent = literal.read_quantity("a size or a percentage", accept, diagnostics)?;
    match extent.value {
        Extent::Bytes(ByteCount::ZERO) | Extent::Share(Percent::ZERO) => {
            refuse(literal, "above zero; zero never means all".into(), of, diagnostics);
            None
        }
        Extent::Share(share) if share > Percent::HUNDRED => {
            refuse(literal, "at most 100%".into(), of, diagnostics);
            None
        }
        _ => Some(extent),
    }
}

/// A time of at most a few years; zero where `least` is.
pub(super) fn time(
    literal: &Literal,
    wanted: &str,
    least: RunTime,
    diagnostics: &mut Diagnostics,
) -> Option<Spanned<RunTime>> {
    let time = literal.read_time(diagnostics)?;
    let bound = if time.value > limits::TIME {
        format!("at most {}", limits::TIME)
    } else if time.value == RunTime::ZERO && least > RunTime::ZERO {
        "above zero".into()
    } else if time.value < least {
        format!("at least {least}")
    } else {
        return Some(time);
    };
    refuse(literal, bound, wanted, diagnostics);
    None
}

/// One of the values that a node (or its property) takes by name. Words of other tools get their translation.
pub(super) fn named(
    literal: &Literal,
    taker: &str,
    wanted: &str,
    words: &[Word],
    diagnostics: &mut Diagnostics,
) -> Option<Spanned<&'static str>> {
    if let Value::Text(text) = &literal.value {
        if words.iter().any(|word| word.built == Built::NotYet && word.name == &**text) {
            diagnostics.push(
                Diagnostic::error(code::NAME_NOT_BUILT_YET, format!("{} is not built yet", literal.written))
                    .label(literal.span, "this version cannot do it"),
            );
            return None;
        }
        let known = words.iter().any(|word| word.name == &**text);
        if !known && let Some(foreign) = names::foreign_value(taker, text) {
            let built = words.iter().filter(|word| word.built != Built::NotYet);
            let listed: Vec<String> = built.map(|word| format!("\"{}\"", word.name)).collect();
            let diagnostic =
                Diagnostic::error(code::VALUE_OUT_OF_RANGE, format!("{} is not {wanted}", literal.written))
                    .label(literal.span, foreign.says())
                    .help(format!("use {}", names::either(&listed)));
            let here = foreign.word_here().filter(|here| words.iter().any(|word| word.name == *here));
            diagnostics.push(match here {
                Some(here) => diagnostic.rewrite(literal.span, format!("\"{here}\"")),
                None => diagnostic,
            });
            return None;
        }
    }
    let known: Vec<&'static str> = words.iter().map(|word| word.name).collect();
    literal.read_word(wanted, &known, diagnostics)
}

/// The values by name of a node in a place.
pub(super) fn values_of(name: &str, place: Place) -> &'static [Word] {
    names::at(name, place).map_or(&[], |entry| entry.values)
}

/// Reports a value of the right kind that is not possible: `must` says what holds, as `at least 1`.
pub(super) fn refuse(literal: &Literal, must: String, wanted: &str, diagnostics: &mut Diagnostics) {
    diagnostics.push(
        Diagnostic::error(code::VALUE_OUT_OF_RANGE, format!("{} is not possible as {wanted}", literal.written))
            .label(literal.span, format!("must be {must}")),
    );
}
