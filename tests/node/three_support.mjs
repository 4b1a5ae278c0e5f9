// SPDX-License-Identifier: MIT
// What the comparisons with three.js share: finding the package, and GLB files without their materials.
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

globalThis.self = globalThis;  // GLTFLoader expects a browser's or worker's global.

// name: "three", or another installed version of it.
export async function importThree(modules, name = "three") {
  const folder = join(resolve(modules), "node_modules", name);
  const load = (...parts) => import(pathToFileURL(join(folder, ...parts)));
  return { THREE: await load("build", "three.module.js"), loader: (file) => load("examples", "jsm", "loaders", file) };
}

// Node has no image decoder: materials go, geometry and motion stay.
export function withoutMaterials(glb) {
  const view = new DataView(glb.buffer, glb.byteOffset, glb.byteLength);
  const jsonLength = view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + jsonLength)));
  for (const key of ["materials", "textures", "images", "extensionsUsed", "extensionsRequired"]) delete json[key];
  for (const mesh of json.meshes ?? []) for (const primitive of mesh.primitives) delete primitive.material;
  const text = new TextEncoder().encode(JSON.stringify(json));
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

// Diagonal of the box around everything that one frame expects.
export function boxSize(THREE, frame) {
  const box = new THREE.Box3();
  for (const p of frame.joints) box.expandByPoint(new THREE.Vector3(...p));
  for (const instance of frame.instances) for (const p of Object.values(instance.vertices)) box.expandByPoint(new THREE.Vector3(...p));
  return Math.max(box.getSize(new THREE.Vector3()).length(), 1e-6);
}

// Sets a mixer to one time of a clip.
export function setTime(THREE, mixer, clip, time_s) {
  const action = mixer.clipAction(clip).reset().setLoop(THREE.LoopOnce).play();
  action.clampWhenFinished = true;
  action.time = Math.min(Math.fround(time_s), clip.duration);  // Key times are floats; steps happen on them.
  mixer.update(0);
}

// World position of every vertex of the meshes below an object.
export function vertexPositions(THREE, root) {
  const places = [];
  root.traverse((mesh) => {
    if (!mesh.isMesh) return;
    if (mesh.isSkinnedMesh) mesh.skeleton.update();
    for (let i = 0; i < mesh.geometry.attributes.position.count; ++i)
      places.push(mesh.getVertexPosition(i, new THREE.Vector3()).applyMatrix4(mesh.matrixWorld));
  });
  return places;
}

// Largest distance from an expected vertex to the nearest found one: other programs number vertices their own way.
export function worstVertex(THREE, frame, places) {
  let worst = 0, count = 0;
  for (const instance of frame.instances) {
    for (const p of Object.values(instance.vertices)) {
      const expected = new THREE.Vector3(...p);
      let nearest = Infinity;
      for (const place of places) nearest = Math.min(nearest, place.distanceToSquared(expected));
      worst = Math.max(worst, Math.sqrt(nearest));
      ++count;
    }
  }
  return { worst, count };
}
