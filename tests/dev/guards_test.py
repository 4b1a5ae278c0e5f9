#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Shows each guard of tools/dev failing on a planted violation: a guard that cannot fail guards nothing.

usage: guards_test.py ROOT COMPILER layers|cycles|text|headers|format|architecture|wrap|mutate
"""
import os
import sys
import tempfile
import unittest

ROOT, COMPILER, GUARD = sys.argv[1:4]
sys.path.insert(0, os.path.join(ROOT, "tools", "dev"))
sys.dont_write_bytecode = True
import architecture_table  # noqa: E402
import check_cycles  # noqa: E402
import check_format  # noqa: E402
import check_headers  # noqa: E402
import check_layers  # noqa: E402
import check_text  # noqa: E402
import mutate  # noqa: E402
import mutations  # noqa: E402
import wrap  # noqa: E402

SPDX = "// SPDX-License-Identifier: MIT\n"
TABLE = "0 core\n1 math core\n2 character math\n4 io character\n"  # Only core and math have folders.


class GuardTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = self.folder.name
        self.write("cmake/layers.txt", TABLE)
        self.write("src/math/README.md", "# math\n")
        self.write("include/zoe/core/a.h", SPDX + "#pragma once\n")
        self.write("include/zoe/math/b.h", SPDX + '#pragma once\n#include <vector>\n\n#include "zoe/core/a.h"\n')

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
        self.write("src/io/c.cpp", SPDX + '#include "zoe/core/a.h"\n#include "zoe/character/d.h"\n')
        self.assertEqual(self.check(), [])

    def test_edge_that_nothing_uses(self):
        self.write("src/io/c.cpp", SPDX + '#include "zoe/core/a.h"\n')
        self.expect_one(self.check(), "layers.txt", "io may use character and does not")

    def test_planned_modules_have_edges(self):
        self.write("cmake/layers.txt", TABLE + "5 stream io\n")
        self.assertEqual(self.check(), [])

    def test_private_header_of_another_module(self):
        self.write("src/io/c.cpp", SPDX + '#include "math/secret.h"\n#include "zoe/character/d.h"\n')
        self.expect_one(self.check(), "src/io/c.cpp:2", "private header of math")

    def test_private_headers_outside_of_modules(self):
        self.write("src/math/secret.h", SPDX + "#pragma once\n")
        line = SPDX + '#include "math/secret.h"\n'
        for file in ("tests/math/a_test.cpp", "bench/math/a_bench.cpp", "tests/fuzz/fuzz_a.cpp"):
            self.write(file, line)
        self.assertEqual(self.check(), [])
        for file in ("tools/cli/a.cpp", "examples/01/main.cpp", "tests/io/a_test.cpp", "bench/io/a_bench.cpp"):
            self.write(file, line)
            self.expect_one(self.check(), f"{file}:2", "private header of math")
            os.remove(os.path.join(self.root, file))

    def test_programs_use_benches_and_tests_use_both_but_not_back(self):
        self.write("bench/math/a_bench.h", SPDX + "#pragma once\n")
        self.write("tools/cli/verb.h", SPDX + "#pragma once\n")
        self.write("tools/cli/bench.cpp", SPDX + '#include "math/a_bench.h"\n#include "verb.h"\n')
        self.write("tests/math/a_test.cpp", SPDX + '#include "math/a_bench.h"\n#include "verb.h"\n')
        self.assertEqual(self.check(), [])
        self.write("bench/math/b_bench.cpp", SPDX + '#include "verb.h"\n')
        self.expect_one(self.check(), "bench/math/b_bench.cpp:2", "bench may not include tools/cli")

    def test_unknown_module_in_a_program(self):
        self.write("tools/cli/a.cpp", SPDX + '#include "zoe/secret/a.h"\n')
        self.expect_one(self.check(), "tools/cli/a.cpp:2", "secret is not in")

    def test_walled_headers_outside_of_modules(self):
        self.write("cmake/layers.txt", TABLE + "5 train io\n5 render io\n")
        self.write("tests/train/a_test.cpp", SPDX + "#include <torch/torch.h>\n")
        self.write("tools/viewer/a.cpp", SPDX + "#include <GLFW/glfw3.h>\n")
        self.write("bench/io/a.cpp", SPDX + "#include <assimp/scene.h>\n")
        self.assertEqual(self.check(), [])
        self.write("tools/cli/a.cpp", SPDX + "#include <torch/torch.h>\n#include <imgui.h>\n#include <assimp/scene.h>\n")
        self.write("examples/01/main.cpp", SPDX + "#include <nlohmann/json.hpp>\n")
        self.assertEqual(len(self.check()), 4, self.check())

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
        self.write("src/io/f.cpp", SPDX + '#include <libdeflate.h>\n#include "zoe/character/d.h"\n')
        self.assertEqual(len(self.check()), 3, self.check())

    def test_the_run_time_parses_without_libraries(self):
        for header in ("nlohmann/json.hpp", "toml++/toml.h", "zlib.h", "spdlog/logger.h"):
            self.write("src/math/c.cpp", SPDX + f"#include <{header}>\n")
            self.expect_one(self.check(), "src/math/c.cpp:2", header)

    def test_third_party_in_a_public_header(self):
        self.write("include/zoe/io/g.h", SPDX + "#include <Eigen/Core>\n")
        self.write("include/zoe/io/h.h", SPDX + '#include <libdeflate.h>\n#include "zoe/character/d.h"\n')
        self.assertEqual(len(self.check()), 2, self.check())


class Cycles(GuardTest):
    def check(self):
        return check_cycles.check(self.root)

    def plant(self):
        self.write("include/zoe/math/c.h", SPDX + '#pragma once\n#include "zoe/math/b.h"\n')
        self.write("src/math/b.cpp", SPDX + '#include "zoe/math/b.h"\n#include "zoe/math/c.h"\n')

    def test_clean_tree_passes(self):
        self.assertEqual(self.check(), [])

    def test_header_and_source_are_one_unit(self):
        self.write("src/math/b.cpp", SPDX + '#include "zoe/math/b.h"\n')
        self.assertEqual(self.check(), [])

    def test_source_and_header_need_each_other(self):
        self.plant()
        self.expect_one(self.check(), "math/b -> math/c (src/math/b.cpp:3)", "math/c -> math/b (include/zoe/math/c.h:3)")

    def test_long_way_round(self):
        for name, other in (("d", "e"), ("e", "f"), ("f", "d")):
            self.write(f"src/math/{name}.h", SPDX + f'#pragma once\n#include "math/{other}.h"\n')
        self.expect_one(self.check(), "math/d -> math/e", "math/e -> math/f", "math/f -> math/d")

    def test_same_name_in_another_module_is_another_unit(self):
        self.write("include/zoe/io/b.h", SPDX + '#pragma once\n#include "zoe/math/b.h"\n')
        self.write("src/io/b.cpp", SPDX + '#include "zoe/io/b.h"\n#include "zoe/math/b.h"\n')
        self.assertEqual(self.check(), [])


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

    def test_own_index_conversion(self):
        body = "std::size_t idx(int i) { return static_cast<std::size_t>(i); }\n"
        self.write("include/zoe/core/index.h", SPDX + "constexpr " + body)
        self.write("src/math/c.cpp", SPDX + "std::size_t f(int i) { return static_cast<std::size_t>(i) + 1; }\n")
        self.assertEqual(self.check(), [])
        self.write("src/math/c.cpp", SPDX + body)
        self.expect_one(self.check(), "src/math/c.cpp:2", "idx()")
        self.write("src/math/c.cpp", SPDX + "const auto at = [](int j) { return static_cast<std::size_t>(j); };\n")
        self.expect_one(self.check(), "src/math/c.cpp:2", "idx()")

    def test_long_lines(self):
        self.write("src/math/c.cpp", SPDX + "// " + "x" * 117 + "\n")
        self.write("docs/a.md", "y " * 60 + "\n| " + "z" * 200 + " |\n```\n" + "z" * 200 + "\n```\n")
        self.assertEqual(self.check(), [])
        self.write("src/math/c.cpp", SPDX + "// " + "x" * 118 + "\n")
        self.expect_one(self.check(), "src/math/c.cpp:2", "121 columns")
        self.write("src/math/c.cpp", SPDX)
        self.write("docs/a.md", "fine\n" + "y " * 60 + "y\n")
        self.expect_one(self.check(), "docs/a.md:2", "121 columns")

    def test_room_card_that_names_a_missing_file(self):
        self.write("src/math/c.h", SPDX)
        self.write("src/io/README.md", "# io\n")
        self.write("src/io/other.h", SPDX)
        self.write("src/math/README.md", "# math\n\n`b.h`, `c.h`, `zoe/core/a.h`, `io/other.h`, `run.toml`\n")
        self.assertEqual(self.check(), [])
        self.write("src/math/README.md", "# math\n\n`gone.h`\n")
        self.expect_one(self.check(), "src/math/README.md:3", "`gone.h`")
        self.write("src/math/README.md", "# math\n\n`other.h`\n")
        self.expect_one(self.check(), "src/math/README.md:3", "`other.h`")

    def test_page_that_names_a_missing_file(self):
        self.write("docs/a.md", "`b.h`, `math/b.h`, `math/gone.h`, `cmake/layers.txt`, `src/<module>/x.h`\n")
        self.expect_one(self.check(), "docs/a.md:1", "`math/gone.h`")
        self.write("docs/a.md", "```\n`tests/gone`\n```\n`tests/gone`\n")
        self.expect_one(self.check(), "docs/a.md:4", "`tests/gone`")


class Format(GuardTest):
    def setUp(self):
        super().setUp()
        with open(os.path.join(ROOT, ".clang-format"), encoding="utf-8") as file:
            self.write(".clang-format", file.read())

    def check(self):
        return check_format.check(self.root)

    def test_clean_tree_passes(self):
        self.assertEqual(self.check(), [])

    def test_file_that_is_not_formatted(self):
        self.write("src/math/c.cpp", SPDX + "int  x;\n")
        self.write("src/math/d.inc", SPDX + "\n\n\nint\nx;\n")
        found = self.check()
        self.assertEqual(len(found), 2, found)
        self.assertIn("src/math/c.cpp:2:", found[0])

    def test_comments_keep_their_shape(self):
        self.write("src/math/c.cpp", SPDX + "// a    table   of\n// words  that  stay\nint x;\n")
        self.assertEqual(self.check(), [])


class Architecture(GuardTest):
    def setUp(self):
        super().setUp()
        self.write("src/math/README.md", "# math\n\nNumbers, and\nmore. Not this.\n\n- Uses: core\n")
        self.write("docs/architecture.md", f"a\n{architecture_table.BEGIN}\n{architecture_table.END}\nz\n")
        self.assertEqual(architecture_table.main(self.root), 0)

    def check(self):
        return architecture_table.check(self.root)

    def test_written_table_passes(self):
        self.assertEqual(self.check(), [])
        with open(os.path.join(self.root, "docs/architecture.md"), encoding="utf-8") as file:
            page = file.read()
        self.assertIn("| 1 | math | Numbers, and more. | core |\n", page)
        self.assertIn("| 4 | io | Planned. | character |\n", page)
        self.assertTrue(page.startswith("a\n") and page.endswith("\nz\n"))

    def test_changed_graph(self):
        self.write("cmake/layers.txt", TABLE + "5 stream io\n")
        self.expect_one(self.check(), "architecture.md", "run tools/dev/architecture_table.py")

    def test_changed_room_card(self):
        self.write("src/math/README.md", "# math\n\nOther numbers.\n")
        self.expect_one(self.check(), "architecture.md", "run tools/dev/architecture_table.py")

    def test_missing_marks(self):
        self.write("docs/architecture.md", "a\n")
        self.expect_one(self.check(), "marks")


class Wrap(unittest.TestCase):
    def test_paragraphs_and_items(self):
        text = "word " * 30 + "\nend\n\n- " + "item " * 30 + "\n  more\n- b\n"
        lines = wrap.wrap("a.md", text).split("\n")
        self.assertTrue(all(len(line) <= 120 for line in lines), lines)
        self.assertEqual(" ".join(lines).split(), text.split())
        self.assertEqual(lines[4][:2], "  ")
        self.assertEqual(lines[5], "- b")

    def test_what_stays(self):
        wide = "x " * 100
        for text in (f"| {wide} |\n", f"```\n{wide}\n```\n", f"# {wide}\n", "short\nlines\n"):
            self.assertEqual(wrap.wrap("a.md", text), text)
        for text in (f"//   {wide}\n", f"int x;  // {wide}\n", f"// a  {wide}\n", "// short\n// lines\n"):
            self.assertEqual(wrap.wrap("a.cpp", text), text)

    def test_no_line_starts_a_list_by_chance(self):
        for sign in ("-", "1.", "#"):
            text = "x" * 118 + f" {sign} more\n"
            self.assertFalse(any(line.startswith(sign) for line in wrap.wrap("a.md", text).split("\n")), text)

    def test_comments(self):
        text = "  // " + "word " * 30 + "\n  // end\n  int x;\n"
        lines = wrap.wrap("a.cpp", text).split("\n")
        self.assertTrue(all(len(line) <= 120 for line in lines), lines)
        self.assertEqual(lines[-2:], ["  int x;", ""])
        self.assertTrue(all(line.startswith("  // ") for line in lines[:-2]), lines)


class Mutate(GuardTest):
    def changes(self, line):
        return [mutant.after for mutant in mutations.mutants_of_text("a.cpp", line)]

    def test_operators_constants_conditions_statements(self):
        self.assertIn("  x = a - b;", self.changes("  x = a + b;"))
        self.assertIn("  ;", self.changes("  x = a + b;"))
        self.assertIn("  if (a <= b) return 1;", self.changes("  if (a < b) return 1;"))
        self.assertIn("  if (!(a < b)) return 1;", self.changes("  if (a < b) return 1;"))
        self.assertIn("  return f(a || b);", self.changes("  return f(a && b);"))
        self.assertIn("  float x = 1.0F;", self.changes("  float x = 0.5F;"))
        self.assertIn("  int x = 5;", self.changes("  int x = 4;"))
        self.assertIn("  return false;", self.changes("  return true;"))
        self.assertIn("  return {};", self.changes("  return x;"))

    def test_guards_against_nothing_become_large(self):
        self.assertIn("  return a / std::max(b, 1e-3F);", self.changes("  return a / std::max(b, 1e-20F);"))

    def test_equivalents_are_left_out_by_their_code(self):
        self.write("list.txt", "# Why.\n\nsrc/a.cpp: one sentence.\n- x = a + b;\n+ x = a - b;\n+ ;\n"
                               "src/b.cpp: another.\n* without no_such_flag\n")
        known = mutations.Equivalents(os.path.join(self.root, "list.txt"))
        found = mutations.mutants_of_text("src/a.cpp", "\n\n  x = a + b;")
        self.assertEqual([mutant in known for mutant in found], [mutant.after in ("  x = a - b;", "  ;") for mutant in found])
        self.assertTrue(all(mutant in known for mutant in mutations.mutants_of_text("src/b.cpp", "x = 3;")))
        self.assertFalse(any(mutant in known for mutant in mutations.mutants_of_text("src/c.cpp", "x = a + b;")))
        self.write("bad.txt", "src/a.cpp\n- x\n")
        with self.assertRaises(ValueError):
            mutations.Equivalents(os.path.join(self.root, "bad.txt"))

    def test_the_list_of_equivalents_can_be_read(self):
        known = mutations.Equivalents(os.path.join(ROOT, "tools", "dev", "mutate_equivalents.txt"))
        self.assertTrue(known.lines)
        for file, before, after in known.lines:
            self.assertTrue(os.path.exists(os.path.join(ROOT, file)), file)
            self.assertNotEqual(before, after)

    def test_what_is_no_code_stays(self):
        for line in ("// a + b", '  f("a + b && 3");', "#if X > 3", "  ZOE_CHECK(a > b);", "std::vector<int> f();",
                     'const char* text = R"(', "a + b"):
            wanted = ["  ;"] if line.startswith("  f(") else []
            if line == "a + b":  # Within the raw string that the line before opened.
                self.assertEqual(mutations.mutants_of_text("a.cpp", 'x = R"(\na + b\n)";\n'), [])
            else:
                self.assertEqual(self.changes(line), wanted, line)

    def test_a_changed_source_of_a_batch_is_compiled(self):
        root, overlay = os.path.join(self.root, "tree"), os.path.join(self.root, "overlay")
        batch = os.path.join(root, "build", "batch.cxx")
        self.write("tree/build/batch.cxx", f'#include "{root}/src/a.cpp"\n#include "{root}/src/b.cpp"\n')
        self.write("tree/src/b.cpp", "int b = 1;\n")
        self.assertEqual(mutate.source_in(root, overlay, batch, os.path.join(self.root, "0.o")), batch)  # Nothing is changed.
        self.write("overlay/src/b.cpp", "int b = 2;\n")
        with open(mutate.source_in(root, overlay, batch, os.path.join(self.root, "0.o")), encoding="utf-8") as file:
            self.assertEqual(file.read(), f'#include "{root}/src/a.cpp"\n#include "{overlay}/src/b.cpp"\n')
        alone = os.path.join(root, "src", "b.cpp")
        self.assertEqual(mutate.source_in(root, overlay, alone, "0.o"), os.path.join(overlay, "src", "b.cpp"))

    def test_the_same_seed_takes_the_same_changes(self):
        text = "\n".join(f"  x = a + {i};" for i in range(2, 40))
        mutants = mutations.mutants_of_text("a.cpp", text) + mutations.mutants_of_text("b.cpp", text)
        self.assertEqual(len({mutant.id for mutant in mutants}), len(mutants))
        orders = [mutations.order_of(mutants, seed) for seed in (1, 1, 2)]
        self.assertEqual(orders[0], orders[1])
        self.assertNotEqual(orders[0], orders[2])
        self.assertEqual(sorted(m.id for m in orders[0]), sorted(m.id for m in mutants))


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
