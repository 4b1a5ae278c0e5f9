// SPDX-License-Identifier: MIT
// Runs an ONNX model for python/onnxruntime.py. First a line with the names of inputs and outputs; then for each line
// of JSON, {input: nested lists}, one with the outputs as nested lists.
// usage: node onnx_session.mjs NODE_MODULES MODEL.onnx
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";

const [modules, path] = process.argv.slice(2);
const ort = createRequire(join(resolve(modules), "package.json"))("onnxruntime-node");
const session = await ort.InferenceSession.create(path);

function shapeOf(list) {
  return Array.isArray(list) ? [list.length, ...shapeOf(list[0])] : [];
}
function nested(values, dims) {
  if (dims.length === 1) return Array.from(values);
  const size = values.length / dims[0];
  return Array.from({ length: dims[0] }, (_, i) => nested(values.slice(i * size, (i + 1) * size), dims.slice(1)));
}

console.log(JSON.stringify({ inputs: session.inputNames, outputs: session.outputNames }));
for await (const line of createInterface({ input: process.stdin })) {
  const feeds = {};
  for (const [name, list] of Object.entries(JSON.parse(line)))
    feeds[name] = new ort.Tensor("float32", Float32Array.from(list.flat(Infinity)), shapeOf(list));
  const outputs = await session.run(feeds);
  const answer = {};
  for (const name of session.outputNames) answer[name] = nested(outputs[name].data, outputs[name].dims);
  console.log(JSON.stringify(answer));
}
