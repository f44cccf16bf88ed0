//! Listens for each attack, and carries it out on every connection.

use std::io::{self, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use super::{Attack, AttackEnd, AttackProtocol, all};
use crate::server::TlsMaterial;

/// Between two drops of a drip.
const DRIP_INTERVAL: Duration = Duration::from_secs(1);

/// All attacks, each at an address of its own. Its threads end with the process.
pub struct AttackServer {
    attacks: Vec<(Attack, SocketAddr)>,
}

impl AttackServer {
    /// Listens on loopback. HTTPS has a certificate of `material`'s.
    ///
    /// # Errors
    /// The kernel's.
    pub fn start(material: &TlsMaterial) -> io::Result<Self> {
        let mut attacks = Vec::new();
        for attack in all() {
            let listener = TcpListener::bind("127.0.0.1:0")?;
            attacks.push((attack.clone(), listener.local_addr()?));
            let (attack, secure) = (Arc::new(attack), material.http2());
            std::thread::spawn(move || {
                for stream in listener.incoming().flatten() {
                    let (attack, secure) = (attack.clone(), secure.clone());
                    // A client that goes away ends its attack.
                    std::thread::spawn(move || drop(attack.carry_out(stream, secure)));
                }
            });
        }
        Ok(Self { attacks })
    }

    /// The attacks, and where they are.
    #[must_use]
    pub fn attacks(&self) -> &[(Attack, SocketAddr)] {
        &self.attacks
    }
}

impl Attack {
    fn carry_out(&self, stream: TcpStream, secure: Arc<ServerConfig>) -> io::Result<()> {
        stream.set_nodelay(true)?;
        match self.protocol {
            AttackProtocol::Http1 | AttackProtocol::Sse => self.answer_requests(stream),
            AttackProtocol::Http2 => {
                let session = ServerConnection::new(secure).map_err(io::Error::other)?;
                let raw = stream.try_clone()?;
                self.after_hello(StreamOwned::new(session, stream), Some(raw))
            }
            AttackProtocol::Grpc | AttackProtocol::Tls => {
                let mut stream = stream;
                let mut hello = [0; 4096];
                let _ = stream.read(&mut hello)?;
                let raw = stream.try_clone()?;
                self.after_hello(stream, Some(raw))
            }
            AttackProtocol::WebSocket | AttackProtocol::SocketIo => self.after_handshake(stream),
        }
    }

    fn answer_requests(&self, mut stream: TcpStream) -> io::Result<()> {
        let mut requests = BufReader::new(stream.try_clone()?);
        loop {
            if request_fields(&mut requests)?.is_empty() {
                return Ok(());
            }
            stream.write_all(&self.first)?;
            if self.end != AttackEnd::Again {
                return self.go_on(&mut stream);
            }
        }
    }

    fn after_handshake(&self, mut stream: TcpStream) -> io::Result<()> {
        let fields = request_fields(&mut BufReader::new(stream.try_clone()?))?;
        let key = fields.iter().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            let is_key = name.eq_ignore_ascii_case("sec-websocket-key");
            is_key.then(|| value.trim().to_owned())
        });
        let salted = key.unwrap_or_default() + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
        let digest = aws_lc_rs::digest::digest(
            &aws_lc_rs::digest::SHA1_FOR_LEGACY_USE_ONLY,
            salted.as_bytes(),
        );
        let accept = base64::engine::general_purpose::STANDARD.encode(digest);
        let head = format!(
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n"
        );
        stream.write_all(head.as_bytes())?;
        // Nothing of a WebSocket is read: its answers to pings pile up at the client.
        self.after_hello(stream, None)
    }

    /// Attacks; what comes from `read` meanwhile is taken and thrown away.
    fn after_hello(
        &self,
        mut stream: impl Read + Write,
        read: Option<TcpStream>,
    ) -> io::Result<()> {
        stream.write_all(&self.first)?;
        stream.flush()?;
        let Some(mut read) = read else {
            return self.go_on(&mut stream);
        };
        let reader = std::thread::spawn(move || drop(io::copy(&mut read, &mut io::sink())));
        if self.end != AttackEnd::Silence {
            return self.go_on(&mut stream);
        }
        // A panic of a copy to nowhere does not happen.
        let _ = reader.join();
        Ok(())
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "a peer that drips takes its time, on a thread of its own"
    )]
    fn go_on(&self, stream: &mut (impl Read + Write)) -> io::Result<()> {
        match self.end {
            AttackEnd::Again | AttackEnd::Close => Ok(()),
            AttackEnd::Silence => loop {
                if stream.read(&mut [0; 4096])? == 0 {
                    return Ok(());
                }
            },
            AttackEnd::Flood => loop {
                stream.write_all(&self.flood)?;
            },
            AttackEnd::Drip => loop {
                stream.write_all(&self.flood)?;
                std::thread::sleep(DRIP_INTERVAL);
            },
        }
    }
}

/// The lines of a request's head; none at the end of the connection.
fn request_fields(requests: &mut impl io::BufRead) -> io::Result<Vec<String>> {
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if requests.read_line(&mut line)? == 0 {
            return Ok(Vec::new());
        }
        if line.trim_end().is_empty() {
            return Ok(lines);
        }
        lines.push(line.trim_end().to_owned());
    }
}
