#!/usr/bin/env python3
"""The waiting room's fault lists on both stores: kills, outages, wrong clocks, lost messages, ghosts; full disks,
updates, lost answers, stalled clients, few files, many queues.

usage: bench/gate/faults.py --loadline BIN --crowd BIN --check BIN [--short] [--only NAME] [--jobs N] [--previous BIN]

Every case plays visitors with `crowd --patient yes`, who come in, stay half a second and leave, while
something goes wrong; then it stops the gates and lets `check` compare the visitors' logs with the
store. Loopback only. Under real-time priority (`chrt -f 10 bench/gate/faults.py ...`, which needs root) times are judged
too, else only told: other programs lengthen them. The whole list takes about twenty minutes, the short form about five.
"""
import argparse, concurrent.futures, os, random, signal, socket, subprocess, sys, time
import urllib.request

from stand import HERE, Case, after_gates, call, event_p99_ms, p99_ms, times_count
from weight import many_ghosts, many_queues


def kills(args, store):
    """kill -9 of a gate around admissions; its clients reconnect on their own."""
    times = 40 if args.short else 1000
    case = Case(args, store, visitors=int((times * 0.28 + 5) * 50), arrive=50)
    gate, done = case.gates[0], 0
    while done < times:
        time.sleep(random.uniform(0.02, 0.3))
        gate.kill()
        gate.start()
        gate.wait_ready()
        done += 1
    ok, lines = case.judge()
    return ok, [f"{done} kills"] + lines


def two_gates_killed(args, store):
    """Two gates, one of them killed at a time."""
    case = Case(args, store, gates=2, visitors=600 if args.short else 2000, arrive=50)
    done = 0
    while case.running() and done < (10 if args.short else 40):
        gate = random.choice(case.gates)
        gate.kill()
        time.sleep(0.3)
        gate.start()
        gate.wait_ready()
        time.sleep(0.5)
        done += 1
    ok, lines = case.judge()
    return ok, [f"{done} kills"] + lines


def redis_stopped(args, store):
    """Redis stands still for 30 s, and goes on."""
    case = Case(args, store, gates=2, rate=60, visitors=1500)
    time.sleep(5)
    case.redis.process.send_signal(signal.SIGSTOP)
    time.sleep(5 if args.short else 30)
    case.redis.process.send_signal(signal.SIGCONT)
    return case.judge()


def redis_emptied(args, store):
    """Redis is killed and comes back with nothing, three times."""
    case = Case(args, store, gates=2, rate=60, visitors=1500)
    for _ in range(1 if args.short else 3):
        time.sleep(4)
        case.redis.restart()
    return case.judge()


def knowing_gate_silent(args, store):
    """Redis comes back with nothing while the gate that knows most stands still; the other one must wait for it."""
    case = Case(args, store, gates=2, rate=60, visitors=750 if args.short else 1500)
    knowing, behind = case.gates
    for _ in range(1 if args.short else 3):
        time.sleep(4)
        behind.process.send_signal(signal.SIGSTOP)
        time.sleep(0.4)  # the other one goes on and tells turns
        knowing.process.send_signal(signal.SIGSTOP)
        case.redis.restart()
        behind.process.send_signal(signal.SIGCONT)
        time.sleep(2.5)
        knowing.process.send_signal(signal.SIGCONT)
    return case.judge()


def old_copy_restored(args, store):
    """Redis is killed and comes back as it was two seconds before, three times."""
    case = Case(args, store, gates=2, rate=60, visitors=750 if args.short else 1500)
    for _ in range(1 if args.short else 3):
        time.sleep(3)
        case.redis.ask("SAVE")
        time.sleep(2)
        case.redis.restart()
    return case.judge()


def promoted_behind(args, store, behind_ms):
    """A replica that lacks the last moments takes its primary's place, ten times, each time under other visitors."""
    times, said = 1 if args.short else 10, []
    for _ in range(times):
        case = Case(args, store, gates=2, rate=60, visitors=750 if args.short else 1500, replicated=True)
        time.sleep(4)
        case.redis.promote(behind_ms / 1000)
        ok, lines = case.judge()
        if not ok:
            return False, [f"the {len(said) + 1}. of {times} failed"] + lines
        said.append(lines)
    return True, [f"{times} of {times} times"] + said[-1]


def promoted_20_ms_behind(args, store):
    """A replica 20 ms behind is promoted."""
    return promoted_behind(args, store, 20)


def promoted_50_ms_behind(args, store):
    """A replica 50 ms behind is promoted."""
    return promoted_behind(args, store, 50)


def promoted_300_ms_behind(args, store):
    """A replica 300 ms behind is promoted."""
    return promoted_behind(args, store, 300)


def disk_full(args, store):
    """The disk is full for 3 s, again and again; it heals by itself, and healthz says why it does not go on."""
    case = Case(args, store, gates=2 if store == "redis" else 1, rate=60, visitors=750 if args.short else 1500, disk=True)
    times, told = 2 if args.short else 5, 0
    for _ in range(times):
        time.sleep(2)
        open(f"{case.home}/full", "w").close()
        time.sleep(3)
        admin = case.gates[0].admin
        told += b"No space left" in urllib.request.urlopen(f"http://127.0.0.1:{admin}/healthz", timeout=5).read()
        os.remove(f"{case.home}/full")
    ok, lines = case.judge()
    return ok and told == times, [f"{times} times 3 s, told {told} times"] + lines


def rolling_update(args, store):
    """Three gates are ended and replaced one by one by another build (--previous names the one before)."""
    former, newer = args.previous or args.loadline, args.loadline
    args.loadline = former
    case = Case(args, store, gates=3, rate=60, visitors=900 if args.short else 2400, arrive=60)
    args.loadline = newer
    for gate in case.gates:
        time.sleep(1)
        gate.process.send_signal(signal.SIGTERM)
        gate.process.wait(timeout=30)
        gate.command[0] = newer
        gate.start()
        gate.wait_ready()
    said = []
    for gate in case.gates:
        with urllib.request.urlopen(f"http://127.0.0.1:{gate.admin}/healthz", timeout=5) as answer:
            said.append(answer.read() == b"ok\n")
    ok, lines = case.judge()
    between = "two builds" if args.previous else "one build"
    return ok and all(said), [f"3 gates replaced, {between}"] + lines


def clocks_apart(args, store):
    """Two gates, the clock of one five minutes ahead; each visitor's code is shown at the other gate."""
    case = Case(args, store, gates=2, visitors=600 if args.short else 2000, ahead_s=300)
    ok, lines = case.judge()
    return ok and 298 < case.apart_s < 302, [f"clocks {case.apart_s:.0f} s apart"] + lines


def messages_lost(args, store):
    """What goes between gates and Redis is lost, repeated and cut off, 3 of 100 of each kind."""
    case = Case(args, store, gates=2, visitors=600 if args.short else 2000, lossy=0.03)
    ok, lines = case.judge()
    kinds = {"append lost", "append twice", "answer lost", "delivery left out", "delivery twice", "delivery cut off"}
    return ok and kinds == set(case.lossy.counts), [f"{dict(sorted(case.lossy.counts.items()))}"] + lines


def gate_cut_off(args, store):
    """One of two gates hears nothing from Redis for 1.5 s, ten times; everybody also asks it for his place."""
    case = Case(args, store, gates=2, rate=150, visitors=750 if args.short else 1500, arrive=150, cap=150, cut=True)
    cuts = 3 if args.short else 10
    for _ in range(cuts):
        time.sleep(0.5)
        case.cut.for_seconds(1.5)
        time.sleep(1.5)
    ok, lines = case.judge()
    return ok, [f"{cuts} times 1.5 s"] + lines


def lost_answers(args, store):
    """One of ten answers to visitors and services is lost after the gate did what was asked."""
    case = Case(args, store, gates=2 if store == "redis" else 1, visitors=600 if args.short else 2000, lost_answers=0.1)
    ok, lines = case.judge()
    lost = sum(way.lost for way in case.losing)
    return ok and lost > 100, [f"{lost} answers lost"] + lines


def stalled_clients(args, store):
    """300 bodies that never come and 10 clients that read no answer, again and again, beside honest visitors."""
    case = Case(args, store, visitors=600 if args.short else 2000, measured=True)
    gate = case.gates[0]
    before, used = gate.mb("VmRSS"), gate.cpu_s()
    attack = subprocess.Popen([sys.executable, f"{HERE}/stall.py", str(gate.public), case.queue], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True, preexec_fn=after_gates)
    looks, planned = [], time.time()
    while case.running():
        status, _, _ = call(gate.public, f"GET /q/{case.queue}/status HTTP/1.1")
        looks.append((status, time.time() - planned))  # one that is late makes the next ones late
        planned += 0.02
        time.sleep(max(0, planned - time.time()))
    stalled = int(attack.communicate("")[0].split()[-1])
    grown, used = gate.mb("VmHWM") - before, gate.cpu_s() - used
    ok, lines = case.judge()
    p99, event = p99_ms([seconds for _, seconds in looks]), event_p99_ms(lines)
    served = all(status == 200 for status, _ in looks) and (max(p99, event) < 100 or not times_count())
    told = f"{stalled} stalled, {len(looks)} looks, p99 {p99:.1f} ms from their planned start, events p99 {event:.1f} ms"
    return ok and served and stalled > 310 and grown < 60, [f"{told}, {used:.1f} s of a processor, {grown} MB more memory at most"] + lines


def files_short(args, store, files):
    """1,000 pollers at a gate that may open few files: each is answered or told when to come back, and nobody hangs."""
    case = Case(args, store, visitors=50, files=files)
    port, path = case.gates[0].public, f"GET /q/{case.queue}/status HTTP/1.1"
    held = []
    for _ in range(1000):
        try:
            held.append(socket.create_connection(("127.0.0.1", port), 5))
        except OSError:
            break
    with concurrent.futures.ThreadPoolExecutor(50) as pool:
        answers = list(pool.map(lambda _: call(port, path), range(1000)))
    good = sum(status == 200 for status, _, _ in answers)
    again = sum(status == 503 and told for status, _, told in answers)
    for s in held:
        s.close()
    time.sleep(1)
    after = all(call(port, path)[0] == 200 for _ in range(50))
    ok, lines = case.judge()
    slowest = max(seconds for _, seconds, _ in answers)
    told = f"{len(held)} idle connections; of 1,000 looks {good} answered, {again} told to come back, slowest {slowest:.1f} s"
    return ok and after and good + again == 1000, [told] + lines


def few_files(args, store):
    """400 files."""
    return files_short(args, store, 400)


def few_files_200(args, store):
    """200 files."""
    return files_short(args, store, 200)


def ghosts(args, store):
    """40 of 100 register and never come back; the others get every turn."""
    case = Case(args, store, visitors=1000 if args.short else 3000, arrive=200, ghosts=40, cap=300, claim_within=10)
    return case.judge()


def one_person(args, store):
    """1,000 joins by one person over 50 connections, at two gates where the store can have two."""
    case = Case(args, store, gates=2 if store == "redis" else 1, visitors=100)
    queue = {"tenant": case.tenant, "slug": "same", "redirect_origins": ["http://127.0.0.1:1"], "mode": "hold"}
    own = case.gates[0].ask(case.key, "/v1/queues", queue)["id"]
    time.sleep(1)  # the other gate opens it too
    same = subprocess.run(case.crowd_command("same") + ["--queue", own] + ["--visitors", "1000", "--connections", "50"],
                          capture_output=True, text=True)
    ok, lines = case.judge()
    return ok and same.returncode == 0, same.stdout.strip().splitlines() + lines


# The long ones first: the others run beside them.
CASES = [(kills, "redis"), (kills, "embedded"), (promoted_20_ms_behind, "redis"), (promoted_50_ms_behind, "redis"),
         (promoted_300_ms_behind, "redis"), (many_ghosts, "embedded"), (many_ghosts, "redis"), (two_gates_killed, "redis"),
         (redis_stopped, "redis"), (redis_emptied, "redis"), (old_copy_restored, "redis"), (knowing_gate_silent, "redis"),
         (disk_full, "embedded"), (disk_full, "redis"), (rolling_update, "redis"), (lost_answers, "embedded"), (lost_answers, "redis"),
         (stalled_clients, "embedded"), (stalled_clients, "redis"), (few_files, "embedded"), (few_files, "redis"),
         (few_files_200, "embedded"), (clocks_apart, "redis"), (messages_lost, "redis"), (gate_cut_off, "redis"),
         (ghosts, "embedded"), (ghosts, "redis"), (one_person, "embedded"), (one_person, "redis"),
         (many_queues, "embedded"), (many_queues, "redis")]


def run(args, case, store):
    begin, args = time.time(), argparse.Namespace(**vars(args))  # a case may change its own
    try:
        ok, lines = case(args, store)
    except Exception as error:
        ok, lines = False, [repr(error)]
    text = f"{'pass' if ok else 'FAIL'}  {case.__name__} on {store}, {time.time() - begin:.0f} s\n"
    print(text + "".join(f"      {line}\n" for line in lines), end="", flush=True)
    return ok


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("loadline", "crowd", "check"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--only", help="a case or a store")
    parser.add_argument("--previous", help="the build before, for rolling_update")
    parser.add_argument("--jobs", type=int, default=3, help="cases at a time")
    args = parser.parse_args()
    begin = time.time()
    wanted = [(case, store) for case, store in CASES if not args.only or args.only in (case.__name__, store)]
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        passed = list(pool.map(lambda one: run(args, *one), wanted))
    print(f"{sum(passed)} of {len(passed)} passed in {(time.time() - begin) / 60:.1f} minutes")
    sys.exit(0 if all(passed) else 1)


if __name__ == "__main__":
    main()
