// SPDX-License-Identifier: MIT
// Sentences, packed clips and the measures of painters.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "zoe/core/thread_pool.h"
#include "zoe/paint/caption.h"
#include "zoe/sprite/generate/evaluate.h"
#include "zoe/sprite/generate/pack.h"
#include "zoe/sprite/generate/text.h"
#include "zoe/sprite/identity/captions.h"
#include "zoe/sprite/identity/identity.h"

#include "sprite/generate/guess.h"
#include "sprite/generate/picture_scores.h"
#include "sprite/generate_support.h"
#include "support/data.h"

namespace zoe::sprite {
namespace {

using identity::Build;
using identity::Job;
using identity::Species;
using identity::Weapon;

TEST(Text, GivesTheCharacterOfASentence) {
  const TextRequest goblin = parse_text("A fat green goblin with an axe, walking", 0).value();
  EXPECT_EQ(goblin.traits.species, Species::kGoblin);
  EXPECT_EQ(goblin.traits.build, Build::kFat);
  EXPECT_EQ(goblin.traits.weapon, Weapon::kAxe);
  EXPECT_STREQ(goblin.traits.skin.word, "green");
  EXPECT_EQ(goblin.actions, std::vector<std::string>{"walk"});
  EXPECT_TRUE(goblin.unknown.empty());
  const TextRequest queen =
      parse_text("queen in a blue dress with red hair, casting a spell, facing left, toon style", 3).value();
  EXPECT_EQ(queen.traits.job, Job::kKing);
  EXPECT_TRUE(queen.traits.feminine);
  EXPECT_STREQ(queen.traits.cloth.word, "blue");
  EXPECT_STREQ(queen.traits.hair_color.word, "red");
  EXPECT_EQ(queen.direction, "w");
  EXPECT_EQ(queen.style, "toon");
  EXPECT_EQ(queen.actions, std::vector<std::string>{"cast"});
}

TEST(Text, SaysWhoInWordsOfCaptions) {
  EXPECT_EQ(parse_text("A huge green goblin mage with a club and a cloak, attacking, facing left", 0)->who,
            "giant green goblin wizard mace cape");
  // All words of all captions are in the vocabulary of painters, but those that say nothing.
  const paint::Vocabulary words(painter_words());
  EXPECT_LT(words.size(), 256U);
  const std::set<std::string> plain{"a", "an", "the", "of", "with", "and", "game", "character", "animation", "style"};
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const std::string caption = identity::captions(identity::draw_traits(seed), "cast", "ne", "toon")[0];
    for (const std::string& word : paint::split_words(caption))
      EXPECT_TRUE(plain.contains(word) || words.encode(word).size() == 1) << word;
    EXPECT_LT(words.encode(caption).size(), paint::kMaxWords) << caption;
  }
}

TEST(Text, NamesWhatItDoesNotKnowAndWhatCannotBe) {
  const TextRequest odd = parse_text("a glittering ghost with a sword flying over Paris", 0).value();
  EXPECT_EQ(odd.unknown, (std::vector<std::string>{"glittering", "flying", "over", "paris"}));
  EXPECT_EQ(odd.traits.weapon, Weapon::kNone);
  EXPECT_EQ(odd.refused.size(), 1U);
  EXPECT_FALSE(parse_text("with the of", 0));
  EXPECT_FALSE(parse_text("", 0));
  EXPECT_FALSE(parse_text("\xff\xfe xyz", 0));
}

// Captions are made of the vocabulary: what one of them states is what is understood.
TEST(Text, UnderstandsTheCaptionsOfIdentities) {
  int species = 0, jobs = 0, actions = 0, count = 0;
  const std::vector<std::string>& words = identity::action_words();
  for (std::uint64_t seed = 0; seed < 60; ++seed, ++count) {
    const identity::Traits traits = identity::draw_traits(seed);
    const std::string& action = words[seed % words.size()];
    const std::string caption = identity::captions(traits, action, "e", "pixel")[0];
    const TextRequest read = parse_text(caption, 1000).value();
    EXPECT_TRUE(read.unknown.empty()) << caption << ": " << read.unknown[0];
    species += read.traits.species == traits.species ? 1 : 0;
    jobs += read.traits.job == traits.job ? 1 : 0;
    actions += read.actions == std::vector<std::string>{action} ? 1 : 0;
    EXPECT_EQ(read.direction, "e");
    EXPECT_EQ(read.style, "pixel");
  }
  EXPECT_EQ(species, count);
  EXPECT_EQ(jobs, count);
  EXPECT_EQ(actions, count);
}

TEST(Pack, IsTheSameOnAnyNumberOfThreadsAndLeavesSpeciesOut) {
  const std::filesystem::path folder = test::temporary_dir("pack");
  PackOptions options = small_pack(folder / "a");
  ThreadPool one(1), three(3);
  const PackReport report = pack_clips(options, one).value();
  EXPECT_EQ(report.num_frames, 5 * report.num_clips);
  options.dataset.folder = folder / "b";
  ASSERT_TRUE(pack_clips(options, three));
  const MappedFile a = MappedFile::open(folder / "a" / paint::kClipFile).value(),
                   b = MappedFile::open(folder / "b" / paint::kClipFile).value();
  EXPECT_TRUE(std::equal(a.bytes().begin(), a.bytes().end(), b.bytes().begin(), b.bytes().end()));
  const paint::ClipFile clips = paint::ClipFile::open(folder / "a").value();
  const std::string species = clips.label(0).species;
  for (int i = 0; i < 20; ++i)
    if (to_string(static_cast<Species>(i)) == species) options.no_species.push_back(static_cast<Species>(i));
  const PackReport fewer = pack_clips(options, one).value();
  EXPECT_GT(fewer.num_skipped, 0);
  const paint::ClipFile left = paint::ClipFile::open(folder / "b").value();
  for (std::size_t c = 0; c < left.num_clips(); ++c) EXPECT_NE(left.label(c).species, species);
  options.dataset.size_px = 33;
  EXPECT_FALSE(pack_clips(options, one));
}

TEST(Pack, PutsJointsOntoTheFigure) {
  const std::filesystem::path folder = test::temporary_dir("pack_joints");
  ThreadPool pool(2);
  ASSERT_TRUE(pack_clips(small_pack(folder), pool));
  const paint::ClipFile clips = paint::ClipFile::open(folder).value();
  int on = 0, all = 0;
  for (std::size_t f = 0; f < clips.num_frames(); ++f) {
    const paint::Pose pose = paint::read_pose(clips.pose(f));
    for (const paint::Joint joint : {paint::kNeck, paint::kHead, paint::kHips}) {
      const paint::PosePoint& p = pose.points[joint];
      if (p.known < 0.5F) continue;
      ++all;
      const auto pixel = static_cast<std::size_t>(p.y * 32) * 32 + static_cast<std::size_t>(p.x * 32);
      on += clips.pixels(f)[pixel] != 0 ? 1 : 0;
    }
  }
  EXPECT_GT(on, 0.95 * all);
}

// What training reads is what painting computes: the puppet of the same reference in the same pose.
TEST(Pack, GuessesAreThoseOfPuppets) {
  const std::filesystem::path folder = test::temporary_dir("pack_guesses");
  PackOptions options = small_pack(folder / "train");
  options.dataset.styles = {"toon"};
  options.content = PackContent::kGuesses;
  options.joint_noise = 0;
  options.other_views = 0;
  ThreadPool one(1), three(3);
  ASSERT_TRUE(pack_clips(options, one));
  PackOptions again = options;
  again.dataset.folder = folder / "again";
  again.joint_noise = 0.02F;
  ASSERT_TRUE(pack_clips(again, three));
  options.content = PackContent::kTruth;
  options.dataset.folder = folder / "truth";
  ASSERT_TRUE(pack_clips(options, three));
  const paint::ClipFile train = paint::ClipFile::open(folder / "train").value(),
                        noisy = paint::ClipFile::open(folder / "again").value(),
                        truth = paint::ClipFile::open(folder / "truth").value();
  ASSERT_TRUE(train.has_guesses() && !train.has_truth() && truth.has_truth() && !truth.has_guesses());
  std::size_t others = 0;
  for (std::size_t c = 0; c < train.num_clips(); ++c) {
    std::vector<Rgb> palette;
    for (const paint::Color& color : train.palette(c)) palette.push_back({color[0], color[1], color[2]});
    const std::size_t first = train.first_frame(c);
    render::Picture drawing = render::make_picture(32, 32, 0, 0, 0, 0);
    std::copy(truth.truth(first).begin(), truth.truth(first).end(), drawing.rgba.begin());
    PosedPuppet puppet(drawing, paint::read_pose(train.pose(first)));
    const std::size_t count = train.first_frame(c + 1) - first;
    for (std::size_t f = first + 1; f < train.first_frame(c + 1); ++f) {
      if (paint::training_reference(f - first, count) != 0) continue;
      const paint::SoftPicture guess = soft_picture(puppet.draw(paint::read_pose(train.pose(f))), palette);
      for (std::size_t i = 0; i < guess.pixels.size(); ++i) {
        ASSERT_EQ(train.guess(f)[2 * i], guess.pixels[i]);
        ASSERT_EQ(train.guess(f)[2 * i + 1], guess.coverage[i]);
        others += noisy.guess(f)[2 * i + 1] != guess.coverage[i] ? 1 : 0;
      }
    }
  }
  EXPECT_GT(others, 20U);  // Noise moves the puppets of some clips.
}

// --no-guesses: the same frames, and guesses in which nothing is drawn.
TEST(Pack, ClipsToLearnWordsFromHaveEmptyGuesses) {
  const std::filesystem::path folder = test::temporary_dir("pack_words");
  PackOptions options = small_pack(folder / "guessed");
  options.content = PackContent::kGuesses;
  options.video = true;
  ThreadPool three(3);
  ASSERT_TRUE(pack_clips(options, three));
  options.content = PackContent::kEmptyGuesses;
  options.dataset.folder = folder / "words";
  ASSERT_TRUE(pack_clips(options, three));
  const paint::ClipFile guessed = paint::ClipFile::open(folder / "guessed").value(),
                        words = paint::ClipFile::open(folder / "words").value();
  ASSERT_EQ(words.num_frames(), guessed.num_frames());
  EXPECT_TRUE(words.has_guesses());
  for (std::size_t f = 0; f < words.num_frames(); ++f) {
    EXPECT_TRUE(std::ranges::equal(words.soft(f), guessed.soft(f)));
    EXPECT_EQ(std::ranges::count(words.guess(f), 0), static_cast<std::ptrdiff_t>(words.guess(f).size()));
    EXPECT_LT(std::ranges::count(guessed.guess(f), 0), static_cast<std::ptrdiff_t>(guessed.guess(f).size()));
  }
}

// A body seen from the west does not face east: the facing of the first frame is that of the direction's name.
TEST(Pack, ClipsForVideosHaveCaptionsAndGuessesOfTheReference) {
  const std::filesystem::path folder = test::temporary_dir("pack_video");
  PackOptions options = small_pack(folder / "train");
  options.content = PackContent::kGuesses;
  options.video = true;
  options.joint_noise = 0;
  options.other_views = 0;
  ThreadPool three(3);
  ASSERT_TRUE(pack_clips(options, three));
  options.content = PackContent::kTruth;
  options.video = false;
  options.dataset.folder = folder / "truth";
  ASSERT_TRUE(pack_clips(options, three));
  const paint::ClipFile train = paint::ClipFile::open(folder / "train").value(),
                        truth = paint::ClipFile::open(folder / "truth").value();
  EXPECT_TRUE(train.file().metadata().contains(paint::kVideoKey));
  EXPECT_EQ(train.file().metadata().find(paint::kWordsKey)->second, painter_words());
  for (std::size_t c = 0; c < train.num_clips(); ++c) {
    EXPECT_NE(train.label(c).caption.find(identity::gerund(train.label(c).action)), std::string::npos);
    EXPECT_TRUE(truth.label(c).caption.empty());
    std::vector<Rgb> palette;
    for (const paint::Color& color : train.palette(c)) palette.push_back({color[0], color[1], color[2]});
    const std::size_t first = train.first_frame(c);
    render::Picture drawing = render::make_picture(32, 32, 0, 0, 0, 0);
    std::copy(truth.truth(first).begin(), truth.truth(first).end(), drawing.rgba.begin());
    PosedPuppet puppet(drawing, paint::read_pose(train.pose(first)));
    for (std::size_t f = first + 1; f < train.first_frame(c + 1); ++f) {
      const paint::SoftPicture guess = soft_picture(puppet.draw(paint::read_pose(train.pose(f))), palette);
      for (std::size_t i = 0; i < guess.pixels.size(); ++i) ASSERT_EQ(train.guess(f)[2 * i], guess.pixels[i]);
    }
  }
}

TEST(Pack, BodiesFaceWhereTheirDirectionSays) {
  const std::filesystem::path folder = test::temporary_dir("pack_views");
  ThreadPool pool(2);
  PackOptions options = small_pack(folder);
  options.dataset.num_identities = options.dataset.num_clips = 24;
  options.dataset.actions = {"idle"};
  options.other_views = 0;
  options.content = PackContent::kGuesses;
  ASSERT_TRUE(pack_clips(options, pool));
  const paint::ClipFile clips = paint::ClipFile::open(folder).value();
  const std::map<std::string, double> yaws_deg{{"s", 0},   {"se", 45},  {"e", 90},  {"ne", 135},
                                               {"n", 180}, {"nw", 225}, {"w", 270}, {"sw", 315}};
  std::set<std::string> seen;
  for (std::size_t c = 0; c < clips.num_clips(); ++c) {
    const paint::Pose pose = paint::read_pose(clips.pose(clips.first_frame(c)));
    const double yaw = yaws_deg.at(clips.label(c).direction) * 3.14159265358979 / 180;
    const double agree = static_cast<double>(pose.facing_cos) * std::cos(yaw) +
                         std::abs(static_cast<double>(pose.facing_sin) * std::sin(yaw));
    EXPECT_GT(agree, 0.8) << clips.label(c).direction;
    seen.insert(clips.label(c).direction);
    if (std::abs(std::sin(yaw)) > 0.5) {
      EXPECT_GT(static_cast<double>(pose.facing_sin) * std::sin(yaw), 0.2) << clips.label(c).direction;
    }
  }
  EXPECT_GE(seen.size(), 6U);
}

TEST(EvaluatePainter, TheTruthIsPerfectAndAPuppetIsNearerThanACopy) {
  const std::filesystem::path folder = test::temporary_dir("pack_eval");
  ThreadPool pool(2);
  PackOptions options = small_pack(folder);
  options.other_views = 0;
  ASSERT_TRUE(pack_clips(options, pool));
  const paint::ClipFile clips = paint::ClipFile::open(folder).value();
  const paint::Painter painter = cut_out_painter(32);
  const auto rows = EvaluatePainter{&clips, &painter, nullptr}.run(pool).value();
  ASSERT_EQ(rows.size(), 4U);
  const auto more = EvaluatePainter{.clips = &clips, .oracles = true}.run(pool).value();
  ASSERT_EQ(more.size(), 6U);
  EXPECT_EQ(more[3].stray_colors, 0);                 // The puppet in the palette.
  EXPECT_GT(more[5].psnr_db, more[3].psnr_db + 0.5);  // The best choice beats each candidate.
  EXPECT_GT(more[5].psnr_db, more[4].psnr_db);
  EXPECT_EQ(rows[0].psnr_db, 60);
  EXPECT_EQ(rows[0].alpha_overlap, 1);
  EXPECT_EQ(rows[0].exact_pixels, 1);
  EXPECT_EQ(rows[0].flicker, 0);
  EXPECT_EQ(rows[1].method, "copy");
  EXPECT_EQ(rows[1].motion_ratio, 0);
  EXPECT_GT(rows[2].alpha_overlap, rows[1].alpha_overlap);  // Puppet.
  EXPECT_GT(rows[3].alpha_overlap, 0.7);
  EXPECT_EQ(rows[3].stray_colors, 0);
  EXPECT_EQ(rows[3].num_frames, 4 * rows[3].num_clips);
  const render::Picture sheet = EvaluatePainter{&clips, &painter, nullptr}.sheet(2);
  EXPECT_EQ(sheet.height, 2 * 3 * 3 * 32);
}

TEST(PictureScores, OfKnownPictures) {
  std::vector<std::uint8_t> black(4 * 64), white(4 * 64, 255);
  for (std::size_t i = 3; i < black.size(); i += 4) black[i] = 255;
  EXPECT_EQ(psnr_db(black, black, false), 60);
  EXPECT_NEAR(psnr_db(black, white, false), 0, 1e-9);
  std::vector<std::uint8_t> near = black;
  for (std::size_t i = 0; i < near.size(); i += 4) near[i] = near[i + 1] = near[i + 2] = 16;
  EXPECT_NEAR(psnr_db(black, near, false), 20 * std::log10(255.0 / 16), 1e-6);
  EXPECT_NEAR(ssim(black, black, 8), 1, 1e-12);
  EXPECT_LT(ssim(black, white, 8), 0.01);
  std::vector<std::uint8_t> half = black;
  for (std::size_t i = 0; i < 32; ++i) half[4 * i + 3] = 0;
  EXPECT_EQ(alpha_overlap(black, half), 0.5);
  EXPECT_TRUE(differs(black, half, 0));
  EXPECT_FALSE(differs(black, near, 5));
}

}  // namespace
}  // namespace zoe::sprite
