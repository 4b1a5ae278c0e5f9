#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Shows each guard of tools/dev failing on a planted violation: a guard that cannot fail guards nothing.

usage: guards_test.py ROOT COMPILER layers|text|headers
"""
import os
import sys
import tempfile
import unittest

ROOT, COMPILER, GUARD = sys.argv[1:4]
sys.path.insert(0, os.path.join(ROOT, "tools", "dev"))
sys.dont_write_bytecode = True
import check_headers  # noqa: E402
import check_layers  # noqa: E402
import check_text  # noqa: E402

SPDX = "// SPDX-License-Identifier: MIT\n"
TABLE = "0 core\n1 math core\n2 character math\n4 io character\n"


class GuardTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = self.folder.name
        self.write("cmake/layers.txt", TABLE)
        self.write("src/math/README.md", "# math\n")
        self.write("include/zoe/core/a.h", SPDX + "#pragma once\n")
        self.write("include/zoe/math/b.h", SPDX + '#pragma once\n#include <vector>\n#include "zoe/core/a.h"\n')

    def tearDown(self):
        self.folder.cleanup()

    def write(self, relative, text):
        path = os.path.join(self.root, relative)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def expect_one(self, problems, *parts):
        self.assertEqual(len(problems), 1, problems)
        for part in parts:
            self.assertIn(part, problems[0])


class Layers(GuardTest):
    def check(self):
        return check_layers.check(self.root)

    def test_clean_tree_passes(self):
        self.assertEqual(self.check(), [])

    def test_include_against_the_table(self):
        self.write("src/math/c.cpp", SPDX + '\n#include "zoe/io/asset.h"\n')
        self.expect_one(self.check(), "src/math/c.cpp:3", "math may not use io")

    def test_transitive_use_is_allowed(self):
        self.write("src/io/c.cpp", SPDX + '#include "zoe/core/a.h"\n')
        self.assertEqual(self.check(), [])

    def test_private_header_of_another_module(self):
        self.write("src/io/c.cpp", SPDX + '#include "math/secret.h"\n')
        self.expect_one(self.check(), "src/io/c.cpp:2", "private header of math")

    def test_cycle_in_the_table(self):
        self.write("cmake/layers.txt", "0 core math\n1 math core\n2 character math\n4 io character\n")
        self.expect_one(self.check(), "layers.txt:1", "core uses math")

    def test_upward_edge_in_the_table(self):
        self.write("cmake/layers.txt", "0 core\n1 math core\n1 character math\n")
        self.expect_one(self.check(), "layers.txt:3", "must be lower")

    def test_unknown_module(self):
        self.write("src/secret/c.cpp", SPDX)
        self.expect_one(self.check(), "secret is not in")

    def test_walled_headers(self):
        self.write("src/math/c.cpp", SPDX + "#include <torch/torch.h>\n")
        self.write("src/io/d.cpp", SPDX + "#include <assimp/scene.h>\n")
        self.write("src/io/e.cpp", SPDX + "#include <GL/gl.h>\n")
        self.write("src/io/f.cpp", SPDX + "#include <libdeflate.h>\n")
        self.assertEqual(len(self.check()), 3, self.check())

    def test_third_party_in_a_public_header(self):
        self.write("include/zoe/io/g.h", SPDX + "#include <Eigen/Core>\n")
        self.write("include/zoe/io/h.h", SPDX + "#include <libdeflate.h>\n")
        self.assertEqual(len(self.check()), 2, self.check())


class Text(GuardTest):
    def check(self):
        return check_text.check(self.root)

    def test_clean_tree_passes(self):
        self.assertEqual(self.check(), [])

    def test_machine_path(self):
        self.write("docs/a.md", "fine\nsee /home/somebody/data\n")
        self.expect_one(self.check(), "docs/a.md:2", "one machine")

    def test_registry(self):
        self.write("tests/node/package-lock.json", '{\n"resolved": "x"}\n')
        self.expect_one(self.check(), "package-lock.json:2", "registry")

    def test_long_file(self):
        self.write("src/math/long.cpp", SPDX + "\n" * 600)
        self.expect_one(self.check(), "long.cpp:601", "longer")

    def test_missing_licence_line(self):
        self.write("src/math/bare.cpp", "int x;\n")
        self.expect_one(self.check(), "bare.cpp:1", "SPDX")

    def test_missing_room_card(self):
        self.write("src/io/c.cpp", SPDX)
        self.expect_one(self.check(), "src/io/README.md", "no room card")

    def test_long_room_card(self):
        self.write("src/math/README.md", "x\n" * 21)
        self.expect_one(self.check(), "src/math/README.md:21", "at most 20")

    def test_unfinished_work(self):
        self.write("src/math/c.cpp", SPDX + "// TO" + "DO later\n")
        self.expect_one(self.check(), "c.cpp:2", "unfinished")


class Headers(GuardTest):
    def check(self):
        return check_headers.check(self.root, [COMPILER])

    def test_clean_tree_passes(self):
        self.assertEqual(self.check(), [])

    def test_header_that_needs_another_first(self):
        self.write("include/zoe/math/c.h", SPDX + "#pragma once\ninline std::vector<int> x() { return {}; }\n")
        self.expect_one(self.check(), "include/zoe/math/c.h", "std")

    def test_header_without_a_guard(self):
        self.write("include/zoe/math/c.h", SPDX + "struct Twice {};\n")
        self.expect_one(self.check(), "include/zoe/math/c.h", "redefinition")


if __name__ == "__main__":
    unittest.main(argv=["guards_test", GUARD.capitalize()])
