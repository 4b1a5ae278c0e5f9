// SPDX-License-Identifier: MIT
// For the pages of the engines: the truth, comparisons, and the report to the server.
const title = new URLSearchParams(location.search).get('title');
const problems = [];
let compared = 0;

const fail = (text) => problems.push(text);
const report = (renderer) => fetch('/report', { method: 'POST', body: JSON.stringify({ problems, compared, renderer }) });
addEventListener('error', (event) => { fail(`page: ${event.message}`); report('none'); });
addEventListener('unhandledrejection', (event) => { fail(`page: ${event.reason}`); report('none'); });

const readJson = async (name) => (await fetch(name)).json();

// RGBA bytes of a whole canvas, from the PNG frames of the set.
async function truthOf(name, number) {
  const blob = await (await fetch(`frames/${name}_${String(number).padStart(2, '0')}.png`)).blob();
  const bitmap = await createImageBitmap(blob, { premultiplyAlpha: 'none', colorSpaceConversion: 'none' });
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
  context.drawImage(bitmap, 0, 0);
  return context.getImageData(0, 0, bitmap.width, bitmap.height);
}

// Alpha must agree; colours to within what multiplying by alpha and back costs. Transparent pixels have none.
function compare(label, drawn, truth) {
  ++compared;
  if (drawn.width !== truth.width || drawn.height !== truth.height) {
    fail(`${label}: ${drawn.width} x ${drawn.height} pixels, not ${truth.width} x ${truth.height}`);
    return;
  }
  let different = 0;
  for (let i = 0; i < truth.data.length; i += 4) {
    const alpha = truth.data[i + 3];
    let off = Math.abs(drawn.data[i + 3] - alpha) > 1;
    const most = alpha === 255 ? 1 : 2 + 255 / Math.max(alpha, 1);
    for (let k = 0; k < 3 && alpha > 8; ++k) off ||= Math.abs(drawn.data[i + k] - truth.data[i + k]) > most;
    if (off) ++different;
  }
  if (different > 0) fail(`${label}: ${different} pixels differ`);
  if (!truth.data.some((value) => value > 0)) fail(`${label}: the truth is empty`);
}
