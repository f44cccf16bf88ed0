//! Servers that tests start, stop and start again.

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

/// A program that stands somewhere on the path, or where Debian puts `PostgreSQL`'s.
pub(crate) fn program(name: &str) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap();
    let debian = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten();
    let debian = debian.flatten().map(|version| version.path().join("bin"));
    let mut folders: Vec<PathBuf> = debian.collect();
    folders.extend(std::env::split_paths(&path));
    let programs = folders.iter().map(|folder| folder.join(name));
    programs
        .into_iter()
        .find(|program| program.is_file())
        .unwrap_or_else(|| panic!("{name} is missing: run tools/packages.sh"))
}

/// The program as a user who may run servers.
pub(crate) fn command(program: &Path) -> Command {
    let is_root = std::fs::metadata("/proc/self").is_ok_and(|own| {
        use std::os::unix::fs::MetadataExt;
        own.uid() == 0
    });
    if !is_root {
        return Command::new(program);
    }
    let mut command = Command::new("runuser");
    command.args(["-u", "nobody", "--"]).arg(program);
    command
}

pub(crate) fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

/// A server of its own, in a folder of its own.
pub(crate) struct Server {
    program: PathBuf,
    args: Vec<String>,
    pub(crate) folder: TempDir,
    pub(crate) port: u16,
    process: Option<Child>,
}

impl Server {
    pub(crate) fn start(&mut self) {
        let mut process = command(&self.program)
            .args(&self.args)
            .current_dir(self.folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            let ended = process.try_wait().unwrap();
            assert_eq!(ended, None, "the server does not start");
            std::thread::yield_now();
        }
        self.process = Some(process);
    }

    pub(crate) fn stop(&mut self) {
        let Some(mut process) = self.process.take() else {
            return;
        };
        // PostgreSQL asked with TERM waits for its clients; with INT it ends at once.
        let file = self.folder.path().join("data/postmaster.pid");
        let postmaster = std::fs::read_to_string(file).ok();
        let postmaster = postmaster.and_then(|text| Some(text.lines().next()?.to_owned()));
        let (signal, pid) = match postmaster {
            Some(pid) => ("-INT", pid),
            None => ("-TERM", process.id().to_string()),
        };
        let _ = Command::new("kill").args([signal, &pid]).status();
        let _ = process.wait();
    }

    pub(crate) fn postgres() -> Self {
        let (initdb, program) = (program("initdb"), program("postgres"));
        let (folder, port) = (folder(), free_port());
        let data = folder.path().join("data");
        let made = command(&initdb)
            .args([
                "-A",
                "trust",
                "-U",
                "postgres",
                "-E",
                "UTF8",
                "--locale=C",
                "-D",
            ])
            .arg(&data)
            .current_dir(folder.path())
            .stdout(Stdio::null())
            .status()
            .unwrap();
        assert!(made.success());
        let settings = [
            "shared_preload_libraries=pg_stat_statements".to_owned(),
            format!("port={port}"),
            "listen_addresses=127.0.0.1".to_owned(),
            format!("unix_socket_directories={}", data.display()),
            "max_connections=23".to_owned(),
            "fsync=off".to_owned(),
        ];
        let mut args = vec!["-D".to_owned(), data.display().to_string()];
        for setting in settings {
            args.extend(["-c".to_owned(), setting]);
        }
        Self::new(program, args, folder, port)
    }

    pub(crate) fn redis() -> Self {
        let program = program("redis-server");
        let (folder, port) = (folder(), free_port());
        let args = [
            "--port",
            &port.to_string(),
            "--bind",
            "127.0.0.1",
            "--save",
            "",
        ];
        let password = ["--requirepass", "s3cret-of-redis"];
        let args = args.into_iter().chain(password).map(str::to_owned);
        let args = args.collect();
        Self::new(program, args, folder, port)
    }

    pub(crate) fn new(program: PathBuf, args: Vec<String>, folder: TempDir, port: u16) -> Self {
        let mut server = Self {
            program,
            args,
            folder,
            port,
            process: None,
        };
        server.start();
        server
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A folder that any user may write to.
pub(crate) fn folder() -> TempDir {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let open = std::fs::Permissions::from_mode(0o777);
    std::fs::set_permissions(folder.path(), open).unwrap();
    folder
}
