// TextEncoder is a global.
export default function () {
  const encoder = new TextEncoder();
  const hex = (bytes) => Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');
  console.log(typeof TextEncoder, encoder.encoding, encoder.encode('a').constructor.name);
  console.log(hex(encoder.encode('aé€😀')), hex(encoder.encode('')), hex(encoder.encode()));
  console.log(hex(encoder.encode('\ud800x')), hex(encoder.encode(12)));
}
