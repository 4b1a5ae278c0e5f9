// SPDX-License-Identifier: MIT
// three.js loads every sample; joints and vertices are where our own code says, to 1e-5 of the box.
// usage: node three_compare.mjs NODE_MODULES FOLDER
import { readFileSync, readdirSync, existsSync } from "node:fs";
import { join } from "node:path";
import { boxSize, importThree, setTime, withoutMaterials } from "./three_support.mjs";

const [modules, folder] = process.argv.slice(2);
const { THREE, loader } = await importThree(modules);
const { GLTFLoader } = await loader("GLTFLoader.js");

const TOLERANCE = 1e-5;

const load = (bytes) => new Promise((done, fail) => new GLTFLoader().parse(bytes, "", done, fail));

// First drawable below (or at) a node, without entering other nodes.
function meshOf(object) {
  if (object.isMesh) return object;
  return object.children.find((child) => child.isMesh);
}

let failures = 0, comparedJoints = 0, comparedVertices = 0, files = 0;

// nodeOf: node number of each joint, or -1 where it cannot be told.
async function compare(label, bytes, truth, nodeOf) {
  const gltf = await load(withoutMaterials(bytes));
  const nodes = nodeOf(gltf.parser.json);
  const objects = [];
  for (const node of nodes) objects.push(node < 0 ? null : await gltf.parser.getDependency("node", node));
  const mixer = new THREE.AnimationMixer(gltf.scene);
  truth.clips.forEach((expected, c) => {
    const clip = gltf.animations[c];
    mixer.stopAllAction();
    if (expected.name && !clip) { ++failures; console.error(`${label}: no clip ${expected.name}`); return; }
    let worst = 0;
    for (const frame of expected.frames) {
      if (clip) setTime(THREE, mixer, clip, frame.time_s);
      gltf.scene.updateMatrixWorld(true);
      const size = boxSize(THREE, frame);
      frame.joints.forEach((p, joint) => {
        if (!objects[joint]) return;
        const at = new THREE.Vector3().setFromMatrixPosition(objects[joint].matrixWorld);
        worst = Math.max(worst, at.distanceTo(new THREE.Vector3(...p)) / size);
        ++comparedJoints;
      });
      for (const instance of frame.instances) {
        const mesh = objects[instance.node] && meshOf(objects[instance.node]);
        // Several meshes a joint: not told apart by joint. Four influences are all that three.js knows.
        if (!mesh || /^(everything|fbx_)/.test(label) || mesh.geometry.attributes.joints_1) continue;
        if (mesh.isSkinnedMesh) mesh.skeleton.update();
        for (const [vertex, p] of Object.entries(instance.vertices)) {
          if (Number(vertex) >= mesh.geometry.attributes.position.count) continue;  // Of another primitive: we merge them.
          const at = mesh.getVertexPosition(Number(vertex), new THREE.Vector3()).applyMatrix4(mesh.matrixWorld);
          worst = Math.max(worst, at.distanceTo(new THREE.Vector3(...p)) / size);
          ++comparedVertices;
        }
      }
    }
    if (!(worst <= TOLERANCE)) { ++failures; console.error(`${label}, clip '${expected.name}': off by ${worst} of the box`); }
  });
  ++files;
}

// Joints of somebody else's file are found by their names, where those are unique.
function nodesByName(json, joints) {
  const names = (json.nodes ?? []).map((node, i) => node.name || `node_${i}`);
  return joints.map((name) => (names.indexOf(name) === names.lastIndexOf(name) ? names.indexOf(name) : -1));
}

for (const name of readdirSync(folder).filter((n) => n.endsWith(".glb")).sort()) {
  const truthPath = join(folder, name.replace(/\.glb$/, ".json"));
  if (!existsSync(truthPath)) continue;
  const truth = JSON.parse(readFileSync(truthPath));
  await compare(name, new Uint8Array(readFileSync(join(folder, name))), truth, () => truth.joints.map((_, i) => i));
  // The file it came from must look the same to three.js as to our reader.
  if (truth.source) await compare(`${name} (original)`, new Uint8Array(readFileSync(truth.source)), truth, (json) => nodesByName(json, truth.joints));
}
console.log(`${files} files, ${comparedJoints} joints, ${comparedVertices} vertices, ${failures} failures`);
process.exit(files > 0 && failures === 0 ? 0 : 1);
