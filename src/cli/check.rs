use super::args::{CheckArgs, CheckFormat};
use super::plan_folder::PlanFolder;
use super::{Outcome, Screen, plan_text};
use crate::diag::{Diagnostics, Severity, render};
use crate::plan;
use crate::schedule::{self, History};

/// `shakedown check PLAN…`
pub(super) fn check(args: &CheckArgs, screen: &Screen) -> Outcome {
    let mut all = Diagnostics::without_source();
    let mut unreadable = false;
    let mut sound = Vec::new();
    for path in &args.plans {
        let text = match plan_text::read(path) {
            Ok(text) => text,
            Err((line, _)) => {
                screen.complain(&line);
                unreadable = true;
                continue;
            }
        };
        let found = match text {
            Ok(source) => {
                let loaded = plan::load_with(&source, &args.set.set, &PlanFolder::of(path));
                let mut found = loaded.diagnostics;
                if let Some(plan) = &loaded.plan {
                    let schedule = schedule::expand(plan, None);
                    // `found` has the text as its source, which these take over.
                    found.append(plan.texts.settle(&schedule::check_state(plan, &schedule, None, History::Unknown)));
                    if !found.has_errors() {
                        sound.push((source.name().to_string(), schedule));
                    }
                }
                found
            }
            Err(found) => found,
        };
        all.append(found);
    }
    let printed = match args.format {
        CheckFormat::Text => {
            screen.show(&all);
            for (name, schedule) in &sound {
                let (steps, cases) = (schedule.steps.len(), schedule.measured_cases());
                let plural = |count: usize| if count == 1 { "" } else { "s" };
                let (of_steps, of_cases) = (plural(steps), plural(cases));
                screen.say(&format!("{name}: sound; {steps} step{of_steps}, {cases} measured case{of_cases}"));
            }
            Ok(())
        }
        CheckFormat::Json => screen.print(&render::json(&all), &args.output),
        CheckFormat::Github => screen.print(&render::github(&all), &args.output),
        CheckFormat::Sarif => screen.print(&render::sarif(&all), &args.output),
    };
    if let Err(outcome) = printed {
        return outcome;
    }
    let refused = all.has_errors() || (args.deny_warnings && all.count(Severity::Warning) > 0);
    match (unreadable, refused) {
        (true, _) => Outcome::WrongCommandLine,
        (false, true) => Outcome::PlanRefused,
        (false, false) => Outcome::Done,
    }
}
