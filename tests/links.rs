//! Every link of the README and the book leads somewhere, every page is in the summary, every code that is named exists.

use std::path::Path;

use shakedown::diag::Code;

use crate::support::pages::{code_words, name, pages, parts, read, root};

/// Links to other pages and files.
fn links(prose: &str) -> Vec<String> {
    let targets = prose.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    targets.filter(|link| !link.is_empty() && !link.contains("://")).map(str::to_string).collect()
}

/// The `<a id>` anchors of a page and those of its headings.
fn anchors(page: &Path) -> Vec<String> {
    let prose = parts(page).1;
    let ids = prose.split("<a id=\"").skip(1).filter_map(|rest| rest.split('"').next()).map(str::to_string);
    let headings = prose.lines().filter(|line| line.starts_with('#')).map(|line| {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter(|sign| sign.is_alphanumeric() || matches!(sign, ' ' | '-' | '_'));
        kept.map(|sign| if sign == ' ' { '-' } else { sign }).collect()
    });
    ids.chain(headings).collect()
}

#[test]
fn every_link_leads_somewhere() {
    let (mut broken, mut seen) = (Vec::new(), 0);
    let around = ["CONTRIBUTING.md", "CHANGELOG.md"].map(|file| root().join(file));
    for page in pages().into_iter().chain(around) {
        for link in links(&parts(&page).1) {
            seen += 1;
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let folder = page.parent().expect("a page lies in a folder");
            let target = if file.is_empty() { page.clone() } else { folder.join(file) };
            if !target.exists() {
                broken.push(format!("{}: {link} leads nowhere", name(&page)));
            } else if !anchor.is_empty() && !anchors(&target).iter().any(|held| held == anchor) {
                broken.push(format!("{}: {link}: no such anchor", name(&page)));
            }
        }
    }
    assert!(seen > 100, "only {seen} links: are they still found?");
    assert!(broken.is_empty(), "\n{}\n", broken.join("\n"));
}

#[test]
fn every_file_that_a_page_names_is_there() {
    let folders = ["src/", "tests/", "docs/", "plans/", "examples/", "benches/", ".ci/"];
    let (mut missing, mut seen) = (Vec::new(), 0);
    for page in pages().into_iter().chain([root().join("CONTRIBUTING.md"), root().join("CHANGELOG.md")]) {
        for word in code_words(&parts(&page).1) {
            if folders.iter().any(|folder| word.starts_with(folder)) {
                seen += 1;
                missing.extend((!root().join(word).exists()).then(|| format!("{}: {word}", name(&page))));
            }
        }
    }
    assert!(seen > 10, "only {seen} files: are they still found?");
    assert!(missing.is_empty(), "\n{}\n", missing.join("\n"));
}

#[test]
fn every_page_is_in_the_summary() {
    let book = root().join("docs/src");
    let summary = read(&book.join("SUMMARY.md"));
    for page in pages() {
        let Ok(name) = page.strip_prefix(&book) else { continue };
        if name != Path::new("SUMMARY.md") {
            assert!(summary.contains(&format!("({})", name.display())), "{} is not in SUMMARY.md", name.display());
        }
    }
}

#[test]
fn every_code_that_a_page_names_is_in_the_catalogue() {
    let (mut unknown, mut seen) = (Vec::new(), 0);
    for page in pages() {
        let prose = parts(&page).1;
        for word in code_words(&prose) {
            let Some((area, _)) = word.split_once('/') else { continue };
            let is_code = word.bytes().all(|sign| sign.is_ascii_lowercase() || matches!(sign, b'-' | b'/'));
            let is_file = root().join("src").join(word).exists();
            if is_code && !is_file && word.matches('/').count() == 1 && Code::all().any(|code| code.area() == area) {
                seen += 1;
                unknown.extend(Code::find(word).is_none().then(|| format!("{}: {word}", name(&page))));
            }
        }
    }
    assert!(seen > 50, "only {seen} codes: are they still found?");
    assert!(unknown.is_empty(), "\n{}\n", unknown.join("\n"));
}
