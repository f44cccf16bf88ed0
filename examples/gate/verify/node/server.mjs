// A service that lets in only whom the waiting room let in. Node 20, no packages.
//
//   GATE=http://127.0.0.1:8090 QUEUE=q_... node server.mjs     # the queue's proof: jwt_eddsa
//
// The gate sends a visitor to /enter?wr=<JWT>. The token is checked offline with the gate's
// published keys, is good once, and becomes a session of this service's own.
import { createHmac, createPublicKey, randomBytes, timingSafeEqual, verify } from 'node:crypto';
import { createServer } from 'node:http';

const gate = process.env.GATE;
const queue = process.env.QUEUE;
const LEEWAY_S = 30;
const SESSION_S = 1800;
const own = randomBytes(32); // signs sessions; instances of a service would share it
const keys = new Map(); // by key id
const used = new Map(); // jti -> when it can be forgotten

async function keyOf(kid) {
  if (!keys.has(kid)) {
    const { keys: published } = await (await fetch(`${gate}/.well-known/jwks.json`)).json();
    keys.clear();
    // The key decides what may be signed with it, not the token.
    for (const jwk of published) if (jwk.crv === 'Ed25519') keys.set(jwk.kid, createPublicKey({ key: jwk, format: 'jwk' }));
  }
  return keys.get(kid);
}

const part = (text) => JSON.parse(Buffer.from(text, 'base64url'));

/** The claims of a token that may come in, now and for the first time; else an error. */
async function admitted(token) {
  const [head, body, signature, more] = token.split('.');
  if (!signature || more !== undefined) throw new Error('not a token');
  const { alg, kid } = part(head);
  const key = alg === 'EdDSA' && (await keyOf(kid));
  if (!key || !verify(null, Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url'))) throw new Error('forged');
  const claims = part(body);
  const now = Date.now() / 1000;
  if (claims.aud !== queue || claims.iss !== gate) throw new Error('for another service');
  if (!(claims.nbf - LEEWAY_S <= now && now < claims.exp + LEEWAY_S)) throw new Error('expired');
  for (const [jti, end] of used) if (end < now) used.delete(jti);
  if (used.has(claims.jti)) throw new Error('used before');
  used.set(claims.jti, claims.exp + LEEWAY_S);
  return claims;
}

const mac = (text) => createHmac('sha256', own).update(text).digest('base64url');

function session(cookies = '') {
  const [, text] = /(?:^|; )inside=([^;]+)/.exec(cookies) || [];
  const [who, end, sign] = (text || '').split('.');
  if (!sign || sign.length !== 43 || Number(end) < Date.now() / 1000) return null;
  return timingSafeEqual(Buffer.from(sign), Buffer.from(mac(`${who}.${end}`))) ? who : null;
}

const server = createServer(async (request, response) => {
  const url = new URL(request.url, 'http://service');
  const send = (status, head, text = '') => response.writeHead(status, { 'Referrer-Policy': 'no-referrer', 'Cache-Control': 'no-store', ...head }).end(text);
  if (url.pathname === '/enter') {
    try {
      const claims = await admitted(url.searchParams.get('wr') || '');
      const text = `${claims.sub}.${Math.floor(Date.now() / 1000) + SESSION_S}`;
      const cookie = `inside=${text}.${mac(text)}; Path=/; Max-Age=${SESSION_S}; HttpOnly; SameSite=Lax`; // and Secure, behind https
      return send(303, { Location: '/', 'Set-Cookie': cookie }); // out of the address at once
    } catch (error) {
      return send(401, { 'Content-Type': 'text/plain' }, `${error.message}\n`);
    }
  }
  if (!session(request.headers.cookie)) return send(303, { Location: `${gate}/w/${queue}` });
  return send(200, { 'Content-Type': 'text/plain' }, 'inside\n');
});
server.listen(Number(process.env.PORT || 0), '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${server.address().port}`));
