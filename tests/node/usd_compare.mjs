// SPDX-License-Identifier: MIT
// three.js reads every .usda and .usdz of a folder: joints and skinned vertices of the bound animation are where our own
// code says, to 1e-4 of the box. tinyusdz, a parser of its own, accepts them too, finds every mesh, and refuses a
// damaged file. usage: node usd_compare.mjs NODE_MODULES FOLDER
import { readFileSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { boxSize, importThree, setTime, vertexPositions, worstVertex } from "./three_support.mjs";

const [modules, folder] = process.argv.slice(2);
const { THREE, loader } = await importThree(modules, "three-usd");
const { USDLoader } = await loader("USDLoader.js");
const TOLERANCE = 1e-4;

// Node has no pictures: textures are created, never decoded.
globalThis.document = { createElementNS: () => ({ addEventListener() {}, removeEventListener() {} }) };

let failures = 0, files = 0, comparedJoints = 0, comparedVertices = 0, largest = 0;
function fail(text) {
  ++failures;
  console.error(text);
}

function bonesOf(group) {
  let bones = null;
  group.traverse((object) => { if (object.isSkinnedMesh && !bones) bones = object.skeleton.bones; });
  return bones;
}

function compare(name) {
  const truth = JSON.parse(readFileSync(join(folder, name.replace(/\.usd[az]$/, ".json"))));
  const bytes = readFileSync(join(folder, name));
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const group = new USDLoader().parse(buffer);
  const bones = bonesOf(group);
  ++files;
  const expected = truth.clips[0], clip = group.animations[0];
  if (!bones) return;  // three.js builds bones for skinned meshes only.
  if (bones.length !== truth.joints.length) return fail(`${name}: ${bones.length} bones, not ${truth.joints.length}`);
  if (expected.name && !clip) return fail(`${name}: no animation`);
  const mixer = new THREE.AnimationMixer(group);
  // Names of joints repeat in some files; three.js binds tracks by name.
  const counts = new Map();
  const skeletons = new Set();
  group.traverse((object) => { if (object.isSkinnedMesh) skeletons.add(object.skeleton.bones[0]); });
  group.traverse((object) => { if (object.isBone) counts.set(object.name, (counts.get(object.name) ?? 0) + 1); });
  const unique = bones.map((bone) => counts.get(bone.name) === 1 && skeletons.size === 1);
  for (const frame of expected.frames) {
    if (clip) setTime(THREE, mixer, clip, frame.time_s);
    group.updateMatrixWorld(true);
    const size = boxSize(THREE, frame);
    let worst = 0, at = "";
    frame.joints.forEach((p, i) => {
      if (!unique[i]) return;
      const off = new THREE.Vector3().setFromMatrixPosition(bones[i].matrixWorld).distanceTo(new THREE.Vector3(...p)) / size;
      if (off > worst) { worst = off; at = truth.joints[i]; }
      ++comparedJoints;
    });
    if (frame.instances.length > 0 && unique.every((u) => u) && !truth.follows && !truth.morphs) {
      const vertices = worstVertex(THREE, frame, vertexPositions(THREE, group));
      if (vertices.worst / size > worst) { worst = vertices.worst / size; at = "a vertex"; }
      comparedVertices += vertices.count;
    }
    largest = Math.max(largest, worst);
    if (!(worst <= TOLERANCE)) return fail(`${name}, frame ${frame.frame}: ${at} off by ${worst} of the box`);
  }
}

const names = readdirSync(folder).filter((n) => /\.usd[az]$/.test(n)).sort();
for (const name of names) compare(name);
console.log(`three.js: ${files} files, ${comparedJoints} joints, ${comparedVertices} vertices, ` +
  `worst ${largest.toExponential(2)} of the box, ${failures} failures`);

// tinyusdz is built for browsers: it asks for a worker's global and fetches its own wasm.
const tiny = join(resolve(modules), "node_modules", "tinyusdz");
globalThis.WorkerGlobalScope ??= class {};
Object.defineProperty(process, "type", { value: "renderer", configurable: true });
const realFetch = globalThis.fetch;
globalThis.fetch = async (url) => String(url).includes("tinyusdz.wasm")
  ? new Response(readFileSync(join(tiny, "tinyusdz.wasm")), { headers: { "Content-Type": "application/wasm" } })
  : realFetch(url);
const native = await (await import(pathToFileURL(join(tiny, "tinyusdz.js")))).default();
let meshes = 0, layers = 0;
function parse(bytes, name) {
  const usd = new native.TinyUSDZLoaderNative();
  const accepted = usd.loadFromBinary(bytes, name);
  return { accepted, usd, error: accepted ? "" : String(usd.error()) };
}
for (const name of names) {
  const truth = JSON.parse(readFileSync(join(folder, name.replace(/\.usd[az]$/, ".json"))));
  const bytes = new Uint8Array(readFileSync(join(folder, name)));
  // The text alone first. Its scenes hold skeletons with one root, and no weights of blend shapes that move.
  const layer = new native.TinyUSDZLoaderNative();
  if (!layer.loadAsLayerFromBinary(bytes, name)) { fail(`${name}: tinyusdz refuses it: ${layer.error()}`); continue; }
  ++layers;
  if (truth.roots !== 1 || truth.morphs) continue;
  const { accepted, usd, error } = parse(bytes, name);
  if (!accepted) { fail(`${name}: tinyusdz refuses it: ${error}`); continue; }
  if (usd.numMeshes() < truth.meshes) fail(`${name}: tinyusdz finds ${usd.numMeshes()} meshes, not ${truth.meshes}`);
  meshes += usd.numMeshes();
}
const damaged = new TextEncoder().encode("#usda 1.0\ndef Mesh \"a\" {\n  float3[] extent = [(0, 0\n}\n");
if (parse(damaged, "damaged.usda").accepted) fail("tinyusdz accepts a damaged file: its word counts for nothing");
console.log(`tinyusdz: ${layers} files, ${meshes} meshes, ${failures} failures in all`);
process.exit(files > 0 && comparedJoints > 0 && failures === 0 ? 0 : 1);
