// SPDX-License-Identifier: MIT
// Models of styles: names, codes, streams, damaged files.
#include <fstream>

#include <gtest/gtest.h>

#include "zoe/core/file.h"
#include "zoe/style/adapt.h"
#include "zoe/style/judge_windows.h"
#include "zoe/style/refine.h"
#include "zoe/style/stylize.h"

#include "style/tiny_model.h"
#include "support/allocation.h"
#include "support/data.h"
#include "support/mutate.h"

namespace zoe::style {
namespace {

StyleModelPtr tiny(const std::string& name, bool lstm = false) {
  return StyleModel::load(write_tiny_model(zoe::test::temporary_dir(name), lstm)).value();
}

StyleClip random_clip(int frames, int stride) {
  Random random(3);
  StyleClip clip;
  clip.stride = stride;
  clip.fps = 30.0 * stride;
  clip.num_frames = frames;
  clip.rows = random_floats(random, idx(frames) * kNumColumns, 1);
  return clip;
}

TEST(StyleModel, ReadsNamesAndSums) {
  const StyleModelPtr model = tiny("style_names");
  EXPECT_EQ(model->code_width(), 2);
  EXPECT_EQ(model->window(), 16);
  EXPECT_EQ(model->licence(), "CC0-1.0");
  EXPECT_EQ(model->parse("proud").value(), (StyleCode{1, -1}));
  const StyleCode sum = model->parse("0.6*proud + 0.2*normal").value();  // Weights count by their ratio.
  EXPECT_NEAR(sum[0], 0.75F, 1e-6F);
  EXPECT_NEAR(sum[1], -0.75F, 1e-6F);
  EXPECT_EQ(model->neutral(), (StyleCode{0, 0}));
  const auto unknown = model->parse("prowd");
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().message.find("proud"), std::string::npos);
  for (const char* wrong : {"", "x*proud", "1*", "proud+", "1*proud+-1*proud", "nan*proud"})
    EXPECT_FALSE(model->parse(wrong)) << wrong;
}

TEST(StyleModel, StrengthAndVariationAreAboutTheCode) {
  EXPECT_EQ(between({0, 2}, {1, 0}, 1.5F), (StyleCode{1.5F, -1}));
  const NamedStyle style{"proud", {1, -1}, {0.5F, 0}};
  EXPECT_EQ(varied(style, 0), style.mean);
  EXPECT_NE(varied(style, 1)[0], varied(style, 2)[0]);
  EXPECT_EQ(varied(style, 1)[0], varied(style, 1)[0]);
  EXPECT_EQ(varied(style, 1)[1], -1);  // No spread, no variation.
}

// Streams are clips: against the network run by hand on each phase, with GRU and LSTM.
TEST(RowStream, EqualsTheNetworkRunOnEachPhaseByHand) {
  for (const bool lstm : {false, true}) {
    const StyleModelPtr model = tiny(lstm ? "style_lstm" : "style_gru", lstm);
    const StyleClip clip = random_clip(23, 3);
    const StyleCode z = model->parse("0.5*proud+0.5*normal").value();
    const std::vector<float> made = stylize_rows(*model, clip, z);
    for (int phase = 0; phase < 3; ++phase) {
      nn::NetworkState state = nn::make_state(model->step(), 1);
      std::vector<float> past(24, 0.0F), h(8, 0.0F), c(8, 0.0F), y(kNumColumns);
      for (int f = phase; f < clip.num_frames; f += 3) {
        std::vector<float> past_out(24), h_out(8), c_out(8);
        const std::span<const float> in[] = {clip.row(f), z, past, h, c};
        const std::span<float> out[] = {y, past_out, h_out, c_out};
        const std::size_t ports = lstm ? 5 : 4;
        ASSERT_TRUE((nn::NetworkJob{.network = &model->step(),
                                    .state = &state,
                                    .inputs = std::span(in).first(ports),
                                    .outputs = std::span(out).first(ports - 1)}
                         .run()));
        past = past_out, h = h_out, c = c_out;
        for (std::size_t i = 0; i < y.size(); ++i)
          ASSERT_NEAR(made[idx(f) * kNumColumns + i], y[i], 1e-4F) << "frame " << f;
      }
    }
  }
}

// Between equal codes there is no change: the clip comes back, whatever the network makes of it.
TEST(ChangeStream, OfNoChangeIsTheClip) {
  const StyleModelPtr model = tiny("style_change");
  StyleClip clip = random_clip(40, 2);
  for (int f = 0; f < clip.num_frames; ++f)
    for (int role = 0; role < kNumRoles; ++role) {
      const Vec3 axis{static_cast<float>(role) - 9.5F, static_cast<float>(f % 7) - 3, 2};
      put_rotation(std::span(clip.rows).subspan(idx(f) * kNumColumns, kNumColumns), role,
                   from_axis_angle(normalized(axis), 0.03F * static_cast<float>(f)));
    }
  const StyleCode normal = model->parse("normal").value(), proud = model->parse("proud").value();
  const std::vector<float> same = change_rows(*model, clip, normal, normal),
                           other = change_rows(*model, clip, proud, normal);
  float changed = 0;
  for (int f = 0; f < clip.num_frames; ++f)
    for (std::size_t c = 0; c < kContacts; ++c) {
      const std::size_t at = idx(f) * kNumColumns + c;
      ASSERT_NEAR(same[at], clip.rows[at], 1e-4F) << f << " " << c;
      changed = std::max(changed, std::abs(other[at] - clip.rows[at]));
    }
  EXPECT_GT(changed, 0.01F);
}

// Rows that the network made with a known code are rebuilt better with a searched code than with the encoder's guess.
TEST(RefineCode, LowersTheErrorAndNeverRaisesIt) {
  const StyleModelPtr model = tiny("style_refine");
  const StyleClip clip = random_clip(40, 1);
  std::array<Vec3, kNumRoles> offsets;
  offsets.fill({0, 0.3F, 0.1F});
  const RefinedCode none = refine_code(*model, clip.rows, offsets, 0, Random(1)),
                    some = refine_code(*model, clip.rows, offsets, 40, Random(1));
  EXPECT_EQ(none.code, model->encode(clip.rows));
  EXPECT_EQ(none.error_before, none.error_after);
  EXPECT_LT(some.error_after, some.error_before);
  EXPECT_NEAR(rebuilding_error(*model, clip.rows, offsets, some.code), some.error_after, 1e-9);
}

// Legs that swing about the hips: the same with another size keeps the content; standing ones and opposite ones do not.
TEST(ContentKept, IsTheTimingOfSteps) {
  std::array<Vec3, kNumRoles> offsets{};
  for (const int thigh : {kLeftUpperLeg, kRightUpperLeg}) offsets[idx(thigh + 1)] = {0, -1, 0};
  const auto walk = [&](float size, float arms) {
    StyleClip clip = random_clip(60, 1);
    for (int f = 0; f < 60; ++f) {
      const std::span<float> row = std::span(clip.rows).subspan(idx(f) * kNumColumns, kNumColumns);
      for (int role = 0; role < kNumRoles; ++role) put_rotation(row, role, {});
      const float angle = std::sin(0.3F * static_cast<float>(f));
      put_rotation(row, kLeftUpperLeg, from_axis_angle(Vec3{1, 0, 0}, size * angle));
      put_rotation(row, kRightUpperLeg, from_axis_angle(Vec3{1, 0, 0}, -size * angle));
      put_rotation(row, kLeftShoulder + 1, from_axis_angle(Vec3{1, 0, 0}, arms * angle));
    }
    return clip;
  };
  const StyleClip clip = walk(0.6F, 0);
  EXPECT_GT(content_kept(clip, walk(0.35F, 0).rows, offsets), 0.95);
  EXPECT_LT(content_kept(clip, walk(-0.6F, 0).rows, offsets), -0.5);
  EXPECT_EQ(content_kept(clip, walk(0.02F, 0).rows, offsets), 0);
  EXPECT_EQ(content_kept(walk(0, 0), clip.rows, offsets), 1);
  // Hands count where feet stand.
  offsets[kLeftShoulder + 2] = {0, 1, 0};
  EXPECT_EQ(content_kept(walk(0, 0.8F), walk(0, 0).rows, offsets), 0);
  EXPECT_GT(content_kept(walk(0.6F, 0.8F), walk(0.6F, 0).rows, offsets), 0.95);
}

// The tiny network adds a linear function of its state to the row: an offset cannot take that away, a correction that
// follows the state can.
TEST(AdaptStyle, FindsWhatTheNetworkLacks) {
  const StyleModelPtr model = tiny("style_adapt");
  std::vector<StyleExample> examples(4);
  for (std::size_t i = 0; i < examples.size(); ++i) {
    Random random(20 + i);
    examples[i].rows = random_floats(random, 80 * kNumColumns, 1);
    examples[i].offsets.fill({0, 0.3F, 0.1F});
    for (std::size_t f = 0; f < 80; ++f) examples[i].rows[f * kNumColumns + kHeight] += 5;
  }
  const AdaptedStyle code = adapt_style(*model, examples, {.tries = 30, .correct = false}),
                     offset = adapt_style(*model, examples, {.tries = 0}),
                     all = adapt_style(*model, examples, {.tries = 0, .follow = true});
  EXPECT_LE(code.error_after, code.error_before);
  EXPECT_TRUE(code.correction.offset.empty());
  EXPECT_TRUE(offset.correction.weights.empty());
  EXPECT_LT(offset.error_after, offset.error_before);
  ASSERT_FALSE(all.correction.weights.empty());
  EXPECT_LT(all.error_after, 0.3 * offset.error_after);
  // Rows of a corrected stream, by hand.
  StyleClip clip = random_clip(12, 1);
  const std::vector<float> plain = stylize_rows(*model, clip, all.code),
                           made = stylize_rows(*model, clip, all.code, &offset.correction);
  for (std::size_t i = 0; i < made.size(); ++i)
    ASSERT_NEAR(made[i], plain[i] + offset.correction.offset[i % kNumColumns], 1e-5F);
  // One clip gives an offset only: nothing says what follows the state elsewhere.
  EXPECT_TRUE(
      adapt_style(*model, std::span(examples).first(1), {.tries = 0, .follow = true}).correction.weights.empty());
}

TEST(RowStream, NeverAllocatesAndBeginsAgain) {
  const StyleModelPtr model = tiny("style_allocation");
  const StyleClip clip = random_clip(8, 2);
  RowStream stream(*model, 2);
  std::vector<float> first(kNumColumns), again(kNumColumns), out(kNumColumns);
  stream.step(clip.row(0), model->neutral(), first);
  const StyleCode z = model->neutral();
  {
    const zoe::test::AllocationMeter meter;
    for (int f = 1; f < 8; ++f) stream.step(clip.row(f), z, out);
    EXPECT_EQ(meter.allocations(), 0U);
  }
  stream.reset();
  stream.step(clip.row(0), z, again);
  EXPECT_EQ(first, again);
}

TEST(StyleModel, CodesOfShortAndLongClips) {
  const StyleModelPtr model = tiny("style_codes");
  EXPECT_EQ(model->encode_windows(random_clip(3, 1).rows).size(), 2U);  // Extended by its last row.
  EXPECT_EQ(model->encode_windows(random_clip(16, 1).rows).size(), 2U);
  EXPECT_EQ(model->encode_windows(random_clip(17, 1).rows).size(), 4U);
  EXPECT_EQ(model->encode_windows(random_clip(40, 1).rows).size(), 2U * 4);  // At 0, 8, 16 and 24.
  const StyleClip fast = random_clip(9, 2);
  EXPECT_EQ(every(fast).size(), 5U * kNumColumns);
  EXPECT_EQ(every(fast, 1).size(), 4U * kNumColumns);
}

// A damaged file is refused in words, or differs in nothing that matters; it never crashes.
TEST(StyleModel, DamagedFilesAreRefused) {
  const std::filesystem::path folder = write_tiny_model(zoe::test::temporary_dir("style_damage"));
  const MappedFile mapped = MappedFile::open(folder / "styles.safetensors").value();
  const std::vector<std::byte> good(mapped.bytes().begin(), mapped.bytes().end());
  int refused = 0, tried = 0;
  const std::size_t hop = zoe::test::kSanitized ? 41 : 5;
  for (std::size_t at = 0; at < good.size(); at += hop) {
    std::vector<std::byte> bad = good;
    bad[at] ^= std::byte{0x41};
    write_file_atomic(folder / "styles.safetensors", bad).value();
    ++tried;
    if (!StyleModel::load(folder)) ++refused;
  }
  EXPECT_EQ(refused, tried);  // A checksum covers names and numbers.
  for (const std::size_t size : {std::size_t{0}, std::size_t{7}, good.size() / 2, good.size() - 1}) {
    write_file_atomic(folder / "styles.safetensors", std::span(good).first(size)).value();
    EXPECT_FALSE(StyleModel::load(folder)) << size;
  }
  write_file_atomic(folder / "styles.safetensors", good).value();
  ASSERT_TRUE(StyleModel::load(folder));
  std::filesystem::copy_file(folder / "encoder.safetensors", folder / "step.safetensors",
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_FALSE(StyleModel::load(folder));
  EXPECT_FALSE(StyleModel::load(folder / "absent"));
}

TEST(JudgeWindows, SeeSpeedsAndAccelerationsOfPositions) {
  std::vector<Vec3> offsets(kNumRoles);
  offsets[kSpine] = {0, 0.5F, 0};
  std::vector<float> rows(4 * kNumColumns, 0.0F);
  for (std::size_t f = 0; f < 4; ++f) {
    for (int role = 0; role < kNumRoles; ++role) {
      rows[f * kNumColumns + idx(6 * role)] = 1;
      rows[f * kNumColumns + idx(6 * role + 4)] = 1;
    }
    // The hips turn about x by 0.1 rad a row: the spine goes along z.
    const float angle = 0.1F * static_cast<float>(f * f);
    rows[f * kNumColumns + 4] = std::cos(angle);
    rows[f * kNumColumns + 5] = std::sin(angle);
    rows[f * kNumColumns + kHeight] = 99;  // Never seen.
    rows[f * kNumColumns + kTurn] = 0.5F;
  }
  const auto full = judge_rows(rows, offsets, JudgeView::kFull),
             moving = judge_rows(rows, offsets, JudgeView::kDynamics);
  ASSERT_EQ(full.size(), 4U * kJudgeColumns);
  const auto at = [](const std::vector<float>& of, int row, int column) {
    return of[idx(row * kJudgeColumns + column)];
  };
  const float z1 = 0.5F * std::sin(0.1F), z2 = 0.5F * std::sin(0.4F);
  EXPECT_NEAR(at(full, 2, 2), z2, 1e-5F);
  EXPECT_NEAR(at(full, 2, 5), 30 * (z2 - z1), 1e-4F);
  EXPECT_NEAR(at(moving, 2, 2), 30 * (z2 - z1), 1e-4F);
  EXPECT_NEAR(at(moving, 2, 5), 900 * (z2 - 2 * z1), 1e-2F);
  EXPECT_EQ(at(full, 1, kJudgeColumns - 1), 0.5F);
  for (const float value : full) EXPECT_LT(std::abs(value), 50.0F);
  EXPECT_EQ(window_starts(10), (std::vector<std::size_t>{0}));
  EXPECT_EQ(window_starts(60), (std::vector<std::size_t>{0}));
  EXPECT_EQ(window_starts(100), (std::vector<std::size_t>{0, 30, 40}));
}

}  // namespace
}  // namespace zoe::style
