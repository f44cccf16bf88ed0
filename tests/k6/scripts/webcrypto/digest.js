// crypto.subtle.digest: each hash, over buffers and views.
const hex = (buffer) => Array.from(new Uint8Array(buffer)).map((b) => b.toString(16).padStart(2, '0')).join('');
const bytes = (text) => new Uint8Array(text.split('').map((c) => c.charCodeAt(0)));

export default async function () {
  for (const name of ['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512', 'sha-256', { name: 'Sha-512' }]) {
    const digest = await crypto.subtle.digest(name, bytes('loadline'));
    console.log(digest instanceof ArrayBuffer, digest.byteLength, hex(digest));
  }
  const all = bytes('0123456789');
  console.log(hex(await crypto.subtle.digest('SHA-1', all.buffer)) === hex(await crypto.subtle.digest('SHA-1', all)));
  console.log(hex(await crypto.subtle.digest('SHA-1', all.subarray(2, 4))));
  console.log(hex(await crypto.subtle.digest('SHA-1', new Uint16Array([1, 2, 3]))));
  console.log(hex(await crypto.subtle.digest('SHA-256', new Uint8Array(0))));
}
