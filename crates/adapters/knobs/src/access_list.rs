//! Access lists of files (POSIX ACLs): who may do what beside the owner, the group and all others.

use std::io;
use std::path::Path;

use rustix::fs::XattrFlags;
use rustix::io::Errno;

/// Where the kernel keeps a file's list.
const ATTRIBUTE: &str = "system.posix_acl_access";
/// The most that the kernel keeps in an attribute.
const LIST_BYTES_MAX: usize = 64 * 1024;
/// Of a number in a text.
const HEX_BASE: u32 = 16;

/// A file's list in hexadecimal digits; `None` without one.
///
/// # Errors
/// The kernel's.
pub(crate) fn access_list(path: &Path) -> io::Result<Option<String>> {
    let mut bytes = vec![0; LIST_BYTES_MAX];
    match rustix::fs::getxattr(path, ATTRIBUTE, &mut bytes) {
        Ok(length) => {
            let list = &bytes[..length];
            Ok(Some(
                list.iter().map(|byte| format!("{byte:02x}")).collect(),
            ))
        }
        // None, or a file system that keeps none.
        Err(Errno::NODATA | Errno::OPNOTSUPP | Errno::NOSYS) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Gives a file a list, or takes it away.
///
/// # Errors
/// The kernel's; a text that is no list.
pub(crate) fn set_access_list(path: &Path, list: Option<&str>) -> io::Result<()> {
    let Some(list) = list else {
        return Ok(rustix::fs::removexattr(path, ATTRIBUTE)?);
    };
    let bytes = bytes_of(list).ok_or(io::ErrorKind::InvalidData)?;
    Ok(rustix::fs::setxattr(
        path,
        ATTRIBUTE,
        &bytes,
        XattrFlags::empty(),
    )?)
}

fn bytes_of(list: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = list
        .chars()
        .map(|digit| {
            digit
                .to_digit(HEX_BASE)
                .and_then(|digit| u8::try_from(digit).ok())
        })
        .collect();
    let digits = digits.filter(|digits| digits.len().is_multiple_of(2))?;
    Some(
        digits
            .chunks_exact(2)
            .map(|pair| pair[0] << 4 | pair[1])
            .collect(),
    )
}
