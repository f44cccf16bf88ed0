// each and map: what functions are called with, and what comes of errors.
import { parseHTML } from 'k6/html';

export default function () {
  const doc = parseHTML('<ol><li id=a>1</li><li id=b>2</li><li id=c>3</li></ol>');
  const items = doc.find('li');
  const seen = [];
  const back = items.each((index, element) => { seen.push(`${index}:${element.id()}:${element.textContent()}`); return false; });
  console.log(seen.join(), back.size());
  const mapped = items.map((index, item) => `${index}${item.attr('id')}`);
  console.log(mapped.join(), mapped.length, Array.isArray(mapped), JSON.stringify(doc.find('nope').map(() => 1)));
  console.log(JSON.stringify(items.map((index) => { if (index === 1) throw new Error('left out'); return index; })));
  console.log(JSON.stringify(items.map((index, item) => ({ id: item.attr('id'), nested: [index] }))));
  let calls = 0;
  try {
    items.each(() => { calls += 1; throw new Error('stops'); });
  } catch (error) {
    console.log(calls, error.name, error.message.startsWith('the function passed to each() failed: Error: stops'));
  }
  console.log(items.map((index, item) => item.html()).join('|'), items.toArray().map((item) => item.text()).join('|'));
  console.log(items.get().map((element) => element.nodeName()).join('|'));
  for (const element of items.get()) console.log(element.id(), element.selection().size());
}
