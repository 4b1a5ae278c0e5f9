// SPDX-License-Identifier: MIT
#include "zoe/generate/code_file.h"

#include <cmath>

#include <gtest/gtest.h>

#include "zoe/core/file.h"
#include "zoe/core/random.h"
#include "zoe/store/safetensors.h"

#include "support/allocation.h"
#include "support/data.h"
#include "support/mutate.h"

namespace zoe::generate {
namespace {

CodeFile some(int num_codes, int bits) {
  CodeFile file;
  file.name = "walk", file.model = "runs/vq", file.fingerprint = "00ff";
  file.fps = 30, file.num_frames = 77, file.hop_frames = 6, file.numbers = 5;
  file.num_codes = num_codes, file.bits = bits;
  file.first_root = {{1.5F, 0, -2}, 0.7F};
  Random random(2);
  for (int i = 0; i < 13 * 5; ++i)
    file.codes.push_back(num_codes > 0 ? static_cast<float>(random.below(static_cast<std::uint64_t>(num_codes)))
                                       : static_cast<float>(random.normal()));
  return file;
}

TEST(CodeFile, GivesBackWhatWasWritten) {
  const auto path = test::temporary_dir("codes") / "a.codes";
  for (const int codes : {2, 3, 512, 513, 65536}) {
    const CodeFile file = some(codes, bits_for(codes));
    ASSERT_TRUE(write_codes(path, file));
    const CodeFile back = read_codes(path).value();
    EXPECT_EQ(back.codes, file.codes) << codes;
    EXPECT_EQ(back.name, "walk");
    EXPECT_EQ(back.model, "runs/vq");
    EXPECT_EQ(back.fingerprint, "00ff");
    EXPECT_EQ(back.num_frames, 77);
    EXPECT_EQ(back.hop_frames, 6);
    EXPECT_EQ(back.first_root.position.x, 1.5F);
    EXPECT_EQ(back.first_root.facing_rad, 0.7F);
    EXPECT_EQ(back.payload_bytes(), (65 * static_cast<std::size_t>(bits_for(codes)) + 7) / 8);
  }
  EXPECT_EQ(bits_for(2), 1);
  EXPECT_EQ(bits_for(512), 9);
  EXPECT_EQ(bits_for(513), 10);
}

TEST(CodeFile, NumbersAreRoundedToTheirBits) {
  const auto path = test::temporary_dir("codes_rounded") / "a.codes";
  for (const int bits : {4, 8, 16}) {
    CodeFile file = some(0, bits), rounded = file;
    round_to_bits(rounded);
    ASSERT_TRUE(write_codes(path, file));
    const CodeFile back = read_codes(path).value();
    double worst = 0;
    for (std::size_t i = 0; i < file.codes.size(); ++i) {
      EXPECT_NEAR(back.codes[i], rounded.codes[i], 1e-5);
      worst = std::max(worst, static_cast<double>(std::abs(back.codes[i] - file.codes[i])));
    }
    EXPECT_LT(worst, 6.0 / (1 << bits));  // Half a step of a range of less than 10 deviations.
    EXPECT_EQ(back.payload_bytes(), (65 * static_cast<std::size_t>(bits) + 7) / 8 + 40);
  }
}

TEST(CodeFile, SurvivesDamage) {
  const auto path = test::temporary_dir("codes_damaged") / "a.codes";
  for (const int codes : {0, 300}) {
    ASSERT_TRUE(write_codes(path, some(codes, 9)));
    {
      // Without its checksum, which would refuse nearly all damage at once.
      const Safetensors whole = Safetensors::open(path).value();
      Metadata metadata = whole.metadata();
      metadata.erase(kChecksumKey);
      ASSERT_TRUE(write_safetensors(path.string() + ".plain", whole.tensors(), metadata));
    }
    const MappedFile file = MappedFile::open(path.string() + ".plain").value();
    ASSERT_TRUE(codes_from_bytes(file.bytes()));
    test::expect_survives_damage(
        "a code file", file.bytes(),
        [](std::span<const std::byte> bytes) {
          const Result<CodeFile> read = codes_from_bytes(bytes);
          EXPECT_TRUE(!read || read->codes.size() % static_cast<std::size_t>(read->numbers) == 0);
        },
        {.flips = test::kSanitized ? 200 : 2000});
  }
  EXPECT_FALSE(read_codes(path.string() + ".absent"));
}

}  // namespace
}  // namespace zoe::generate
