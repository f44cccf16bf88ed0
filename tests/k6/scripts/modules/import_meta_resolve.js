// import.meta.resolve.
const path = import.meta.resolve('./data/beside.txt');
const text = open(path);

export default function () {
  console.log(path.startsWith('file://'), path.endsWith('/data/beside.txt'), text.trim());
}
