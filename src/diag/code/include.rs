//! Includes: the definitions of other files.

use super::entries;

entries! {
    INCLUDE_NOT_READ = "include/not-read" {
        title: "an included file cannot be read",
        why: "What the file defines is missing, so the plan cannot be judged. The path is relative to the file in which the \
              `include` stands, and names a plain file with plan text.",
        refused: "include \"workloads/4k.kld\"",
        corrected: "include \"workloads/4k.kdl\""
    }
    INCLUDE_OUTSIDE = "include/outside" {
        title: "an included file lies outside of the folder of the plan",
        why: "A plan and what it includes are handed on as one folder, and a plan of somebody else reads no other file of this \
              machine. So neither an absolute path nor `..` nor a link may lead out of the folder of the plan.",
        refused: "include \"/srv/shared/4k.kdl\"",
        corrected: "include \"shared/4k.kdl\""
    }
    INCLUDE_CYCLE = "include/cycle" {
        title: "files include each other in a circle",
        why: "Each of them would have to stand in the other. Every file is taken once, whoever includes it, so \
              definitions that several files use belong in one that includes none of them.",
        refused: "include \"b.kdl\"    // in a.kdl\ninclude \"a.kdl\"    // in b.kdl",
        corrected: "include \"b.kdl\"    // in a.kdl"
    }
    INCLUDE_TOO_MUCH = "include/too-much" {
        title: "a plan includes too much",
        why: "The files that a plan includes are 100 at most, 16 deep, and have 4,194,304 bytes and 100,000 nodes, \
              values and properties together. Nobody follows a method through more.",
        refused: "include \"1.kdl\"\ninclude \"2.kdl\"\n…",
        corrected: "include \"workloads.kdl\""
    }
    INCLUDE_NO_DEFINITION = "include/no-definition" {
        title: "an included file holds more than definitions",
        why: "What is included are workloads, procedures, parameters and tests. What a plan is, needs and does once stands in \
              the plan itself, where its reader looks for it.",
        refused: "workload \"4k\" { … }\nsetup { fill passes=1 { … }; }",
        corrected: "workload \"4k\" { … }\nprocedure \"prepare\" { fill passes=1 { … }; }"
    }
}
