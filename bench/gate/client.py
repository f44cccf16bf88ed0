"""A client generated from /openapi.json (openapi-python-client) plays owner, service and visitor against a gate: each answer
must be one that the description has, in the form that it gives. Run by `make gate-api`."""
import os, re, subprocess, sys, tempfile, urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(HERE)), "examples/gate/verify"))
from check import Gate, until  # noqa: E402


def generate(gate, home):
    """The client's package; whatever the generator leaves out is a fault of the description."""
    with open(f"{home}/openapi.json", "wb") as out:
        out.write(urllib.request.urlopen(f"{gate.admin}/openapi.json").read())
    generator = f"{os.path.dirname(sys.executable)}/openapi-python-client"
    done = subprocess.run([generator, "generate", "--path", f"{home}/openapi.json", "--meta", "none", "--output-path", f"{home}/gate_client"],
                          capture_output=True, text=True, check=True)
    said = done.stdout + done.stderr
    # It knows no pictures, which is its own limit.
    assert re.findall("WARNING parsing (.*) within", said) == ["GET /w/{queue}/logo"], said
    sys.path.insert(0, home)


class Caller:
    """Calls by the generated functions' names; a status that is not described is an error."""

    def __init__(self, base, key=None):
        import gate_client
        known = {"base_url": base, "raise_on_unexpected_status": True}
        self.client = gate_client.AuthenticatedClient(token=key, **known) if key else gate_client.Client(**known)

    def __call__(self, group, name, want, *place, **what):
        module = __import__(f"gate_client.api.{group}.{name}", fromlist=["sync_detailed"])
        answer = module.sync_detailed(*place, client=self.client, **what)
        assert answer.status_code == want, f"{name}: {answer.status_code}, {answer.content}"
        if want >= 400:
            assert answer.parsed.error.code and answer.parsed.error.message, answer.content
        return answer.parsed


def play(gate):
    from gate_client import models as m
    owner, service = Caller(gate.admin, gate.key), Caller(gate.public, gate.key)
    tenant = owner("admin", "post_v1_tenants", 201, body=m.PostV1TenantsBody(name="generated"))
    origin = "https://shop.example"
    queue = owner("admin", "post_v1_queues", 201, body=m.QueueInput(tenant=tenant.id, slug="generated", redirect_origins=[origin], rate_per_s=100.0, cap=2))
    owner("admin", "post_v1_queues", 409, body=m.QueueInput(tenant=tenant.id, slug="generated", redirect_origins=[origin]))
    assert [one.id for one in owner("admin", "get_v1_queues", 200).queues].count(queue.id) == 1
    read = owner("admin", "get_v1_queues_queue", 200, queue.id)
    assert read.cap == 2 and read.redirect_origins == [origin]
    owner("admin", "get_v1_queues_queue", 404, "q_0123456789abcdef")
    scopes = [m.PostV1TenantsTenantKeysBodyScopesItem(name) for name in ("register", "read")]
    made = owner("admin", "post_v1_tenants_tenant_keys", 201, tenant.id, body=m.PostV1TenantsTenantKeysBody(scopes=scopes))
    registered = Caller(gate.public, made.key)("service", "post_v1_queues_queue_waiters", 201, queue.id, body=m.PostV1QueuesQueueWaitersBody(user_id="kim"))
    kim = Caller(gate.public, registered.waiting_token)
    until("kim's turn", lambda: kim("visitor", "get_q_queue_me", 200, queue.id).state == "ready")
    entry = kim("visitor", "post_q_queue_claim", 200, queue.id, body=m.PostQQueueClaimBody(rt=f"{origin}/a"))
    code = entry.redirect.split("wr=")[1]
    exchange = m.PostV1TokenExchangeBody(queue=queue.id, code=code)
    assert service("service", "post_v1_token_exchange", 200, body=exchange).seq == registered.seq
    service("service", "post_v1_token_exchange", 409, body=exchange)
    beat = m.PostV1QueuesQueueSessionsHeartbeatBody(user_ids=["kim", "lee"])
    alive = service("service", "post_v1_queues_queue_sessions_heartbeat", 200, queue.id, body=beat)
    assert alive.inside == 1 and alive.over.user_ids == ["lee"]
    owner("admin", "post_v1_queues_queue_block", 200, queue.id, body=m.PostV1QueuesQueueBlockBody(user_id="lee", reason="bot"))
    assert owner("service", "get_v1_queues_queue_waiters_user", 200, queue.id, "lee").state == "blocked"
    done = service("service", "post_v1_queues_queue_sessions_complete", 200, queue.id, body=m.PostV1QueuesQueueSessionsCompleteBody(user_ids=["kim"]))
    assert done.to_dict(), done
    anybody = Caller(gate.public)
    stranger = anybody("visitor", "post_q_queue_join", 201, queue.id, body=m.PostQQueueJoinBody())
    Caller(gate.public, stranger.waiting_token)("visitor", "post_q_queue_leave", 204, queue.id, body=m.PostQQueueLeaveBody(forever=True))
    Caller(gate.public, "nobody's")("visitor", "get_q_queue_me", 401, queue.id)
    anybody("visitor", "get_q_queue_status", 200, queue.id)
    Caller(gate.admin, "wrk_0123456789abcdef_" + "a" * 43)("admin", "get_v1_queues", 401)
    owner("admin", "put_v1_queues_queue_mode", 200, queue.id, body=m.PutV1QueuesQueueModeBody(mode=m.Mode("closed")))
    owner("admin", "get_v1_queues_queue_stats", 200, queue.id)
    assert owner("admin", "get_v1_queues_queue_audit", 200, queue.id).to_dict()
    owner("admin", "post_v1_queues_queue_archive", 204, queue.id)


def main():
    home = tempfile.mkdtemp(prefix="gate-client-")
    gate = Gate(os.path.abspath(sys.argv[1]), home)
    try:
        generate(gate, home)
        play(gate)
    finally:
        gate.process.terminate()
        gate.process.wait()
    print("generated client: every answer was one that the description has")


if __name__ == "__main__":
    main()
