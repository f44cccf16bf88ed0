// Each attack gets a user of its own for two seconds; a healthy endpoint beside them must keep its starts.
import http from "k6/http";
import grpc from "k6/net/grpc";
import sse from "k6/x/sse";
import ws from "k6/ws";
import { WebSocket } from "k6/websockets";

const attacks = JSON.parse(__ENV.ATTACKS);
const scenarios = {
  healthy: {
    executor: "constant-arrival-rate", rate: 50, duration: "2s", preAllocatedVUs: 60, exec: "healthy", gracefulStop: "1s",
  },
};
for (const { name, protocol, address } of attacks) {
  scenarios[name] = {
    executor: "constant-vus", vus: 1, duration: "2s", gracefulStop: "1s", exec: `attack${protocol}`, env: { NAME: name, ADDRESS: address },
  };
}
export const options = {
  insecureSkipTLSVerify: true, scenarios,
  // 98 of 100 starts; on a busy machine some of what started is cut at the end.
  thresholds: { "dropped_iterations{scenario:healthy}": ["count<=2"], "iterations{scenario:healthy}": ["count>=90"] },
};

const said = {};
function say(text) {
  if (said[__ENV.NAME]) return;
  said[__ENV.NAME] = true;
  console.log(`SAID ${__ENV.NAME}: ${text}`);
}

export function healthy() { http.get(__ENV.HEALTHY); }

function get(scheme) {
  const response = http.get(`${scheme}://${__ENV.ADDRESS}/`, { timeout: "1500ms" });
  let text = response.error || `status ${response.status}`;
  try {
    if (__ENV.NAME.startsWith("page-")) text += ` ${response.html().find("p").size()} found`;
    if (__ENV.NAME === "json-deep") response.json();
  } catch (error) {
    text += ` ${error}`;
  }
  say(text);
}
export function attackHttp1() { get("http"); }
export function attackHttp2() { get("https"); }
export function attackTls() { get("https"); }

export function attackSse() {
  let events = 0;
  const answer = sse.open(`http://${__ENV.ADDRESS}/`, { timeout: "1500ms" }, (client) => {
    client.on("event", () => { events += 1; });
    client.on("error", (error) => say(error.error()));
  });
  say(`${events} events ${answer.error}`);
}

const client = new grpc.Client();
export function attackGrpc() {
  try {
    client.connect(__ENV.ADDRESS, { plaintext: true, timeout: "1500ms", reflect: true });
    say("connected");
  } catch (error) {
    say(String(error));
  }
  client.close();
}

// Timers must run while messages keep coming, in both modules.
export function attackWebSocket() {
  const begun = Date.now();
  let messages = 0;
  const answer = ws.connect(`ws://${__ENV.ADDRESS}/`, {}, (socket) => {
    socket.on("message", () => { messages += 1; });
    socket.on("error", (error) => say(error.error()));
    socket.setTimeout(() => socket.close(), 500);
  });
  say(`closed within ${Math.ceil((Date.now() - begun) / 1000)} s ${answer.error}`);
}
export function attackEvents() {
  const begun = Date.now();
  const socket = new WebSocket(`ws://${__ENV.ADDRESS}/`);
  socket.onmessage = () => {};
  socket.onopen = () => setTimeout(() => socket.close(), 500);
  socket.onerror = (event) => say(event.error);
  socket.onclose = () => say(`closed within ${Math.ceil((Date.now() - begun) / 1000)} s`);
}
