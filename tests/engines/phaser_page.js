// SPDX-License-Identifier: MIT
// Phaser 3: the Aseprite array by load.aseprite and createFromAseprite, and the atlas by load.atlas.
new Phaser.Game({
  type: Phaser.CANVAS,
  width: 64,
  height: 64,
  transparent: true,
  audio: { noAudio: true },
  banner: false,
  scene: {
    preload() {
      this.load.on('loaderror', (file) => fail(`phaser cannot load ${file.key}`));
      this.load.aseprite('sheet', `${title}.png`, `${title}.json`);
      this.load.aseprite('hash', `${title}.png`, `${title}_hash.json`);
      this.load.atlas('atlas', `${title}.png`, `${title}_atlas.json`);
    },
    async create() {
      const sheet = await readJson(`${title}.json`);
      const atlas = await readJson(`${title}_atlas.json`);
      let drawings = 0;
      // Draws a frame as Phaser's sprites do, its pivot ignored: the whole canvas at the origin.
      const draw = (texture, name) => {
        const frame = this.textures.get(texture).get(name);
        const target = this.textures.addDynamicTexture(`drawn ${++drawings}`, frame.realWidth, frame.realHeight);
        const sprite = this.make.sprite({ x: 0, y: 0, key: texture, frame: name, add: false }, false);
        sprite.setOrigin(0, 0);
        target.clear().draw(sprite);
        const canvas = target.getSourceImage();
        return canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      };
      for (const key of ['sheet', 'hash']) {
        const made = this.anims.createFromAseprite(key);
        if (made.length !== sheet.meta.frameTags.length) fail(`${key}: ${made.length} animations`);
        for (const tag of sheet.meta.frameTags) {
          const animation = this.anims.get(tag.name);
          if (!animation) { fail(`${key}: no animation ${tag.name}`); continue; }
          let seconds = 0, expected = 0;
          for (let k = tag.from; k <= tag.to; ++k) {
            const shown = animation.frames[k - tag.from];
            seconds += shown.duration;
            expected += sheet.frames[k].duration;
            compare(`phaser ${key} ${tag.name} ${k - tag.from}`, draw(key, shown.textureFrame),
              await truthOf(tag.name, k - tag.from));
          }
          if (animation.frames.length !== tag.to - tag.from + 1) fail(`${tag.name}: ${animation.frames.length} frames`);
          if (Math.abs(seconds - expected) > 0.5) fail(`${tag.name}: ${seconds} ms, not ${expected}`);
          this.anims.remove(tag.name);
        }
      }
      for (const [name, frames] of Object.entries(atlas.animations)) {
        for (let k = 0; k < frames.length; ++k)
          compare(`phaser atlas ${name} ${k}`, draw('atlas', frames[k]), await truthOf(name, k));
        const frame = this.textures.get('atlas').get(frames[0]);
        const pivot = atlas.frames[frames[0]].pivot;
        if (!frame.customPivot || Math.abs(frame.pivotX - pivot.x) > 1e-6 || Math.abs(frame.pivotY - pivot.y) > 1e-6)
          fail(`${name}: phaser's pivot is ${frame.pivotX}, ${frame.pivotY}`);
      }
      report('Phaser, canvas');
    },
  },
});
