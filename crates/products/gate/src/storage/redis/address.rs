//! Where Redis is: one server, over TLS or not, or the primary that Sentinels name.

use ::redis::aio::MultiplexedConnection;
use ::redis::{
    AsyncConnectionConfig, Client, ConnectionAddr, ConnectionInfo, IntoConnectionInfo, RedisError,
    RedisResult, TlsCertificates, cmd,
};
use std::time::Duration;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;

use super::errors::away;
use crate::storage::{LogStoreError, UnsuitableReason};

/// How Redis is reached.
#[derive(Clone, Default)]
pub struct RedisOptions {
    /// `redis://[user[:password]@]host:port[/db]`, `rediss://...` over TLS, or
    /// `redis+sentinel://[user[:password]@]host:port,host:port/name[/db]`, with `rediss+` where
    /// Redis and the Sentinels speak TLS.
    pub url: String,
    /// Instead of one in the URL.
    pub password: Option<String>,
    /// Certificates in PEM of who may have signed the server's, instead of the system's.
    pub authorities: Option<Vec<u8>>,
    /// Prefix of all keys.
    pub prefix: String,
    /// How many replicas must have an entry before it is announced; 0 for none.
    pub replicas: u32,
}

/// Where Redis is.
#[derive(Clone)]
pub(super) struct Address {
    /// The server, or how to log in at the one that Sentinels name.
    server: Client,
    /// Sentinels, and the name that they know the primary by.
    sentinels: Option<(Vec<Client>, String)>,
    options: RedisOptions,
}

const SENTINEL: [(&str, &str); 2] = [
    ("redis+sentinel://", "redis://"),
    ("rediss+sentinel://", "rediss://"),
];

impl Address {
    /// Reads it; connects to nothing.
    pub(super) fn read(options: RedisOptions) -> Result<Self, LogStoreError> {
        if let Some(pem) = &options.authorities {
            let certificates = CertificateDer::pem_slice_iter(pem).filter_map(Result::ok);
            if !options.url.starts_with("rediss") || certificates.count() == 0 {
                return Err(UnsuitableReason::Authorities.into());
            }
        }
        // What it holds may be a password: no error shows it.
        let refused = || LogStoreError::from(UnsuitableReason::Address);
        for (scheme, of_each) in SENTINEL {
            let Some(rest) = options.url.strip_prefix(scheme) else {
                continue;
            };
            let (login, rest) = rest
                .rsplit_once('@')
                .map_or(("", rest), |(login, rest)| (login, rest));
            let (hosts, path) = rest.split_once('/').ok_or_else(refused)?;
            let (name, db) = path.split_once('/').unwrap_or((path, "0"));
            if name.is_empty() {
                return Err(refused());
            }
            let at = if login.is_empty() { "" } else { "@" };
            let of_host = |host: &str| {
                if host.contains(':') {
                    format!("{of_each}{host}")
                } else {
                    format!("{of_each}{host}:26379")
                }
            };
            let sentinels = hosts
                .split(',')
                .map(|host| client(of_host(host).as_str(), &options));
            let sentinels = sentinels.collect::<RedisResult<Vec<Client>>>();
            let sentinels = sentinels.map_err(|_| refused())?;
            // The address is replaced by the one that they tell.
            let template = format!("{of_each}{login}{at}sentinel.invalid:6379/{db}");
            let server = with_password(&template, &options).map_err(|_| refused())?;
            let name = name.to_owned();
            return Ok(Self {
                server,
                sentinels: Some((sentinels, name)),
                options,
            });
        }
        if !options.url.starts_with("redis://") && !options.url.starts_with("rediss://") {
            return Err(refused());
        }
        let server = with_password(&options.url, &options).map_err(|_| refused())?;
        Ok(Self {
            server,
            sentinels: None,
            options,
        })
    }

    /// For people. The address only: a URL may hold a password.
    pub(super) fn about(&self) -> String {
        match &self.sentinels {
            None => format!("redis at {}", self.server.get_connection_info().addr()),
            Some((sentinels, name)) => {
                let hosts = sentinels
                    .iter()
                    .map(|s| s.get_connection_info().addr().to_string());
                let hosts: Vec<String> = hosts.collect();
                format!("redis `{name}` of the Sentinels at {}", hosts.join(", "))
            }
        }
    }

    pub(super) fn replicas(&self) -> u32 {
        self.options.replicas
    }

    /// Connects, asking the Sentinels for the primary first.
    pub(super) async fn connect(
        &self,
        answer: Duration,
    ) -> Result<MultiplexedConnection, LogStoreError> {
        let server = match &self.sentinels {
            None => self.server.clone(),
            Some((sentinels, name)) => self.primary(sentinels, name, answer).await?,
        };
        open(&server, answer).await.map_err(away)
    }

    async fn primary(
        &self,
        sentinels: &[Client],
        name: &str,
        answer: Duration,
    ) -> Result<Client, LogStoreError> {
        let mut why = String::new();
        for sentinel in sentinels {
            match ask_for_primary(sentinel, name, answer).await {
                Ok(Some((host, port))) => {
                    let told = self.server.get_connection_info().clone();
                    let addr = at(told.addr(), host, port);
                    return open_client(told.set_addr(addr), &self.options).map_err(away);
                }
                Ok(None) => why = format!("no Sentinel knows a primary by the name `{name}`"),
                Err(error) => {
                    why = format!(
                        "Sentinel {}: {error}",
                        sentinel.get_connection_info().addr()
                    )
                }
            }
        }
        Err(LogStoreError::Unreachable(why))
    }
}

/// The address that a template becomes.
fn at(template: &ConnectionAddr, host: String, port: u16) -> ConnectionAddr {
    match template {
        ConnectionAddr::TcpTls {
            insecure,
            tls_params,
            ..
        } => ConnectionAddr::TcpTls {
            host,
            port,
            insecure: *insecure,
            tls_params: tls_params.clone(),
        },
        _ => ConnectionAddr::Tcp(host, port),
    }
}

async fn ask_for_primary(
    sentinel: &Client,
    name: &str,
    answer: Duration,
) -> Result<Option<(String, u16)>, RedisError> {
    let mut connection = open(sentinel, answer).await?;
    cmd("SENTINEL")
        .arg("GET-MASTER-ADDR-BY-NAME")
        .arg(name)
        .query_async(&mut connection)
        .await
}

async fn open(client: &Client, answer: Duration) -> RedisResult<MultiplexedConnection> {
    let config = AsyncConnectionConfig::new()
        .set_connection_timeout(Some(answer))
        .set_response_timeout(Some(answer));
    client
        .get_multiplexed_async_connection_with_config(&config)
        .await
}

fn with_password(url: &str, options: &RedisOptions) -> RedisResult<Client> {
    let info = url.into_connection_info()?;
    let info = match &options.password {
        None => info,
        Some(password) => {
            let settings = info.redis_settings().clone().set_password(password);
            info.set_redis_settings(settings)
        }
    };
    open_client(info, options)
}

fn client(url: &str, options: &RedisOptions) -> RedisResult<Client> {
    open_client(url.into_connection_info()?, options)
}

fn open_client(info: ConnectionInfo, options: &RedisOptions) -> RedisResult<Client> {
    match info.addr() {
        ConnectionAddr::TcpTls { .. } => {
            // Refused when there is one already, which is the same.
            let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
            let certificates = TlsCertificates {
                client_tls: None,
                root_cert: options.authorities.clone(),
            };
            Client::build_with_tls(info, certificates)
        }
        _ => Client::open(info),
    }
}

#[cfg(test)]
mod tests {
    use super::{Address, RedisOptions};

    fn read(url: &str) -> Result<String, String> {
        let options = RedisOptions {
            url: url.to_owned(),
            password: Some("hunter2".to_owned()),
            ..RedisOptions::default()
        };
        let address = Address::read(options).map_err(|error| error.to_string())?;
        Ok(address.about())
    }

    #[test]
    fn an_address_is_one_server_or_sentinels_and_a_name() {
        assert_eq!(read("redis://cache:6380/2").unwrap(), "redis at cache:6380");
        assert_eq!(
            read("rediss://u:p@cache:6380").unwrap(),
            "redis at cache:6380"
        );
        assert_eq!(
            read("redis+sentinel://u:p@one,two:5000/orders/3").unwrap(),
            "redis `orders` of the Sentinels at one:26379, two:5000"
        );
    }

    #[test]
    fn any_other_form_is_refused_with_those_there_are_and_without_passwords() {
        for url in [
            "cache:6379",
            "http://u:hunter2@cache",
            "redis-cluster://u:hunter2@a,b",
            "redis+sentinel://u:hunter2@one",
            "redis+sentinel://u:hunter2@one/",
        ] {
            let refused = read(url).unwrap_err();
            assert!(refused.contains("redis+sentinel://host:port"), "{refused}");
            assert!(!refused.contains("hunter2"), "{refused}");
        }
    }
}
