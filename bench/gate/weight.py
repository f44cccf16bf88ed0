"""Cases that weigh much: how many queues a Redis and a gate bear, and a line of people who never come back."""
import re, subprocess, time, urllib.request

from stand import Case, after_gates, call, p99_ms, times_count


def connected(redis):
    """Connections to a Redis, without the one that asks."""
    return redis and int(re.search(r"connected_clients:(\d+)", redis.ask("INFO", "clients"))[1]) - 1


def change(case, method, path, body):
    request = urllib.request.Request(f"http://127.0.0.1:{case.gates[0].admin}{path}", body.encode(), {"Authorization": f"Bearer {case.key}"}, method=method)
    urllib.request.urlopen(request, timeout=10).read()


def many_queues(args, store):
    """400 queues, on two gates where the store can have two: connections to Redis do not grow with them, and all are open at each gate."""
    case = Case(args, store, gates=2 if store == "redis" else 1, visitors=300 if args.short else 1500)
    before, mb = connected(case.redis), [gate.mb("VmRSS") for gate in case.gates]
    queues = []
    for n in range(400):
        rules = {"tenant": case.tenant, "slug": f"many-{n}", "mode": "hold", "redirect_origins": ["http://127.0.0.1:1"]}
        queues.append(case.gates[0].ask(case.key, "/v1/queues", rules)["id"])
    joins = [call(gate.public, f"POST /q/{queue}/join HTTP/1.1\r\nContent-Length: 0") for queue in queues for gate in case.gates]
    refused = sum(status != 201 for status, _, _ in joins)
    after, grown = connected(case.redis), [gate.mb("VmRSS") - was for gate, was in zip(case.gates, mb)]
    ok, lines = case.judge()
    told = f"400 queues, {len(joins)} joins, {refused} refused; memory grew by {max(grown)} MB"
    if case.redis:
        ok = ok and after <= before + 1
        told += f"; connections of two gates to Redis {before} then {after}"
    return ok and refused == 0, [told] + lines


def many_ghosts(args, store):
    """A million (short: 100,000) who never come back are passed over, and no other queue waits for it."""
    count = 100_000 if args.short else 1_000_000
    case = Case(args, store, visitors=600 if args.short else 2000, arrive=10)
    rules = {"tenant": case.tenant, "slug": "ghosts", "mode": "hold", "cap": 1000, "rate_per_s": 100_000, "away_after_s": 10, "max_waiting": 2_000_000,
             "redirect_origins": ["http://127.0.0.1:1"]}
    ghosts = case.gates[0].ask(case.key, "/v1/queues", rules)["id"]
    filled = subprocess.run(case.crowd_command("joins") + ["--queue", ghosts, "--visitors", str(count), "--connections", "256"], capture_output=True, text=True, preexec_fn=after_gates)
    time.sleep(11)
    port, looks = case.gates[0].public, []
    change(case, "PUT", f"/v1/queues/{ghosts}/mode", '{"mode": "auto"}')
    end = time.time() + 120
    waiting = count
    while waiting and time.time() < end:
        looks.append(call(port, f"GET /q/{case.queue}/status HTTP/1.1")[:2])
        time.sleep(0.002)
        if len(looks) % 50 == 0:
            request = urllib.request.Request(f"http://127.0.0.1:{case.gates[0].admin}/v1/queues/{ghosts}/stats", headers={"Authorization": f"Bearer {case.key}"})
            waiting = int(re.search(rb'"waiting":(\d+)', urllib.request.urlopen(request, timeout=10).read())[1])
    times = [seconds for _, seconds in looks]
    commands, slow = case.gates[0].slow_commands()
    served = all(status == 200 for status, _ in looks) and max(times) < (0.1 if times_count() else 1)
    ok, lines = case.judge()
    told = (f"{count:,} ghosts, {waiting:,} left in line; meanwhile {len(looks)} looks at another queue: p99 {p99_ms(times):.0f} ms, "
            f"slowest {max(times) * 1000:.0f} ms; of {commands:,} commands {slow} took over 20 ms")
    return ok and served and filled.returncode == 0 and waiting == 0 and (slow == 0 or not times_count()), [told, *filled.stdout.strip().splitlines()[-1:]] + lines
