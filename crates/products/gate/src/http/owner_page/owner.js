// Shows the queues that the key may see and does what the owner asks, through the admin API.
import { ask, at, cell, failed, filled, key, number, on, once, say, time, words } from "./shared.js";
import { endSettings, showQueue, showSettings } from "./settings.js";

let queues = [];
let chosen = "";
let person = "";
const before = new Map(); // of each queue: when, and how many had been let in

// The name of a mode, without what it does.
const shortMode = (mode) => (words[`mode-${mode}`] || String(mode)).split(":")[0];
function pace(id, admitted) {
  const now = performance.now();
  const [then, had] = before.get(id) || [now, admitted];
  before.set(id, [now, admitted]);
  return now > then ? ((admitted - had) * 1000) / (now - then) : null;
}

async function look() {
  queues = (await ask("GET", "/v1/queues")).queues;
  const stats = await Promise.all(queues.map((queue) => ask("GET", `/v1/queues/${queue.id}/stats`)));
  const focused = document.activeElement && document.activeElement.dataset.queue;
  const rows = at("rows");
  rows.replaceChildren();
  queues.forEach((queue, i) => {
    const row = rows.insertRow();
    const open = document.createElement("button");
    open.type = "button";
    open.textContent = queue.title || queue.slug;
    open.dataset.queue = queue.id;
    open.addEventListener("click", () => choose(queue.id));
    row.insertCell().append(open);
    cell(row, shortMode(queue.mode));
    cell(row, number(stats[i].waiting), true);
    cell(row, number(stats[i].ready), true);
    cell(row, number(stats[i].inside), true);
    cell(row, number(queue.cap), true);
    cell(row, number(queue.rate_per_s, 2), true);
    cell(row, number(pace(queue.id, stats[i].totals.admitted), 1), true);
    if (focused === queue.id) open.focus();
  });
  at("all").hidden = false;
  at("enter").hidden = true;
  at("forget").hidden = false;
  if (queues.length === 0 && !at("said").textContent) say(words.none); // what was said last stays
}

async function audit() {
  if (!chosen) return;
  const deeds = (await ask("GET", `/v1/queues/${chosen}/audit`)).audit;
  at("deeds").replaceChildren();
  for (const deed of deeds.slice(0, 50)) {
    const row = at("deeds").insertRow();
    cell(row, time(deed.at_ms));
    cell(row, deed.actor);
    cell(row, told(deed));
  }
}

// What was done, in words; a deed that this page does not know is shown by its name.
function told(deed) {
  const length = deed.length_s === null || deed.length_s === undefined
    ? words["for-good"]
    : filled(words["for-seconds"], { seconds: number(deed.length_s) });
  const parts = {
    asked: number(deed.asked), admitted: number(deed.admitted), person: deed.wid, length, reason: deed.reason,
    mode: shortMode(deed.mode), rate: number(deed.rate_per_s, 2), cap: number(deed.cap), run: deed.run || "-",
  };
  const text = filled(words[deed.what] || deed.what, parts);
  return deed.force ? `${text} (${words.force})` : text;
}

function choose(id) {
  const queue = queues.find((one) => one.id === id);
  if (!queue) return;
  chosen = id;
  at("one").hidden = false;
  at("found").hidden = true;
  at("name").textContent = `${queue.title || queue.slug} (${queue.id})`;
  at("mode").value = queue.mode;
  at("rate").value = queue.rate_per_s ?? "";
  at("cap").value = queue.cap ?? "";
  const figure = queue.capacity;
  at("figure").textContent = figure
    ? filled(words.figure, {
        run: figure.run || "-", date: figure.measured_ms ? time(figure.measured_ms) : "-", safety: number(figure.safety, 2),
        low: number(figure.interval ? figure.interval[0] : figure.line_per_s, 1),
        high: number(figure.interval ? figure.interval[1] : figure.line_per_s, 1),
      })
    : words["by-hand"];
  showQueue(queue);
  say("");
  audit().catch(failed);
}

function forget() {
  key.text = "";
  endSettings();
  chosen = "";
  sessionStorage.removeItem("key");
  for (const id of ["all", "one", "forget"]) at(id).hidden = true;
  at("enter").hidden = false;
  at("rows").replaceChildren();
  at("deeds").replaceChildren();
}

async function find() {
  const state = await ask("GET", `/v1/queues/${chosen}/waiters/${encodeURIComponent(person)}`);
  const parts = [words[`state-${state.state}`] || state.state, state.seq && `#${state.seq}`, state.ahead !== undefined && `${state.ahead} / ${state.total}`, state.reason];
  at("standing").textContent = `${person}: ${parts.filter(Boolean).join(", ")}`;
  at("found").hidden = false;
}

async function act(deed) {
  const who = person.startsWith("wid:") ? { wid: person.slice(4) } : { user_id: person };
  const path = `/v1/queues/${chosen}/`;
  let said = words.done;
  if (deed === "admit") {
    const whom = who.wid ? { wids: [who.wid] } : { user_ids: [who.user_id] };
    const { admitted } = await ask("POST", `${path}admit`, whom, once());
    said = filled(words["admitted-now"], { admitted: number(admitted) });
  } else if (deed === "end-bypass") {
    await ask("DELETE", `${path}bypass`, who);
  } else {
    await ask("POST", path + deed, deed === "block" ? { ...who, reason: at("reason").value } : who);
  }
  say(said);
  await find();
  await audit();
}

on("enter", "submit", async () => {
  key.text = at("key").value.trim();
  at("key").value = "";
  say("");
  await look();
  sessionStorage.setItem("key", key.text);
  await showSettings();
});
on("forget", "click", forget);
document.addEventListener("key-refused", forget);
// A queue was made, changed or put away.
document.addEventListener("queues-changed", () => {
  look().then(() => {
    if (queues.some((queue) => queue.id === chosen)) return;
    chosen = "";
    at("one").hidden = true;
  }).catch(failed);
});
on("search", "submit", () => {
  person = at("who").value.trim();
  return find();
});
on("rules", "submit", async () => {
  const queue = queues.find((one) => one.id === chosen);
  const rules = { mode: at("mode").value };
  // An empty rate is no limit, an empty cap the usual one.
  rules.rate_per_s = at("rate").value === "" ? null : Number(at("rate").value);
  rules.cap = at("cap").value === "" ? null : Number(at("cap").value);
  await ask("PATCH", `/v1/queues/${chosen}`, rules, { "If-Match": String(queue.version) });
  await look();
  choose(chosen);
  say(words.done);
});
on("admit", "submit", async () => {
  const { admitted } = await ask("POST", `/v1/queues/${chosen}/admit`, { count: Number(at("count").value) }, once());
  at("count").value = "";
  say(filled(words["admitted-now"], { admitted: number(admitted) }));
  await audit();
});
on("hold-all", "click", async () => {
  const held = queues.filter((queue) => queue.mode !== "hold" && queue.mode !== "closed");
  if (!window.confirm(filled(words["hold-all-sure"], { queues: number(held.length) }))) return;
  // One that fails must not keep the others open.
  const done = await Promise.allSettled(held.map((queue) => ask("PUT", `/v1/queues/${queue.id}/mode`, { mode: "hold" })));
  await look();
  const failure = done.find((one) => one.status === "rejected");
  if (failure) throw failure.reason;
  say(words.done);
});
for (const button of document.querySelectorAll("[data-deed]")) {
  button.addEventListener("click", () => act(button.dataset.deed).catch(failed));
}

setInterval(() => { if (key.text && !document.hidden && !at("all").hidden) look().catch(failed); }, 2000);
if (key.text) look().then(showSettings).catch(failed);
