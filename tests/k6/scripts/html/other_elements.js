// Elements with methods of their own that are not of forms.
import { parseHTML } from 'k6/html';

const page = `<head><base id=ba href=/b target=_t><title id=ti>Title</title><meta id=me name=mn content=mc http-equiv=refresh><link id=li rel="a b" href=/l hreflang=de media=print type=text/css target=_l referrerpolicy=origin crossorigin=anonymous>
<style id=st media=screen></style><script id=sc src=/s.js async type=module charset=utf-8 crossorigin=x nomodule>code()</script></head>
<body><a id=a1 href="https://user:pw@host.example:8443/p/a%20th?q=1#frag" rel="x y" target=_a download=d hreflang=en type=t accesskey=k referrerpolicy=unsafe-url>link <b>text</b></a><a id=a2>none</a><a id=a3 href=/rel?x>r</a>
<img id=im src=/i.png alt=al width=10 height=x ismap name=inm sizes=s srcset=ss usemap=#m crossorigin=bad><map id=m name=mm><area id=ar href=/area></map>
<audio id=au src=/a.mp3 autoplay loop muted preload=none mediagroup=g crossorigin=use-credentials><track id=tr kind=captions src=/t srclang=en label=tl default></audio><video id=vi controls></video><source id=so src=/so media=m type=t sizes=1 srcset=2 keysystem=ks>
<canvas id=ca width=5></canvas><embed id=em src=/e type=t width=1 height=2><iframe id=if src=/if name=in width=1 height=2 allowfullscreen referrerpolicy=bad></iframe><object id=ob data=/d type=t name=n width=1 height=2 usemap=#m typemustmatch tabindex=1></object>
<ol id=ol start=3 reversed type=a><li id=l1 value=7 type=i>x</ol><ul id=ul type=disc></ul><del id=de cite=c datetime=dt></del><ins id=in></ins><quote id=qu cite=qc></quote><data id=da value=dv></data><time id=tm datetime=now></time><pre id=pr name=pn value=pv></pre><param id=pa name=pn value=pv>
<table id=ta sortable><caption id=cp>C</caption><colgroup><col id=co span=2><col id=co2 span=0></colgroup><thead id=th><tr id=r0><th id=h0 scope=row abbr=ab sorted colspan=2 rowspan=3 headers=hh>H</th></tr></thead><tbody id=tb><tr id=r1><td id=c1>1</td><td id=c2>2</td></tr><tr id=r2><td id=c3>3</td></tr></tbody><tfoot id=tf><tr id=r3></tr></tfoot></table></body>`;
const shown = (element) => (element && element.nodeName ? `${element.nodeName()}#${element.id()}` : JSON.stringify(element));

export default function () {
  const doc = parseHTML(page);
  const reads = {
    ba: 'href target', ti: 'text', me: 'content name httpEquiv', li: 'crossOrigin href hreflang media referrerPolicy rel relList target type', st: 'media type',
    sc: 'async charset crossOrigin defer noModule src text type',
    a1: 'accessKey download hash host hostname href hrefLang origin password pathname port protocol referrerPolicy rel relList search target text toString type username',
    a2: 'hash host hostname href origin password pathname port protocol rel relList search username', a3: 'hash host href origin pathname port protocol search toString',
    im: 'alt crossOrigin currentSrc height isMap name referrerPolicy sizes src srcset useMap width', m: 'areas images name', ar: 'href pathname',
    au: 'autoplay controls crossOrigin currentSrc defaultMuted loop mediaGroup muted preload src textTracks', vi: 'controls crossOrigin preload src',
    tr: 'default kind label src srclang', so: 'keySystem media sizes src srcset type', ca: 'height width', em: 'height src type width',
    if: 'allowfullscreen height name referrerPolicy src width', ob: 'data height name tabIndex type typeMustMatch useMap width', ol: 'reversed start type', l1: 'type value', ul: 'type',
    de: 'cite datetime', in: 'cite datetime', qu: 'cite', da: 'value', tm: 'datetime', pr: 'name value', pa: 'name value',
    ta: 'caption rows sortable tBodies tFoot tHead', co: 'span', co2: 'span', th: 'rows', tb: 'rows', tf: 'rows', h0: 'abbr cellIndex colSpan headers rowSpan scope sorted', c2: 'cellIndex colSpan rowSpan',
    c3: 'cellIndex', r0: 'cells rowIndex sectionRowIndex', r2: 'cells rowIndex sectionRowIndex',
  };
  for (const id of Object.keys(reads)) {
    const element = doc.find(`#${id}`).get(0);
    for (const name of reads[id].split(' ')) {
      const value = element[name]();
      console.log(id, name, Array.isArray(value) ? `[${value.map(shown).join()}]` : shown(value));
    }
  }
}
