//! The reference pages against what they describe. `SNAPSHOTS=overwrite cargo test reference` writes the generated ones.

use std::path::PathBuf;

use clap::Command;
use shakedown::cli::{Outcome, command};
use shakedown::plan::names::{self, Built, Entry, Word};

use crate::support::pages::{assert_file, code_words, parts, read, root};

fn page(name: &str) -> PathBuf {
    root().join("docs/src/reference").join(name)
}

/// The program and its subcommands, as they are typed.
fn commands() -> Vec<Command> {
    let mut program = command().term_width(80).max_term_width(80);
    program.build();
    let subcommands: Vec<Command> = program.get_subcommands().filter(|sub| sub.get_name() != "help").cloned().collect();
    std::iter::once(program).chain(subcommands).collect()
}

#[test]
fn the_help_page_is_the_help() {
    let mut text = String::from(
        "# Help texts\n\nWhat `shakedown --help` and `shakedown COMMAND --help` print.\n\
         [Command line](cli.md) says more.\nThis page is written from the program.\n",
    );
    for mut command in commands() {
        let title = command.get_bin_name().unwrap_or(command.get_name()).to_string();
        let help = command.render_long_help().to_string();
        let lines: Vec<&str> = help.lines().map(str::trim_end).collect();
        text.push_str(&format!("\n## {title}\n\n```text\n{}\n```\n", lines.join("\n").trim_end()));
    }
    for line in text.lines() {
        assert!(line.chars().count() <= 80, "wider than 80 columns: {line}");
    }
    assert_file(&text, &page("help.md"));
}

#[test]
fn the_command_line_page_has_every_command_option_and_format() {
    let text = read(&page("cli.md"));
    for command in commands() {
        let name = command.get_name();
        assert!(name == "shakedown" || text.contains(&format!("\n## {name}\n")), "no section on {name}");
        for argument in command.get_arguments() {
            let Some(long) = argument.get_long().filter(|long| !matches!(*long, "help" | "version")) else { continue };
            assert!(text.contains(&format!("| `--{long}")) || text.contains(&format!("`--{long}`")), "{name} --{long}");
            let values: Vec<String> =
                argument.get_possible_values().iter().map(|value| value.get_name().to_string()).collect();
            if long == "format" {
                let section = text.split(&format!("\n## {name}\n")).nth(1).and_then(|rest| rest.split("\n## ").next());
                let form = format!("--format {}", values.join("|"));
                assert!(section.is_some_and(|section| section.contains(&form)), "{name} {form}");
            }
        }
    }
}

#[test]
fn the_exit_codes_are_the_outcomes() {
    let text = read(&page("exit-codes.md"));
    let rows = text.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| code"));
    let rows: Vec<Vec<&str>> = rows.map(|row| row.trim_matches('|').split('|').map(str::trim).collect()).collect();
    let told: Vec<(String, &str)> = rows.iter().map(|row| (row[0].to_string(), row[1])).collect();
    let outcomes: Vec<(String, &str)> =
        Outcome::ALL.iter().map(|outcome| (outcome.code().to_string(), outcome.meaning())).collect();
    assert_eq!(told, outcomes);
    assert!(rows.iter().all(|row| !row[2].is_empty()), "each with an example");
}

/// The properties and values of a word that are built so far.
fn words_that_are(entry: &Entry, built: Built) -> impl Iterator<Item = (String, &'static Word)> {
    let values = entry.values.iter().map(|word| (format!("\"{}\"", word.name), word));
    let properties = entry.properties.iter().map(|word| (format!("{}=", word.name), word));
    values.chain(properties).filter(move |(_, word)| word.built == built)
}

#[test]
fn the_page_of_words_not_built_yet_is_the_table_of_names() {
    let mut text = String::from(
        "# Words that are not built yet\n\n\
         These words belong to the language, and their meaning is settled, but this version cannot carry them out.\n\
         A plan that uses one is refused by name (`name/not-built-yet`); none is ever ignored.\n\
         This page is written from the table of names in `src/plan/names`.\n\n\
         ```kdl,fragment=test,refused=name/not-built-yet\napplication \"rocksdb\"\n\
         fill passes=1 { block-size \"128KiB\"; threads 1; }\n```\n\n\
         `N` is a count, `Q` a quantity with its unit, `Q%` a percentage.\n\n\
         | word | form | meaning |\n|---|---|---|\n",
    );
    let cell = |text: &str| text.replace('|', "\\|");
    for entry in names::all().filter(|entry| entry.built == Built::NotYet) {
        text.push_str(&format!("| `{}` | `{}` | {} |\n", entry.name, cell(entry.form), cell(entry.meaning)));
    }
    let built = || names::all().filter(|entry| entry.built != Built::NotYet);
    if built().any(|entry| words_that_are(entry, Built::NotYet).next().is_some()) {
        text.push_str(
            "\nThese are parts of words that are built otherwise:\n\n| word | part | meaning |\n|---|---|---|\n",
        );
        for entry in built() {
            for (spelling, word) in words_that_are(entry, Built::NotYet) {
                text.push_str(&format!("| `{}` | `{spelling}` | {} |\n", entry.name, cell(word.meaning)));
            }
        }
    }
    text.push_str(
        "\n## Words that cannot be run yet\n\n\
         These are checked, explained and expanded, so that a method can be written and reviewed.\n\
         A run of a plan that uses one is refused before anything is touched (`plan/not-run`).\n\n\
         | word | part | meaning |\n|---|---|---|\n",
    );
    for entry in names::all() {
        if entry.built == Built::Checked {
            text.push_str(&format!("| `{}` | | {} |\n", entry.name, cell(entry.meaning)));
        }
        for (spelling, word) in words_that_are(entry, Built::Checked) {
            text.push_str(&format!("| `{}` | `{spelling}` | {} |\n", entry.name, cell(word.meaning)));
        }
    }
    assert_file(&text, &page("language/not-built-yet.md"));
}

#[test]
fn every_word_that_is_built_is_in_the_language_reference() {
    let pages =
        ["plan", "workload", "step", "load", "template"].map(|name| parts(&page(&format!("language/{name}.md"))));
    let (mut text, mut words) = (String::new(), Vec::new());
    for (fences, prose) in &pages {
        words.extend(code_words(prose));
        text.extend(fences.iter().map(|fence| fence.text.as_str()));
    }
    let all = format!("{}\n{text}", words.join("\n"));
    let is_there = |word: &str| {
        let is_part = |sign: char| sign.is_alphanumeric() || sign == '-';
        all.match_indices(word)
            .any(|(at, _)| !all[..at].ends_with(is_part) && !all[at + word.len()..].starts_with(is_part))
    };
    let mut missing = Vec::new();
    for entry in names::all().filter(|entry| entry.built != Built::NotYet) {
        missing.extend((!is_there(entry.name)).then(|| entry.name.to_string()));
        for word in entry.properties.iter().chain(entry.values).filter(|word| word.built != Built::NotYet) {
            missing.extend((!is_there(word.name)).then(|| format!("{} {}", entry.name, word.name)));
        }
    }
    assert!(missing.is_empty(), "not on a page of docs/src/reference/language: {missing:?}");
}
