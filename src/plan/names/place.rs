use std::fmt;

/// Where a node can stand: the top level of a plan, or the children of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// Outside of all nodes.
    Top,
    /// In `plan`.
    Plan,
    /// In `param`.
    Param,
    /// In `device`.
    Device,
    /// In `host`.
    Host,
    /// In `workload`.
    Workload,
    /// In `stream`.
    Stream,
    /// In `access`.
    Access,
    /// In `block-size`.
    BlockSize,
    /// In `procedure`.
    Procedure,
    /// In `setup`.
    Setup,
    /// In `before-each`.
    BeforeEach,
    /// In `test`.
    Test,
    /// In `secure-erase`.
    SecureErase,
    /// In `fill`.
    Fill,
    /// In `precondition`.
    Precondition,
    /// In `measure`.
    Measure,
    /// In `load`.
    Load,
    /// In `matrix`.
    Matrix,
    /// In `steady-state`.
    SteadyState,
    /// In `between-cases`.
    BetweenCases,
    /// In `rounds`.
    Rounds,
    /// In `for-each`.
    ForEach,
    /// In `replay`.
    Replay,
    /// In `pick`.
    Pick,
    /// In `report`.
    Report,
    /// In `rig`.
    Rig,
    /// In a rig's `drive`.
    RigDrive,
    /// In a rig's `host`.
    RigHost,
}

impl Place {
    /// All places, from the outside in.
    pub const ALL: [Place; 29] = [
        Place::Top,
        Place::Plan,
        Place::Param,
        Place::Device,
        Place::Host,
        Place::Workload,
        Place::Stream,
        Place::Access,
        Place::BlockSize,
        Place::Procedure,
        Place::Setup,
        Place::BeforeEach,
        Place::Test,
        Place::SecureErase,
        Place::Fill,
        Place::Precondition,
        Place::Measure,
        Place::Load,
        Place::Matrix,
        Place::SteadyState,
        Place::BetweenCases,
        Place::Rounds,
        Place::ForEach,
        Place::Replay,
        Place::Pick,
        Place::Report,
        Place::Rig,
        Place::RigDrive,
        Place::RigHost,
    ];

    /// The node whose children stand here; `None` at the top level.
    pub const fn node(self) -> Option<&'static str> {
        Some(match self {
            Place::Top => return None,
            Place::Plan => "plan",
            Place::Param => "param",
            Place::Device => "device",
            Place::Host | Place::RigHost => "host",
            Place::Workload => "workload",
            Place::Stream => "stream",
            Place::Access => "access",
            Place::BlockSize => "block-size",
            Place::Procedure => "procedure",
            Place::Setup => "setup",
            Place::BeforeEach => "before-each",
            Place::Test => "test",
            Place::SecureErase => "secure-erase",
            Place::Fill => "fill",
            Place::Precondition => "precondition",
            Place::Measure => "measure",
            Place::Load => "load",
            Place::Matrix => "matrix",
            Place::SteadyState => "steady-state",
            Place::BetweenCases => "between-cases",
            Place::Rounds => "rounds",
            Place::ForEach => "for-each",
            Place::Replay => "replay",
            Place::Pick => "pick",
            Place::Report => "report",
            Place::Rig => "rig",
            Place::RigDrive => "drive",
        })
    }

    /// True where steps stand.
    pub fn holds_steps(self) -> bool {
        super::step::STEPS.contains(&self)
    }
}

/// As a phrase: "at the top level", "in `measure`".
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, self.node()) {
            (Place::RigHost, _) => write!(f, "in a rig's `host`"),
            (_, Some(node)) => write!(f, "in `{node}`"),
            (_, None) => write!(f, "at the top level"),
        }
    }
}
