// images, videos, iframes, objects.
import { parseHTML } from 'k6/html';

const DOC = `<!doctype html><html lang=en><head><title>T &lt;1&gt;</title><base href="http://h.test/dir/"><meta name=d content="x"><link rel=stylesheet href="s.css" media=print></head><body class=main data-x=1>
<a id=a1 href="page?q=1#frag" target=_blank rel="next up" download=n hreflang=ko type="text/html">link</a><a id=a2 href="https://u:p@o.test:8443/p/q.html">abs</a><a id=a3>none</a><a id=a4 href="mailto:x@y.z">mail</a>
<img id=i1 src="i.png" alt="An image" width=10 height=20 ismap usemap="#m"><img id=i2><table id=t><caption>C</caption><thead><tr><th>h</th></tr></thead><tbody><tr id=r1><td colspan=2 headers="x y">1</td><td>2</td></tr><tr id=r2><td>3</td></tr></tbody><tfoot><tr><td>f</td></tr></tfoot></table>
<script src="x.js" async defer charset=utf-8>var a = "<b>";</script><style media=screen>p{}</style><iframe src=f.html name=fr></iframe><video src=v.mp4 controls autoplay loop muted poster=p.png></video><ol start=5 reversed type=a><li value=7>x</li></ol><progress value=0.3 max=2></progress><meter min=1 max=10 low=2 high=9 optimum=5 value=3></meter><time datetime=2020-01-01>d</time><object data=o.swf type=t></object><map name=m><area href=ar.html shape=rect coords="0,0,1,1" alt=al></map><label for=a1>L</label><output for="a b" name=out>o</output><q cite=c>q</q><del cite=d datetime=2021>x</del><details open>d</details><dialog open>x</dialog></body></html>`;

export default function () {
  const doc = parseHTML(DOC);
  for (const s of ['#i1', '#i2', 'video', 'iframe', 'object', 'map', 'script', 'style', 'link', 'meta', 'base', 'title', 'html', 'body']) {
    const e = doc.find(s).get(0);
    const read = (f) => { if (typeof e[f] !== 'function') return '-'; const v = e[f](); return Array.isArray(v) ? `[${v.length}]` : typeof v === 'object' && v ? 'object' : JSON.stringify(v); };
    console.log(s, ...['src', 'alt', 'width', 'height', 'isMap', 'useMap', 'controls', 'autoplay', 'loop', 'defaultMuted', 'name', 'data', 'type', 'areas', 'images', 'async', 'defer', 'charset', 'media', 'rel', 'href', 'text', 'content'].map((f) => `${f}=${read(f)}`));
  }
}
