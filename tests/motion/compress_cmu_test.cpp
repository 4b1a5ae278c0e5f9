// SPDX-License-Identifier: MIT
// Real captures against the public anchor: ACL 2.1 reaches 14.2:1 at 0.174 mm worst error on CMU clips at 120 fps.
#include <algorithm>

#include <gtest/gtest.h>

#include "zoe/io/bvh.h"
#include "zoe/motion/compress.h"
#include "zoe/motion/edit.h"

#include "motion/skin_error.h"
#include "support/data.h"

namespace zoe {
namespace {

TEST(CompressCmu, SmallerAndCloserThanTheAnchor) {
  ZOE_NEED_DATA(data);
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(data / "biped" / "cmu")) {
    if (entry.path().extension() == ".bvh") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  ASSERT_GE(files.size(), 6U);
  files.resize(6);
  std::size_t raw = 0, compressed_bytes = 0;
  for (const auto& file : files) {
    // Metres, no end sites, without the T-pose that the converter put first.
    const auto asset = io::read_bvh(file, {.metres_per_unit = 0.056444});
    ASSERT_TRUE(asset) << asset.error().format();
    const Motion whole = without_end_sites(asset->clips.at(0));
    const Motion motion = trim(whole, 1, whole.num_frames - 1).value();
    CompressionReport report;
    const CompressedMotion compressed = CompressedMotion::compress(motion, {}, &report).value();
    EXPECT_LE(report.worst_error_mm, 0.1);
    EXPECT_LE(test::worst_skin_error_mm(motion, compressed.decompress(), 0.03), 0.1) << file;
    raw += report.raw_bytes;
    compressed_bytes += report.compressed_bytes;
  }
  EXPECT_GT(static_cast<double>(raw) / static_cast<double>(compressed_bytes), 17.0);
}

}  // namespace
}  // namespace zoe
