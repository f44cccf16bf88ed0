// @since 2.0
// What a TextDecoder says of an unknown encoding and of bytes that are not valid.
export default function () {
  const attempts = [
    () => new TextDecoder('nope'),
    () => new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([255])),
    () => new TextDecoder().decode(new Uint8Array([255])),
  ];
  for (const attempt of attempts) {
    try {
      console.log(typeof attempt());
    } catch (e) {
      console.log(e.name, e.message);
    }
  }
}
