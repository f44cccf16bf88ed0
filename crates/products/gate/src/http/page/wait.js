// Keeps the page up to date. Everything works without it: the page reloads itself then.
(() => {
  "use strict";
  const page = document.getElementById("room");
  if (!page) return;
  // Refused for now: asks again in the background, and moves on only when that has changed.
  if (page.dataset.again) {
    const again = () => setTimeout(async () => {
      const answer = await fetch(location.href, { credentials: "same-origin", cache: "no-store" }).catch(() => null);
      if (answer && answer.ok) location.reload(); else again();
    }, 1000 * page.dataset.again);
    again();
    return;
  }
  // The turn is being used, by another tab as a rule: moves on only when it has been.
  if (document.getElementById("again")) {
    const look = () => setTimeout(async () => {
      const answer = await fetch(location.href, { credentials: "same-origin", cache: "no-store" }).catch(() => null);
      const text = answer && answer.ok ? await answer.text() : "";
      if (text && !text.includes('id="again"')) location.reload(); else look();
    }, 2000);
    look();
    return;
  }
  const base = `/q/${page.dataset.queue}`;
  const shown = page.dataset.state;
  let timer = 0;
  let failures = 0;

  const reload = () => location.reload();
  const later = (ms) => { clearTimeout(timer); timer = setTimeout(poll, ms); };

  // A screen reader hears the sentence when it is put in, not when it is there and hidden.
  const lost = document.getElementById("lost");
  const tell = (isLost) => {
    const text = isLost ? lost && lost.dataset.text : "";
    if (lost && lost.textContent !== text) lost.textContent = text;
  };

  const show = (state) => {
    failures = 0;
    tell(false);
    if (state.state !== shown) return reload();
    const say = (id, text) => {
      const place = document.getElementById(id);
      if (place && place.textContent !== text) place.textContent = text;
    };
    if (state.ahead !== undefined) {
      const words = page.dataset;
      say("ahead", state.ahead === 0 ? words.next : words.ahead.replace("{}", state.ahead.toLocaleString(words.lang)));
      say("total", words.total.replace("{}", state.total.toLocaleString(words.lang)));
      const held = state.mode === "hold" || state.mode === "closed";
      const [from, to] = state.eta ? [time(state.eta.p50_s), time(state.eta.p90_s)] : [];
      const range = from === to ? words.about.replace("{}", from) : words.wait.replace("{1}", from).replace("{2}", to);
      say("wait", held ? words.held : state.eta ? range : words.unknown);
      const bar = document.getElementById("progress");
      const first = Number(words.first);
      if (bar && first > 0) bar.value = Math.round(100 * (1 - Math.min(1, state.ahead / first)));
    }
  };

  const time = (s) => {
    const words = page.dataset;
    if (s < 60) return words.seconds.replace("{}", s);
    const m = Math.ceil(s / 60);
    if (m < 60) return words.minutes.replace("{}", m);
    return words.hours.replace("{1}", Math.floor(m / 60)).replace("{2}", m % 60);
  };

  async function poll() {
    try {
      const answer = await fetch(`${base}/me`, { credentials: "same-origin", cache: "no-store" });
      if (answer.status === 410 || answer.status === 401) return reload();
      if (!answer.ok) throw new Error(String(answer.status));
      const state = await answer.json();
      show(state);
      later(state.poll_after_ms);
    } catch {
      failures += 1;
      tell(true);
      later(Math.random() * Math.min(30000, 1000 * 2 ** failures) + 500);
    }
  }

  if (shown === "ready") {
    const form = document.getElementById("enter");
    if (form) form.submit();
    return;
  }
  if (shown !== "waiting" && shown !== "away") return;

  if ("EventSource" in window) {
    const events = new EventSource(`${base}/events`);
    let polls = false;
    const hear = (event) => { polls = false; clearTimeout(timer); show(JSON.parse(event.data)); };
    events.addEventListener("state", hear);
    events.addEventListener("ready", hear);
    // Refused or cut for good: polling tells the same.
    // A stream that is being opened again is looked after by polls meanwhile. Each try that fails
    // comes here again, and must not put the poll off.
    events.addEventListener("error", () => {
      if (polls) return;
      polls = true;
      later(events.readyState === EventSource.CLOSED ? 2000 : 4000);
    });
  } else {
    later(2000);
  }
  // Coming back to a page that slept.
  document.addEventListener("visibilitychange", () => { if (!document.hidden) poll(); });
})();
