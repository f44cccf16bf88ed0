//! Frames that wait, oldest first: some in memory, the rest on disk.
//!
//! Files on disk are unlinked, so they disappear with the process. A file is freed when all of it
//! was read; the limit counts the space that is really occupied.

use std::collections::VecDeque;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

/// A bounded queue of frames.
#[derive(Debug)]
pub(crate) struct Spool {
    dir: PathBuf,
    limit: u64,
    memory_limit: u64,
    file_size: u64,
    memory: VecDeque<Vec<u8>>,
    in_memory: u64,
    files: VecDeque<Segment>,
}

/// One file.
#[derive(Debug)]
struct Segment {
    file: File,
    written: u64,
    read: u64,
    /// The lengths of the frames that wait in it. Here and not in the file, so that a frame that
    /// cannot be read is passed over.
    lengths: VecDeque<u32>,
}

impl Spool {
    /// How many bytes of frames may wait in memory.
    const MEMORY_BYTES_MAX: u64 = 4 * 1024 * 1024;

    /// An empty queue of at most `limit` bytes: a quarter of it at most in memory, the rest in
    /// files in `dir`.
    pub(crate) fn new(dir: PathBuf, limit: u64) -> Self {
        Self {
            dir,
            limit,
            memory_limit: Self::MEMORY_BYTES_MAX.min(limit / 4),
            file_size: (limit / 8).clamp(64 * 1024, 64 * 1024 * 1024),
            memory: VecDeque::new(),
            in_memory: 0,
            files: VecDeque::new(),
        }
    }

    /// Occupied bytes.
    pub(crate) fn used(&self) -> u64 {
        let on_disk: u64 = self.files.iter().map(|file| file.written).sum();
        self.in_memory + on_disk
    }

    /// The limit in bytes.
    pub(crate) fn limit(&self) -> u64 {
        self.limit
    }

    /// Whether `spare` bytes stay free after a frame of `len` bytes.
    pub(crate) fn has_room(&self, len: u64, spare: u64) -> bool {
        self.used() + len + spare <= self.limit
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.memory.is_empty() && self.files.is_empty()
    }

    /// Appends a frame.
    ///
    /// # Errors
    /// The system's. The queue is unchanged then.
    pub(crate) fn push(&mut self, frame: Vec<u8>) -> io::Result<()> {
        let len = frame.len() as u64;
        // A single frame may exceed the share of memory, as it is sent next.
        let fits = self.in_memory + len <= self.memory_limit || self.memory.is_empty();
        if self.files.is_empty() && fits {
            self.in_memory += len;
            self.memory.push_back(frame);
            return Ok(());
        }
        let is_full = |file: &Segment| file.written >= self.file_size;
        if self.files.back().is_none_or(is_full) {
            self.files.push_back(Segment {
                file: tempfile::tempfile_in(&self.dir)?,
                written: 0,
                read: 0,
                lengths: VecDeque::new(),
            });
        }
        let written = match self.files.back_mut() {
            Some(file) => file.append(&frame),
            None => Ok(()),
        };
        if written.is_err() && self.files.back().is_some_and(|file| file.written == 0) {
            self.files.pop_back();
        }
        written
    }

    /// Takes the oldest frame.
    ///
    /// # Errors
    /// The system's. The frame is lost, and the one after it is next.
    pub(crate) fn pop(&mut self) -> io::Result<Option<Vec<u8>>> {
        if let Some(frame) = self.memory.pop_front() {
            self.in_memory -= frame.len() as u64;
            return Ok(Some(frame));
        }
        let Some(file) = self.files.front_mut() else {
            return Ok(None);
        };
        let frame = file.next();
        if file.lengths.is_empty() {
            self.files.pop_front();
        }
        frame.map(Some)
    }
}

impl Segment {
    fn append(&mut self, frame: &[u8]) -> io::Result<()> {
        let len = u32::try_from(frame.len()).map_err(io::Error::other)?;
        self.file.write_all_at(frame, self.written)?;
        self.written += u64::from(len);
        self.lengths.push_back(len);
        Ok(())
    }

    /// The next frame. One that cannot be read is passed over.
    fn next(&mut self) -> io::Result<Vec<u8>> {
        let len = self.lengths.pop_front().unwrap_or_default();
        let mut frame = vec![0; len as usize];
        let read = self.file.read_exact_at(&mut frame, self.read);
        self.read += u64::from(len);
        read.map(|()| frame)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// `None` takes one frame, a number adds a frame of that many bytes.
        #[test]
        fn frames_come_out_in_the_order_they_went_in(
            steps in proptest::collection::vec(proptest::option::of(0_usize..40_000), 0..200)
        ) {
            let mut spool = Spool::new(std::env::temp_dir(), 512 * 1024);
            let mut model = VecDeque::new();
            for (number, step) in steps.into_iter().enumerate() {
                match step {
                    Some(len) => {
                        let frame = vec![u8::try_from(number % 251).unwrap(); len];
                        if spool.has_room(len as u64, 0) {
                            spool.push(frame.clone()).unwrap();
                            model.push_back(frame);
                        }
                    }
                    None => prop_assert_eq!(spool.pop().unwrap(), model.pop_front()),
                }
                prop_assert!(spool.used() <= spool.limit(), "only what there is room for was put in");
                prop_assert_eq!(spool.is_empty(), model.is_empty());
            }
            while let Some(frame) = model.pop_front() {
                prop_assert_eq!(spool.pop().unwrap(), Some(frame));
            }
            prop_assert_eq!(spool.used(), 0);
        }
    }

    #[test]
    fn frames_that_cannot_be_read_back_are_passed_over() {
        let mut spool = Spool::new(std::env::temp_dir(), 512 * 1024);
        for number in 0..6_u8 {
            spool.push(vec![number; 60_000]).unwrap();
        }
        let path = std::env::temp_dir().join(format!("loadline-spool-{}", std::process::id()));
        for file in &mut spool.files {
            // It can only be written.
            file.file = File::create(&path).unwrap();
        }
        std::fs::remove_file(&path).unwrap();
        let all: Vec<bool> =
            std::iter::from_fn(|| (!spool.is_empty()).then(|| spool.pop().is_ok())).collect();
        assert_eq!(all, [true, true, false, false, false, false]);
        assert_eq!(spool.used(), 0);
    }
}
