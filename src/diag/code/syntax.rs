//! Mistakes that keep a text from being KDL 2.

use super::entries;

entries! {
    SYNTAX_TOO_LARGE = "syntax/too-large" {
        title: "a file is too large for a plan",
        why: "A plan is written and read by people; the largest known ones have a few hundred lines. A file of more than \
              4 MiB, or of more than 100,000 nodes, values and properties, is most likely something else, and reading it \
              would only cost time and memory.",
        refused: "shakedown check /var/log/syslog",
        corrected: "shakedown check plan.kdl",
        tested: "tests/kdl_corpus.rs, since the text would be large",
    }
    SYNTAX_NOT_UTF8 = "syntax/not-utf8" {
        title: "a file is no UTF-8 text",
        why: "KDL is UTF-8. Bytes that are none would have to be guessed, and the fingerprint of the plan would depend \
              on the guess. Editors can save a file as UTF-8.",
        refused: "title \"caf\\xE9\"  (a byte of Latin-1)",
        corrected: "title \"caf\u{e9}\"  (saved as UTF-8)",
        tested: "tests/kdl_corpus.rs, since such a file is no text",
    }
    SYNTAX_BINARY = "syntax/binary" {
        title: "a file is no text at all",
        why: "The file holds zero bytes, which no text does. A device, an archive or a result file was probably named in \
              place of the plan.",
        refused: "shakedown check results.tar",
        corrected: "shakedown check plan.kdl",
        tested: "tests/kdl_corpus.rs, since such a file is no text",
    }
    SYNTAX_TOO_DEEP = "syntax/too-deep" {
        title: "children stand too deep in each other",
        why: "A plan needs less than ten levels. A text with more than 64 was made by a program or by accident, and the \
              parser would need more stack for it than there is. What `/-` drops counts as well.",
        refused: "a { a { a { \u{2026} 64 levels more \u{2026} } } }",
        corrected: "a { a { a } }"
    }
    SYNTAX_CONTROL_CHARACTER = "syntax/control-character" {
        title: "an invisible character that may not stand in a plan",
        why: "Control characters and those that turn the direction of writing make a text look different from what it \
              says. A method that is reviewed by people must read as it runs, so they are refused everywhere, in comments as well. \
              Inside a string they can be written as an escape.",
        refused: "title \"a\u{2022}b\"  (with U+0007 in place of the dot)",
        corrected: "title \"a\\u{7}b\""
    }
    SYNTAX_BARE_KEYWORD = "syntax/bare-keyword" {
        title: "true, false, null, inf or nan without its `#`",
        why: "KDL 2 writes its keywords with `#`, so that a string never turns into a switch by accident. Without it the \
              word is refused, because both meanings would be possible.",
        refused: "partition \"1%\" keep=false",
        corrected: "partition \"1%\" keep=#false"
    }
    SYNTAX_UNKNOWN_KEYWORD = "syntax/unknown-keyword" {
        title: "a word with `#` that is not a keyword",
        why: "Words that begin with `#` are the keywords of KDL, and there are six. Comments begin with `//`, not with `#`.",
        refused: "partition \"1%\" keep=#no",
        corrected: "partition \"1%\" keep=#false"
    }
    SYNTAX_HASH_COMMENT = "syntax/hash-comment" {
        title: "a comment that begins with `#`",
        why: "In KDL `#` begins a keyword or a raw string. A comment begins with `//` and goes on to the end of its line, \
              or stands between `/*` and `*/`.",
        refused: "threads 4 # as published",
        corrected: "threads 4 // as published"
    }
    SYNTAX_LONE_EQUALS = "syntax/lone-equals" {
        title: "an equals sign between a word and its value",
        why: "A word and its value are separated by a blank alone. `name=value` is a property: it modifies the word \
              before it, and its name cannot be that word itself.",
        refused: "block-size = \"4KiB\"",
        corrected: "block-size \"4KiB\""
    }
    SYNTAX_UNCLOSED_BRACE = "syntax/unclosed-brace" {
        title: "a block that is never closed",
        why: "Every `{` needs its `}`. Where a closing brace stands further left than the block it closes, the brace \
              before it was most likely forgotten, and that block is shown. Otherwise the innermost open block is shown.",
        refused: "test \"a\" {\n    measure \"mixed\" {\n        threads 1\n}",
        corrected: "test \"a\" {\n    measure \"mixed\" {\n        threads 1\n    }\n}"
    }
    SYNTAX_STRAY_BRACE = "syntax/stray-brace" {
        title: "a closing brace without a block",
        why: "There is no open block that this brace could close. Either it is one too many, or an opening brace before \
              it is missing.",
        refused: "setup { idle \"10s\"; } }",
        corrected: "setup { idle \"10s\"; }"
    }
    SYNTAX_BRACE_ALONE = "syntax/brace-alone" {
        title: "an opening brace without a node before it on its line",
        why: "The end of a line ends the node on it, so a block on the next line belongs to nothing. The brace stands on \
              the line of its node, or that line ends with a backslash.",
        refused: "setup\n{\n    idle \"10s\"\n}",
        corrected: "setup {\n    idle \"10s\"\n}"
    }
    SYNTAX_SECOND_CHILDREN = "syntax/second-children" {
        title: "a node with two blocks of children",
        why: "A node has one block of children at most. Two would leave open whether the second adds to the first or \
              replaces it.",
        refused: "setup { idle \"10s\"; } { idle \"20s\"; }",
        corrected: "setup { idle \"10s\"; idle \"20s\"; }"
    }
    SYNTAX_AFTER_CHILDREN = "syntax/after-children" {
        title: "something behind the children of a node",
        why: "Values and properties stand before the children, and the next node begins on a new line or after a \
              semicolon. Behind a closing brace neither is the case.",
        refused: "setup { idle \"10s\"; } idle \"20s\"",
        corrected: "setup { idle \"10s\"; }\nidle \"20s\""
    }
    SYNTAX_UNCLOSED_STRING = "syntax/unclosed-string" {
        title: "a string that is never closed",
        why: "A string in quotes ends on its line. A raw string ends with as many `#` as it began with; a string of \
              several lines with three quotes on a line of their own.",
        refused: "title \"four corners",
        corrected: "title \"four corners\""
    }
    SYNTAX_NEWLINE_IN_STRING = "syntax/newline-in-string" {
        title: "a string in quotes that goes over the end of its line",
        why: "A plain string ends on its line; otherwise one forgotten quote would turn the rest of the plan inside out. \
              A backslash at the end of the line joins it to the next; three quotes begin a string of several lines.",
        refused: "title \"four corners\non 1 % of the drive\"",
        corrected: "title \"four corners \\\n    on 1 % of the drive\""
    }
    SYNTAX_MULTI_LINE_STRING = "syntax/multi-line-string" {
        title: "a string of several lines that is laid out wrongly",
        why: "Its text begins on the line after the three opening quotes, and the three closing quotes stand on a line of \
              their own. Their indentation is taken off every line, so no line may have less.",
        refused: "note \"\"\"as published\"\"\"",
        corrected: "note \"\"\"\n    as published\n    \"\"\""
    }
    SYNTAX_UNKNOWN_ESCAPE = "syntax/unknown-escape" {
        title: "a backslash in a string that stands for nothing",
        why: "Inside quotes a backslash begins one of \\\\ \\\" \\b \\f \\n \\r \\t \\s \\u{...}, or joins lines. A string \
              with many backslashes is better written raw, with `#` before and behind its quotes.",
        refused: "title \"a\\/b\"",
        corrected: "title \"a/b\""
    }
    SYNTAX_RAW_STRING = "syntax/raw-string" {
        title: "a raw string with the `r` of KDL 1",
        why: "KDL 2 writes raw strings with `#` alone: #\"...\"#. The `r` before it belonged to KDL 1, which is another \
              language in more than this, so it is not read as if it were meant.",
        refused: "title r#\"a \"quoted\" word\"#",
        corrected: "title #\"a \"quoted\" word\"#"
    }
    SYNTAX_UNCLOSED_COMMENT = "syntax/unclosed-comment" {
        title: "a block comment that is never closed",
        why: "Block comments nest: each `/*` needs its own `*/`. Otherwise everything to the end of the plan would be a \
              comment.",
        refused: "threads 4 /* as /* published */",
        corrected: "threads 4 /* as published */"
    }
    SYNTAX_COMMA = "syntax/comma" {
        title: "a comma between values",
        why: "Values are separated by blanks alone. In KDL a comma is an ordinary letter of a word, so it would silently \
              become part of a name.",
        refused: "queue-depth 1, 4, 16",
        corrected: "queue-depth 1 4 16"
    }
    SYNTAX_BRACKETS = "syntax/brackets" {
        title: "square brackets",
        why: "KDL has no brackets for lists and reserves them. A list is several values behind one word.",
        refused: "queue-depth [1 4 16]",
        corrected: "queue-depth 1 4 16"
    }
    SYNTAX_MISSING_BLANK = "syntax/missing-blank" {
        title: "two things without a blank between them",
        why: "A name and each value behind it are separated by blanks, also where one of them stands in quotes. Without \
              the blank it cannot be told what was meant to be one thing.",
        refused: "title\"four corners\"",
        corrected: "title \"four corners\""
    }
    SYNTAX_EMPTY_STATEMENT = "syntax/empty-statement" {
        title: "a semicolon that ends nothing",
        why: "A semicolon ends the node before it, as a new line does. Where no node stands before it, it is one too \
              many.",
        refused: "threads 4;; queue-depth 8",
        corrected: "threads 4; queue-depth 8"
    }
    SYNTAX_BACKSLASH = "syntax/backslash" {
        title: "a backslash outside of quotes",
        why: "Outside of quotes a backslash joins a line to the next and must be the last thing on it. A path with \
              backslashes is a string and stands in quotes.",
        refused: "source C:\\methods\\review.pdf",
        corrected: "source #\"C:\\methods\\review.pdf\"#"
    }
    SYNTAX_BAD_WORD = "syntax/bad-word" {
        title: "a word with a sign that needs quotes",
        why: "Without quotes a word may not hold `/` or `#`: they begin comments, dropped parts, keywords and raw strings. \
              In quotes every sign may stand.",
        refused: "source reviews/670p",
        corrected: "source \"reviews/670p\""
    }
    SYNTAX_LONE_SLASHDASH = "syntax/lone-slashdash" {
        title: "`/-` before nothing",
        why: "`/-` drops the node, value, property or block right behind it. Where nothing stands there that could be \
              dropped, it was left over or something was lost.",
        refused: "threads 4\n/-",
        corrected: "threads 4\n/- queue-depth 8"
    }
    SYNTAX_ANNOTATION = "syntax/annotation" {
        title: "parentheses that are no annotation",
        why: "Parentheses hold one word and stand right before the value or the name of a node that they describe. For a \
              property they stand behind its `=`.",
        refused: "fill (published)passes=2",
        corrected: "fill passes=(published)2"
    }
    SYNTAX_NUMBER = "syntax/number" {
        title: "something that begins as a number and is none",
        why: "A word that begins with a digit must be a number to its end, and a number begins with a digit. A name that \
              begins with a digit stands in quotes.",
        refused: "measure 4k-random-read",
        corrected: "measure \"4k-random-read\""
    }
    SYNTAX_NUMBER_RANGE = "syntax/number-range" {
        title: "a number with too many digits",
        why: "Numbers are read exactly or not at all, up to 38 digits. No quantity of a plan comes near that.",
        refused: "seed 340282366920938463463374607431768211456",
        corrected: "seed 340282366920938463"
    }
    SYNTAX_NODE_NAME = "syntax/node-name" {
        title: "a line that does not begin with a name",
        why: "Every node begins with its name, and its values follow. A number or keyword cannot be a name; most often \
              the line belongs to the one before.",
        refused: "queue-depth 1 4\n16 64",
        corrected: "queue-depth 1 4 16 64"
    }
    SYNTAX_PROPERTY = "syntax/property" {
        title: "a property without a name or a value",
        why: "A property is written name=value, with a word before the sign and a value behind it. Where one of them is \
              missing, nothing sensible is left.",
        refused: "fill passes=",
        corrected: "fill passes=2"
    }
    SYNTAX_UNEXPECTED = "syntax/unexpected" {
        title: "a sign that has no meaning where it stands",
        why: "The text cannot be read on from here by the grammar of KDL 2. Most often a sign is one too many, or a quote \
              before it is missing.",
        refused: "threads 4)",
        corrected: "threads 4"
    }
    SYNTAX_VERSION = "syntax/version" {
        title: "a file that says it is KDL 1",
        why: "The first line declares version 1 of KDL. Plans are KDL 2 and are read as such, so the marker is at odds \
              with the text. It changes nothing, hence only a warning.",
        refused: "/- kdl-version 1\nthreads 4",
        corrected: "/- kdl-version 2\nthreads 4"
    }
}
