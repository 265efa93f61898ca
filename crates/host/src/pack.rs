//! Blobs of the database: zstd over canonical bytes, unpacked within a limit.

use crate::{HostError, Result};
use serde::{Serialize, de::DeserializeOwned};
use std::io::Read;

/// Level 3 is the usual compromise; states shrink to a tenth in milliseconds.
const LEVEL: i32 = 3;

/// Packs bytes for the database.
pub(crate) fn pack(bytes: &[u8]) -> Result<Vec<u8>> {
    zstd::bulk::compress(bytes, LEVEL).map_err(|error| HostError::Broken(format!("packing: {error}")))
}

/// Unpacks a blob of the database.
pub(crate) fn unpack(blob: &[u8], what: &str) -> Result<Vec<u8>> {
    let damaged = |error: std::io::Error| HostError::Damaged(format!("{what}: {error}").into());
    let limit = kernel::limits::STATE_BYTES as u64;
    let mut bytes = Vec::new();
    zstd::stream::read::Decoder::new(blob)
        .map_err(damaged)?
        .take(limit + 1)
        .read_to_end(&mut bytes)
        .map_err(damaged)?;
    if bytes.len() as u64 > limit {
        return Err(HostError::Damaged(format!("{what}: larger than {limit} bytes").into()));
    }
    Ok(bytes)
}

/// Packs a value.
pub(crate) fn pack_value<T: Serialize>(value: &T) -> Result<Vec<u8>> {
    let bytes = kernel::codec::pack(value).map_err(|error| HostError::Broken(format!("packing: {error}")))?;
    pack(&bytes)
}

/// Unpacks a value.
pub(crate) fn unpack_value<T: DeserializeOwned>(blob: &[u8], what: &str) -> Result<T> {
    kernel::codec::unpack(&unpack(blob, what)?).map_err(|error| HostError::Damaged(format!("{what}: {error}").into()))
}

/// Thirty-two bytes of a digest, seal or secret.
pub(crate) fn bytes32(blob: &[u8], what: &str) -> Result<[u8; 32]> {
    blob.try_into()
        .map_err(|_| HostError::Damaged(format!("{what}: {} bytes instead of 32", blob.len()).into()))
}
