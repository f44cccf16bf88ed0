"""What a kubelet does for the gate's Pods, by their own specs: binds, starts, probes, reports, ends."""
import base64, datetime, json, os, signal, subprocess, threading, time, urllib.error, urllib.request

# An image's entrypoint (deploy/gate/Dockerfile), at the Pod's address.
ENTRYPOINT = ["gate", "--data", "{home}/state", "--public", "{address}:8090", "--admin", "{address}:8091"]


class Api:
    """A Kubernetes API server, asked as the one who may do everything."""

    def __init__(self, url, token, context):
        self.url, self.token, self.context = url, token, context

    def ask(self, method, path, body=None, kind="application/json"):
        data = None if body is None else json.dumps(body).encode()
        head = {"Authorization": f"Bearer {self.token}", "Content-Type": kind}
        request = urllib.request.Request(self.url + path, data, head, method=method)
        with urllib.request.urlopen(request, timeout=10, context=self.context) as answer:
            return json.load(answer)


class Pod:
    """One Pod's process."""

    def __init__(self, kubelet, spec, address):
        self.kubelet, self.api, self.address = kubelet, kubelet.api, address
        self.name, self.path = spec["metadata"]["name"], f"{kubelet.path}/{spec['metadata']['name']}"
        self.home = f"{kubelet.home}/{self.name}"
        os.makedirs(self.home)
        [self.container] = spec["spec"]["containers"]
        self.grace, self.ended, self.killed, self.ending = spec["spec"]["terminationGracePeriodSeconds"], False, False, False
        self.api.ask("POST", f"{self.path}/binding", {"apiVersion": "v1", "kind": "Binding", "metadata": {"name": self.name},
                                                      "target": {"kind": "Node", "name": "here"}})
        args = self.container["args"]
        for mount in self.container["volumeMounts"]:
            volume = next(one for one in spec["spec"]["volumes"] if one["name"] == mount["name"])
            place = f"{self.home}/{volume['name']}"
            os.makedirs(place)
            secret = self.api.ask("GET", f"/api/v1/namespaces/{kubelet.space}/secrets/{volume['secret']['secretName']}")
            for key, value in secret["data"].items():
                with open(f"{place}/{key}", "wb") as out:
                    out.write(base64.b64decode(value))
            args = [one.replace(mount["mountPath"] + "/", place + "/") for one in args]
        subprocess.run(["ip", "addr", "add", f"{address}/32", "dev", "lo"], check=True)
        own = [part.format(home=self.home, address=address) for part in ENTRYPOINT]
        self.out = open(f"{self.home}/out", "w")
        self.process = subprocess.Popen([kubelet.builds[self.container["image"]], *own, *args], stdout=self.out, stderr=self.out,
                                        stdin=subprocess.DEVNULL)
        threading.Thread(target=self.probe, daemon=True).start()

    def probe(self):
        """Reports whether it is ready, as its probes tell; told again only when it changes."""
        failed, ready, started = 0, False, False
        self.report(ready)
        while self.process.poll() is None:
            probe = self.container["readinessProbe" if started else "startupProbe"]
            try:
                url = f"http://{self.address}:8091{probe['httpGet']['path']}"
                good = urllib.request.urlopen(url, timeout=1).status == 200
            except OSError:
                good = False
            failed = 0 if good else failed + 1
            started = started or good
            now = good or (ready and failed < probe["failureThreshold"])
            if now != ready:
                ready = now
                self.report(ready)
            time.sleep(probe["periodSeconds"])

    def report(self, ready):
        now = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        said = "True" if ready else "False"
        state = {"name": self.container["name"], "ready": ready, "started": ready, "restartCount": 0, "imageID": "",
                 "image": self.container["image"], "state": {"running": {"startedAt": now}}}
        conditions = [{"type": kind, "status": said} for kind in ("Ready", "ContainersReady")]
        status = {"phase": "Running", "podIP": self.address, "podIPs": [{"ip": self.address}], "startTime": now,
                  "conditions": conditions, "containerStatuses": [state]}
        try:
            self.api.ask("PATCH", f"{self.path}/status", {"status": status}, "application/strategic-merge-patch+json")
        except urllib.error.HTTPError as error:
            if error.code != 404:  # it was deleted meanwhile
                raise

    def end(self):
        """SIGTERM, time to end, SIGKILL; then it is no more."""
        self.ending = True
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(timeout=self.grace)
        except subprocess.TimeoutExpired:
            self.killed = True
            self.process.kill()
            self.process.wait()
        self.ended = True
        self.api.ask("DELETE", self.path, {"kind": "DeleteOptions", "apiVersion": "v1", "gracePeriodSeconds": 0})


class Kubelet:
    """Runs the Pods of a namespace; `builds` leads from images to binaries."""

    def __init__(self, api, space, home, builds):
        self.api, self.space, self.home, self.builds, self.pods = api, space, home, builds, {}
        self.path, self.closed, self.trouble = f"/api/v1/namespaces/{space}/pods", False, None
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        try:
            while not self.closed:
                for spec in self.api.ask("GET", self.path)["items"]:
                    name = spec["metadata"]["name"]
                    if "deletionTimestamp" in spec["metadata"]:
                        if name in self.pods and not self.pods[name].ending:
                            self.pods[name].ending = True
                            threading.Thread(target=self.pods[name].end, daemon=True).start()
                    elif name not in self.pods:
                        self.pods[name] = Pod(self, spec, f"10.244.0.{len(self.pods) + 2}")
                time.sleep(0.1)
        except Exception as error:
            self.trouble = error
            raise

    def close(self):
        self.closed = True
        for pod in self.pods.values():
            if pod.process.poll() is None:
                pod.process.kill()
                pod.process.wait()
