// SPDX-License-Identifier: MIT
// three-vrm loads every .vrm of a folder and finds its humanoid: all required bones, left ones at +x, head above hips.
// usage: node vrm_compare.mjs NODE_MODULES FOLDER
import { readFileSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { importThree } from "./three_support.mjs";

const [modules, folder] = process.argv.slice(2);
const { THREE, loader } = await importThree(modules);
const { GLTFLoader } = await loader("GLTFLoader.js");
const { VRMLoaderPlugin, VRMRequiredHumanBoneName } =
  await import(pathToFileURL(join(resolve(modules), "node_modules", "@pixiv", "three-vrm", "lib", "three-vrm.module.js")));

// Node has no image decoder: materials go, the extension stays.
function withoutMaterials(glb) {
  const length = new DataView(glb.buffer, glb.byteOffset).getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + length)));
  for (const key of ["materials", "textures", "images", "extensionsRequired"]) delete json[key];
  for (const mesh of json.meshes ?? []) for (const primitive of mesh.primitives) delete primitive.material;
  let text = new TextEncoder().encode(JSON.stringify(json));
  text = new Uint8Array([...text, ...new Array((4 - (text.length % 4)) % 4).fill(32)]);
  const out = new Uint8Array(20 + text.length + glb.length - 20 - length);
  out.set(glb.subarray(0, 20));
  out.set(text, 20);
  out.set(glb.subarray(20 + length), 20 + text.length);
  new DataView(out.buffer).setUint32(8, out.length, true);
  new DataView(out.buffer).setUint32(12, text.length, true);
  return out.buffer;
}

let files = 0, bones = 0, failures = 0;
function fail(text) {
  ++failures;
  console.error(text);
}
for (const name of readdirSync(folder).filter((n) => n.endsWith(".vrm")).sort()) {
  const gltf = await new Promise((done, refuse) => {
    const reader = new GLTFLoader();
    reader.register((parser) => new VRMLoaderPlugin(parser));
    reader.parse(withoutMaterials(new Uint8Array(readFileSync(join(folder, name)))), "", done, refuse);
  });
  ++files;
  const vrm = gltf.userData.vrm;
  if (!vrm) { fail(`${name}: three-vrm finds no VRM`); continue; }
  gltf.scene.updateMatrixWorld(true);
  const place = (bone) => new THREE.Vector3().setFromMatrixPosition(vrm.humanoid.getRawBoneNode(bone).matrixWorld);
  for (const bone of Object.values(VRMRequiredHumanBoneName)) {
    if (!vrm.humanoid.getRawBoneNode(bone)) fail(`${name}: no ${bone}`);
    else ++bones;
  }
  if (!(place("head").y > place("hips").y && place("hips").y > place("leftFoot").y)) fail(`${name}: not upright`);
  for (const part of ["UpperLeg", "UpperArm", "Hand"])
    if (!(place(`left${part}`).x > place(`right${part}`).x)) fail(`${name}: ${part} on the wrong side`);
  if (vrm.meta.metaVersion !== "1" || vrm.meta.authors.length === 0) fail(`${name}: meta is incomplete`);
}
console.log(`${files} files, ${bones} required bones, ${failures} failures`);
process.exit(files > 0 && failures === 0 ? 0 : 1);
