// SPDX-License-Identifier: MIT
// Every FBX file of the shared data as a tree of records: formats, versions, refusals, and ASCII
// against binary twins.
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "zoe/core/file.h"

#include "io/fbx/document.h"
#include "support/data.h"

namespace zoe::io::fbx {
namespace {

namespace fs = std::filesystem;

struct Loaded {
  MappedFile file;
  Result<Document> document;
};

Loaded load_file(const fs::path& path) {
  auto file = MappedFile::open(path);
  EXPECT_TRUE(file.has_value()) << path;
  Warnings warnings;
  auto document = Document::parse(file->bytes(), ReadLimits{}, &warnings);
  return {std::move(*file), std::move(document)};
}

TEST(FbxDocumentData, EveryFileReportsItsFormatAndVersion) {
  ZOE_NEED_DATA(data);
  std::ifstream lines(data / "conformance/fbx/fbx_index.tsv");
  ASSERT_TRUE(lines);
  std::string line;
  std::getline(lines, line);
  int num_files = 0;
  while (std::getline(lines, line)) {
    std::istringstream fields(line);
    std::string name, format, version;
    std::getline(fields, name, '\t');
    std::getline(fields, format, '\t');
    std::getline(fields, version, '\t');
    const Loaded loaded = load_file(data / name);
    ++num_files;
    if (name.find("truncated_quot_fail") != std::string::npos) {
      ASSERT_FALSE(loaded.document) << name;
      EXPECT_EQ(loaded.document.error().code, ErrorCode::kSyntax);
      EXPECT_GT(loaded.document.error().where.line, 300);
      continue;
    }
    if (name.find("unsupported_cube_fail") != std::string::npos) {
      ASSERT_FALSE(loaded.document) << name;
      EXPECT_EQ(loaded.document.error().code, ErrorCode::kUnsupported);
      continue;
    }
    ASSERT_TRUE(loaded.document) << name << ": " << loaded.document.error().format();
    EXPECT_EQ(loaded.document->version(), std::stoi(version)) << name;
    EXPECT_EQ(loaded.document->is_binary(), format != "ascii") << name;
    EXPECT_EQ(loaded.document->is_big_endian(), format == "binary-BE") << name;
    loaded.document->walk(loaded.document->root(), [&](const Node& node) {
      const PropertyValues properties(*loaded.document, node);
      if (properties.empty() || properties[0].type != PropertyType::kArray) return;
      const auto values = loaded.document->read_array<double>(node);
      ASSERT_TRUE(values) << name << ": " << values.error().format();
      EXPECT_EQ(static_cast<std::int64_t>(values->size()), properties[0].integer);
      EXPECT_EQ(loaded.document->array_size(node), values->size());
    });
  }
  EXPECT_GE(num_files, 115);
}

// "Cube\0\1Model" in binary is "Model::Cube" in ASCII.
std::string ascii_name(std::string_view name) {
  const std::size_t separator = name.find(std::string_view("\0\1", 2));
  if (separator == std::string_view::npos) return std::string(name);
  return std::string(name.substr(separator + 2)) + "::" + std::string(name.substr(0, separator));
}

bool is_number(const Property& property) { return property.type <= PropertyType::kReal; }
bool close(double a, double b) { return std::abs(a - b) <= 1e-5 * (1 + std::abs(a)); }

// Compares two records and all below, and notes what differs. Left out: object ids (addresses
// inside the exporter).
class TreeComparison {
 public:
  TreeComparison(const Document& ascii, const Document& binary) : ascii_(ascii), binary_(binary) {}

  void compare(const Node& a, const Node& b, const std::string& path) {
    ++records;
    compare_properties(a, b, path);
    auto child_a = ascii_.first(a);
    auto child_b = binary_.first(b);
    for (; child_a && child_b; child_a = ascii_.next(*child_a), child_b = binary_.next(*child_b)) {
      if (child_a->name != child_b->name) return note(path, "children differ");
      compare(*child_a, *child_b, path + '/' + std::string(child_a->name));
    }
    if (child_a || child_b) note(path, "more children on one side");
  }

  int records = 0;
  int arrays = 0;
  std::vector<std::string> differences;

 private:
  void note(const std::string& path, const std::string& what) { differences.push_back(path + ": " + what); }

  void compare_properties(const Node& a, const Node& b, const std::string& path) {
    const PropertyValues of_a(ascii_, a), of_b(binary_, b);
    if (of_a.size() != of_b.size()) return note(path, "number of properties");
    for (std::size_t i = 0; i < of_a.size(); ++i) {
      if (is_number(of_a[i]) && is_number(of_b[i])) {
        const bool is_id = std::abs(of_a[i].as_real()) > 1e9 && std::abs(of_b[i].as_real()) > 1e9;
        if (!is_id && !close(of_a[i].as_real(), of_b[i].as_real())) note(path, "number");
      } else if (of_a[i].type != of_b[i].type) {
        note(path, "type");
      } else if (of_a[i].type == PropertyType::kArray) {
        compare_arrays(a, b, path);
      } else if (ascii_name(of_a[i].text) != ascii_name(of_b[i].text)) {
        note(path, "text");
      }
    }
  }

  void compare_arrays(const Node& a, const Node& b, const std::string& path) {
    ++arrays;
    const auto values_a = ascii_.read_array<double>(a);
    const auto values_b = binary_.read_array<double>(b);
    if (!values_a || !values_b || values_a->size() != values_b->size()) return note(path, "array size");
    for (std::size_t i = 0; i < values_a->size(); ++i) {
      if (!close((*values_a)[i], (*values_b)[i])) return note(path, "array element " + std::to_string(i));
    }
  }

  const Document& ascii_;
  const Document& binary_;
};

TEST(FbxDocumentData, AsciiAndBinaryTwinsGiveTheSameTree) {
  ZOE_NEED_DATA(data);
  // Exported at different frames or with other settings, or (MotionBuilder) with blobs where ASCII
  // has text.
  const std::set<std::string> kNotTwins = {
      "maya_auto_clamp_7700_ascii.fbx", "maya_resampled_7500_ascii.fbx", "maya_transform_animation_7500_ascii.fbx",
      "motionbuilder_cube_7700_ascii.fbx", "motionbuilder_sausage_rrss_7700_ascii.fbx"};
  int num_twins = 0, num_records = 0, num_arrays = 0;
  for (const auto& entry : fs::directory_iterator(data / "conformance/fbx/ufbx")) {
    std::string name = entry.path().filename().string();
    const std::size_t word = name.find("_ascii");
    if (word == std::string::npos || kNotTwins.contains(name)) continue;
    const fs::path twin = entry.path().parent_path() / name.replace(word, 6, "_binary");
    if (!fs::exists(twin)) continue;
    const Loaded ascii = load_file(entry.path());
    const Loaded binary = load_file(twin);
    ASSERT_TRUE(ascii.document && binary.document) << twin;
    ++num_twins;
    for (const char* section : {"GlobalSettings", "Definitions", "Objects", "Connections", "Takes"}) {
      const auto a = ascii.document->child(ascii.document->root(), section);
      const auto b = binary.document->child(binary.document->root(), section);
      ASSERT_EQ(a.has_value(), b.has_value()) << twin << ' ' << section;
      if (!a) continue;
      TreeComparison comparison(*ascii.document, *binary.document);
      comparison.compare(*a, *b, section);
      num_records += comparison.records;
      num_arrays += comparison.arrays;
      // One camera name in a 3ds Max pair, one numbered shader table in a Maya pair.
      EXPECT_LE(comparison.differences.size(), 1U) << twin << ' ' << comparison.differences[1];
      if (!comparison.differences.empty()) {
        EXPECT_NE(comparison.differences[0].find(": text"), std::string::npos) << twin << comparison.differences[0];
      }
    }
  }
  EXPECT_GE(num_twins, 25);
  EXPECT_GT(num_records, 5000);
  EXPECT_GT(num_arrays, 500);
}

TEST(FbxDocumentData, BigEndianCubeEqualsTheLittleEndianOne) {
  ZOE_NEED_DATA(data);
  const Loaded big = load_file(data / "conformance/fbx/ufbx/maya_cube_big_endian_7500_binary.fbx");
  const Loaded little = load_file(data / "conformance/fbx/ufbx/maya_cube_7500_binary.fbx");
  ASSERT_TRUE(big.document && little.document);
  TreeComparison comparison(*big.document, *little.document);
  comparison.compare(*big.document->child(big.document->root(), "Objects"),
                     *little.document->child(little.document->root(), "Objects"), "Objects");
  EXPECT_TRUE(comparison.differences.empty()) << comparison.differences[0];
  EXPECT_GE(comparison.arrays, 10);
}

TEST(FbxDocumentData, AsciiSixHoldsTheSameCubeAsSeven) {
  ZOE_NEED_DATA(data);
  const Loaded six = load_file(data / "conformance/fbx/ufbx/maya_cube_6100_ascii.fbx");
  const Loaded seven = load_file(data / "conformance/fbx/ufbx/maya_cube_7400_binary.fbx");
  ASSERT_TRUE(six.document && seven.document);
  auto model = six.document->child(*six.document->child(six.document->root(), "Objects"), "Model");
  const auto geometry = seven.document->child(*seven.document->child(seven.document->root(), "Objects"), "Geometry");
  while (model && !six.document->child(*model, "Vertices")) model = six.document->next(*model);
  ASSERT_TRUE(model && geometry);
  for (const char* name : {"Vertices", "PolygonVertexIndex", "Edges"}) {
    const auto values_six = six.document->read_array<double>(*six.document->child(*model, name));
    const auto values_seven = seven.document->read_array<double>(*seven.document->child(*geometry, name));
    ASSERT_TRUE(values_six && values_seven) << name;
    EXPECT_EQ(*values_six, *values_seven) << name;
  }
}

}  // namespace
}  // namespace zoe::io::fbx
