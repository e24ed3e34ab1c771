use crate::diag::{Code, Diagnostics, code};
use crate::lang::Document;

use super::{Loader, load_document};

/// What a file of the language is, as its outermost nodes tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A plan, or what is meant to be one.
    Plan,
    /// Nothing but definitions, for plans that include it.
    Definitions,
    /// The bench: drives, cores, where results go.
    Rig,
    /// A modelled drive.
    Model,
    /// Figures from print.
    Published,
}

/// What only the plan that includes a file can tell.
const LEFT_TO_THE_PLAN: [Code; 11] = [
    // Paths are looked up from the folder of the plan.
    code::INCLUDE_NOT_READ,
    code::INCLUDE_OUTSIDE,
    code::PLAN_MISSING,
    code::PLAN_NOTHING_TO_DO,
    code::PARAM_UNDEFINED,
    code::PARAM_UNKNOWN_SET,
    code::PARAM_UNUSED,
    code::PROCEDURE_UNDEFINED,
    code::PROCEDURE_UNUSED,
    code::WORKLOAD_UNDEFINED,
    code::WORKLOAD_UNUSED,
];

impl FileKind {
    /// What the document is. One that mixes kinds, or is empty, is taken for a plan and refused as one.
    pub fn of(document: &Document) -> Self {
        let kind_of = |name: &str| match name {
            "include" | "param" | "procedure" | "workload" => FileKind::Definitions,
            "rig" => FileKind::Rig,
            "model" => FileKind::Model,
            "published" => FileKind::Published,
            _ => FileKind::Plan,
        };
        let mut kinds = document.nodes.iter().map(|node| kind_of(node.name()));
        match kinds.next() {
            Some(first) if kinds.all(|kind| kind == first) => first,
            _ => FileKind::Plan,
        }
    }

    /// One word for other programs.
    pub const fn word(self) -> &'static str {
        match self {
            FileKind::Plan => "plan",
            FileKind::Definitions => "definitions",
            FileKind::Rig => "rig",
            FileKind::Model => "model",
            FileKind::Published => "published",
        }
    }
}

/// Everything that is wrong with a file of definitions by itself. Whether they are used, and whether what they name is
/// defined elsewhere, is left to the plan that includes it.
pub fn check_definitions(document: Document, loader: &dyn Loader) -> Diagnostics {
    let mut kept = Diagnostics::new(&document.source);
    for found in load_document(document, &[], loader).diagnostics.all() {
        if !LEFT_TO_THE_PLAN.contains(&found.code) {
            kept.push(found.clone());
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use crate::lang;
    use crate::text::SourceFile;

    use super::super::NoFiles;
    use super::*;

    fn document(text: &str) -> Document {
        lang::read(&SourceFile::new("a.kdl", text)).expect("is KDL")
    }

    #[test]
    fn the_outermost_nodes_tell_what_a_file_is() {
        for (text, kind) in [
            ("plan \"p\"\nworkload \"w\"", FileKind::Plan),
            ("", FileKind::Plan),
            ("test \"t\" { idle \"1s\"; }\nworkload \"w\"", FileKind::Plan),
            ("wrkload \"w\"", FileKind::Plan),
            ("rig \"a\"\nplan \"p\"", FileKind::Plan),
            ("param \"a\" 1\nworkload \"w\"\nprocedure \"p\"", FileKind::Definitions),
            ("rig \"a\"", FileKind::Rig),
            ("model \"a\"", FileKind::Model),
            ("published \"a\"\npublished \"b\"", FileKind::Published),
        ] {
            assert_eq!(FileKind::of(&document(text)), kind, "{text}");
        }
    }

    #[test]
    fn definitions_are_checked_by_themselves() {
        let sound = "param \"n\" 4\n\
                     workload \"w\" { access \"random\"; block-size \"4KiB\"; read $r; }\n\
                     procedure \"p\" { measure \"elsewhere\" { threads 1; run \"1s\"; }; apply \"other\"; }\n";
        let codes = |text: &str| -> Vec<&str> {
            check_definitions(document(text), &NoFiles).all().iter().map(|found| found.code.id()).collect()
        };
        assert_eq!(codes(sound), [""; 0]);
        assert_eq!(codes("include \"more.kdl\""), [""; 0]);
        assert_eq!(codes(&sound.replace("\"4KiB\"", "\"4K\"")), ["unit/ambiguous"]);
        assert_eq!(codes(&sound.replace("threads 1", "threads 0")), ["value/out-of-range"]);
        assert_eq!(codes(&format!("{sound}workload \"w\" {{ access \"random\"; }}\n")), ["name/duplicate"]);
    }
}
