//! The program: arguments in, an exit code out. Everything else is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    shakedown::cli::main(std::env::args_os()).into()
}
