// One attack: a user for two seconds, one second of grace, 1.5 s for each request. bench/attacks.py runs it.
import http from "k6/http";
import grpc from "k6/net/grpc";
import ws from "k6/ws";

const { NAME, PROTOCOL, ADDRESS } = __ENV;
export const options = {
  insecureSkipTLSVerify: true,
  scenarios: { attack: { executor: "constant-vus", vus: 1, duration: "2s", gracefulStop: "1s", exec: PROTOCOL } },
};

let isSaid = false;
function say(text) {
  if (!isSaid) console.log(`SAID ${String(text).split("\n")[0]}`);
  isSaid = true;
}

function get(scheme) {
  const response = http.get(`${scheme}://${ADDRESS}/`, { timeout: "1500ms" });
  let text = response.error || `status ${response.status}`;
  try {
    if (NAME.startsWith("page-")) response.html().find("p").size();
    if (NAME === "json-deep") response.json();
  } catch (error) {
    text += ` threw ${error}`;
  }
  say(text);
}
export function Http1() { get("http"); }
// k6 has no events of its own: it reads them as a body.
export function Sse() { get("http"); }
export function Http2() { get("https"); }
export function Tls() { get("https"); }

const client = new grpc.Client();
export function Grpc() {
  try {
    client.connect(ADDRESS, { plaintext: true, timeout: "1500ms", reflect: true });
    say("connected");
  } catch (error) {
    say(`threw ${error}`);
  }
  client.close();
}

export function WebSocket() {
  let messages = 0;
  let told = "";
  ws.connect(`ws://${ADDRESS}/`, {}, (socket) => {
    socket.on("message", () => { messages += 1; });
    socket.on("error", (error) => { told = `${error.error()} `; });
    socket.on("close", (code) => say(`${told}closed ${code} after ${messages}`));
    socket.setTimeout(() => socket.close(), 1500);
  });
}
