// At most one element that matches.
import { parseHTML } from 'k6/html';

const page = parseHTML(`<body>
  <ul id="one"><li class="a">1</li><li>2</li></ul>
  <ul id="two"><li class="a">3</li><li class="b">4</li></ul>
</body>`);

export default function () {
  const shown = (selection) => `${selection.size()} ${selection.text()}`;
  console.log(shown(page.single('li')));
  console.log(shown(page.find('ul').single('.a')));
  console.log(shown(page.find('#two').single('.b')));
  console.log(shown(page.single('.missing')));
  console.log(page.find('ul').single('li').end().first().attr('id'));
  console.log(shown(page.single('ul > li, body')).replace(/\s+/g, ' '));
  try {
    console.log(shown(page.single('li:nope')));
  } catch (error) {
    console.log(`threw ${error}`);
  }
  console.log(shown(page.find('li').single('li')));
}
