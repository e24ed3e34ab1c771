use super::args::{ExpandArgs, ExpandFormat};
use super::{Outcome, Screen, plan_text, target};
use crate::report;
use crate::schedule::{self, History};

/// `shakedown expand PLAN`
pub(super) fn expand(args: &ExpandArgs, screen: &Screen) -> Outcome {
    match try_expand(args, screen) {
        Ok(()) => Outcome::Done,
        Err(outcome) => outcome,
    }
}

fn try_expand(args: &ExpandArgs, screen: &Screen) -> Result<(), Outcome> {
    let loaded = plan_text::load_chosen(&args.plan, screen)?;
    let mut found = loaded.found;
    let texts = &loaded.plan.texts;
    let device = target::named(&loaded.plan, &args.device, false, screen)?;
    let ground = device.as_deref().map(|device| target::ground(device.facts()));
    if let Some(ground) = &ground {
        found.append(texts.settle(&schedule::bind(&loaded.plan, ground)));
    }
    let mut schedule = schedule::expand(&loaded.plan, ground.as_ref());
    schedule.conditions = device.as_deref().map(|device| target::conditions(&loaded.plan, &schedule, device.facts()));
    found.append(texts.settle(&schedule::check(&loaded.plan, &schedule, ground.as_ref(), History::Unknown)));
    screen.show(&found);
    if found.has_errors() {
        return Err(Outcome::PlanRefused);
    }
    for step in &mut schedule.steps {
        // Who reads the schedule knows the plan's own file alone.
        step.place = texts.in_plan(step.place);
    }
    let facts = device.as_deref().map(|device| device.facts());
    let text = match args.format {
        ExpandFormat::Text => report::schedule_text(&schedule, facts, screen.width()),
        ExpandFormat::Matrix => report::schedule_matrix(&schedule, screen.width()),
        ExpandFormat::Json => report::schedule_json(&schedule, facts),
    };
    screen.print(&text, &args.output)
}
