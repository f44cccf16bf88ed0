// Node's own fetch, URL, AbortController and TextEncoder; no package.
async function load(context) {
  const url = new URL('/anything/x', context.vars.target);
  url.searchParams.set('q', 'a b');
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), 5000);
  const answer = await fetch(url, { signal: controller.signal, headers: { accept: 'application/json' } });
  clearTimeout(timer);
  const body = await answer.json();
  context.vars.size = new TextEncoder().encode('한글').length;
  context.vars.copy = structuredClone({ method: body.method, at: [1, 2] });
}

exports.load = load;
