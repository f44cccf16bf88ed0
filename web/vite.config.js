import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

const PAGES = '../crates/products/web/pages';

/** Files that the pages are built from, in order. A test of the crate makes the same digest. */
function sources(folder) {
  const entries = readdirSync(folder, { withFileTypes: true });
  const names = entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? sources(path) : [path];
  });
  return names.sort();
}

/** Writes what the pages were built from, so that a test can tell that they are current. */
function digest() {
  return {
    name: 'digest',
    closeBundle() {
      const files = ['index.html', 'package-lock.json', 'svelte.config.js', 'vite.config.js', ...sources('public'), ...sources('src')];
      const hash = createHash('sha256');
      for (const file of files) hash.update(`${file}\n`).update(readFileSync(file));
      writeFileSync(join(PAGES, 'sources.sha256'), `${hash.digest('hex')}\n`);
    },
  };
}

export default defineConfig({
  plugins: [svelte(), digest()],
  build: {
    outDir: PAGES,
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    rollupOptions: {
      output: {
        entryFileNames: 'assets/app.js',
        assetFileNames: 'assets/app[extname]',
      },
    },
  },
});
