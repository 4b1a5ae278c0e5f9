// SPDX-License-Identifier: MIT
// fbx2gltf (Autodesk's FBX SDK) converts every .fbx of a folder; joints and vertices are where our own code says, to
// 1e-4 of the box. usage: node fbx2gltf_compare.mjs NODE_MODULES FOLDER
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { boxSize, importThree, setTime, vertexPositions, withoutMaterials, worstVertex } from "./three_support.mjs";

const [modules, folder] = process.argv.slice(2);
const { THREE, loader } = await importThree(modules);
const { GLTFLoader } = await loader("GLTFLoader.js");
const TOLERANCE = 1e-4;

if (process.platform !== "linux" || process.arch !== "x64") {
  console.log("skipped: fbx2gltf has no program for this machine");
  process.exit(77);
}
const scratch = mkdtempSync(join(tmpdir(), "zoe_fbx2gltf_"));
const program = join(scratch, "fbx2gltf");  // The package's own file is not executable.
copyFileSync(join(resolve(modules), "node_modules", "fbx2gltf", "bin", "Linux", "FBX2glTF"), program);
chmodSync(program, 0o755);

let failures = 0, files = 0, comparedJoints = 0, comparedVertices = 0, comparedClips = 0, largest = 0;
function fail(text) {
  ++failures;
  console.error(text);
}

async function compare(name) {
  const truth = JSON.parse(readFileSync(join(folder, name.replace(/\.fbx$/, ".json"))));
  const fps = truth.clips[0].fps;
  const rate = [24, 30, 60].includes(fps) ? `bake${fps}` : null;
  const glb = join(scratch, "out.glb");
  try {
    execFileSync(program, ["-b", "-i", join(folder, name), "-o", glb, ...(rate ? ["--anim-framerate", rate] : [])],
      { stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    return fail(`${name}: fbx2gltf refuses it: ${error.stdout} ${error.stderr}`);
  }
  const gltf = await new Promise((done, refuse) =>
    new GLTFLoader().parse(withoutMaterials(new Uint8Array(readFileSync(glb))), "", done, refuse));
  const counts = new Map(), objects = new Map();
  const json = gltf.parser.json;
  for (const [i, node] of json.nodes.entries()) {
    counts.set(node.name, (counts.get(node.name) ?? 0) + 1);
    objects.set(node.name, await gltf.parser.getDependency("node", i));
  }
  const mixer = new THREE.AnimationMixer(gltf.scene);
  ++files;
  for (const expected of truth.clips) {
    const clip = gltf.animations.find((a) => a.name === expected.name);
    // fbx2gltf drops takes that never leave the rest pose; that pose is compared then.
    if (clip && expected.fps !== fps) continue;  // The file has one rate.
    if (clip && !rate) continue;                 // fbx2gltf samples at 24, 30 and 60 only.
    mixer.stopAllAction();
    for (const frame of expected.frames) {
      // fbx2gltf starts every take at zero.
      if (clip) setTime(THREE, mixer, clip, frame.time_s - expected.frames[0].time_s);
      gltf.scene.updateMatrixWorld(true);
      const size = boxSize(THREE, frame);
      let worst = 0, at = "";
      truth.joints.forEach((joint, i) => {
        if (counts.get(joint) !== 1 || truth.joints.indexOf(joint) !== truth.joints.lastIndexOf(joint)) return;
        const place = new THREE.Vector3().setFromMatrixPosition(objects.get(joint).matrixWorld);
        const off = place.distanceTo(new THREE.Vector3(...frame.joints[i])) / size;
        if (off > worst) { worst = off; at = joint; }
        ++comparedJoints;
      });
      if (frame.instances.length > 0 && !truth.follows) {
        const vertices = worstVertex(THREE, frame, vertexPositions(THREE, gltf.scene));
        if (vertices.worst / size > worst) { worst = vertices.worst / size; at = "a vertex"; }
        comparedVertices += vertices.count;
      }
      largest = Math.max(largest, worst);
      if (!(worst <= TOLERANCE)) { fail(`${name}, take '${expected.name}', frame ${frame.frame}: ${at} off by ${worst} of the box`); break; }
    }
    ++comparedClips;
  }
}

for (const name of readdirSync(folder).filter((n) => n.endsWith(".fbx")).sort()) await compare(name);
rmSync(scratch, { recursive: true });
console.log(`${files} files, ${comparedClips} takes, ${comparedJoints} joints, ${comparedVertices} vertices, ` +
  `worst ${largest.toExponential(2)} of the box, ${failures} failures`);
process.exit(files > 0 && comparedJoints > 0 && failures === 0 ? 0 : 1);
