// SPDX-License-Identifier: MIT
// Databases of motions: options, sizes, frames, memory; and their files, each field changed alone.
#include "zoe/control/match/database.h"

#include <gtest/gtest.h>

#include "zoe/author/make_body.h"
#include "zoe/control/match/motion_matching.h"
#include "zoe/core/index.h"
#include "zoe/store/safetensors.h"

#include "control/every_type.h"
#include "support/data.h"

namespace zoe::control {
namespace {

const zoe::test::Walkers& walkers() {
  static const zoe::test::Walkers made = zoe::test::make_walkers(3, "", "", 60);
  return made;
}
const MotionDatabase& database() {
  static const MotionDatabase made = walkers().database();
  return made;
}

TEST(DatabaseOptions, AreCompletedOrRefused) {
  const features::Layout& layout = walkers().layout;
  const std::size_t channels = layout.schema().block(features::BlockKind::kInput).channels.size();
  ASSERT_EQ(channels, 5U);
  EXPECT_EQ(complete_options({}, layout).value().weights, (std::vector<double>{0.75, 1, 1, 1, 1.5}));
  EXPECT_EQ(complete_options({}, layout).value().skip_last_frames, 20);
  EXPECT_EQ(complete_options({{1, 2, 3, 4, 5}, 0}, layout).value().weights, (std::vector<double>{1, 2, 3, 4, 5}));
  EXPECT_FALSE(complete_options({{1, 2, 3, 4}, 20}, layout));
  EXPECT_FALSE(complete_options({{1, 2, 3, 4, 0}, 20}, layout));
  EXPECT_FALSE(complete_options({{1, 2, 3, 4, 1e6}, 20}, layout));
  EXPECT_TRUE(complete_options({{1, 2, 3, 4, 9e5}, 20}, layout));
  EXPECT_FALSE(complete_options({{}, -1}, layout));
  // Another number of channels has weights of one.
  const zoe::test::Walkers six = zoe::test::make_walkers(1, "", "\"joint.position joints=hips\", ", 60);
  const auto weights = complete_options({}, six.layout);
  if (six.layout.schema().block(features::BlockKind::kInput).channels.size() == 6) {
    EXPECT_EQ(weights.value().weights, std::vector<double>(6, 1.0));
  }
}

TEST(Database, FramesAreThoseOfTheirClips) {
  const MotionDatabase& data = database();
  int begin = 0;
  std::size_t bytes = data.index().bytes() + idx(data.num_frames()) * 4;
  Pose pose = make_pose(*data.skeleton());
  std::vector<float> row(idx(data.num_dims()));
  for (std::size_t c = 0; c < data.clips().size(); ++c) {
    const DatabaseClip& clip = *data.clips()[c];
    EXPECT_EQ(data.begin_of(static_cast<int>(c)), begin);
    EXPECT_EQ(data.end_of(static_cast<int>(c)), begin + clip.num_frames);
    bytes += clip.roots.size() * 16 + clip.rotations.size() * 16 + clip.translations.size() * 12 +
             clip.contacts.size() + clip.features.size() * 4 + clip.tags.size() * 8;
    for (int f = 0; f < clip.num_frames; ++f) {
      const int frame = begin + f;
      ASSERT_EQ(data.clip_of(frame), static_cast<int>(c));
      ASSERT_EQ(data.root(frame).position, clip.roots[idx(f)].position);
      ASSERT_EQ(data.tags(frame), clip.tags[idx(f)]);
      data.features(frame, row);
      for (std::size_t k = 0; k < row.size(); ++k) {
        const float raw = clip.features[idx(f) * row.size() + k];
        ASSERT_NEAR(row[k], (raw - data.normalisation().means[k]) / data.normalisation().spreads[k], 1e-4F);
      }
      const std::size_t contacts = data.contact_joints().size();
      for (std::size_t k = 0; k < contacts; ++k)
        ASSERT_EQ(data.contacts(frame)[k], clip.contacts[idx(f) * contacts + k]);
      data.pose(frame, pose);
      const std::size_t joints = pose.rotations.size(), moving = data.moving_joints().size();
      for (std::size_t j = 0; j < joints; ++j) ASSERT_EQ(pose.rotations[j], clip.rotations[idx(f) * joints + j]);
      for (std::size_t k = 0; k < moving; ++k)
        ASSERT_EQ(pose.translations[idx(data.moving_joints()[k])], clip.translations[idx(f) * moving + k]);
      // The last twenty of every clip are never found.
      EXPECT_EQ(data.index().features_of(frame).empty(), f >= clip.num_frames - 20) << frame;
    }
    begin += clip.num_frames;
  }
  EXPECT_EQ(data.num_frames(), begin);
  EXPECT_EQ(data.bytes(), bytes);
}

// Of 1000 frames: 63 leaves of sixteen, 4 nodes above them.
TEST(SearchIndexReference, BytesAreThoseOfItsArrays) {
  Random random(1);
  std::vector<float> features(1000 * 27);
  for (float& x : features) x = random.uniform(-1, 1);
  const SearchIndex index(features, 27, {}, {}, {.num_lead_axes = 6});
  EXPECT_EQ(index.num_lead_axes(), 6);
  EXPECT_EQ(index.num_candidates(), 1000);
  constexpr std::size_t kSlots = 63 * 16, kPairs = 14 + 1, kLead = 3 + 1;  // With the lengths across.
  const std::size_t frames = kSlots * 32 * 4 + kSlots * kPairs * 4 + kSlots * 4 + 1000 * 4 + kSlots * 8;
  const std::size_t axes = (27 * 32 + 27) * 8;
  const std::size_t levels = (4 + 1) * (kLead * 2 * 32 * 2 + 16 * 8 + 16 * 8);
  EXPECT_EQ(index.bytes(), frames + axes + levels);
  for (const int frame : {0, 17, 999}) {
    const auto row = index.features_of(frame);
    ASSERT_EQ(row.size(), 27U);
    for (std::size_t i = 0; i < 27; ++i) ASSERT_EQ(row[i], features[idx(frame) * 27 + i]);
  }
  EXPECT_TRUE(index.features_of(-1).empty());
  EXPECT_TRUE(index.features_of(1000).empty());
}

// As many axes as hold 96 % of the variance, in pairs.
TEST(SearchIndexReference, LeadsByTheAxesThatHoldMost) {
  const auto axes_of = [](const std::vector<double>& variances) {
    Random random(2);
    std::vector<float> features;
    for (int f = 0; f < 4000; ++f)
      for (const double variance : variances)
        features.push_back(static_cast<float>(std::sqrt(variance) * random.normal()));
    return SearchIndex(features, static_cast<int>(variances.size())).num_lead_axes();
  };
  EXPECT_EQ(axes_of({100, 1, 1, 0.1, 0.1, 0.1}), 2);
  EXPECT_EQ(axes_of({50, 20, 20, 9, 0.5, 0.5}), 4);
  EXPECT_EQ(axes_of({20, 20, 20, 20, 19, 0.5, 0.5, 0.1}), 6);
  EXPECT_EQ(axes_of({1, 1, 1, 1, 1, 1}), 6);
}

TEST(Database, ClipsThatDoNotFitAreRefused) {
  const MotionDatabase& data = database();
  const auto assembled = [&](const auto& change) {
    DatabaseClip clip = *data.clips()[0];
    features::BlockNormalisation normalisation = data.normalisation();
    change(clip, normalisation);
    return MotionDatabase::assemble(data.shared_layout(), data.skeleton(), data.options(),
                                    {std::make_shared<const DatabaseClip>(std::move(clip))}, normalisation)
        .has_value();
  };
  using Clip = DatabaseClip;
  using Norm = features::BlockNormalisation;
  EXPECT_TRUE(assembled([](Clip&, Norm&) {}));
  EXPECT_FALSE(assembled([](Clip& c, Norm&) { c.num_frames = 0; }));
  EXPECT_FALSE(assembled([](Clip& c, Norm&) { c.roots.pop_back(); }));
  EXPECT_FALSE(assembled([](Clip& c, Norm&) { c.tags.pop_back(); }));
  EXPECT_FALSE(assembled([](Clip& c, Norm&) { c.rotations.pop_back(); }));
  EXPECT_FALSE(assembled([](Clip& c, Norm&) { c.translations.pop_back(); }));
  EXPECT_FALSE(assembled([](Clip& c, Norm&) { c.contacts.pop_back(); }));
  EXPECT_FALSE(assembled([](Clip& c, Norm&) { c.features.pop_back(); }));
  EXPECT_FALSE(assembled([](Clip& c, Norm&) { c.features[5] = INFINITY; }));
  EXPECT_FALSE(assembled([](Clip&, Norm& n) { n.means.pop_back(); }));
  EXPECT_FALSE(assembled([](Clip&, Norm& n) { n.spreads.pop_back(); }));
}

TEST(Database, AtLeastTheLastFrameIsLeftOut) {
  const MotionDatabase& data = database();
  const auto candidates = [&](int skip) {
    DatabaseOptions options = data.options();
    options.skip_last_frames = skip;
    const auto made = MotionDatabase::assemble(data.shared_layout(), data.skeleton(), options,
                                               {data.clips().begin(), data.clips().end()}, data.normalisation());
    return made ? made->index().num_candidates() : -1;
  };
  const int frames = data.num_frames(), clips = static_cast<int>(data.clips().size());
  EXPECT_EQ(candidates(0), frames - clips);
  EXPECT_EQ(candidates(1), frames - clips);
  EXPECT_EQ(candidates(2), frames - 2 * clips);
  EXPECT_EQ(candidates(20), frames - 20 * clips);
  EXPECT_EQ(candidates(1000), -1) << "nothing is left";
}

// Models are told apart by what is searched and played.
TEST(Database, EveryPartOfItsContentChangesTheFingerprint) {
  const MotionDatabase& data = database();
  const Body body = test::body_of(walkers());
  const auto fingerprint = [&](const auto& change) {
    DatabaseClip clip = *data.clips()[0];
    features::BlockNormalisation normalisation = data.normalisation();
    change(clip, normalisation);
    auto made = MotionDatabase::assemble(data.shared_layout(), data.skeleton(), data.options(),
                                         {std::make_shared<const DatabaseClip>(std::move(clip))}, normalisation);
    return make_motion_matching(std::make_shared<const MotionDatabase>(std::move(made).value()), body, {})
        .value()
        ->fingerprint();
  };
  using Clip = DatabaseClip;
  using Norm = features::BlockNormalisation;
  const std::uint64_t plain = fingerprint([](Clip&, Norm&) {});
  EXPECT_EQ(fingerprint([](Clip&, Norm&) {}), plain);
  EXPECT_NE(fingerprint([](Clip& c, Norm&) { c.roots[3].position.x += 1; }), plain);
  EXPECT_NE(fingerprint([](Clip& c, Norm&) { c.features[3] += 1; }), plain);
  EXPECT_NE(fingerprint([](Clip& c, Norm&) { c.tags[3] = 1; }), plain);
  EXPECT_NE(fingerprint([](Clip&, Norm& n) { n.means[0] += 1; }), plain);
  EXPECT_NE(fingerprint([](Clip&, Norm& n) { n.spreads[0] *= 2; }), plain);
}

class DatabaseFile : public testing::Test {
 protected:
  DatabaseFile() : folder_(zoe::test::temporary_dir("database_file")), path_(folder_ / "d.safetensors") {
    EXPECT_TRUE(database().save(path_, "CC0"));
  }
  Result<MotionDatabase> load() const { return MotionDatabase::load(path_, database().skeleton()); }

  // Writes the file again with one array replaced, and the checksum of the new content.
  template <typename T>
  bool reads_with(const char* name, const std::vector<T>& values, std::vector<std::size_t> shape = {}) const {
    const Safetensors file = Safetensors::open(path_).value();
    std::vector<NamedArray> arrays = file.tensors();
    for (NamedArray& array : arrays) {
      if (array.name == name) array.view = view_of(values, shape.empty() ? std::vector{values.size()} : shape);
    }
    return reads(arrays, file.metadata());
  }
  bool reads_with_text(const char* key, const std::string& text) const {
    const Safetensors file = Safetensors::open(path_).value();
    Metadata metadata = file.metadata();
    metadata[key] = text;
    return reads(file.tensors(), metadata);
  }
  template <typename T>
  std::vector<T> array(const char* name) const {
    const Safetensors file = Safetensors::open(path_).value();
    const auto values = file.find(name).value().as<T>().value();
    return {values.begin(), values.end()};
  }

  std::filesystem::path folder_, path_;

 private:
  bool reads(const std::vector<NamedArray>& arrays, Metadata metadata) const {
    metadata[kChecksumKey] = content_checksum(arrays, metadata);
    EXPECT_TRUE(write_safetensors(folder_ / "changed.safetensors", arrays, metadata));
    return MotionDatabase::load(folder_ / "changed.safetensors", database().skeleton()).has_value();
  }
};

TEST_F(DatabaseFile, KeepsEverything) {
  const MotionDatabase back = load().value();
  const MotionDatabase& data = database();
  EXPECT_EQ(back.options().weights, data.options().weights);
  EXPECT_EQ(back.options().skip_last_frames, data.options().skip_last_frames);
  EXPECT_EQ(back.normalisation().means, data.normalisation().means);
  EXPECT_EQ(back.normalisation().spreads, data.normalisation().spreads);
  ASSERT_EQ(back.clips().size(), data.clips().size());
  for (std::size_t c = 0; c < data.clips().size(); ++c) {
    const DatabaseClip &a = *data.clips()[c], &b = *back.clips()[c];
    EXPECT_EQ(a.name, b.name);
    ASSERT_EQ(a.num_frames, b.num_frames);
    for (std::size_t f = 0; f < a.roots.size(); ++f) {
      ASSERT_EQ(a.roots[f].position, b.roots[f].position);
      ASSERT_EQ(a.roots[f].facing_rad, b.roots[f].facing_rad);
    }
    EXPECT_EQ(a.rotations, b.rotations);
    EXPECT_EQ(a.translations, b.translations);
    EXPECT_EQ(a.contacts, b.contacts);
    EXPECT_EQ(a.features, b.features);
    EXPECT_EQ(a.tags, b.tags);
  }
}

TEST_F(DatabaseFile, EveryFieldIsChecked) {
  EXPECT_TRUE(reads_with("skip_last_frames", std::vector<std::int32_t>{19}));
  EXPECT_FALSE(reads_with("skip_last_frames", std::vector<std::int32_t>{-1}));
  EXPECT_FALSE(reads_with("skip_last_frames", std::vector<std::int32_t>{20, 20}));
  EXPECT_FALSE(reads_with_text("format", "zoe motion"));
  EXPECT_FALSE(reads_with_text("version", "2"));
  EXPECT_FALSE(reads_with_text("layout", ""));
  EXPECT_FALSE(reads_with_text("clip_names", "only\n"));
  EXPECT_TRUE(reads_with_text("clip_names", "a\nb\nc\n"));
  const int frames = database().num_frames();
  EXPECT_TRUE(reads_with("clip_lengths", std::vector<std::int32_t>{frames - 80, 40, 40}));
  EXPECT_FALSE(reads_with("clip_lengths", std::vector<std::int32_t>{frames - 40, 40, 0}));
  EXPECT_FALSE(reads_with("clip_lengths", std::vector<std::int32_t>{frames - 80, 40, 41}));
  for (const char* name : {"roots", "rotations", "translations", "features", "normalisation.mean"}) {
    std::vector<float> values = array<float>(name);
    const float kept = values[7];
    values[7] = NAN;
    EXPECT_FALSE(reads_with(name, values)) << name;
    values[7] = kept;
    EXPECT_TRUE(reads_with(name, values)) << name;
    values.pop_back();
    EXPECT_FALSE(reads_with(name, values)) << name;
    EXPECT_FALSE(reads_with(name, std::vector<double>(values.size() + 1))) << name;
  }
  std::vector<float> spreads = array<float>("normalisation.spread"), rotations = array<float>("rotations");
  spreads[3] = 0;
  EXPECT_FALSE(reads_with("normalisation.spread", spreads));
  rotations[0] += 0.1F;
  rotations[1] += 0.1F;
  EXPECT_FALSE(reads_with("rotations", rotations)) << "not of length one";
  EXPECT_FALSE(reads_with("tags", std::vector<std::int64_t>(idx(frames) - 1)));
  EXPECT_TRUE(reads_with("tags", std::vector<std::int64_t>(idx(frames))));
  EXPECT_FALSE(reads_with("contacts", std::vector<std::uint8_t>(3)));
  EXPECT_FALSE(reads_with("weights", std::vector<double>(4, 1.0)));
}

TEST_F(DatabaseFile, AFlippedValueDoesNotMatchTheChecksum) {
  const Safetensors file = Safetensors::open(path_).value();
  std::vector<NamedArray> arrays = file.tensors();
  std::vector<float> roots = array<float>("roots");
  roots[0] += 1;
  for (NamedArray& one : arrays) {
    if (one.name == "roots") one.view = view_of(roots);
  }
  ASSERT_TRUE(write_safetensors(folder_ / "flipped.safetensors", arrays, file.metadata()));
  const auto refused = MotionDatabase::load(folder_ / "flipped.safetensors", database().skeleton());
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("checksum"), std::string::npos);
  EXPECT_NE(refused.error().format().find("flipped.safetensors"), std::string::npos);
}

}  // namespace
}  // namespace zoe::control
