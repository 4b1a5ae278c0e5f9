# SPDX-License-Identifier: MIT
"""A stand-in for Python's package onnxruntime, which Debian does not have: the part of InferenceSession that our scripts
use, computed by ONNX Runtime itself through its package for node (tests/node/install.sh). Lists go in and come out.

The variable ZOE_NODE_PACKAGES names the folder of these packages.
"""
import json
import os
import subprocess


class _Port:
    def __init__(self, name):
        self.name = name


class InferenceSession:
    def __init__(self, path, providers=None):
        del providers
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "onnx_session.mjs")
        self._node = subprocess.Popen(["node", script, os.environ["ZOE_NODE_PACKAGES"], path], stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, text=True)
        names = self._read()
        self._inputs, self._outputs = names["inputs"], names["outputs"]

    def _read(self):
        line = self._node.stdout.readline()
        if not line:
            raise RuntimeError("ONNX Runtime ended, exit code {}".format(self._node.wait()))
        return json.loads(line)

    def get_inputs(self):
        return [_Port(name) for name in self._inputs]

    def get_outputs(self):
        return [_Port(name) for name in self._outputs]

    def run(self, output_names, feeds):
        self._node.stdin.write(json.dumps(feeds) + "\n")
        self._node.stdin.flush()
        outputs = self._read()
        return [outputs[name] for name in output_names or self._outputs]

    def __del__(self):
        self._node.stdin.close()
        self._node.stdout.close()
        self._node.wait()
