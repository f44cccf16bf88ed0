#!/usr/bin/env python3
"""The gate's chart on a real Kubernetes API server, and a rolling update between two builds under load.

usage: bench/gate/cluster.py --bin DIR --loadline BIN --previous BIN --crowd BIN --check BIN [--visitors N]

DIR holds etcd, kube-apiserver, kube-controller-manager, kubectl and helm (tools/cluster.sh makes them). Everything runs in a network
namespace of its own, which needs root. There is no kubelet and no network plugin: Pods are started by kubelet.py
from their own specs, with the binary as their image, and a relay that follows the EndpointSlices is the Service.
"""
import argparse, asyncio, os, random, shutil, ssl, subprocess, sys, tempfile, threading, time

from kubelet import Api, Kubelet
from stand import Redis

SPACE, TOKEN = "rooms", "t"
HERE = os.path.dirname(os.path.abspath(__file__))


class Service:
    """Leads each connection to one of the endpoints that are ready."""

    def __init__(self, api):
        self.api, self.ready, self.refused, self.port, self.closed = api, [], 0, 8000, False
        threading.Thread(target=self.follow, daemon=True).start()
        threading.Thread(target=lambda: asyncio.run(self.serve()), daemon=True).start()

    def follow(self):
        path = f"/apis/discovery.k8s.io/v1/namespaces/{SPACE}/endpointslices?labelSelector=kubernetes.io/service-name%3Dgate"
        while not self.closed:
            points = [one for part in self.api.ask("GET", path)["items"] for one in part.get("endpoints") or []]
            self.ready = [one["addresses"][0] for one in points if one["conditions"].get("ready")]
            time.sleep(0.1)

    async def serve(self):
        server = await asyncio.start_server(self.lead, "127.0.0.1", self.port)
        await server.serve_forever()

    async def lead(self, client_in, client_out):
        try:
            gate_in, gate_out = await asyncio.open_connection(random.choice(self.ready), 8090)
        except (OSError, IndexError):
            self.refused += 1
            client_out.transport.abort()
            return
        ways = [asyncio.create_task(self.pass_on(client_in, gate_out)), asyncio.create_task(self.pass_on(gate_in, client_out))]
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for way in ways:
            way.cancel()
        client_out.close()
        gate_out.close()

    async def pass_on(self, reader, writer):
        try:
            while data := await reader.read(1 << 16):
                writer.write(data)
                await writer.drain()
        except OSError:
            pass


class Cluster:
    """etcd, an API server, and the controllers of Deployments and EndpointSlices."""

    def __init__(self, bin, home):
        self.bin, self.home, self.parts = bin, home, []

    def begin(self):
        home = self.home
        run = lambda *command: subprocess.run(command, check=True, capture_output=True)
        run("openssl", "genrsa", "-out", f"{home}/sa.key", "2048")
        with open(f"{home}/tokens.csv", "w") as out:
            out.write(f"{TOKEN},owner,1,system:masters\n")
        self.start("etcd", "--data-dir", f"{home}/etcd", "--listen-client-urls", "http://127.0.0.1:23790",
                   "--advertise-client-urls", "http://127.0.0.1:23790", "--listen-peer-urls", "http://127.0.0.1:23800")
        self.start("kube-apiserver", "--etcd-servers=http://127.0.0.1:23790", "--secure-port=26443", "--bind-address=127.0.0.1",
                   "--advertise-address=10.244.0.1", f"--cert-dir={home}/certs", "--service-account-issuer=https://k", f"--service-account-key-file={home}/sa.key",
                   f"--service-account-signing-key-file={home}/sa.key", "--authorization-mode=RBAC",
                   f"--token-auth-file={home}/tokens.csv", "--service-cluster-ip-range=10.0.0.0/24")
        with open(f"{home}/config", "w") as out:
            out.write("apiVersion: v1\nkind: Config\ncurrent-context: c\ncontexts: [{name: c, context: {cluster: c, user: u}}]\n"
                      "clusters: [{name: c, cluster: {server: 'https://127.0.0.1:26443', insecure-skip-tls-verify: true}}]\n"
                      f"users: [{{name: u, user: {{token: {TOKEN}}}}}]\n")
        self.api = Api("https://127.0.0.1:26443", TOKEN, ssl._create_unverified_context())
        self.wait(lambda: self.call("kubectl", "get", "--raw", "/readyz").stdout == "ok", "the API server", 120)
        self.start("kube-controller-manager", f"--kubeconfig={home}/config", f"--service-account-private-key-file={home}/sa.key",
                   "--leader-elect=false", "--secure-port=0", "--controllers=deployment-controller,replicaset-controller,"
                   "endpointslice-controller,serviceaccount-controller,disruption-controller")

    def start(self, program, *args):
        out = open(f"{self.home}/{program}.out", "w")
        self.parts.append(subprocess.Popen([f"{self.bin}/{program}", *args], stdout=out, stderr=out))

    def call(self, program, *args, stdin=None):
        """kubectl or helm."""
        env = dict(os.environ, KUBECONFIG=f"{self.home}/config", HOME=self.home)
        return subprocess.run([f"{self.bin}/{program}", *args], env=env, input=stdin, capture_output=True, text=True)

    def must(self, program, *args, stdin=None):
        done = self.call(program, *args, stdin=stdin)
        if done.returncode != 0:
            raise RuntimeError(f"{program} {args[0]}: {done.stderr}")
        return done.stdout

    def wait(self, until, what, seconds=60):
        for _ in range(seconds * 5):
            if until():
                return
            if any(part.poll() is not None for part in self.parts):
                raise RuntimeError(f"a part of the cluster ended: see {self.home}")
            time.sleep(0.2)
        raise RuntimeError(f"{what}: not in {seconds} s")

    def end(self):
        for part in reversed(self.parts):
            part.terminate()
            part.wait()


def prepare(cluster, args):
    """A namespace that admits only Pods of the level `restricted`, and the Secret."""
    cluster.must("kubectl", "create", "namespace", SPACE)
    cluster.must("kubectl", "create", "-f", "-", stdin='{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "here"}}')
    cluster.must("kubectl", "label", "namespace", SPACE, "pod-security.kubernetes.io/enforce=restricted")
    cluster.wait(lambda: cluster.call("kubectl", "-n", SPACE, "get", "serviceaccount", "default").returncode == 0, "its account")
    refused = cluster.call("kubectl", "-n", SPACE, "run", "free", "--image=x")
    assert "violates PodSecurity" in refused.stderr, refused.stderr
    print("PodSecurity: a Pod without a security context is refused there", flush=True)
    root = subprocess.run([args.loadline, "gate", "new-key"], capture_output=True, text=True, check=True).stdout.split()[-1]
    cluster.must("kubectl", "-n", SPACE, "create", "secret", "generic", "gate", f"--from-literal=secret={os.urandom(32).hex()}",
                 f"--from-literal=root-key={root}")
    return root


def settings(redis, tag):
    return ["--namespace", SPACE, "--set", f"redis.url=redis://127.0.0.1:{redis.port}", "--set", f"image.tag={tag}",
            "--set", "extraArgs={--joins-per-address=0}", "--wait", "--timeout", "120s"]


def judge(cluster, args, home, redis, queue, crowd):
    crowd.wait(timeout=400)
    check = subprocess.run([args.check, "--cap", "70", "--queue", queue, "--redis", f"redis://127.0.0.1:{redis.port}",
                            f"{home}/crowd.log"], capture_output=True, text=True)
    said = open(f"{home}/crowd.out").read()
    print(check.stdout.strip(), "\n".join(said.strip().splitlines()[-2:]), sep="\n", flush=True)
    end = said.rsplit("s: registered", 1)[-1]
    return check.returncode == 0 and ", failed 0," in end and ", told gone 0," in end


def update(cluster, args, home, redis):
    root = prepare(cluster, args)
    kubelet = Kubelet(cluster.api, SPACE, home, {"loadline-gate:former": args.previous, "loadline-gate:newer": args.loadline})
    service = None
    try:
        cluster.must("helm", "install", "gate", f"{HERE}/../../deploy/gate/chart", *settings(redis, "former"))
        kinds = "deployment,service,networkpolicy,poddisruptionbudget,pod"
        print(cluster.must("kubectl", "-n", SPACE, "get", kinds, "-o", "name").strip(), flush=True)
        service, first = Service(cluster.api), next(iter(kubelet.pods.values()))
        cluster.wait(lambda: len(service.ready) == 3, "three endpoints")
        owner = Api(f"http://{first.address}:8091", root, None)
        tenant = owner.ask("POST", "/v1/tenants", {"name": "cluster"})["id"]
        queue = owner.ask("POST", "/v1/queues", {"tenant": tenant, "slug": "cluster", "rate_per_s": 60, "cap": 70,
                                                   "away_after_s": 15, "redirect_origins": ["http://127.0.0.1:1"], "idle_s": 3600})["id"]
        command = [args.crowd, "streams", "--gate", f"127.0.0.1:{service.port}", "--queue", queue, "--key", root, "--visitors",
                   str(args.visitors), "--arrive", "60", "--seconds", "240", "--patient", "yes", "--claim", "yes", "--session", "500",
                   "--log", f"{home}/crowd.log"]
        crowd = subprocess.Popen(command, stdout=open(f"{home}/crowd.out", "w"))
        time.sleep(3)
        cluster.must("helm", "upgrade", "gate", f"{HERE}/../../deploy/gate/chart", *settings(redis, "newer"))
        under_way = crowd.poll() is None
        print(cluster.must("helm", "--namespace", SPACE, "history", "gate").strip(), flush=True)
        ok = judge(cluster, args, home, redis, queue, crowd)
        cluster.wait(lambda: sum(pod.ended for pod in kubelet.pods.values()) == 3, "the former Pods' end")
        killed = sum(pod.killed for pod in kubelet.pods.values())
        print(f"{len(kubelet.pods)} Pods, 3 ended, {killed} of them killed; {service.refused} connections found no gate; "
              f"visitors came during the whole update: {under_way}", flush=True)
        return ok and under_way and killed == 0 and kubelet.trouble is None
    finally:
        if service:
            service.closed = True
        kubelet.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("bin", "loadline", "previous", "crowd", "check"):
        parser.add_argument(f"--{name}", required=True, type=os.path.abspath)
    parser.add_argument("--visitors", type=int, default=2400)
    args = parser.parse_args()
    if "OWN_NETWORK" not in os.environ:
        os.environ["OWN_NETWORK"] = "yes"
        os.execvp("unshare", ["unshare", "--net", sys.executable, *sys.argv])
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    subprocess.run(["ip", "addr", "add", "10.244.0.1/32", "dev", "lo"], check=True)
    home = tempfile.mkdtemp(prefix="cluster-")
    redis, cluster = Redis(home), Cluster(args.bin, home)
    try:
        cluster.begin()
        ok = update(cluster, args, home, redis)
    finally:
        cluster.end()
        redis.end()
    print("pass" if ok else f"FAIL, see {home}")
    if ok:
        shutil.rmtree(home)
    sys.exit(0 if ok else 1)


if __name__ == "__main__":
    main()
