//! Workloads and how loads close what they leave open.

use super::entries;

entries! {
    WORKLOAD_UNDEFINED = "workload/undefined" {
        title: "a workload is used that the plan does not define",
        why: "A load names the workload that says what an operation is. The name must be that of a `workload` at the top \
              level of the plan; where it stands in the file does not matter.",
        refused: "measure \"mixed\" { … }",
        corrected: "workload \"mixed\" { … }\nmeasure \"mixed\" { … }"
    }
    WORKLOAD_UNUSED = "workload/unused" {
        title: "a workload that no step uses",
        why: "It has no effect on the run. Either a step that should use it names another one, or it can go.",
        refused: "workload \"4k-random-read\" { … }",
        corrected: "workload \"4k-random-read\" { … }\nmeasure \"4k-random-read\" { … }"
    }
    WORKLOAD_OPEN = "workload/open" {
        title: "a value is left open by the workload and by the load",
        why: "Order of offsets, block size and share of reads make a load what it is, and none of them has a default. What \
              the workload does not say, each load or an axis of its matrix must.",
        refused: "workload \"w\" { access \"random\"; }\nmeasure \"w\" { threads 1; run \"60s\"; }",
        corrected: "workload \"w\" { access \"random\"; block-size \"4KiB\"; read \"100%\"; }\nmeasure \"w\" { threads 1; run \"60s\"; }"
    }
    ACCESS_NO_CURSOR = "access/no-cursor" {
        title: "sequential access of several threads does not name its cursor",
        why: "Several threads can share one cursor or each have a lane of the span of its own. Tools differ in what they do by \
              themselves, and the two load a drive differently, so the plan has to say it. With one thread both are the same.",
        refused: "access \"sequential\"\nthreads 16",
        corrected: "access \"sequential\" cursor=\"shared\"\nthreads 16"
    }
    ACCESS_CURSOR_ON_RANDOM = "access/cursor-on-random" {
        title: "random access has no cursor",
        why: "A cursor is where sequential access goes on. Random offsets are drawn anew for every operation, so the property \
              would have no effect.",
        refused: "access \"random\" cursor=\"shared\"",
        corrected: "access \"random\""
    }
    BLOCK_SIZE_ALIGNMENT = "block-size/alignment" {
        title: "a block size is no multiple of 512 bytes",
        why: "A drive moves whole logical blocks, and no drive has smaller ones than 512 bytes. Where the drive's are larger, \
              the size must be a multiple of those; that is checked once the drive is known.",
        refused: "block-size \"4kB\"",
        corrected: "block-size \"4KiB\""
    }
    SPAN_TOO_SMALL = "span/too-small" {
        title: "a span is smaller than one block",
        why: "Not a single operation of this size fits in the part of the area that the load may touch. Sizes and spans may \
              have been exchanged.",
        refused: "span \"4KiB\"\nblock-size \"64KiB\"",
        corrected: "span \"4GiB\"\nblock-size \"64KiB\""
    }
    SPAN_OUTSIDE = "span/outside" {
        title: "a span reaches beyond the area",
        why: "A span is a part of the area. The whole area from an offset above zero would end behind it, and nothing outside \
              of the area is ever touched.",
        refused: "span \"100%\" offset=\"1GiB\"",
        corrected: "span \"50%\" offset=\"1GiB\""
    }
}
