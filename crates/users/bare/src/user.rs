//! The users and their factory.

use std::cell::Cell;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use loadline_metrics::TagSetId;
use loadline_net::{
    BodyMode, Client, Exchange, ExchangeOptions, Failure, Network, NetworkSettings, Request,
    Response,
};
use loadline_units::{Time, VuId};
use loadline_vu::{
    AskedRequest, BodyClock, BodySamples, Cx, FailedAnswers, Fault, InterruptReason, Iteration,
    IterationKind, IterationResult, IterationStatus, LifecycleStage, RequestId, SampledAnswer,
    VirtualUser, VuFactory,
};

use crate::samples::{self, Tags};
use crate::target::UrlRequest;
use crate::trace::TraceShare;

/// Makes the users of a URL run.
#[derive(Clone)]
pub struct BareFactory {
    target: UrlRequest,
    settings: Arc<NetworkSettings>,
    /// Tags of every sample: the run's and the scenario's.
    tags: Vec<(String, String)>,
    watch: Option<ExchangeCallback>,
}

/// Called when an exchange ends, on the worker's thread.
pub type ExchangeCallback = Arc<dyn Fn(&Exchange<'_>) + Send + Sync>;

impl BareFactory {
    /// Users that send `target`, with `tags` on every sample.
    #[must_use]
    pub fn new(target: UrlRequest, settings: NetworkSettings, tags: Vec<(String, String)>) -> Self {
        Self {
            target,
            settings: Arc::new(settings),
            tags,
            watch: None,
        }
    }

    /// Users that keep bodies and call `watch` for every exchange.
    #[must_use]
    pub fn watched(mut self, watch: ExchangeCallback) -> Self {
        self.watch = Some(watch);
        self
    }

    /// Users whose requests say which of them are to be traced.
    #[must_use]
    pub const fn traced(mut self, share: TraceShare) -> Self {
        self.target.traced = Some(share);
        self
    }
}

/// The state shared by the users of one worker.
struct Shared {
    network: Network,
    request: Rc<Request>,
}

impl VuFactory for BareFactory {
    fn make(&self, _: VuId, cx: &mut Cx<'_>) -> Result<Box<dyn VirtualUser>, Fault> {
        let shared = cx.local.get_or_make(|| Shared {
            network: Network::new(cx.reactor.clone(), self.settings.clone()),
            request: Rc::new(self.target.request()),
        });
        let tags: Vec<(&str, &str)> = self.tags.iter().map(|(k, v)| (&**k, &**v)).collect();
        let base = cx.shard.tags.extend(TagSetId::EMPTY, &tags);
        let url = self.target.url.masked();
        let sender = Rc::new(Sender {
            client: Client::new(&shared.network, None),
            request: shared.request.clone(),
            order: Cell::new(None),
            ended: Cell::new(None),
            watch: self.watch.clone(),
        });
        Ok(Box::new(BareUser {
            sending: Sender::run(sender.clone()),
            sender,
            tags: Tags::new(cx.shard, base, &self.target.method, &url),
            traced: self.target.traced,
            response: None,
            timeout: self.target.timeout,
            started: Time::ZERO,
            body_clock: BodyClock::new(&url),
            is_sampled: false,
            print: RequestId::new(AskedRequest {
                method: shared.request.method(),
                url: &url,
                body: shared.request.body().map_or(&[], |body| body),
            }),
            is_saved: false,
        }))
    }

    fn make_for_stage(
        &self,
        _: LifecycleStage,
        _: &mut Cx<'_>,
    ) -> Result<Option<Box<dyn VirtualUser>>, Fault> {
        Ok(None) // a URL has neither set-up nor teardown
    }

    fn has_stage(&self, _: LifecycleStage) -> bool {
        false
    }

    fn stage_timeout(&self, _: LifecycleStage) -> Duration {
        Duration::from_secs(60)
    }
}

/// A user that sends one request an iteration.
struct BareUser {
    sender: Rc<Sender>,
    /// One future for all iterations of the user, so that an iteration allocates nothing.
    sending: Pin<Box<dyn Future<Output = ()>>>,
    tags: Tags,
    traced: Option<TraceShare>,
    /// The client between two requests; dropped with an interrupted request.
    response: Option<Box<Response>>,
    timeout: Duration,
    started: Time,
    /// When the next body is due; the users of an address ask before each of its requests.
    body_clock: BodyClock,
    /// The body of the running request is wanted for the sample.
    is_sampled: bool,
    /// Which request it sends.
    print: RequestId,
    /// The answer to the running request is to be kept.
    is_saved: bool,
}

impl BareUser {
    /// The iteration's request if it says whether it is to be traced.
    fn traced(&self, iteration: &Iteration) -> Option<Request> {
        let IterationKind::Scenario { number, .. } = iteration.work else {
            return None;
        };
        let parent = self.traced?.parent(number);
        let mut request = (*self.sender.request).clone();
        request.set_field("traceparent", parent);
        Some(request)
    }

    /// Counts what the client did since the last call.
    fn record_client(&self, cx: &mut Cx<'_>) {
        let client = &self.sender.client;
        let (sent, received) = client.take_traffic();
        samples::record_traffic(cx.shard, &self.tags, sent, received);
        cx.local.count_requests(client.take_requests());
    }
}

/// What a user and its future exchange.
struct Sender {
    client: Client,
    request: Rc<Request>,
    /// Set to send one request.
    order: Cell<Option<Order>>,
    /// How it ended.
    ended: Cell<Option<SentRequest>>,
    watch: Option<ExchangeCallback>,
}

/// One request and its response; the buffers are reused.
struct Order {
    options: ExchangeOptions,
    /// Sent in place of the request of all.
    request: Option<Request>,
    response: Box<Response>,
}

/// A request that was sent.
struct SentRequest {
    outcome: Result<(), Failure>,
    response: Box<Response>,
}

impl Sender {
    /// Sends a request for each order; never ends.
    fn run(this: Rc<Self>) -> Pin<Box<dyn Future<Output = ()>>> {
        Box::pin(async move {
            loop {
                let Order {
                    options,
                    request,
                    mut response,
                } = std::future::poll_fn(|_| match this.order.take() {
                    Some(order) => Poll::Ready(order),
                    None => Poll::Pending,
                })
                .await;
                let request = request.as_ref().unwrap_or(&this.request);
                let outcome = this.client.exchange(request, &options, &mut response).await;
                if let Some(watch) = &this.watch {
                    watch(&Exchange {
                        index: 0,
                        request,
                        response: &response,
                        failure: outcome.as_ref().err(),
                    });
                }
                this.ended.set(Some(SentRequest { outcome, response }));
            }
        })
    }
}

impl VirtualUser for BareUser {
    fn begin(&mut self, iteration: &Iteration, cx: &mut Cx<'_>) -> IterationStatus {
        self.started = iteration.started;
        let samples = &cx.run_state.body_samples;
        self.is_sampled = samples.wants_at(cx.shard.worker(), self.body_clock, iteration.started);
        let answers = &cx.run_state.answer_samples;
        self.is_saved = answers.wants(cx.shard.worker(), self.print, iteration.started);
        self.sender.order.set(Some(Order {
            options: ExchangeOptions {
                started: iteration.started,
                deadline: iteration.started + self.timeout,
                body: match self.sender.watch {
                    // One byte more tells that there is more.
                    None if self.is_saved => BodyMode::Beginning {
                        most: SampledAnswer::BYTES_MAX + 1,
                    },
                    None if self.is_sampled => BodyMode::Beginning {
                        most: BodySamples::BYTES_MAX + 1,
                    },
                    None => BodyMode::BeginningOfFailures {
                        most: FailedAnswers::WORTH_KEEPING,
                    },
                    Some(_) => BodyMode::default(),
                },
            },
            request: self.traced(iteration),
            response: self.response.take().unwrap_or_default(),
        }));
        self.wake(cx)
    }

    fn wake(&mut self, cx: &mut Cx<'_>) -> IterationStatus {
        let poll = self
            .sending
            .as_mut()
            .poll(&mut Context::from_waker(cx.waker));
        debug_assert!(poll.is_pending(), "the sender never ends");
        let Some(SentRequest {
            outcome,
            mut response,
        }) = self.sender.ended.take()
        else {
            return IterationStatus::Pending;
        };
        match &outcome {
            Ok(()) => {
                samples::count_asked_to_wait(cx.run_state, &response);
                samples::count_redirect(cx.run_state, &self.sender.request, &response);
                samples::count_failed_answer(cx, &response);
                if self.is_sampled {
                    samples::keep_body(cx, &self.tags, &self.sender.request, &response);
                }
                if self.is_saved {
                    samples::keep_answer(cx, &self.tags, &self.sender.request, &response);
                }
            }
            Err(failure) => samples::count_shortage(cx.run_state, failure),
        }
        if self.is_sampled || self.is_saved {
            // The buffers of all users together would be large.
            response.body = Vec::new();
        }
        let is_failed = samples::record(cx.shard, &mut self.tags, &outcome, &response);
        let took = response.timing.finish().millis_since(self.started);
        samples::record_iteration(cx.shard, &self.tags, took);
        self.record_client(cx);
        self.response = Some(response);
        IterationStatus::Done(if is_failed {
            IterationResult::CompleteWithFailure
        } else {
            IterationResult::Complete
        })
    }

    fn interrupt(&mut self, _: InterruptReason, cx: &mut Cx<'_>) -> IterationStatus {
        // Dropping the future drops the running request and its connection.
        self.sender.order.set(None);
        self.sending = Sender::run(self.sender.clone());
        let now = cx.now();
        for cut in self.sender.client.take_cut() {
            samples::record_cut(cx.shard, &self.tags, now.millis_since(cut.started));
        }
        self.record_client(cx);
        IterationStatus::Done(IterationResult::Interrupted)
    }
}
