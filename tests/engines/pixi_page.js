// SPDX-License-Identifier: MIT
// Pixi 8: the atlas by Assets, which finds the picture and the animations; drawn by WebGL.
(async () => {
  const renderer = await PIXI.autoDetectRenderer({
    preference: 'webgl', width: 64, height: 64, backgroundAlpha: 0, antialias: false, resolution: 1,
  });
  PIXI.TextureSource.defaultOptions.scaleMode = 'nearest';
  const atlas = await readJson(`${title}_atlas.json`);
  const sheet = await PIXI.Assets.load(`${title}_atlas.json`);
  const names = Object.keys(atlas.animations);
  if (Object.keys(sheet.animations).join() !== names.join()) fail(`animations: ${Object.keys(sheet.animations)}`);
  for (const name of names) {
    const textures = sheet.animations[name];
    for (let k = 0; k < textures.length; ++k) {
      const texture = textures[k];
      const sprite = new PIXI.Sprite(texture);
      const anchor = atlas.frames[atlas.animations[name][k]].anchor;
      if (Math.abs(sprite.anchor.x - anchor.x) > 1e-6 || Math.abs(sprite.anchor.y - anchor.y) > 1e-6)
        fail(`${name} ${k}: the anchor is ${sprite.anchor.x}, ${sprite.anchor.y}`);
      sprite.anchor.set(0, 0);
      const { width, height } = texture.orig;
      const target = PIXI.RenderTexture.create({ width, height });
      renderer.render({ container: sprite, target, clear: true });
      const { pixels } = renderer.extract.pixels(target);
      // WebGL keeps colours multiplied by alpha.
      const data = new Uint8ClampedArray(pixels.length);
      for (let i = 0; i < data.length; i += 4) {
        const alpha = pixels[i + 3];
        for (let c = 0; c < 3; ++c) data[i + c] = alpha > 0 ? Math.round(pixels[i + c] * 255 / alpha) : 0;
        data[i + 3] = alpha;
      }
      compare(`pixi ${name} ${k}`, { width, height, data }, await truthOf(name, k));
      target.destroy(true);
    }
  }
  report(`Pixi ${PIXI.VERSION}, ${renderer.name}`);
})();
