// Ways through a document: children, parents, siblings, closest, ends.
import { parseHTML } from 'k6/html';

const page = `<div id=d1><section id=s1><h2 id=h>T</h2>text<p id=p1 class=a>1</p><!--c--><p id=p2>2</p><span id=sp>3</span><p id=p3 class=a>4</p></section>
<section id=s2><p id=q1>5</p><p id=q2 class=a>6</p></section></div><div id=d2></div>`;

const ids = (selection) => selection.toArray().map((one) => one.attr('id') || `(${one.get(0).nodeName()})`).join();

export default function () {
  const doc = parseHTML(page);
  const find = (selector) => doc.find(selector);
  console.log('children', ids(find('section').children()), ids(find('section').children('.a')), ids(find('#d2').children()));
  console.log('contents', ids(find('#s1').contents()));
  console.log('parent', ids(find('p').parent()), ids(find('p').parent('#s2')), ids(find('html').parent()));
  console.log('parents', ids(find('#p1').parents()), ids(find('p').parents('div')), ids(find('p').parents()));
  console.log('closest', ids(find('p').closest('section')), ids(find('p').closest('.a')), ids(find('#p1').closest('nope')));
  console.log('closest of', ids(find('p').closest(find('#s2'))), ids(find('p').closest(find('#s1').get(0))));
  console.log('next', ids(find('p').next()), ids(find('p').next('.a')), ids(find('#p3').next()));
  console.log('nextAll', ids(find('#p1').nextAll()), ids(find('p').nextAll('p')));
  console.log('prev', ids(find('p').prev()), ids(find('p').prev('h2')));
  console.log('prevAll', ids(find('#p3').prevAll()), ids(find('#p3').prevAll('.a')));
  console.log('siblings', ids(find('#p2').siblings()), ids(find('#p2').siblings('p')));
  console.log('nextUntil', ids(find('#h').nextUntil('span')), ids(find('#h').nextUntil(find('#p3'))), ids(find('#h').nextUntil()),
    ids(find('#h').nextUntil('span', '.a')), ids(find('#h').nextUntil(null, 'p')), ids(find('#h').nextUntil(find('#p3'), 'p')));
  console.log('prevUntil', ids(find('#p3').prevUntil('#p1')), ids(find('#p3').prevUntil(find('#h'))), ids(find('#p3').prevUntil()),
    ids(find('#p3').prevUntil('#h', 'p')));
  console.log('parentsUntil', ids(find('#p1').parentsUntil('body')), ids(find('#p1').parentsUntil(find('#d1'))), ids(find('#p1').parentsUntil()),
    ids(find('#p1').parentsUntil('html', 'div')));
  console.log('end', ids(find('p').first().end()), ids(doc.find('section').find('p').end()), doc.end().size(), doc.eq(9).end().size());
  console.log('order', ids(find('.a, h2')), ids(find('section, #s1, div').find('p')));
  console.log('next nothing', find('#p1').next(undefined).size(), find('nope').next().size(), find('nope').parents().size());
}
