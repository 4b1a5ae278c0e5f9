// SPDX-License-Identifier: MIT
// Compresses GLB files with other people's encoders, and decodes each again with their decoders.
// usage: node compress.mjs NODE_MODULES OUT_FOLDER FILE.glb…
// For NAME.glb: NAME.original.glb, and for each method NAME.METHOD.glb and NAME.METHOD.plain.glb.
import { createRequire } from "node:module";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, out, ...files] = process.argv.slice(2);
const require = createRequire(join(resolve(modules), "x.js"));
const load = (name) => import(pathToFileURL(require.resolve(name)));
const { NodeIO } = await load("@gltf-transform/core");
const { ALL_EXTENSIONS, KHRDracoMeshCompression, EXTMeshoptCompression } = await load("@gltf-transform/extensions");
const draco = require("draco3dgltf");
const { MeshoptEncoder, MeshoptDecoder } = await load("meshoptimizer");
const gltfpack = await load("gltfpack");
await Promise.all([MeshoptEncoder.ready, MeshoptDecoder.ready]);

const io = new NodeIO().registerExtensions(ALL_EXTENSIONS).registerDependencies({
  "draco3d.encoder": await draco.createEncoderModule(),
  "draco3d.decoder": await draco.createDecoderModule(),
  "meshopt.encoder": MeshoptEncoder,
  "meshopt.decoder": MeshoptDecoder,
});

const methods = {
  draco_edgebreaker: (d) => d.createExtension(KHRDracoMeshCompression).setRequired(true)
    .setEncoderOptions({ method: KHRDracoMeshCompression.EncoderMethod.EDGEBREAKER }),
  draco_sequential: (d) => d.createExtension(KHRDracoMeshCompression).setRequired(true)
    .setEncoderOptions({ method: KHRDracoMeshCompression.EncoderMethod.SEQUENTIAL }),
  meshopt_plain: (d) => d.createExtension(EXTMeshoptCompression).setRequired(true)
    .setEncoderOptions({ method: EXTMeshoptCompression.EncoderMethod.QUANTIZE }),
  meshopt_filter: (d) => d.createExtension(EXTMeshoptCompression).setRequired(true)
    .setEncoderOptions({ method: EXTMeshoptCompression.EncoderMethod.FILTER }),
};

// gltfpack quantises everything, joins meshes, and states the range of uvs as a texture transform.
async function pack(bytes) {
  const files = {};
  await gltfpack.pack(["-i", "in.glb", "-o", "out.glb", "-c", "-kn", "-km"], {
    read: (path) => (path === "in.glb" ? bytes : readFileSync(path)),
    write: (path, data) => { files[path] = data; },
  });
  return files["out.glb"];
}

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
for (const file of files) {
  const stem = join(out, basename(file, ".glb"));
  copyFileSync(file, `${stem}.original.glb`);
  for (const [method, use] of Object.entries(methods)) {
    const document = await io.read(file);
    use(document);
    await io.write(`${stem}.${method}.glb`, document);
  }
  writeFileSync(`${stem}.gltfpack.glb`, await pack(new Uint8Array(readFileSync(file))));
  for (const method of [...Object.keys(methods), "gltfpack"]) {
    const document = await io.read(`${stem}.${method}.glb`);
    for (const extension of document.getRoot().listExtensionsUsed()) {
      if (/draco|meshopt/i.test(extension.extensionName)) extension.dispose();
    }
    await io.write(`${stem}.${method}.plain.glb`, document);
  }
}
