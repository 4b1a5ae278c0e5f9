// SPDX-License-Identifier: MIT
// Judges of clips: their questions, hand-drawn figures, and tables of scores.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "zoe/core/random.h"
#include "zoe/core/thread_pool.h"
#include "zoe/nn/graph_builder.h"
#include "zoe/sprite/generate/answers.h"
#include "zoe/sprite/generate/drawn_judge.h"
#include "zoe/sprite/generate/evaluate_text.h"
#include "zoe/sprite/generate/pack.h"
#include "zoe/sprite/generate/pack_drawings.h"
#include "zoe/sprite/generate/score_table.h"
#include "zoe/sprite/identity/captions.h"

#include "sprite/generate/word_judge.h"
#include "support/data.h"

namespace zoe::sprite {
namespace {

// Flat areas against gradients: told apart in collections of other colours; numbers do not depend on the scale.
TEST(DrawnJudge, TellsFlatAreasFromGradients) {
  Random random(5);
  std::vector<paint::Color> palette(16);
  std::vector<DrawnSample> samples;
  for (int figure = 0; figure < 120; ++figure) {
    const bool drawn = figure % 2 == 0;
    const int hue = figure % 12 / 2;
    for (std::size_t c = 0; c < palette.size(); ++c) {
      const auto level = static_cast<std::uint8_t>(40 + 13 * c);
      palette[c] = {hue % 2 == 0 ? level : std::uint8_t{60}, hue % 3 == 0 ? level : std::uint8_t{90}, level};
    }
    const int width = 8 + static_cast<int>(random.below(12)), height = 20 + static_cast<int>(random.below(9));
    std::vector<std::uint8_t> small(32 * 32), large(64 * 64);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        small[static_cast<std::size_t>(y * 32 + x)] = static_cast<std::uint8_t>(
            1 + (drawn ? y * 3 / height * 6 : (y * 12 / height + static_cast<int>(random.below(4))) % 16));
    for (std::size_t y = 0; y < 64; ++y)
      for (std::size_t x = 0; x < 64; ++x) large[y * 64 + x] = small[y / 2 * 32 + x / 2];
    const DrawnFeatures features = drawn_features(small, 32, palette);
    EXPECT_EQ(features, drawn_features(large, 64, palette));
    samples.push_back({features, std::to_string(hue), drawn});
  }
  const DrawnScore score = leave_one_out(samples);
  EXPECT_EQ(score.collections.size(), 6U);
  EXPECT_GT(score.drawn_right, 0.95);
  EXPECT_GT(score.rendered_right, 0.95);
  const DrawnJudge judge = DrawnJudge::fit(samples);
  EXPECT_GT(judge.chance(samples[0].features), 0.5);
  EXPECT_LT(judge.chance(samples[1].features), 0.5);
  EXPECT_GT(judge.position(samples[0].features), 0.5);
  EXPECT_LT(judge.position(samples[1].features), 0.5);
  EXPECT_GT(score.ahead, 0.95);
  for (std::size_t i = 0; i < samples.size(); ++i) samples[i].drawn = random.below(2) == 0;  // Nothing to learn.
  EXPECT_LT(leave_one_out(samples).drawn_right, 0.8);
  EXPECT_EQ(drawn_features(std::vector<std::uint8_t>(16), 4, palette), DrawnFeatures{});
}

TEST(Answers, AreTheWordsOfTheCaption) {
  int colors = 0, skins = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const identity::Traits traits = identity::draw_traits(seed);
    const paint::Answers answers = answers_of(traits, "kick");
    const std::string caption = identity::captions(traits, "kick", "e", "pixel")[1];
    const auto word = [&](std::size_t question) {
      return answer_words(question)[static_cast<std::size_t>(answers[question])];
    };
    EXPECT_EQ(word(paint::kAskAction), "kick");
    EXPECT_EQ(word(paint::kAskSpecies), to_string(traits.species));
    EXPECT_EQ(word(paint::kAskClass), to_string(traits.job));
    EXPECT_EQ(word(paint::kAskDrawn), "rendered");
    EXPECT_EQ(word(paint::kAskOutfit), to_string(traits.outfit));
    EXPECT_EQ(word(paint::kAskHat), to_string(traits.hat));
    EXPECT_EQ(word(paint::kAskWeapon), to_string(traits.weapon));
    for (const std::size_t question : {paint::kAskColor, paint::kAskSkin}) {
      if (answers[question] < 0) continue;
      EXPECT_NE((" " + caption).find(" " + word(question) + " "), std::string::npos) << caption;
      ++(question == paint::kAskColor ? colors : skins);
    }
  }
  EXPECT_GT(colors, 150);
  EXPECT_GT(skins, 100);
  EXPECT_EQ(answers_of(identity::draw_traits(0), "fly")[paint::kAskAction], -1);
}

// A figure with a head, a body, arms and legs, `scale` pixels thick.
void draw_figure(render::Picture& sheet, int left, int top, int scale, std::uint8_t red) {
  const auto fill = [&](int x, int y, int width, int height) {
    for (int j = y * scale; j < (y + height) * scale; ++j)
      for (int i = x * scale; i < (x + width) * scale; ++i) {
        std::uint8_t* p = sheet.pixel(left + i, top + j);
        p[0] = red;
        p[1] = static_cast<std::uint8_t>(20 * y);
        p[2] = 90;
        p[3] = 255;
      }
  };
  fill(5, 0, 4, 4);
  fill(4, 4, 6, 6);
  fill(1, 5, 3, 2);
  fill(10, 5, 3, 2);
  fill(4, 10, 2, 6);
  fill(8, 10, 2, 6);
}

TEST(Drawings, OfASheetAreItsFigures) {
  render::Picture sheet = render::make_picture(200, 60, 0, 0, 0, 0);
  for (int k = 0; k < 4; ++k) draw_figure(sheet, 10 + 45 * k, 4, 2, static_cast<std::uint8_t>(60 * k + 20));
  sheet.pixel(3, 50)[3] = 255;  // A speck is no figure.
  const std::vector<render::Picture> figures = figures_of_sheet(sheet);
  ASSERT_EQ(figures.size(), 4U);
  for (const render::Picture& figure : figures) {
    EXPECT_EQ(figure.width, 24);
    EXPECT_EQ(figure.height, 32);
  }
  const render::Picture canvas = on_canvas(figures[0], 128);
  EXPECT_EQ(canvas.width, 128);
  // Whole pixels, repeated: no colour that the figure does not have.
  EXPECT_LE(colors_of_picture(canvas, 32).size(), colors_of_picture(figures[0], 32).size());
  EXPECT_TRUE(figures_of_sheet(render::make_picture(20, 20, 0, 0, 0, 0)).empty());
  EXPECT_TRUE(figures_of_sheet(render::Picture{}).empty());
}

TEST(Drawings, ArePackedForJudgesAndPainters) {
  render::Picture sheet = render::make_picture(120, 60, 0, 0, 0, 0);
  draw_figure(sheet, 10, 4, 3, 200);
  const std::vector<paint::PaintClip> seen = pack_drawings(sheet, "mine", {});
  ASSERT_EQ(seen.size(), 1U);
  EXPECT_EQ(seen[0].label.identity, "mine");
  EXPECT_EQ(seen[0].answers[paint::kAskDrawn], 1);
  EXPECT_EQ(seen[0].answers[paint::kAskAction], -1);
  const std::vector<paint::PaintClip> bent = pack_drawings(sheet, "mine", {.num_bent = 3, .seed = 4});
  ASSERT_EQ(bent.size(), 3U);
  for (const paint::PaintClip& clip : bent) {
    ASSERT_EQ(clip.pixels.size(), 2U);
    EXPECT_EQ(clip.pixels[1], seen[0].pixels[0]);  // The frame is the figure as drawn,
    EXPECT_NE(clip.pixels[0], clip.pixels[1]);     // the reference is bent.
    EXPECT_EQ(clip.guesses.size(), 2U);
  }
  EXPECT_NE(bent[0].pixels[0], bent[1].pixels[0]);
  const std::vector<paint::PaintClip> truth = pack_drawings(sheet, "mine", {.num_bent = 1, .truth = true, .seed = 4});
  ASSERT_EQ(truth.size(), 1U);
  EXPECT_EQ(truth[0].truth.size(), 2U);
  const std::filesystem::path folder = test::temporary_dir("pack_drawings");
  ASSERT_TRUE(paint::write_clips(folder / "bent", 64, bent));
  ASSERT_TRUE(paint::write_clips(folder / "truth", 64, truth));
  EXPECT_TRUE(paint::ClipFile::open(folder / "bent"));
  EXPECT_TRUE(paint::ClipFile::open(folder / "truth"));
}

// Answers by hand: "drawn" is the red of the last judged frame, summed over the picture.
nn::NetworkPtr red_judge(int size, int frames) {
  nn::GraphBuilder b;
  const int x = b.input("picture", 4 * frames, size * size);
  std::vector<float> weight(static_cast<std::size_t>(2 * 4 * frames));
  weight[weight.size() - 4] = 1;
  b.output("drawn",
           b.mean_rows(b.linear(x, "red", {2, static_cast<std::size_t>(4 * frames)}, weight, std::vector<float>(2))));
  return nn::Network::compile(std::move(b).build().value()).value();
}

TEST(WordJudge, SeesTheFramesOfAClip) {
  constexpr int kSize = 8;
  const auto plain = [&](std::uint8_t red) {
    std::vector<std::uint8_t> frame(4 * kSize * kSize, 255);
    for (std::size_t i = 0; i < frame.size(); i += 4) frame[i] = red;
    return frame;
  };
  const nn::NetworkPtr whole = red_judge(kSize, 8), one = red_judge(kSize, 1);
  ASSERT_TRUE(check_word_judge(*whole, kSize));
  ASSERT_TRUE(check_word_judge(*one, kSize));
  EXPECT_FALSE(check_word_judge(*one, 16));
  Frames frames(16, plain(0));
  frames[14] = plain(255);  // The last judged frame of 16.
  paint::Answers answers = paint::kNoAnswers;
  judge_words(*whole, frames, answers);
  EXPECT_EQ(answers[paint::kAskDrawn], 1);
  EXPECT_EQ(answers[paint::kAskAction], -1);
  judge_words(*one, frames, answers);  // By the mean over frames.
  EXPECT_EQ(answers[paint::kAskDrawn], 0);
}

TEST(Evaluate, AsksTheJudgesAboutEveryMethod) {
  const std::filesystem::path folder = test::temporary_dir("eval_words");
  PackOptions options;
  options.dataset.folder = folder;
  options.dataset.num_identities = options.dataset.num_clips = 4;
  options.dataset.num_frames = 3;
  options.dataset.size_px = 32;
  options.dataset.actions = {"walk"};
  options.content = PackContent::kTruth;
  ThreadPool pool(2);
  ASSERT_TRUE(pack_clips(options, pool));
  const paint::ClipFile clips = paint::ClipFile::open(folder).value();
  EXPECT_EQ(clips.answers(0)[paint::kAskDrawn], 0);
  EXPECT_GE(clips.answers(0)[paint::kAskSpecies], 0);
  const nn::NetworkPtr judge = red_judge(32, 1);
  EvaluatePainter job{.clips = &clips};
  job.words = {judge.get()};
  const std::vector<PaintScores> rows = job.run(pool).value();
  ASSERT_EQ(rows.size(), 3U);
  for (const PaintScores& row : rows) {
    EXPECT_EQ(row.num_answers[paint::kAskDrawn], 4);
    EXPECT_EQ(row.num_answers[paint::kAskAction], 0);
  }
  const std::vector<PaintMeasure> measures = measures_of(rows);
  EXPECT_EQ(measures.back().name, "drawn");
  EXPECT_TRUE(std::none_of(measures.begin(), measures.end(), [](const PaintMeasure& m) { return m.name == "joints"; }));
  const nn::NetworkPtr other = red_judge(16, 1);
  job.words = {other.get()};
  EXPECT_FALSE(job.run(pool));
}

// A judge whose answer is always the first action, and one colour.
TEST(EvaluateText, CountsWhatTheCaptionStates) {
  nn::GraphBuilder b;
  const int x = b.mean_rows(b.input("picture", 4, 64 * 64));
  std::vector<float> first(25);
  first[0] = 1;
  b.output("action", b.linear(x, "action", {25, 4}, std::vector<float>(100), first));
  const nn::NetworkPtr judge = nn::Network::compile(std::move(b).build().value()).value();
  EvaluateText job{.num_captions = 30, .num_frames = 2};
  ThreadPool pool(2);
  EXPECT_FALSE(job.run(pool));
  job.words = {judge.get()};
  const std::vector<TextScores> rows = job.run(pool).value();
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].asked[paint::kAskAction], 30);
  EXPECT_EQ(rows[0].asked[paint::kAskColor], 0);
  EXPECT_LT(rows[0].right[paint::kAskAction], 8);  // One action in 25.
}

TEST(ScoreTable, JoinsSeeds) {
  std::vector<PaintScores> rows(3);
  for (std::size_t i = 0; i < 3; ++i) {
    rows[i].method = "seed";
    rows[i].psnr_db = 20 + static_cast<double>(i);
    rows[i].answers_right[paint::kAskColor] = 0.5 + 0.1 * static_cast<double>(i);
    rows[i].num_answers[paint::kAskColor] = 7;
  }
  const PaintScores mean = mean_scores(rows, "mean"), spread = spread_scores(rows, "spread");
  EXPECT_DOUBLE_EQ(mean.psnr_db, 21);
  EXPECT_DOUBLE_EQ(spread.psnr_db, 2);
  EXPECT_NEAR(mean.answers_right[paint::kAskColor], 0.6, 1e-12);
  EXPECT_NEAR(spread.answers_right[paint::kAskColor], 0.2, 1e-12);
  const std::vector<PaintMeasure> measures = measures_of(rows);
  const std::vector<std::string> row = table_row(mean, measures);
  ASSERT_EQ(row.size(), measures.size() + 1);
  EXPECT_EQ(row[0], "mean");
  EXPECT_EQ(row[1], "21.00");
  EXPECT_EQ(row.back(), "0.600");
  rows.push_back(spread);  // Its look is no judged one.
  EXPECT_EQ(measures_of(rows).back().name, "color");
  for (PaintScores& one : rows) one.looks_drawn = 0.25;
  EXPECT_EQ(measures_of(rows).back().name, "leak");
}

}  // namespace
}  // namespace zoe::sprite
