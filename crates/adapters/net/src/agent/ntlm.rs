//! A request whose credentials answer an NTLM challenge: up to three exchanges.

use super::{Agent, HopReports, SendOptions};
use crate::auth::basic_of;
use crate::auth::ntlm::{CHALLENGE_BYTES, NtlmOffer};
use crate::client::ExchangeOptions;
use crate::failure::Failure;
use crate::request::Request;
use crate::response::Response;

impl Agent {
    /// Sends `asked` (as `dressed`, if given) without credentials, and with NTLM if the server
    /// challenges. If the challenge cannot be answered, the first response stands.
    pub(super) async fn ntlm(
        &self,
        asked: &Request,
        dressed: &mut Option<Request>,
        options: &SendOptions<'_>,
        response: &mut Response,
        mut hops: HopReports<'_>,
    ) -> Result<(), Failure> {
        let exchange = || ExchangeOptions {
            started: self.shared.now(),
            deadline: options.deadline,
            body: options.body,
        };
        let request = dressed.get_or_insert_with(|| asked.clone());
        let Some(user) = basic_of(request) else {
            return self.client.exchange(request, &exchange(), response).await;
        };
        request.remove_field("Authorization");
        self.client.exchange(request, &exchange(), response).await?;
        let Some(offer) = offer(response) else {
            return Ok(());
        };
        let first = (response.head.clone(), response.body.clone());
        hops.report(request, response);
        request.set_field("Authorization", offer.negotiate());
        self.client.exchange(request, &exchange(), response).await?;
        if response.head.status() != 401 {
            return Ok(());
        }
        let random = self.shared.random::<CHALLENGE_BYTES>();
        let now = self.shared.wall_now().0;
        let answer = self::offer(response).and_then(|o| o.authenticate(&user, now, random));
        let Some(answer) = answer else {
            (response.head, response.body) = first;
            return Ok(());
        };
        hops.report(request, response);
        request.set_field("Authorization", answer);
        self.client.exchange(request, &exchange(), response).await
    }
}

/// The NTLM offer in a 401 response.
fn offer(response: &Response) -> Option<NtlmOffer> {
    if response.head.status() != 401 {
        return None;
    }
    NtlmOffer::find(response.head.fields().get_all("WWW-Authenticate"))
}
