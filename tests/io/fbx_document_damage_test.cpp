// SPDX-License-Identifier: MIT
// Damaged copies of real FBX files of every layout: cut short, and with bytes changed.
#include <gtest/gtest.h>

#include "zoe/core/file.h"

#include "io/fbx/document.h"
#include "support/data.h"
#include "support/mutate.h"

namespace zoe::io::fbx {
namespace {

// Parses and decodes all there is, one array at a time.
void read_all(std::span<const std::byte> bytes) {
  const auto document = Document::parse(bytes, ReadLimits{}, nullptr);
  if (!document) return;
  document->walk(document->root(), [&](const Node& node) {
    const PropertyValues properties(*document, node);
    if (properties.empty() || properties[0].type != PropertyType::kArray) return;
    if (properties[0].element == 'd' || properties[0].element == 'f') {
      (void)document->read_array<double>(node);
    } else {
      (void)document->read_array<std::int32_t>(node);
    }
  });
}

class FbxDocumentDamage : public testing::TestWithParam<const char*> {};

TEST_P(FbxDocumentDamage, Survives) {
  ZOE_NEED_DATA(data);
  const auto file = MappedFile::open(data / "conformance/fbx/ufbx" / GetParam());
  ASSERT_TRUE(file);
  test::expect_survives_damage(GetParam(), file->bytes(), read_all);
}

INSTANTIATE_TEST_SUITE_P(Seeds, FbxDocumentDamage,
                         testing::Values("maya_cube_7400_binary.fbx", "maya_cube_7500_binary.fbx",
                                         "maya_cube_big_endian_7500_binary.fbx", "maya_anim_layers_7500_binary.fbx",
                                         "blender_279_sausage_7400_binary.fbx", "maya_cube_6100_ascii.fbx",
                                         "max2009_cube_anim_6100_ascii.fbx", "maya_cube_7500_ascii.fbx",
                                         "maya_anim_layers_7500_ascii.fbx"),
                         [](const auto& seed) {
                           const std::string name = seed.param;
                           return name.substr(0, name.find('.'));
                         });

}  // namespace
}  // namespace zoe::io::fbx
