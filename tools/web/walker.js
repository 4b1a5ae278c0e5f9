// SPDX-License-Identifier: MIT
// Part of Zoetrope. Ticks a controller by the C interface (zoe.h) compiled to WebAssembly, and draws it on a canvas.
"use strict";

// A controller file as a character. `zoe` is the module of zoe.js; `bytes` the file.
class Walker {
  constructor(zoe, bytes, isDeterministic = false) {
    this.zoe = zoe;
    zoe._zoe_set_deterministic(isDeterministic ? 1 : 0);
    const file = zoe._malloc(bytes.length), out = zoe._malloc(4);
    zoe.HEAPU8.set(bytes, file);
    this.check(zoe._zoe_controller_load_bytes(file, bytes.length, 0, out));
    this.controller = zoe.HEAPU32[out >> 2];
    this.check(zoe._zoe_character_new(this.controller, 0, out));
    this.character = zoe.HEAPU32[out >> 2];
    zoe._free(file);
    zoe._free(out);
    this.joints = zoe._zoe_controller_num_joints(this.controller);
    this.parents = Array.from({length: this.joints}, (_, j) => zoe._zoe_controller_joint_parent(this.controller, j));
    this.intent = zoe._malloc(512);
    this.matrices = zoe._malloc(4 * 16 * this.joints);
  }

  check(status) {
    if (status !== 0) throw new Error(this.zoe.UTF8ToString(this.zoe._zoe_last_error()));
  }

  // Desired velocity in metres per second; dt in seconds.
  tick(x, z, dt) {
    this.zoe._zoe_intent_move(this.intent, x, z);
    this.check(this.zoe._zoe_character_tick(this.character, this.intent, dt));
  }

  // World positions of the joints, metres, Y up.
  positions() {
    this.check(this.zoe._zoe_character_matrices(this.character, this.matrices, 16 * this.joints));
    const at = this.matrices >> 2;
    return Array.from({length: this.joints}, (_, j) => Array.from(this.zoe.HEAPF32.subarray(at + 16 * j + 12, at + 16 * j + 15)));
  }

  // 16 hexadecimal digits.
  hash() {
    return BigInt.asUintN(64, this.zoe._zoe_character_hash(this.character)).toString(16).padStart(16, "0");
  }
}

function draw(canvas, walker) {
  const context = canvas.getContext("2d"), width = canvas.width = innerWidth, height = canvas.height = innerHeight;
  const points = walker.positions(), [cx, , cz] = points[0];
  // From behind and above, at 30 degrees.
  const scale = height / 4, flat = ([x, y, z]) => [width / 2 - (x - cx) * scale, height * 0.75 - (y * 0.87 + (z - cz) * 0.5) * scale];
  context.clearRect(0, 0, width, height);
  context.strokeStyle = "#3a4150";
  context.lineWidth = 1;
  for (let i = -8; i <= 8; ++i) {
    const x = Math.round(cx) + i, z = Math.round(cz) + i;
    for (const [a, b] of [[[x, 0, cz - 8], [x, 0, cz + 8]], [[cx - 8, 0, z], [cx + 8, 0, z]]]) {
      context.beginPath();
      context.moveTo(...flat(a));
      context.lineTo(...flat(b));
      context.stroke();
    }
  }
  context.strokeStyle = "#e8b35a";
  context.lineWidth = Math.max(3, scale * 0.045);
  context.lineCap = "round";
  points.forEach((point, j) => {
    if (walker.parents[j] < 0) return;
    context.beginPath();
    context.moveTo(...flat(points[walker.parents[j]]));
    context.lineTo(...flat(point));
    context.stroke();
  });
}

// In the page. Pages from files cannot fetch: then the reader chooses the controller file.
async function start() {
  const text = document.getElementById("text");
  try {
    const zoe = await createZoe();
    const answer = await fetch("walker.zoe");
    if (!answer.ok) throw new Error("walker.zoe is not beside the page");
    const walker = new Walker(zoe, new Uint8Array(await answer.arrayBuffer()));
    const keys = new Set();
    addEventListener("keydown", (event) => keys.add(event.code));
    addEventListener("keyup", (event) => keys.delete(event.code));
    text.textContent = "Arrow keys or WASD walk, Shift runs.";
    const held = (...codes) => codes.some((code) => keys.has(code)) ? 1 : 0;
    let last = performance.now(), ticks = 0;
    window.zoetrope = {walker, ticks: () => ticks, keys};  // For tests and for the console.
    const frame = (now) => {
      const speed = keys.has("ShiftLeft") || keys.has("ShiftRight") ? 2.5 : 1.2;
      const x = held("ArrowLeft", "KeyA") - held("ArrowRight", "KeyD"), z = held("ArrowUp", "KeyW") - held("ArrowDown", "KeyS");
      const length = Math.hypot(x, z) || 1;
      walker.tick(x / length * speed, z / length * speed, Math.min(0.1, (now - last) / 1000));
      last = now;
      ++ticks;
      draw(document.getElementById("view"), walker);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  } catch (problem) {
    text.textContent = String(problem);
  }
}

if (typeof window !== "undefined") start();
if (typeof module !== "undefined") module.exports = {Walker};
