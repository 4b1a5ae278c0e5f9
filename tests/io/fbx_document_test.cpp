// SPDX-License-Identifier: MIT
// Every FBX file of the shared data as a tree of records: formats, versions, refusals, and ASCII against binary twins.
#include "io/fbx/document.h"

#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "support/data.h"
#include "zoe/core/file.h"

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
  fs::path index;
  for (const auto& entry : fs::recursive_directory_iterator(data)) {
    if (entry.path().filename() == "fbx_index.tsv") index = entry.path();
  }
  ASSERT_FALSE(index.empty());
  std::ifstream lines(index);
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
    for (const Node& node : loaded.document->nodes()) {
      const auto properties = loaded.document->properties(node);
      if (properties.empty() || properties[0].type != PropertyType::kArray) continue;
      const auto values = loaded.document->read_array<double>(node);
      ASSERT_TRUE(values) << name << ": " << values.error().format();
      EXPECT_EQ(static_cast<std::int64_t>(values->size()), properties[0].integer);
    }
  }
  EXPECT_GE(num_files, 115);
}

}  // namespace
}  // namespace zoe::io::fbx
