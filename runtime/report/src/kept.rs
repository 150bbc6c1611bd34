//! How parts of a report are written into files, where JSON has no form of its own for them.

/// Binary64 numbers as their bits: all of them come back, those that are none included.
pub(crate) mod number {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(value: &f64, to: S) -> Result<S::Ok, S::Error> {
        value.to_bits().serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
        u64::deserialize(from).map(f64::from_bits)
    }
}

/// Tiers by their names.
pub(crate) mod tier {
    use parallax_num::Tier;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(tier: &Tier, to: S) -> Result<S::Ok, S::Error> {
        tier.name().serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Tier, D::Error> {
        let name = String::deserialize(from)?;
        Tier::from_name(&name).ok_or_else(|| D::Error::custom(format_args!("no tier `{name}`")))
    }
}

/// Bytes of files as Base64.
pub(crate) mod bytes {
    use crate::base64;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        base64::encode(bytes).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        let text = String::deserialize(from)?;
        base64::decode(&text).ok_or_else(|| D::Error::custom("no Base64"))
    }
}
