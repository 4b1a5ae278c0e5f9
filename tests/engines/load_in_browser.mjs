// SPDX-License-Identifier: MIT
// Loads a sprite sheet with Phaser or Pixi in Chromium and compares what the engine draws with the PNG frames of the
// same set: names and lengths of animations, order of frames, and every pixel of every frame.
// usage: load_in_browser.mjs PACKAGES_FOLDER phaser|pixi SET_FOLDER TITLE
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const [packages, engine, set, title] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const library = {
  phaser: join(packages, 'node_modules/phaser/dist/phaser.min.js'),
  pixi: join(packages, 'node_modules/pixi.js/dist/pixi.min.js'),
}[engine];
const page = `<!doctype html><body><script src="/library.js"></script><script src="/common.js"></script>
<script src="/engine.js"></script></body>`;
const types = { js: 'text/javascript', json: 'application/json', png: 'image/png' };

const files = {
  '/': () => [page, 'text/html'],
  '/library.js': () => [readFileSync(library), types.js],
  '/common.js': () => [readFileSync(join(here, 'browser_common.js')), types.js],
  '/engine.js': () => [readFileSync(join(here, `${engine}_page.js`)), types.js],
};

const profile = mkdtempSync(join(tmpdir(), 'zoe-browser-'));
let browser;
const finish = (code, text) => {
  console.log(text);
  server.close();
  browser?.once('exit', () => {
    // Children of the browser may still write into the folder for a moment.
    try {
      rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
    } catch (error) {
      console.log(`left ${profile}: ${error.code}`);
    }
    process.exit(code);
  });
  browser?.kill('SIGKILL');
};

const server = createServer((request, response) => {
  const path = decodeURIComponent(new URL(request.url, 'http://host').pathname);
  if (request.method === 'POST') {
    let body = '';
    request.on('data', (piece) => { body += piece; });
    request.on('end', () => {
      response.end();
      const { problems, compared, renderer } = JSON.parse(body);
      const good = problems.length === 0 && compared > 0;
      finish(good ? 0 : 1, good ? `${compared} frames agree (${renderer})` : problems.slice(0, 20).join('\n'));
    });
    return;
  }
  try {
    const [body, type] = files[path]?.() ?? [readFileSync(join(set, normalize(path))), types[path.split('.').pop()]];
    response.setHeader('Content-Type', type ?? 'application/octet-stream');
    response.end(body);
  } catch {
    response.statusCode = 404;
    response.end();
  }
});

server.listen(0, '127.0.0.1', () => {
  const address = `http://127.0.0.1:${server.address().port}/?title=${encodeURIComponent(title)}`;
  browser = spawn('chromium', ['--headless=new', '--no-sandbox', '--disable-dev-shm-usage', '--no-first-run',
    '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-background-networking', '--mute-audio',
    `--user-data-dir=${profile}`, address], { stdio: 'ignore' });
  browser.on('exit', (code, signal) => {
    if (signal !== 'SIGKILL') finish(1, `chromium ended with ${code ?? signal} before the page reported`);
  });
});
