// SPDX-License-Identifier: MIT
// Khronos' gltf-validator on every .glb, .gltf and .vrm of a folder: no errors. usage: node validate.mjs NODE_MODULES FOLDER
import { createRequire } from "node:module";
import { readFileSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";

const [modules, folder] = process.argv.slice(2);
const validator = createRequire(join(resolve(modules), "x.js"))("gltf-validator");

let files = 0, errors = 0;
const warnings = {};
for (const name of readdirSync(folder).filter((n) => /\.(glb|gltf|vrm)$/.test(n)).sort()) {
  const report = await validator.validateBytes(new Uint8Array(readFileSync(join(folder, name))), {
    uri: name, maxIssues: 0,
    externalResourceFunction: async (uri) => new Uint8Array(readFileSync(join(folder, decodeURIComponent(uri)))),
  });
  ++files;
  errors += report.issues.numErrors;
  for (const message of report.issues.messages) {
    if (message.severity === 0) console.error(`${name}: ${message.code} ${message.pointer ?? ""}: ${message.message}`);
    else warnings[message.code] = (warnings[message.code] ?? 0) + 1;
  }
}
console.log(`${files} files, ${errors} errors; other remarks:`, warnings);
process.exit(files > 0 && errors === 0 ? 0 : 1);
