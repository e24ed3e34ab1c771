use crate::diag::{Diagnostic, Diagnostics, code};
use crate::text::{SourceFile, Span};

/// A plan file may have so many bytes.
pub const BYTES_AT_MOST: usize = 4 << 20;

/// The bytes of a file as plan text. A byte order mark at the start is taken off.
///
/// # Errors
/// One diagnostic where the bytes are too many, or no UTF-8 text: it says at which byte, and what the file seems to be.
pub fn decode(name: &str, bytes: &[u8]) -> Result<SourceFile, Diagnostics> {
    let refuse = |text: &str, diagnostic: Diagnostic| {
        let mut diagnostics = Diagnostics::new(&SourceFile::new(name, text));
        diagnostics.push(diagnostic);
        Err(diagnostics)
    };
    if bytes.len() > BYTES_AT_MOST {
        return refuse("", too_large(name));
    }
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        let mistake = Diagnostic::error(code::SYNTAX_NOT_UTF8, format!("{name} is UTF-16, not UTF-8"));
        return refuse("", mistake.help("save it as UTF-8"));
    }
    if let Some(at) = bytes.iter().position(|byte| *byte == 0) {
        let mistake = Diagnostic::error(code::SYNTAX_BINARY, format!("{name} is no text: byte {at} is zero"));
        return refuse("", mistake.help("name the plan file, not a device, an archive or a result"));
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(SourceFile::new(name, text.strip_prefix('\u{feff}').unwrap_or(text))),
        Err(error) => {
            let at = error.valid_up_to();
            // What is wrong is shown as the replacement character, which takes three bytes.
            let text = String::from_utf8_lossy(bytes);
            let place = Span::new(at, at + '\u{fffd}'.len_utf8());
            let mistake = Diagnostic::error(code::SYNTAX_NOT_UTF8, format!("byte {at} of {name} is not UTF-8"));
            refuse(&text, mistake.label(place, format!("byte 0x{:02X}", bytes[at])).help("save the file as UTF-8"))
        }
    }
}

pub(super) fn too_large(name: &str) -> Diagnostic {
    // The reader stops behind the limit, so nobody knows how large the file is.
    Diagnostic::error(code::SYNTAX_TOO_LARGE, format!("{name} is larger than the 4,194,304 bytes that a plan may have"))
        .help("name the plan file; a method of that length should be cut into several plans")
}
