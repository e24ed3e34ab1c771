//! The reference page of the diagnostics is written from the catalogue: `SNAPSHOTS=overwrite cargo test catalogue`.

use std::path::Path;

use shakedown::diag::Code;

fn page() -> String {
    let mut page = String::from(
        "# Diagnostics\n\nEverything that the tool refuses or remarks on, by code.\n\
         `shakedown explain CODE` prints the same text.\nThis page is written from the catalogue in `src/diag/code`.\n",
    );
    let mut area = "";
    for code in Code::all() {
        if code.area() != area {
            area = code.area();
            page.push_str(&format!("\n## {area}\n"));
        }
        let sentences = code.why().replace(". ", ".\n");
        page.push_str(&format!(
            "\n### {}\n\n*{}.*\n{sentences}\n\nRefused:\n\n```text\n{}\n```\n\nCorrected:\n\n```text\n{}\n```\n",
            code.id(),
            capitalised(code.title()),
            code.refused(),
            code.corrected()
        ));
    }
    page
}

fn capitalised(title: &str) -> String {
    let mut chars = title.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}

#[test]
fn the_reference_page_is_the_catalogue() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/src/reference/diagnostics.md");
    snapbox::Assert::new()
        .action_env(snapbox::assert::DEFAULT_ACTION_ENV)
        .eq(page(), snapbox::Data::read_from(&file, None).raw());
}
