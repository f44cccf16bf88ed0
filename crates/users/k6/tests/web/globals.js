// Runs under Node.js and in a k6 script; both print the same.
const show = (value) => print(JSON.stringify(value));
const tried = (f) => { try { return f(); } catch (e) { return `${e.name}`; } };

for (const text of ['http://u:p@ex.test:8080/a/b?x=1&y=2#h', 'HTTPS://EXAMPLE.test:443/../a/./b/', 'http://[::1]:3000/', 'mailto:x@y.z', 'file:///c/d',
  'http://ex.test/a b?c d#e f', 'http://xn--e1afmkfd.test/', 'http://\ud55c\uad6d.test/\uacbd\ub85c?\uac80\uc0c9=\uc5b4', 'data:text/plain,hi', 'http://a.test?', 'http://a.test/#']) {
  const u = new URL(text);
  show([u.href, u.protocol, u.username, u.password, u.host, u.hostname, u.port, u.pathname, u.search, u.hash, u.origin, String(u), JSON.stringify(u)]);
}
for (const [text, base] of [['../c?q', 'http://h.test/a/b/d'], ['//o.test/p', 'https://h.test/'], ['?only', 'http://h.test/a#b'], ['#frag', 'http://h.test/a?q'], ['', 'http://h.test/a?q#f'], ['x:y', 'http://h.test/']])
  show(new URL(text, base).href);
for (const text of ['', 'nope', 'http://', 'http://a b', 'http://a:99999/', '/relative', 'http://[::1', '//x'])
  show([text, tried(() => new URL(text).href), URL.canParse(text), URL.canParse(text, 'http://h.test/')]);
show([tried(() => new URL()), tried(() => new URL('a', 'nope')), tried(() => URL('http://a.test/'))]);

const u = new URL('http://h.test/p?a=1&b=2#f');
u.searchParams.append('c', 'x y&z');
show([u.href, u.search, u.searchParams === u.searchParams, u.searchParams.size]);
u.search = '?n=1&n=2';
show([u.searchParams.getAll('n'), u.searchParams.toString(), u.href]);
u.pathname = '/new path'; u.hash = ''; u.port = '81'; u.hostname = 'other.test'; u.protocol = 'https'; u.username = 'me'; u.password = 'p@ss';
show(u.href);
u.host = 'third.test:9'; u.port = ''; u.search = '';
show([u.href, u.host]);
u.port = 'abc'; u.protocol = 'nope'; u.hash = '#z';
show(u.href);
u.href = 'http://fresh.test/?q=1';
show([u.searchParams.get('q'), tried(() => { u.href = 'nope'; return 'set'; }), u.href]);
u.searchParams.delete('q');
show(u.href);

for (const from of ['a=1&b=2&a=3', '?x=%20+y&z', '', [['k', 'v'], ['k', 'w']], { o: 1, p: 'two' }, new Map([['m', 'n']]), new URLSearchParams('c=d'), undefined, 'a=b=c&&=e&%zz=1&\uac00=\ub098'])
  show([String(new URLSearchParams(from)), [...new URLSearchParams(from)]]);
show([tried(() => new URLSearchParams([['one']])), tried(() => new URLSearchParams([1]))]);
const p = new URLSearchParams('b=2&a=1&b=3&c=4');
show([p.get('b'), p.get('z'), p.getAll('b'), p.has('a'), p.has('b', '3'), p.has('b', '4'), p.size]);
p.set('b', 'only'); p.append('a', 'again'); p.set('new', 'n');
show(p.toString());
p.delete('a', 'again'); p.delete('c');
show(p.toString());
p.append('\ud83d\ude00', '1'); p.append('A', '2'); p.sort();
show(p.toString());
const seen = [];
p.forEach((value, name, all) => seen.push(name + value + (all === p)));
show([seen, [...p.keys()], [...p.values()], [...p.entries()], Object.fromEntries(p)]);
for (const [name, value] of p) show([name, value]);
show([String(new URLSearchParams({ q: "a+b&c=d'(~)*-._!" })), typeof p[Symbol.iterator], Object.keys(p)]);

const encoder = new TextEncoder();
show([encoder.encoding, [...encoder.encode('h\u00e9\u4e2d\ud83d\ude00')], encoder.encode().length, encoder.encode(12).length, encoder.encode('a') instanceof Uint8Array]);
const room = new Uint8Array(6);
show([encoder.encodeInto('a\u4e2d\u4e2d', room), [...room], encoder.encodeInto('\ud83d\ude00x', new Uint8Array(5))]);
for (const label of [undefined, 'utf8', 'UTF-8', 'utf-16le', 'latin1', 'shift_jis', 'ascii']) {
  const d = new TextDecoder(label);
  show([d.encoding, d.fatal, d.ignoreBOM, d.decode(new Uint8Array([104, 0xc3, 0xa9, 0xff]))]);
}
show([tried(() => new TextDecoder('nope')), tried(() => new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([0xff]))), tried(() => new TextDecoder().decode('text'))]);
const marked = new Uint8Array([0xef, 0xbb, 0xbf, 65]);
show([new TextDecoder().decode(marked), new TextDecoder('utf-8', { ignoreBOM: true }).decode(marked).length, new TextDecoder().decode(), new TextDecoder().decode(marked.buffer.slice(3)), new TextDecoder().decode(new DataView(marked.buffer, 3))]);

const shared = { n: 1 };
const source = { a: [1, , 3], d: new Date(5), r: /x+/gi, m: new Map([[shared, new Set([1, shared])]]), b: new Uint8Array([1, 2]).subarray(1), e: new TypeError('bad'), u: undefined, z: null, big: 10n, one: shared, two: shared };
source.self = source;
const copy = structuredClone(source);
show([copy !== source, copy.self === copy, copy.one === copy.two, copy.one !== shared, 1 in copy.a, copy.a.length, copy.d.getTime(), copy.d instanceof Date, String(copy.r), copy.r !== source.r,
  [...copy.m.keys()][0] === copy.one, [...copy.m.values()][0].has(copy.one), [...copy.b], copy.b.buffer.byteLength, copy.e instanceof TypeError, copy.e.message, 'u' in copy, copy.z, String(copy.big)]);
show([tried(() => structuredClone(() => 1)) !== undefined, structuredClone('x'), structuredClone(null), structuredClone(new Float64Array([1.5]))[0], tried(() => structuredClone(new RangeError('r')).name)]);
class Own { constructor() { this.x = 1; } get y() { return 2; } }
show([structuredClone(new Own()), structuredClone(new Own()) instanceof Own, structuredClone(Object.create({ inherited: 1 }))]);
