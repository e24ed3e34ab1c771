//! How a drive is purged.

use serde::{Deserialize, Serialize};

use super::Given;
use crate::units::{BlockSize, RunTime};

/// A `secure-erase` step.
#[derive(Debug, Clone, PartialEq)]
pub struct SecureErase {
    /// How.
    pub method: Given<PurgeMethod>,
    /// The kind within the method, as `crypto`; none: the method's own choice.
    pub action: Option<Given<PurgeAction>>,
    /// The weakest method that will do; none: any.
    pub at_least: Option<Given<PurgeMethod>>,
    /// How long it may take; none: as long as the drive says.
    pub timeout: Option<Given<RunTime>>,
    /// The logical block size to format with.
    pub lba_format: Option<Given<BlockSize>>,
}

/// How a drive is purged, in the order in which `auto` prefers them: best reset for measuring first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PurgeMethod {
    /// The best method that the drive offers.
    Auto,
    /// NVMe Format.
    NvmeFormat,
    /// NVMe Sanitize.
    NvmeSanitize,
    /// ATA Security Erase.
    AtaSecurity,
    /// SCSI Sanitize.
    ScsiSanitize,
    /// SCSI Format Unit.
    ScsiFormat,
    /// Discards every block.
    Discard,
    /// Discards every block securely.
    SecureDiscard,
    /// Writes zeros.
    Zero,
}

impl PurgeMethod {
    /// All, in the order of the reference.
    pub const ALL: [PurgeMethod; 9] = [
        PurgeMethod::Auto,
        PurgeMethod::NvmeFormat,
        PurgeMethod::NvmeSanitize,
        PurgeMethod::AtaSecurity,
        PurgeMethod::ScsiSanitize,
        PurgeMethod::ScsiFormat,
        PurgeMethod::Discard,
        PurgeMethod::SecureDiscard,
        PurgeMethod::Zero,
    ];

    /// As the plan spells it.
    pub const fn name(self) -> &'static str {
        match self {
            PurgeMethod::Auto => "auto",
            PurgeMethod::NvmeFormat => "nvme-format",
            PurgeMethod::NvmeSanitize => "nvme-sanitize",
            PurgeMethod::AtaSecurity => "ata-security",
            PurgeMethod::ScsiSanitize => "scsi-sanitize",
            PurgeMethod::ScsiFormat => "scsi-format",
            PurgeMethod::Discard => "discard",
            PurgeMethod::SecureDiscard => "secure-discard",
            PurgeMethod::Zero => "zero",
        }
    }
}

/// The kind of a purge within its method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PurgeAction {
    /// NVMe Format: erases user data.
    UserData,
    /// Changes the key: NVMe Format, NVMe and SCSI Sanitize.
    Crypto,
    /// Erases every block: NVMe and SCSI Sanitize.
    Block,
    /// Overwrites every block: NVMe and SCSI Sanitize.
    Overwrite,
    /// ATA Security Erase, normal.
    Normal,
    /// ATA Security Erase, enhanced.
    Enhanced,
}

impl PurgeAction {
    /// All, in the order of the reference.
    pub const ALL: [PurgeAction; 6] = [
        PurgeAction::UserData,
        PurgeAction::Crypto,
        PurgeAction::Block,
        PurgeAction::Overwrite,
        PurgeAction::Normal,
        PurgeAction::Enhanced,
    ];

    /// As the plan spells it.
    pub const fn name(self) -> &'static str {
        match self {
            PurgeAction::UserData => "user-data",
            PurgeAction::Crypto => "crypto",
            PurgeAction::Block => "block",
            PurgeAction::Overwrite => "overwrite",
            PurgeAction::Normal => "normal",
            PurgeAction::Enhanced => "enhanced",
        }
    }

    /// True where the method has this kind.
    pub const fn fits(self, method: PurgeMethod) -> bool {
        match method {
            PurgeMethod::NvmeFormat => matches!(self, PurgeAction::UserData | PurgeAction::Crypto),
            PurgeMethod::NvmeSanitize | PurgeMethod::ScsiSanitize => {
                matches!(self, PurgeAction::Crypto | PurgeAction::Block | PurgeAction::Overwrite)
            }
            PurgeMethod::AtaSecurity => matches!(self, PurgeAction::Normal | PurgeAction::Enhanced),
            PurgeMethod::Auto
            | PurgeMethod::ScsiFormat
            | PurgeMethod::Discard
            | PurgeMethod::SecureDiscard
            | PurgeMethod::Zero => false,
        }
    }
}
