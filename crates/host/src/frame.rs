//! Files of records that can be checked: exported worlds and backups.
//!
//! Sixteen bytes that say what it is, the number of the format as two bytes (little-endian), then one zstd stream of
//! records. A record is its length in four bytes (little-endian) and a MessagePack value with named fields.

use crate::error::HostError;
use crate::store::new_private_file;
use crate::unfit::Flaw;
use crate::{Result, limits};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// Bytes that MessagePack writes as bytes, not as a list of numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Blob(pub Vec<u8>);

impl Serialize for Blob {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Blob {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct Bytes;
        impl serde::de::Visitor<'_> for Bytes {
            type Value = Blob;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("bytes")
            }
            fn visit_bytes<E>(self, bytes: &[u8]) -> std::result::Result<Blob, E> {
                Ok(Blob(bytes.to_vec()))
            }
            fn visit_byte_buf<E>(self, bytes: Vec<u8>) -> std::result::Result<Blob, E> {
                Ok(Blob(bytes))
            }
        }
        deserializer.deserialize_byte_buf(Bytes)
    }
}

/// Size of a written file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Exported {
    /// Number of records.
    pub records: u64,
    /// Bytes of the file.
    pub bytes: u64,
}

/// A file that is being written; it appears under its name only when it is complete.
pub(crate) struct Writer {
    out: Option<zstd::stream::write::Encoder<'static, BufWriter<File>>>,
    hasher: blake3::Hasher,
    records: u64,
    path: PathBuf,
    part: PathBuf,
}

impl Writer {
    pub(crate) fn create(path: &Path, magic: [u8; 16], format: u16) -> Result<Self> {
        let part = path.with_extension("part");
        let failed = |error: io::Error| HostError::file(path, error);
        // In the end it is moved to its name, which would put a file in the place of a terminal or another device.
        if std::fs::metadata(path).is_ok_and(|data| !data.is_file()) {
            return Err(failed(io::ErrorKind::InvalidInput.into()));
        }
        // One that an earlier try left behind may be open to others.
        let _ = std::fs::remove_file(&part);
        let mut file = BufWriter::new(new_private_file(&part).map_err(failed)?);
        file.write_all(&magic).map_err(failed)?;
        file.write_all(&format.to_le_bytes()).map_err(failed)?;
        Ok(Self {
            out: Some(zstd::stream::write::Encoder::new(file, 3).map_err(failed)?),
            hasher: blake3::Hasher::new(),
            records: 0,
            path: path.to_owned(),
            part,
        })
    }

    pub(crate) fn put<T: Serialize>(&mut self, record: &T) -> Result<()> {
        let failed = |error: io::Error| HostError::file(&self.path, error);
        let body = kernel::codec::pack(record).map_err(|error| HostError::Broken(format!("packing: {error}")))?;
        let length = u32::try_from(body.len())
            .map_err(|_| HostError::Broken("a record is too large".into()))?
            .to_le_bytes();
        self.hasher.update(&length);
        self.hasher.update(&body);
        self.records += 1;
        let Some(out) = &mut self.out else {
            return Err(HostError::Broken("the file is finished already".into()));
        };
        out.write_all(&length).map_err(failed)?;
        out.write_all(&body).map_err(failed)
    }

    /// Number of records so far and the digest of their bytes.
    pub(crate) fn so_far(&self) -> (u64, Blob) {
        (self.records, Blob(self.hasher.finalize().as_bytes().to_vec()))
    }

    pub(crate) fn finish(mut self) -> Result<Exported> {
        let failed = |error: io::Error| HostError::file(&self.path, error);
        let Some(out) = self.out.take() else {
            return Err(HostError::Broken("the file is finished already".into()));
        };
        let mut file = out.finish().map_err(failed)?;
        file.flush().map_err(failed)?;
        let file = file.into_inner().map_err(|error| failed(error.into_error()))?;
        file.sync_all().map_err(failed)?;
        let bytes = file.metadata().map_err(failed)?.len();
        std::fs::rename(&self.part, &self.path).map_err(failed)?;
        Ok(Exported {
            records: self.records,
            bytes,
        })
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // After success there is no part any more. Otherwise it is of no use to anyone; that it may not go away either is no
        // further harm.
        let _ = std::fs::remove_file(&self.part);
    }
}

/// A file that is being read.
pub(crate) struct Reader {
    input: io::Take<zstd::stream::read::Decoder<'static, BufReader<File>>>,
    hasher: blake3::Hasher,
    records: u64,
}

/// What is wrong with a file from outside.
pub(crate) fn flawed(flaw: Flaw) -> HostError {
    HostError::BrokenArchive(flaw)
}

/// How what a file from outside holds contradicts itself.
pub(crate) fn broken(how: &str) -> HostError {
    flawed(Flaw::Content(how.to_owned()))
}

impl Reader {
    pub(crate) fn open(path: &Path, magic: [u8; 16], format: u16) -> Result<Self> {
        let file = File::open(path).map_err(|error| HostError::file(path, error))?;
        let mut file = BufReader::new(file);
        let mut head = [0; 18];
        file.read_exact(&mut head).map_err(|_| flawed(Flaw::Foreign))?;
        let (begin, number) = head.split_at(16);
        if begin != magic {
            return Err(flawed(Flaw::Foreign));
        }
        if number != format.to_le_bytes() {
            return Err(flawed(Flaw::Newer));
        }
        let stream = zstd::stream::read::Decoder::with_buffer(file).map_err(|_| flawed(Flaw::Cut(0)))?;
        Ok(Self {
            input: stream.take(limits::ARCHIVE_BYTES),
            hasher: blake3::Hasher::new(),
            records: 0,
        })
    }

    pub(crate) fn next<T: DeserializeOwned>(&mut self) -> Result<T> {
        let records = self.records;
        let cut = |_: io::Error| flawed(Flaw::Cut(records));
        let mut length = [0; 4];
        self.input.read_exact(&mut length).map_err(cut)?;
        let size = u32::from_le_bytes(length) as usize;
        if size > limits::RECORD_BYTES || self.records >= limits::RECORDS {
            return Err(broken("a record is too large, or there are too many"));
        }
        // The length is a claim: memory is taken as bytes really come.
        let mut body = Vec::new();
        (&mut self.input)
            .take(size as u64)
            .read_to_end(&mut body)
            .map_err(cut)?;
        if body.len() != size {
            return Err(flawed(Flaw::Cut(records)));
        }
        self.hasher.update(&length);
        self.hasher.update(&body);
        self.records += 1;
        kernel::codec::unpack(&body).map_err(|error| broken(&format!("record {}: {error}", self.records)))
    }

    /// Number of records so far and the digest of their bytes.
    pub(crate) fn so_far(&self) -> (u64, Blob) {
        (self.records, Blob(self.hasher.finalize().as_bytes().to_vec()))
    }

    /// Nothing may follow.
    pub(crate) fn expect_end(&mut self) -> Result<()> {
        match self.input.read(&mut [0; 1]) {
            Ok(0) => Ok(()),
            _ => Err(broken("something follows its end")),
        }
    }
}
