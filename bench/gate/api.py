"""The gate against its own description: schemathesis makes calls up from /openapi.json of the admin listener, at both listeners,
with good keys and without, and holds each answer against what is described. Two minutes at most; run by `make gate-api`."""
import json, os, subprocess, sys, tempfile, time, urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(HERE)), "examples/gate/verify"))
from check import Gate  # noqa: E402

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,response_headers_conformance"


def of_listener(document, listener, queue, tenant):
    """What one listener serves, with ids that are there in the place of made-up ones half of the time."""
    paths = {path: item for path, item in document["paths"].items() if item["x-listener"] in (listener, "both")}
    # Streams do not end, and a deleted or archived queue would leave nothing to ask.
    for path in ["/q/{queue}/events", "/v1/queues/{queue}/archive", "/v1/keys/{key}"]:
        paths.pop(path, None)
    text = json.dumps({**document, "paths": paths})
    text = text.replace("^q_[0-9a-f]{16}$", f"^({queue}|q_[0-9a-f]{{16}})$").replace("^t_[0-9a-f]{16}$", f"^({tenant}|t_[0-9a-f]{{16}})$")
    return json.loads(text)


def main():
    loadline, *more = sys.argv[1:]
    home = tempfile.mkdtemp(prefix="gate-api-")
    gate = Gate(os.path.abspath(loadline), home)
    failed = []
    try:
        queue = gate.queue("api", "code", "https://shop.example", "https://shop.example/")
        document = json.load(urllib.request.urlopen(f"{gate.admin}/openapi.json"))
        for listener, base in (("public", gate.public), ("admin", gate.admin)):
            schema = f"{home}/{listener}.json"
            json.dump(of_listener(document, listener, queue, gate.tenant), open(schema, "w"))
            for key in ([gate.key] if listener == "admin" else [gate.key, None]):
                began = time.monotonic()
                command = [f"{os.path.dirname(sys.executable)}/schemathesis", "run", schema, "--url", base, "--checks", CHECKS, "--seed", "7",
                           "--max-examples", "25", "--phases", "examples,coverage,fuzzing", "--workers", "1", "--no-color",
                           "--generation-database", "none", *more]
                command += ["-H", f"Authorization: Bearer {key}"] if key else []
                code = subprocess.run(command, cwd=home).returncode
                name = f"{listener}, {'with a key' if key else 'without'}"
                print(f"{name}: {'as described' if code == 0 else 'NOT as described'} ({time.monotonic() - began:.0f} s)", flush=True)
                failed += [name] if code else []
    finally:
        gate.process.terminate()
        gate.process.wait()
    sys.exit(f"failed: {failed}" if failed else 0)


if __name__ == "__main__":
    main()
