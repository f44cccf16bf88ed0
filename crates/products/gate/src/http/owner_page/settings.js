// The part of the owners' page with tenants, queues and keys; shown to keys that may change them.
import { ask, at, cell, failed, filled, lang, number, on, say, time, words } from "./shared.js";

let queue = null; // the one that is shown
const tenant = () => at("tenant").value;
const changed = () => document.dispatchEvent(new Event("queues-changed"));

export function endSettings() {
  queue = null;
  at("made").textContent = "";
  for (const id of ["settings", "owned", "made-key"]) at(id).hidden = true;
  for (const id of ["tenant", "key-rows", "archived-rows", "change-rows"]) at(id).replaceChildren();
}

/** Shows what the key may change, if it may. */
export async function showSettings() {
  const { scopes } = await ask("GET", "/v1/key");
  const isRoot = scopes.includes("root");
  if (!isRoot && !scopes.includes("admin")) return;
  const { tenants } = await ask("GET", "/v1/tenants");
  const was = tenant();
  at("tenant").replaceChildren(...tenants.map(({ id, name }) => new Option(name, id, false, id === was)));
  at("tenant-part").hidden = tenants.length === 0;
  at("new-tenant").hidden = !isRoot;
  at("settings").hidden = false;
  at("owned").hidden = false;
  await Promise.all([keys(), archived(), changes()]);
}

async function keys() {
  if (!tenant()) return;
  const found = (await ask("GET", `/v1/tenants/${tenant()}/keys`)).keys;
  at("key-rows").replaceChildren();
  for (const one of found) {
    const row = at("key-rows").insertRow();
    cell(row, one.id);
    cell(row, one.label || "-");
    cell(row, one.scopes.map((scope) => words[`scope-${scope}`] || scope).join(", "));
    cell(row, one.expires_at_s === null ? words.never : time(one.expires_at_s * 1000));
    row.insertCell().append(button(words.revoke, one.id, async () => {
      if (!window.confirm(filled(words["revoke-sure"], { key: one.label || one.id }))) return;
      await ask("DELETE", `/v1/keys/${one.id}`);
      say(words.done);
      await Promise.all([keys(), changes()]);
    }));
  }
}

function button(text, of, does) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  // What a screen reader says of one of many that read the same.
  made.setAttribute("aria-label", `${text}: ${of}`);
  made.addEventListener("click", () => does().catch(failed));
  return made;
}

async function archived() {
  const { queues } = await ask("GET", "/v1/archive");
  at("archived-rows").replaceChildren();
  for (const one of queues) {
    const row = at("archived-rows").insertRow();
    cell(row, `${one.title} (${one.id})`);
    cell(row, time(one.archived_at_ms));
    row.insertCell().append(button(words.restore, one.title, async () => {
      await ask("POST", `/v1/archive/${one.id}/restore`);
      say(words.done);
      changed();
      await Promise.all([archived(), changes()]);
    }));
  }
}

async function changes() {
  const { audit } = await ask("GET", "/v1/audit");
  at("change-rows").replaceChildren();
  for (const deed of audit.slice(0, 50)) {
    const row = at("change-rows").insertRow();
    cell(row, time(deed.at_ms));
    cell(row, deed.actor);
    cell(row, told(deed));
  }
}

/** A change in words; one that this page does not know is shown by its name. */
function told(deed) {
  const name = deed.after?.slug || deed.slug || deed.queue;
  const parts = {
    name: deed.name, label: deed.label || "-", key: deed.key, rotation: number(deed.rotation), queue: name,
    before: particulars(deed.before), after: particulars(deed.after),
  };
  return filled(words[deed.what] || deed.what, parts);
}

const particulars = (value) => Object.entries(value || {}).map(([name, what]) => `${name} ${JSON.stringify(what)}`).join(", ") || "-";

/** Fills the form of a queue's page. */
export function showQueue(shown) {
  queue = shown;
  const text = (of, name) => shown.page.texts[of]?.[name] ?? "";
  for (const of of ["en", "ko"]) {
    at(`title-${of}`).value = text(of, "title");
    at(`notice-${of}`).value = text(of, "notice");
    // What is said where nothing is written.
    at(`title-${of}`).placeholder = shown.title;
    at(`notice-${of}`).placeholder = shown.page.notice ?? "";
  }
  at("accent").value = shown.page.accent ?? "";
  at("logo").value = "";
  at("no-logo").checked = false;
  at("no-logo").disabled = !shown.page.logo;
  at("cors").value = shown.cors_origins.join(" ");
}

/** A chosen file as a `data:` address. */
const picture = (file) => new Promise((done, refused) => {
  const reader = new FileReader();
  reader.onload = () => done(reader.result);
  reader.onerror = () => refused(reader.error);
  reader.readAsDataURL(file);
});

on("looks", "submit", async () => {
  const texts = {};
  for (const of of ["en", "ko"]) {
    const [title, notice] = [at(`title-${of}`).value.trim() || null, at(`notice-${of}`).value.trim() || null];
    if (title || notice) texts[of] = { title, notice };
  }
  const page = { accent: at("accent").value || null, texts };
  const [file] = at("logo").files;
  if (file && (file.size > 64 * 1024 || !/^image\/(png|jpeg|webp)$/.test(file.type))) return say(words["no-picture"]);
  if (file) page.logo = await picture(file);
  else if (at("no-logo").checked) page.logo = null;
  const cors_origins = at("cors").value.split(/[\s,]+/).filter(Boolean);
  showQueue(await ask("PATCH", `/v1/queues/${queue.id}`, { page, cors_origins }, { "If-Match": String(queue.version) }));
  say(words.done);
  changed();
  await changes();
});
on("archive", "click", async () => {
  if (!window.confirm(filled(words["archive-sure"], { queue: queue.title || queue.slug }))) return;
  await ask("POST", `/v1/queues/${queue.id}/archive`);
  say(words.done);
  changed();
  await Promise.all([archived(), changes()]);
});
on("tenant", "change", keys);
on("new-tenant", "submit", async () => {
  const made = await ask("POST", "/v1/tenants", { name: at("tenant-name").value });
  at("tenant-name").value = "";
  await showSettings();
  at("tenant").value = made.id;
  await keys();
  say(words.done);
});
on("new-queue", "submit", async () => {
  const origin = new URL(at("service").value).origin;
  const made = await ask("POST", "/v1/queues", {
    tenant: tenant(), slug: at("slug").value, redirect_origins: [origin], redirect_to: at("service").value, page: { lang },
  });
  at("slug").value = "";
  say(filled(words["queue-made"], { address: made.waiting_url }));
  changed();
  await changes();
});
on("new-key", "submit", async () => {
  const scopes = [...document.querySelectorAll('#new-key [name="scope"]:checked')].map((box) => box.value);
  const days = Number(at("key-days").value);
  const made = await ask("POST", `/v1/tenants/${tenant()}/keys`, { label: at("key-label").value, scopes, ...(days && { ttl_s: days * 86_400 }) });
  at("key-label").value = "";
  at("made").textContent = made.key;
  at("made-key").hidden = false;
  say(words.done);
  await Promise.all([keys(), changes()]);
});
on("rotate", "click", async () => {
  if (!window.confirm(words["rotate-sure"])) return;
  await ask("POST", `/v1/tenants/${tenant()}/rotate`);
  say(words.done);
  await changes();
});
