//! Runs Socket.IO flows: events with their answers; every other step is the HTTP engine's.
//!
//! The flow and its connections run side by side ([`Sockets::beside`]): packets are read while steps
//! think. Elsewhere: packets in [`packet`], what steps and transports share in [`connection`].

mod connection;
mod matching;
mod options;
mod packet;
mod transport;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::Poll;
use std::time::Duration;

use serde_json::Value;

use crate::exec::flow;
use crate::model::{EmitAnswer, EmitStep, FlowStep, ScenarioSpec};
use crate::text::to_text;
use crate::vu::{FlowFailure, StepsResult, Vu};
use connection::{Connection, Joined};
use options::Options;

/// How long a server may take to let a connection go.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(30);

/// Runs a scenario.
pub(crate) async fn scenario(vu: &Rc<Vu>, scenario: &ScenarioSpec) -> StepsResult {
    let sockets = Rc::new(Sockets::default());
    let flow = async {
        sockets
            .get_or_connect(vu, "")
            .await
            .map_err(|message| FlowFailure::new(format!("Error: {message}")))?;
        steps(vu, scenario, &scenario.flow, &sockets).await
    };
    let outcome = sockets.beside(flow).await;
    sockets.leave(vu);
    outcome
}

/// A user's connections.
#[derive(Default)]
struct Sockets {
    /// By what steps call a namespace: the connection, and its name there.
    by_name: RefCell<BTreeMap<String, (Rc<Connection>, String)>>,
    /// The connection that namespaces of an origin share.
    shared: RefCell<BTreeMap<String, Rc<Connection>>>,
    running: RefCell<Vec<Pin<Box<dyn Future<Output = ()>>>>>,
    changed: Rc<Cell<bool>>,
}

impl Sockets {
    /// Runs `flow` while the connections run.
    async fn beside(&self, flow: impl Future<Output = StepsResult>) -> StepsResult {
        let mut flow = pin!(flow);
        poll_fn(|cx| {
            loop {
                if let Poll::Ready(outcome) = flow.as_mut().poll(cx) {
                    return Poll::Ready(outcome);
                }
                self.changed.set(false);
                self.run(cx);
                if !self.changed.get() {
                    return Poll::Pending;
                }
            }
        })
        .await
    }

    fn run(&self, cx: &mut std::task::Context<'_>) {
        let mut running = std::mem::take(&mut *self.running.borrow_mut());
        running.retain_mut(|connection| connection.as_mut().poll(cx).is_pending());
        self.running.borrow_mut().append(&mut running);
    }

    /// The socket of a namespace, joined. The error is the client's.
    async fn get_or_connect(
        &self,
        vu: &Rc<Vu>,
        name: &str,
    ) -> Result<(Rc<Connection>, String), String> {
        let known = self.by_name.borrow().get(name).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let config = &vu.shared.test.script.config;
        let (origin, namespace) = options::split(&format!("{}{name}", config.target));
        let rendered = config.socket_io.as_ref().and_then(|options| {
            let vars = vu.vars.borrow();
            options.render(&vu.scope(&vars))
        });
        let options = Options::read(&rendered.unwrap_or_default());
        let connection = self.connection(vu, origin, &namespace, options);
        connection.join(&namespace);
        let socket = (connection.clone(), namespace.clone());
        self.by_name
            .borrow_mut()
            .insert(name.to_owned(), socket.clone());
        poll_fn(|_| {
            let joined = connection.namespace(&namespace, |namespace| namespace.joined.clone());
            match joined {
                None | Some(Joined::Waiting) => Poll::Pending,
                Some(Joined::Yes | Joined::Left) => Poll::Ready(Ok(())),
                Some(Joined::Failed(error)) => Poll::Ready(Err(error)),
            }
        })
        .await?;
        Ok(socket)
    }

    fn connection(
        &self,
        vu: &Rc<Vu>,
        origin: String,
        namespace: &str,
        options: Options,
    ) -> Rc<Connection> {
        let mut origins = vu.local.socket_io.borrow_mut();
        let mut is_shared = false;
        if !options.never_shares {
            let (first, joined) = origins
                .entry(origin.clone())
                .or_insert_with(|| (vu.id.clone(), Vec::new()));
            if !joined.iter().any(|name| name == namespace) {
                joined.push(namespace.to_owned());
                is_shared = *first == vu.id;
            }
        }
        if is_shared && let Some(connection) = self.shared.borrow().get(&origin) {
            return connection.clone();
        }
        let connection = Connection::new(vu, origin.clone(), options, self.changed.clone());
        if is_shared {
            self.shared.borrow_mut().insert(origin, connection.clone());
        }
        let running = transport::run(connection.clone());
        self.running.borrow_mut().push(Box::pin(running));
        connection
    }

    /// Leaves all namespaces; the servers' answers are waited for beside whatever comes next.
    fn leave(self: Rc<Self>, vu: &Vu) {
        for (connection, _) in self.by_name.borrow().values() {
            // Several namespaces may share one.
            if !connection.is_closing.get() {
                connection.close();
            }
        }
        let until = vu.handle.now() + CLOSE_TIMEOUT;
        let timer = vu.handle.clone();
        vu.handle.spawn(async move {
            let mut late = pin!(timer.sleep_until(until));
            poll_fn(|cx| {
                self.run(cx);
                if self.running.borrow().is_empty() {
                    return Poll::Ready(());
                }
                late.as_mut().poll(cx)
            })
            .await;
        });
    }
}

fn steps<'s>(
    vu: &'s Rc<Vu>,
    scenario: &'s ScenarioSpec,
    items: &'s [FlowStep],
    sockets: &'s Sockets,
) -> Pin<Box<dyn Future<Output = StepsResult> + 's>> {
    Box::pin(async move {
        for item in items {
            match item {
                FlowStep::Emit(spec) => emit(vu, spec, sockets).await?,
                FlowStep::Loop(spec) => {
                    let turn = async || steps(vu, scenario, &spec.steps, sockets).await;
                    flow::repeat(vu, spec, 1, turn).await?;
                }
                other => flow::step(vu, scenario, other).await?,
            }
        }
        Ok(())
    })
}

/// Sends an event, and waits for an event, for its answer, or both.
async fn emit(vu: &Rc<Vu>, spec: &EmitStep, sockets: &Sockets) -> StepsResult {
    let render = |template: &crate::template::TemplateValue| {
        let vars = vu.vars.borrow();
        template.render(&vu.scope(&vars))
    };
    let name = match spec.namespace.as_ref().and_then(render) {
        Some(Value::Null) | None => String::new(),
        name => to_text(name.as_ref()),
    };
    let socket = sockets.get_or_connect(vu, &name).await;
    let (connection, namespace) = socket.map_err(FlowFailure::new)?;
    vu.outbox.count("socketio.emit", 1.0);
    vu.outbox.rate("socketio.emit_rate");
    let started = vu.handle.now();
    let took = || {
        let millis = vu.handle.now().millis_since(started);
        vu.outbox.summary("socketio.response_time", millis);
    };
    let items: Vec<Value> = spec
        .outgoing
        .iter()
        .map(|item| render(item).unwrap_or(Value::Null))
        .collect();
    let Some((channel, response)) = &spec.response else {
        let Some(acknowledge) = &spec.acknowledge else {
            connection.emit(&namespace, &items, false);
            took();
            return Ok(());
        };
        let number = connection.emit(&namespace, &items, true);
        let answered = poll_fn(|_| {
            let answer = number.and_then(|number| connection.answer(&namespace, number));
            answer.map_or(Poll::Pending, Poll::Ready)
        });
        matching::check(vu, acknowledge, &answered.await)?;
        took();
        return Ok(());
    };
    let channel = to_text(render(channel).as_ref());
    let listen = |heard| connection.namespace(&namespace, |namespace| namespace.heard = heard);
    listen(Some((channel, VecDeque::new())));
    connection.emit(&namespace, &items, false);
    let received = received(vu, &connection, &namespace, response).await;
    listen(None);
    let outcome = matching::check(vu, response, &received?);
    if outcome.is_ok() {
        took();
    }
    let Some(acknowledge) = &spec.acknowledge else {
        took();
        return outcome;
    };
    // The event was sent without asking for an answer, and what was said of the other one is forgotten.
    matching::check(vu, acknowledge, &[])?;
    took();
    Ok(())
}

/// What came on a channel: until it is what was expected, or for as long as the time-out allows.
async fn received(
    vu: &Vu,
    connection: &Connection,
    namespace: &str,
    response: &EmitAnswer,
) -> Result<Vec<Value>, FlowFailure> {
    let config = &vu.shared.test.script.config;
    let limit = if config.timeout_written {
        config.timeout
    } else {
        Duration::from_secs(10)
    };
    let mut late = pin!(vu.handle.sleep_until(vu.handle.now() + limit));
    let mut all: Vec<Value> = Vec::new();
    poll_fn(|cx| {
        loop {
            let next = connection.namespace(namespace, |namespace| {
                namespace.heard.as_mut()?.1.pop_front()
            });
            let Some(items) = next.flatten() else { break };
            all.extend(items);
            if matching::fits(vu, response, &all) {
                return Poll::Ready(());
            }
        }
        late.as_mut().poll(cx)
    })
    .await;
    if all.is_empty() {
        return Err(FlowFailure::new("response timeout"));
    }
    Ok(all)
}
