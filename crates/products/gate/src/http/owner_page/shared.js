// What both parts of the page use: its words, the key, calls with it, and what is said of them.
export const words = JSON.parse(document.body.dataset.words);
export const at = (id) => document.getElementById(id);
export const lang = document.documentElement.lang;
export const key = { text: sessionStorage.getItem("key") || "" };

/** The gate said no; `status` is its answer's. */
export class Refused extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

export async function ask(method, path, body, head = {}) {
  const headers = { Authorization: `Bearer ${key.text}`, ...head };
  const answer = await fetch(path, { method, headers, body: body && JSON.stringify(body), cache: "no-store", credentials: "omit" });
  const text = await answer.text();
  const json = text ? JSON.parse(text) : {};
  if (!answer.ok) throw new Refused(answer.status === 401 ? words.refused : why(json.error) || String(answer.status), answer.status);
  return json;
}

/** Why the gate said no, in the page's language as far as it has words for it. */
const why = (error) => error && filled(words[`no-${error.code}`] || error.message, { reason: error.message });

/** Makes a call that is sent again do it once. */
export const once = () => ({ "Idempotency-Key": crypto.randomUUID ? crypto.randomUUID() : String(Math.random()) });

export const say = (text) => { at("said").textContent = text; };
export const number = (value, digits = 0) =>
  value === null || value === undefined ? "-" : value.toLocaleString(lang, { maximumFractionDigits: digits });
export const time = (ms) => new Date(ms).toLocaleString(lang);
/** A sentence with what is in braces filled in. */
export const filled = (text, parts) => text.replace(/\{(\w+)\}/g, (_, name) => parts[name] ?? "-");

export function cell(row, text, numeric) {
  const td = row.insertCell();
  td.textContent = text;
  if (numeric) td.className = "n";
  return td;
}

/** Says what went wrong; a key that is refused is forgotten by whoever listens. */
export function failed(error) {
  say(error instanceof Refused ? error.message : words.unreachable);
  if (error instanceof Refused && error.status === 401) document.dispatchEvent(new Event("key-refused"));
}

export const on = (id, what, does) =>
  at(id).addEventListener(what, (event) => {
    event.preventDefault();
    Promise.resolve(does(event)).catch(failed);
  });
