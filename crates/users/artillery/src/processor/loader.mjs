// Gives Node's loader the files of a processor that Node does not take as they are.
let files = {};
let links = {};
// Packages in CommonJS give their members as names, as after Artillery's bundler.
const MEMBERS = 'function $members(m) { return { ...(m.default ?? {}), ...m }; } function $default(m) { const d = m.default; return d && d.__esModule && "default" in d ? d.default : d; } ';
const OF_FILE = 'import { createRequire as $createRequire } from "node:module"; import { fileURLToPath as $path } from "node:url"; const require = $createRequire(import.meta.url), __filename = $path(import.meta.url), __dirname = $path(new URL(".", import.meta.url)).replace(/.$/, ""); ';
function adapted(url, code) {
  let count = 0;
  let text = code.replace(/^import (?:(\w[\w$]*), )?(?:\* as (\w[\w$]*)|\{([^}]*)\}|(\w[\w$]*)) from "([^"]+)";$/gm, (whole, first, all, named, only, from) => {
    if ((links[url] || {})[from] || from.startsWith('node:')) return whole;
    const name = `$from${count++}`;
    const main = first || only;
    const parts = [];
    if (main) parts.push(`${main} = $default(${name})`);
    if (all) parts.push(`${all} = $members(${name})`);
    if (named) parts.push(`{${named.replace(/(\w[\w$]*) as (\w[\w$]*)/g, '$1: $2')}} = $members(${name})`);
    return `import * as ${name} from "${from}"; const ${parts.join(', ')};`;
  });
  if (count > 0) text = MEMBERS + text;
  const declares = /\b(?:const|let|var|function|import)\b[^;=]*\b(?:require|__dirname|__filename)\b/.test(code);
  return !declares && /\brequire\b|\b__dirname\b|\b__filename\b/.test(code) ? OF_FILE + text : text;
}
export async function initialize(data) { files = data.files; links = data.links; }
export async function resolve(specifier, context, next) {
  const url = (links[context.parentURL] || {})[specifier] || specifier;
  return files[url] ? { url, format: files[url].format, shortCircuit: true } : next(url, context);
}
export async function load(url, context, next) {
  const file = files[url];
  if (!file) return next(url, context);
  return { format: file.format, source: file.format === 'module' ? adapted(url, file.code) : file.code, shortCircuit: true };
}
