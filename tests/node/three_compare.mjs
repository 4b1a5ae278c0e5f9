// SPDX-License-Identifier: MIT
// three.js loads every sample; joints and vertices are where our own code says, to 1e-5 of the box.
// usage: node three_compare.mjs NODE_MODULES FOLDER
import { readFileSync, readdirSync, existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, folder] = process.argv.slice(2);
const three = join(resolve(modules), "node_modules", "three");
globalThis.self = globalThis;  // GLTFLoader expects a browser's or worker's global.
const THREE = await import(pathToFileURL(join(three, "build", "three.module.js")));
const { GLTFLoader } = await import(pathToFileURL(join(three, "examples", "jsm", "loaders", "GLTFLoader.js")));

const TOLERANCE = 1e-5;

// Node has no image decoder: materials go, geometry and motion stay.
function withoutMaterials(glb) {
  const view = new DataView(glb.buffer, glb.byteOffset, glb.byteLength);
  const jsonLength = view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + jsonLength)));
  for (const key of ["materials", "textures", "images", "extensionsUsed", "extensionsRequired"]) delete json[key];
  for (const mesh of json.meshes ?? []) for (const primitive of mesh.primitives) delete primitive.material;
  let text = new TextEncoder().encode(JSON.stringify(json));
  const padded = new Uint8Array(Math.ceil(text.length / 4) * 4).fill(32);
  padded.set(text);
  const rest = glb.subarray(20 + jsonLength);
  const out = new Uint8Array(20 + padded.length + rest.length);
  out.set(glb.subarray(0, 20));
  new DataView(out.buffer).setUint32(8, out.length, true);
  new DataView(out.buffer).setUint32(12, padded.length, true);
  out.set(padded, 20);
  out.set(rest, 20 + padded.length);
  return out.buffer;
}

const load = (bytes) => new Promise((done, fail) => new GLTFLoader().parse(bytes, "", done, fail));

// First drawable below (or at) a node, without entering other nodes.
function meshOf(object) {
  if (object.isMesh) return object;
  return object.children.find((child) => child.isMesh);
}

let failures = 0, comparedJoints = 0, comparedVertices = 0, files = 0;
for (const name of readdirSync(folder).filter((n) => n.endsWith(".glb")).sort()) {
  const truthPath = join(folder, name.replace(/\.glb$/, ".json"));
  if (!existsSync(truthPath)) continue;
  const truth = JSON.parse(readFileSync(truthPath));
  const gltf = await load(withoutMaterials(new Uint8Array(readFileSync(join(folder, name)))));
  const nodes = new Map();
  for (const [object, where] of gltf.parser.associations) if (where.nodes !== undefined && object.isObject3D) {
    // Clones share an association; the first in the scene counts. A mesh's primitives come with their node's number too.
    if (!nodes.has(where.nodes) || (where.primitives === undefined)) nodes.set(where.nodes, object);
  }
  const mixer = new THREE.AnimationMixer(gltf.scene);
  const clip = gltf.animations[0];
  if (clip) mixer.clipAction(clip).setLoop(THREE.LoopOnce).play().clampWhenFinished = true;
  let worst = 0;
  for (const frame of truth.frames) {
    const action = clip && mixer.clipAction(clip);
    if (action) { action.reset(); action.time = frame.time_s; action.setLoop(THREE.LoopOnce); action.clampWhenFinished = true; mixer.update(0); }
    gltf.scene.updateMatrixWorld(true);
    const box = new THREE.Box3();
    for (const p of frame.joints) box.expandByPoint(new THREE.Vector3(...p));
    for (const instance of frame.instances) for (const p of Object.values(instance.vertices)) box.expandByPoint(new THREE.Vector3(...p));
    const size = Math.max(box.getSize(new THREE.Vector3()).length(), 1e-6);
    frame.joints.forEach((p, joint) => {
      const object = nodes.get(joint);
      if (!object) { ++failures; console.error(`${name}: three.js has no node ${joint}`); return; }
      const at = new THREE.Vector3().setFromMatrixPosition(object.matrixWorld);
      worst = Math.max(worst, at.distanceTo(new THREE.Vector3(...p)) / size);
      ++comparedJoints;
    });
    for (const instance of frame.instances) {
      const mesh = nodes.has(instance.node) && meshOf(nodes.get(instance.node));
      if (!mesh || name.startsWith("everything")) continue;  // Several meshes a joint there: not told apart by joint.
      if (mesh.isSkinnedMesh) mesh.skeleton.update();
      for (const [vertex, p] of Object.entries(instance.vertices)) {
        const at = mesh.getVertexPosition(Number(vertex), new THREE.Vector3());
        if (mesh.isSkinnedMesh) mesh.localToWorld(at); else at.applyMatrix4(mesh.matrixWorld);
        worst = Math.max(worst, at.distanceTo(new THREE.Vector3(...p)) / size);
        ++comparedVertices;
      }
    }
  }
  ++files;
  if (!(worst <= TOLERANCE)) { ++failures; console.error(`${name}: off by ${worst} of the box`); }
}
console.log(`${files} files, ${comparedJoints} joints, ${comparedVertices} vertices, ${failures} failures`);
process.exit(files > 0 && failures === 0 ? 0 : 1);
