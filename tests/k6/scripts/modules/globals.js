// Globals a script may count on.
export default function () {
  const names = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'console', 'open', 'require', '__ENV', '__VU', '__ITER', 'global', 'globalThis', 'BigInt', 'Proxy', 'Reflect', 'Symbol', 'Uint8Array', 'Promise', 'Map', 'WeakMap', 'JSON', 'Date', 'escape', 'unescape', 'encodeURIComponent'];
  console.log(names.filter((name) => eval(`typeof ${name}`) === 'undefined').join() || 'all there', global === globalThis);
}
