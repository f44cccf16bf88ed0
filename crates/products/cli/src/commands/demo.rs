//! `demo`: the built-in target with known, switchable faults.

use std::net::SocketAddr;

use loadline_demo::{Demo, DemoError, DemoOptions};
use loadline_text::{Dialect, Exit, problem};

use crate::context::Context;
use crate::listening::{self, address};
use crate::signals::EndOfService;

/// Serve the built-in target: endpoints with known faults, switched over HTTP
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  loadline demo
  loadline demo --address 127.0.0.1:0
  curl http://127.0.0.1:8080/            # what is there
  curl -X PUT http://127.0.0.1:8080/settings -d '{\"pool\":{\"max\":20}}'
")]
pub(crate) struct DemoArgs {
    /// Where to listen; port 0 takes a free one
    #[arg(long, value_name = "HOST:PORT", value_parser = address, default_value = "127.0.0.1:8080")]
    address: SocketAddr,
}

#[derive(Debug, thiserror::Error)]
enum DemoRunError {
    #[error(transparent)]
    Demo(#[from] DemoError),
    #[error("cannot start a runtime: {0}")]
    Runtime(std::io::Error),
    #[error("cannot listen for signals: {0}")]
    Signals(std::io::Error),
}

impl DemoArgs {
    pub(crate) fn exec(self, context: &mut Context) -> u8 {
        match self.serve(context) {
            Ok(()) => Exit::Success.code(Dialect::Loadline),
            Err(error) => {
                let problem = match &error {
                    DemoRunError::Demo(DemoError::Listen(error)) => listening::problem(error),
                    other => problem::start_failed("demo", other),
                };
                let text = context.catalog(None).problem(&problem);
                context.err(&format!("{text}\n"));
                Exit::InvalidConfig.code(Dialect::Loadline)
            }
        }
    }

    fn serve(self, context: &mut Context) -> Result<(), DemoRunError> {
        let options = DemoOptions {
            address: self.address,
            ..DemoOptions::default()
        };
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()
            .map_err(DemoRunError::Runtime)?;
        runtime.block_on(async {
            let end = EndOfService::listen().map_err(DemoRunError::Signals)?;
            let demo = Demo::bind(options)?;
            context.out(&format!("http://{}\n", demo.address()));
            demo.serve(end.asked()).await;
            Ok(())
        })
    }
}
