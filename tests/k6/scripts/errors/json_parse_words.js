// What JSON.parse says of texts that are no JSON.
const texts = [
  '', '   ', '<html>', 'Unauthorized', 'undefined', '[object Object]', "{'a':1}", '{a:1}', '{1:2}', '{,}', '{]', '[}', ']', ',',
  '[1,]', '[,1]', '{"a":1,}', '{"a":}', '{"a" 1}', '{"a":1 "b":2}', '[1 2]', '{"a":[1}', '{"a":tru}', 'nul', 'truex', '1 2', '{} {}',
  '{} x', '{"a":1}}', '{"a":1}"', '01', '1.', '1e', '-', '"abc', '"\\x"', '"\\u12"', '"a\nb"', '{"a":', '{"a":1', '{"a"', '{', '[', '[1',
  '[1,', '\ufeff{}', '한글',
];

export default function () {
  for (const text of texts) {
    try {
      JSON.parse(text);
      console.log(text, 'is JSON');
    } catch (e) {
      console.log(JSON.stringify(text), e.name, e.message);
    }
  }
}
