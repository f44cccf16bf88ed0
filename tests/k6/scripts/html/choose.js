// Choosing among the nodes of a selection.
import { parseHTML } from 'k6/html';

const page = '<ul><li id=a>1</li><li id=b class=x>2</li><li id=c>3<b>!</b></li><li id=d class=x>4</li></ul><p id=e class=x></p>';
const ids = (selection) => selection.toArray().map((one) => one.attr('id')).join();
const tried = (what) => {
  try {
    return what();
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};

export default function () {
  const doc = parseHTML(page);
  const items = doc.find('li');
  console.log('eq', ids(items.eq(0)), ids(items.eq(-1)), ids(items.eq(9)), ids(items.eq(-9)), ids(items.eq('1')), ids(items.eq()));
  console.log('ends', ids(items.first()), ids(items.last()), ids(doc.find('nope').first()));
  console.log('slice', ids(items.slice(1)), ids(items.slice(1, 3)), ids(items.slice(-2)), ids(items.slice(1, -1)), ids(items.slice(0, 9)));
  console.log('filter', ids(items.filter('.x')), ids(items.filter(doc.find('#a, #c'))), ids(items.filter((i) => i % 2 === 0)));
  console.log('filter by', ids(items.filter((i, one) => one.text() === '2')), ids(items.filter((i, one) => one.is('.x'))),
    ids(items.filter((i, one) => one.attr('class')[1])), ids(items.filter((i, one) => one.attrOr('class', 'none') === 'none')),
    ids(items.filter((i, one) => one.hasClass('x'))), ids(items.filter((i, one) => one.find('b').length() === 1)));
  console.log('not', ids(items.not('.x')), ids(items.not(doc.find('#a'))), ids(doc.find('b,p').not(doc.find('b').get(0))), ids(items.not((i) => i === 0)), ids(items.not('[')));
  console.log('is', items.is('.x'), items.is('p'), items.is(doc.find('#c')), items.is(doc.find('p')), items.is((i) => i === 3), items.is(() => false));
  console.log('has', ids(items.has('b')), ids(items.has(doc.find('b'))), ids(doc.find('ul').has('b')), ids(items.has(doc.find('b').get(0))));
  console.log('add', ids(items.add('p')), ids(items.add('li.x')), ids(doc.find('#b').add(doc.find('#a'))), ids(doc.find('#b').add(doc.find('p').get(0))));
  console.log('find', ids(doc.find('ul').find(doc.find('#b'))), ids(doc.find('p').find(doc.find('#b'))), doc.find('ul').find(doc.find('b').get(0)).text());
  console.log('index', doc.find('#c').index(), items.index(doc.find('#c')), doc.find('#c').index('li.x'), doc.find('#d').index('.x'), doc.find('nope').index(),
    items.index(doc.find('p')), doc.find('p').index(doc.find('p').get(0)), items.index(items.get(1)), doc.find('p,b').index(doc.find('p').get(0)), items.index(1));
  console.log('get', items.get(0).id(), items.get(-1).id(), items.get(-4), items.get(4), items.get().length, items.get()[2].id());
  console.log('sizes', items.size(), doc.find('nope').size(), items.toArray().length);
  for (const bad of [() => doc.find(), () => doc.find(1), () => doc.find(1.5), () => doc.find({}), () => doc.find([]), () => doc.find(true), () => doc.add(null),
    () => doc.has(undefined), () => items.find(items.get(0)), () => items.closest(3), () => items.not(3), () => items.filter(3), () => items.is(3),
    () => items.nextUntil(3), () => items.nextUntil(items.get(0)), () => items.each(3), () => items.map('x'),
    () => items.filter(() => { throw new Error('own'); }), () => items.is(() => { throw new TypeError('own'); })]) {
    console.log(tried(bad));
  }
}
