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
    ACCESS_ON_SEQUENTIAL = "access/on-sequential" {
        title: "a word about random offsets stands with sequential access",
        why: "Sequential access goes from block to block, so there is nothing to draw. An order, a share of seeks, an \
              alignment, zones and laws would have no effect.",
        refused: "access \"sequential\" seek=\"50%\"",
        corrected: "access \"random\" seek=\"50%\""
    }
    ACCESS_TWO_SPREADS = "access/two-spreads" {
        title: "two words about random offsets exclude each other",
        why: "Zones, `zipf` and `pareto` each say where all offsets fall, so only one of them can hold. With `order=\"once\"` \
              every block comes exactly once in a pass, in units of its size, and there is nothing else to draw.",
        refused: "access \"random\" { zipf theta=1.2; pareto h=0.2; }",
        corrected: "access \"random\" { zipf theta=1.2; }"
    }
    ACCESS_NO_ALIGN = "access/no-align" {
        title: "random access with several sizes does not name its alignment",
        why: "What offsets are a multiple of changes how much a drive rewrites. With one size it is that size. With several \
              there are two rules in use: each operation's own size (`\"own\"`, as vdbench), or one size for all (as fio, \
              which takes the smallest), so the plan has to say it.",
        refused: "access \"random\"\nblock-size { size \"4KiB\" \"60%\"; size \"64KiB\" \"rest\"; }",
        corrected: "access \"random\" align=\"own\"\nblock-size { size \"4KiB\" \"60%\"; size \"64KiB\" \"rest\"; }"
    }
    ACCESS_ONCE = "access/once" {
        title: "an order of every block once needs writes of one size",
        why: "`order=\"once\"` visits every block of the span exactly once in a pass. It is there to write an area in random \
              order without holes, so all operations have to be writes, and all blocks of one size.",
        refused: "access \"random\" order=\"once\"\nread \"50%\"",
        corrected: "access \"random\" order=\"once\"\nread \"0%\""
    }
    ZONE_OUTSIDE = "zone/outside" {
        title: "the zones do not fit in the span",
        why: "Zones follow each other from the start of the span. Together they cannot be longer than it, one of them may be \
              `\"rest\"`, and something has to be left for that one. A zone smaller than a block holds none.",
        refused: "access \"random\" { zone \"60%\" share=\"50%\"; zone \"60%\" share=\"rest\"; }",
        corrected: "access \"random\" { zone \"60%\" share=\"50%\"; zone \"rest\" share=\"rest\"; }"
    }
    MIX_NOT_WHOLE = "mix/not-whole" {
        title: "the shares of a mix are not all operations",
        why: "The shares of streams, of sizes or of zones are percentages of the operations, and together they are all of them. \
              One may be `\"rest\"`, which is what the others leave, and has to be more than nothing.",
        refused: "block-size { size \"4KiB\" \"60%\"; size \"64KiB\" \"30%\"; }",
        corrected: "block-size { size \"4KiB\" \"60%\"; size \"64KiB\" \"rest\"; }"
    }
    MIX_SIZE_TWICE = "mix/size-twice" {
        title: "a mix has the same size twice",
        why: "Two shares of one size are one share. Sizes count as equal whatever their spelling: `\"4KiB\"` and `\"4096B\"` \
              are one.",
        refused: "block-size { size \"4KiB\" \"60%\"; size \"4KiB\" \"rest\"; }",
        corrected: "block-size \"4KiB\""
    }
    MIX_OVER_WHOLE = "mix/over-whole" {
        title: "reads and trims are more than all operations",
        why: "`read` and `trim` are percentages of all operations, and the rest of them are writes. Where a matrix varies them, \
              every combination has to be possible.",
        refused: "read \"70%\"\ntrim \"40%\"",
        corrected: "read \"70%\"\ntrim \"30%\""
    }
    STREAM_NO_SHARE = "stream/no-share" {
        title: "a stream does not say its share of the operations",
        why: "All streams of a workload use the same slots, and a free slot draws the next operation by the shares. No share is \
              natural enough to be assumed.",
        refused: "stream \"log\" { access \"sequential\"; … }",
        corrected: "stream \"log\" { share \"rest\"; access \"sequential\"; … }"
    }
    BLOCK_SIZE_SIDES = "block-size/sides" {
        title: "the sizes for reads, writes and trims do not match the operations",
        why: "Where `for=` gives a kind of operation its own size, each kind that occurs needs one. A size for a kind that \
              does not occur would have no effect.",
        refused: "read \"70%\"\nblock-size \"4KiB\" for=\"read\"",
        corrected: "read \"70%\"\nblock-size \"4KiB\" for=\"read\"\nblock-size \"8KiB\" for=\"write\""
    }
    DATA_TWO_KINDS = "data/two-kinds" {
        title: "the data of writes is named and has shares as well",
        why: "`\"incompressible\"` and `\"zeros\"` say all of what a write carries. `compressible=` and `duplicate=` describe \
              data of a third kind, and stand alone.",
        refused: "data \"zeros\" duplicate=\"10%\"",
        corrected: "data duplicate=\"10%\""
    }
    WORKLOAD_NO_WRITES = "workload/no-writes" {
        title: "a word about writes stands where nothing is written",
        why: "`data` says what writes carry and `flush` counts writes. Where no operation writes, in none of the cases, they \
              have no effect.",
        refused: "read \"100%\"\nflush every=32",
        corrected: "read \"70%\"\nflush every=32"
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
