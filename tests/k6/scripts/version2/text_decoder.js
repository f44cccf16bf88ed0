// TextDecoder is a global.
export default function () {
  const bytes = (...all) => new Uint8Array(all);
  const decoder = new TextDecoder();
  console.log(typeof TextDecoder, decoder.encoding, decoder.fatal, decoder.ignoreBOM);
  console.log(decoder.decode(bytes(0x61, 0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0x80)));
  console.log(JSON.stringify(decoder.decode(bytes(0xff, 0x61))));
  console.log(JSON.stringify(decoder.decode(bytes(0xef, 0xbb, 0xbf, 0x61))));
  console.log(JSON.stringify(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes(0xef, 0xbb, 0xbf, 0x61))));
  console.log(JSON.stringify(decoder.decode(bytes(0x61, 0x62, 0x63).buffer)), JSON.stringify(decoder.decode()));
  const fatal = new TextDecoder('utf-8', { fatal: true });
  try {
    fatal.decode(bytes(0xff));
  } catch (error) {
    console.log(error.name);
  }
  console.log(new TextDecoder('utf-16le').decode(bytes(0x61, 0, 0x62, 0)), new TextDecoder('UTF8').encoding);
  const parts = new TextDecoder();
  console.log(parts.decode(bytes(0xe2, 0x82), { stream: true }) + parts.decode(bytes(0xac)));
  try {
    new TextDecoder('nope');
  } catch (error) {
    console.log(error.name);
  }
}
