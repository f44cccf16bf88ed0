// Elements: nodes, neighbours, attributes, comparisons.
import { parseHTML } from 'k6/html';

const page = `<!DOCTYPE html><html lang=en><body><div id=d class="x  y" lang=fr title=t>text<p id=p1>1</p><!--note--><p id=p2 class=x>2<b>3</b></p>tail</div><section id=s></section></body></html>`;
const shown = (node) => (node === undefined ? 'none' : `${node.nodeName()}#${node.id()}`);

export default function () {
  const doc = parseHTML(page);
  const div = doc.find('#d').get(0);
  const b = doc.find('b').get(0);
  const section = doc.find('section').get(0);
  console.log(div.nodeName(), div.nodeType(), div.nodeValue(), div.id(), div.className(), JSON.stringify(div.classList()), div.lang(), String(div), div.toString());
  console.log(section.className(), JSON.stringify(section.classList()), section.lang(), section.hasAttributes(), section.hasChildNodes(), section.childElementCount());
  console.log(div.innerHTML(), JSON.stringify(div.textContent()), div.childElementCount(), div.hasChildNodes(), div.hasAttributes());
  for (const node of div.childNodes()) console.log(node.nodeName(), node.nodeType(), JSON.stringify(node.nodeValue()), JSON.stringify(node.textContent()), node.hasAttributes(), node.toString());
  console.log(div.children().map(shown).join(), shown(div.firstChild()), shown(div.lastChild()), shown(div.firstElementChild()), shown(div.lastElementChild()));
  console.log(shown(section.firstElementChild()), shown(section.lastElementChild()), shown(section.previousElementSibling()), shown(section.nextElementSibling()), shown(div.nextSibling()));
  console.log(shown(b.parentElement()), shown(b.parentNode()), shown(b.previousSibling()), shown(doc.find('#p2').get(0).previousSibling()), shown(doc.find('#p2').get(0).nextSibling()));
  console.log(shown(doc.find('html').get(0).parentElement()), shown(doc.find('html').get(0).parentNode()), shown(doc.get(0).parentNode()), shown(b.ownerDocument()), doc.get(0).nodeType());
  console.log(div.getAttribute('title'), div.getAttribute('nope'), div.hasAttribute('title'), div.hasAttribute('nope'), div.getAttribute());
  const node = div.getAttributeNode('class');
  console.log(node.name, node.value, node.localName(), JSON.stringify(node.prefix()), node.namespaceURI(), shown(node.owner_element), div.getAttributeNode('nope'));
  const attributes = div.attributes();
  console.log(Object.keys(attributes).sort().join(), attributes.id.value, attributes.title.name);
  console.log(div.getElementsByClassName('x').map(shown).join(), div.getElementsByTagName('p').map(shown).join(), div.getElementsByTagName('nope').length);
  console.log(shown(div.querySelector('p')), JSON.stringify(div.querySelector('p').textContent()), div.querySelectorAll('p').map(shown).join(), div.querySelector('nope'), div.querySelectorAll('nope').length);
  console.log(div.matches('.x'), div.matches('p'), div.contains(b), div.contains(div), div.contains(section), div.contains('b'));
  const p = doc.find('#p1').get(0);
  console.log(p.isSameNode(doc.find('p').get(0)), p.isSameNode(doc.find('p').get(1)), p.isEqualNode(parseHTML('<p>1</p>').find('p').get(0)), p.isEqualNode(b), p.isEqualNode(1));
  console.log(div.namespaceURI(), div.isDefaultNamespace(), div.selection().find('b').text(), JSON.stringify(div));
  console.log(doc.contents().toArray().map((one) => `${one.get(0).nodeName()}/${one.get(0).nodeType()}`).join());
}
