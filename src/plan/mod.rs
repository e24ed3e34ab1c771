//! The plan: from what was written to what is meant. Text in, a valid [`Plan`] or diagnostics out.
//!
//! Must never touch a device, a clock, the terminal or the file system.

mod model;

pub use model::{
    Access, Allow, Axis, DeviceNeed, EngineKind, Extent, Fill, FillAmount, Given, Header, Host, Load, ParamValue, Plan,
    Provenance, RunLimits, Setting, SpanOfArea, Step, StepKind, Test, Workload,
};
