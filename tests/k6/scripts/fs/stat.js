// what is known of files.
import fs from 'k6/experimental/fs';

const files = [];
for (const name of ['text.txt', 'bytes.bin', 'empty.txt']) files.push(await fs.open(`data/${name}`));
export default async function () {
  for (const file of files) {
    const info = await file.stat();
    console.log(info.name, info.size, Object.keys(info).join(), JSON.stringify(info), info);
    console.log(file.path.split('/').slice(-2).join('/'), file.path.startsWith('/'), Object.keys(file).join());
  }
}
