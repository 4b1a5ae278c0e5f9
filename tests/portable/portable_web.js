// SPDX-License-Identifier: MIT
// Runs portable.cpp, compiled to WebAssembly, in node or in a page. Its files lie in memory.
//
// usage: node portable_web.js PROGRAM.js FOLDER NAME…     names of files below FOLDER
"use strict";

// `create`: the module's function. `read(name)`: the bytes of a file. `options` of the module. Returns the lines.
async function runPortable(create, names, read, options = {}) {
  const lines = [];
  const print = (line) => lines.push(line);
  const program = await create({print, printErr: print, ...options});
  for (const name of names) {
    const parts = name.split("/");
    for (let i = 1; i < parts.length; ++i) {
      const folder = "/" + parts.slice(0, i).join("/");
      if (!program.FS.analyzePath(folder).exists) program.FS.mkdir(folder);
    }
    program.FS.writeFile("/" + name, await read(name));
  }
  try {
    program.callMain(["/models", "/saved"]);
  } catch (error) {
    if (error.name !== "ExitStatus") lines.push("FAILED: " + error);
  }
  return lines.join("\n");
}

if (typeof process === "object" && typeof require === "function") {
  const [program, folder, ...names] = process.argv.slice(2), fs = require("fs"), path = require("path");
  // This emscripten fetches, which node can since version 18, but not from files.
  const wasmBinary = fs.readFileSync(program.replace(/js$/, "wasm"));
  runPortable(require(path.resolve(program)), names, (name) => fs.readFileSync(path.join(folder, name)), {wasmBinary})
    .then(console.log);
}
