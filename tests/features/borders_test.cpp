// SPDX-License-Identifier: MIT
// Texts, files, requests and statistics of features at their borders: the last that is taken, the first that is not.
#include <cmath>

#include <gtest/gtest.h>

#include "zoe/features/gather_job.h"
#include "zoe/features/label_file.h"
#include "zoe/features/normalisation.h"
#include "zoe/features/tracks.h"

#include "features/turning_walker.h"
#include "features/words.h"
#include "support/data.h"

namespace zoe::features {
namespace {

TEST(ChannelText, TimesAtTheirBorders) {
  const SampleTimes times = parse_times("-0.5:1.25:8").value();
  EXPECT_EQ(times.start_s, -0.5);
  EXPECT_EQ(times.end_s, 1.25);
  EXPECT_EQ(times.count, 8);
  EXPECT_EQ(to_text(times), "-0.5:1.25:8");
  for (const char* good : {"0:0:1", "1:1:2", "0:1:100000"}) EXPECT_TRUE(parse_times(good)) << good;
  for (const char* bad : {"0:1:0",   "0:1:100001", "0:1:2.5",   "1:0.9:2", "0:1",      "0:1:2:3",   "a:1:2",
                          "0:1x:2",  "0::2",       "",          ":",       "nan:1:2",  "0:nan:2",   "0:1:nan",
                          "0:inf:2", "-inf:0:2",   "0:1:1e300", "0:121:2", "-121:0:2", "0:1:-1e300"}) {
    EXPECT_FALSE(parse_times(bad)) << bad;
  }
}

TEST(ChannelText, ComesBackAsItWas) {
  for (const char* text : {
           "joint.position",
           "joint parts=position,velocity,contact joints=feet,Head",
           "joint.x_axis space=parent at=-1",
           "joint.angular_velocity joints='Left Hand,b' times=0:1:3",
           "root parts=position,direction,velocity times=-1:1:13",
           "root.own_velocity",
           "root.position space=goal",
           "goal.action",
           "root.delta turn=degrees per=second",
           "signal name='the wind' width=3",
           "signal name=wind width=1000000",
       }) {
    const auto channel = parse_channel(text);
    ASSERT_TRUE(channel) << text << ": " << channel.error().message;
    EXPECT_EQ(to_text(*channel), text);
  }
  const Channel six = parse_channel("joint.rotation_6d").value();
  EXPECT_EQ(six.parts, (std::vector<Part>{Part::kXAxis, Part::kYAxis}));
  EXPECT_EQ(parse_channel("  joint.position   at=2 ").value().at_frames, 2) << "blanks do not matter";
  EXPECT_FALSE(parse_channel("root.delta turn=radians per=step").value().degrees);
}

TEST(ChannelText, SaysWhatDoesNotFit) {
  const auto why = [](const char* text) { return parse_channel(text).error().message; };
  const auto has = [&](const char* text, const char* part) {
    const auto channel = parse_channel(text);
    ASSERT_FALSE(channel) << text;
    EXPECT_NE(channel.error().message.find(part), std::string::npos) << channel.error().message;
  };
  has("", "it is empty");
  has("joint", "name the parts");
  has("root", "name the parts");
  has("goal", "name the parts");
  has("joint.own_velocity", "a joint has no part 'own_velocity'");
  has("joint.direction", "has no part");
  has("root.contact", "a root has no part 'contact'");
  has("root.x_axis", "has no part");
  has("root.rotation_6d", "no part");
  has("goal.velocity", "a goal has no part 'velocity'");
  has("root.delta space=parent", "cannot be in space 'parent'");
  has("root.position space=parent", "cannot be in space");
  has("goal.position space=goal", "cannot be in space");
  has("joint.position turn=gradians", "turn is");
  has("joint.position per=minute", "per is");
  has("joint.position at=1.5", "'1.5' is no whole number");
  has("joint.position at=", "is no whole number");
  has("joint.position left", "is not of the form key=value");
  has("joint.position spce=root", "did you mean 'space'");
  has("joint.positoin", "did you mean 'position'");
  has("joint.position times=0:1", "start:end:count");
  has("signal name=a", "a signal needs");
  has("signal width=2", "a signal needs");
  has("signal name=a width=0", "a signal needs");
  has("signal name=a width=1000001", "a signal needs");
  has("joint.position name=a", "only a signal");
  has("joint.position width=1", "only a signal");
  EXPECT_TRUE(why("joint").starts_with("channel 'joint': "));
}

TEST(ChannelText, ListsSkipWhatIsEmpty) {
  EXPECT_EQ(split_list("a,b"), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(split_list(",a,,b,"), (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(split_list("").empty());
  EXPECT_TRUE(split_list(",").empty());
}

Result<std::vector<LabelSpan>> labels_of(std::string_view text, const LabelWords& words = {}) {
  return parse_labels(text, "a.labels.csv", words, 2, 10);  // Twenty frames of a tenth and the last.
}

TEST(LabelFileBorders, ReadsMarksHeadingsAndTheLastLine) {
  const auto marked = labels_of(
      "\xef\xbb\xbf"
      "0,1,walk");
  ASSERT_TRUE(marked);
  ASSERT_EQ(marked->size(), 1U);
  EXPECT_EQ((*marked)[0].label, "walk");
  EXPECT_EQ((*marked)[0].line, 1);
  EXPECT_EQ(labels_of("time,until,what\n0,1,walk\n")->size(), 1U);
  EXPECT_FALSE(labels_of("0,1,walk\ntime,until,what\n")) << "a heading is the first line";
  EXPECT_FALSE(labels_of("# note\n\ninf,1,walk\n0,1,b\n,,\n"));
  EXPECT_EQ(labels_of("\t0 , 1\t, \"a\" \r\n")->at(0).label, "a");
  EXPECT_EQ(labels_of("0,1,\"a\n")->at(0).label, "\"a") << "one quote is part of the word";
  EXPECT_EQ(labels_of("0,1,\"\n")->at(0).label, "\"");
  EXPECT_FALSE(labels_of("0,1,\"\"\n")) << "no word between the quotes";
  EXPECT_FALSE(labels_of("0,1,a,b\n"));
  EXPECT_FALSE(labels_of("0,1x,a\n"));
  EXPECT_FALSE(labels_of(",1,a\n"));
}

TEST(LabelFileBorders, TimesFromTheFirstFrameToOneAfterTheLast) {
  EXPECT_TRUE(labels_of("0,0.1,a\n"));
  EXPECT_FALSE(labels_of("-0.001,0.1,a\n"));
  EXPECT_TRUE(labels_of("2,2.05,a\n"));
  EXPECT_FALSE(labels_of("2.01,2.05,a\n"));
  EXPECT_TRUE(labels_of("0,2.14,a\n"));
  EXPECT_FALSE(labels_of("0,2.16,a\n"));
  // From half a frame before the end on, a label holds the last frame too.
  EXPECT_EQ(labels_of("0,1.94,a\n")->at(0).end_s, 1.94);
  EXPECT_NEAR(labels_of("0,1.96,a\n")->at(0).end_s, 2.1, 1e-12);
  EXPECT_TRUE(labels_of("0,1,a\n1,2,a\n")) << "one after the other is no overlap";
  EXPECT_TRUE(labels_of("0,1,a\n0,2,b\n")) << "equal starts are in order";
}

TEST(LabelFileBorders, OneActionAndOneStyleAtATime) {
  const LabelWords words{.styles = {"old", "proud"}, .actions = {"walk", "jump"}, .others = {"hit"}};
  EXPECT_TRUE(labels_of("0,2,walk\n0,2,old\n0,2,hit\n", words));
  const auto message = [&](const char* text) { return labels_of(text, words).error().message; };
  EXPECT_NE(message("0,2,walk\n1,2,jump\n").find("both actions"), std::string::npos);
  EXPECT_NE(message("0,2,old\n1,2,proud\n").find("both styles"), std::string::npos);
  EXPECT_NE(message("0,2,hit\n1,2,hit\n").find("the same label"), std::string::npos);
}

TEST(LabelFileBorders, TenThousandLabelsAreTheMost) {
  std::string text;
  for (int i = 0; i < 10000; ++i) text += "0,2,l" + std::to_string(i) + "\n";
  EXPECT_TRUE(labels_of(text));
  EXPECT_FALSE(labels_of(text + "0,2,more\n"));
}

TEST(LabelFileBorders, LiesBesideItsMotion) {
  EXPECT_EQ(label_file_of("a/walk.bvh"), "a/walk.labels.csv");
  EXPECT_EQ(label_file_of("a/walk.v2.glb", "run"), "a/walk.v2.run.labels.csv");
  EXPECT_EQ(mirrored_label("LEFT2right left"), "RIGHT2left right");
  EXPECT_EQ(mirrored_label("leftover"), "leftover");
}

TEST(TrackBorders, StepsAndWidths) {
  const auto folder = test::temporary_dir("tracks_borders");
  const auto reads = [&](const char* steps, std::size_t frames, std::size_t width, bool with_field = true) {
    const std::vector<float> values(frames * width);
    const std::vector<std::int32_t> lengths{static_cast<std::int32_t>(frames)};
    std::vector<NamedArray> arrays{{"track_lengths", view_of(lengths)}};
    if (with_field) arrays.push_back({"x", view_of(values, {frames, width})});
    EXPECT_TRUE(write_safetensors(folder / kTrackFile, arrays, {{"steps", steps}}));
    return read_tracks(folder).has_value();
  };
  EXPECT_TRUE(reads("1", 2, 1));
  EXPECT_TRUE(reads("4096", 2, 1));
  EXPECT_FALSE(reads("4097", 2, 1));
  EXPECT_FALSE(reads("-1", 2, 1));
  EXPECT_TRUE(reads("1", 2, 65536));
  EXPECT_FALSE(reads("1", 2, 65537));
  EXPECT_FALSE(reads("1", 2, 1, false)) << "no fields";
}

TEST(GatherBorders, SamplesLieInTheirClips) {
  const Schema schema = Schema::parse("[input]\nchannels = [\"root.position times=0:1:2\"]\n").value();
  const Layout layout = Layout::compile(schema, *test::walker_skeleton(), test::walker_analysis()).value();
  const std::vector<float> rows(3 * static_cast<std::size_t>(layout.frame_width()));
  const ClipRows clips[] = {{rows.data(), 3}, {rows.data(), 1}};
  std::vector<float> input(layout.size(BlockKind::kInput));
  const auto why = [&](Sample sample) {
    const GatherJob job{.layout = &layout, .clips = clips, .samples = {&sample, 1}, .input = input};
    const char* reason = job.validate();
    EXPECT_EQ(job.run(), reason == nullptr);
    return std::string(reason != nullptr ? reason : "");
  };
  EXPECT_EQ(why({0, 0, 0}), "");
  EXPECT_EQ(why({0, 2, 0.999F}), "");
  EXPECT_EQ(why({1, 0, 0}), "");
  EXPECT_EQ(why({0, 3, 0}), "a sample's frame is out of range");
  EXPECT_EQ(why({1, 1, 0}), "a sample's frame is out of range");
  EXPECT_EQ(why({0, -1, 0}), "a sample's frame is out of range");
  EXPECT_EQ(why({2, 0, 0}), "a sample's clip is out of range");
  EXPECT_EQ(why({-1, 0, 0}), "a sample's clip is out of range");
  EXPECT_EQ(why({0, 0, 1}), "a sample's fraction is not in [0, 1)");
  EXPECT_EQ(why({0, 0, -0.1F}), "a sample's fraction is not in [0, 1)");
  EXPECT_EQ(why({0, 0, NAN}), "a sample's fraction is not in [0, 1)");
  const Sample sample;
  GatherJob job{.layout = &layout, .clips = clips, .samples = {&sample, 1}};
  EXPECT_EQ(job.validate(), nullptr) << "no array is wanted";
  job.output = std::span(input).first(1);
  EXPECT_STREQ(job.validate(), "output is not samples x steps x width");
  job.output = {};
  job.condition = std::span(input).first(1);
  EXPECT_STREQ(job.validate(), "condition is not samples x steps x width");
  const ClipRows none[] = {{rows.data(), 0}}, null[] = {{nullptr, 3}};
  job = {.layout = &layout, .clips = none};
  EXPECT_STREQ(job.validate(), "a clip has no rows");
  job.clips = null;
  EXPECT_STREQ(job.validate(), "a clip has no rows");
}

TEST(ControlSeriesBorders, SnapsAtItsDistance) {
  // After a step the distance to the goal is e^-1 of what it was.
  const float e = std::exp(-1.0F);
  EXPECT_EQ(approach_by_rate({}, {0.0099F / e, 0, 0}, 0.1, 10).x, 0.0099F / e);
  EXPECT_NEAR(approach_by_rate({}, {0.0101F / e, 0, 0}, 0.1, 10).x, 0.0101F / e - 0.0101F, 1e-6F);
  EXPECT_EQ(approach_facing_by_rate(1, 1 + 0.0099F / e, 0.1, 10), 1 + 0.0099F / e);
  EXPECT_NEAR(approach_facing_by_rate(1, 1 + 0.0102F / e, 0.1, 10), 1 + 0.0102F / e - 0.0102F, 1e-5F);
  EXPECT_EQ(approach_facing_by_rate(1, 2, 0.1, 0), 1);
  // A half turn to either side goes towards +X, from any facing.
  EXPECT_GT(approach_facing_by_rate(0, -3.14159265F, 0.1, 10), 0);
  EXPECT_GT(approach_facing_by_rate(1, 1 + 3.14159265F, 0.1, 10), 1);
}

TEST(ControlSeriesBorders, LabelsAndRootsBetweenSamples) {
  ControlSeries series = ControlSeries::standing({0.5, 1.5, 3}, {});
  for (std::size_t i = 0; i < 3; ++i) series.roots[i] = {{static_cast<float>(i), 0, 0}, 0.2F * static_cast<float>(i)};
  const std::vector<float> labels{0, 1, 1, 0, 0.5F, 0.5F};
  std::vector<float> out(2);
  series.labels_at(labels, 0.75, out);
  EXPECT_NEAR(out[0], 0.5F, 1e-6F);
  EXPECT_NEAR(out[1], 0.5F, 1e-6F);
  series.labels_at(labels, 9, out);
  EXPECT_EQ(out[0], 0.5F);
  series.labels_at(labels, -9, out);
  EXPECT_EQ(out[1], 1);
  EXPECT_NEAR(series.root_at(1.25).position.x, 1.5F, 1e-6F);
  EXPECT_NEAR(series.root_at(1.25).facing_rad, 0.3F, 1e-6F);
  EXPECT_EQ(series.root_at(0).position.x, 0) << "held before the first";
  const ControlSeries one = ControlSeries::standing({0, 0, 1}, {{7, 0, 0}, 0});
  EXPECT_EQ(one.root_at(3).position.x, 7);
  EXPECT_EQ(one.root_at(0).position.x, 7) << "at its own time too";
  EXPECT_EQ(one.root_at(-1).position.x, 7);
}

TEST(StatisticsBorders, NothingOneRowAndManyBlocks) {
  ColumnStatistics none(2);
  EXPECT_EQ(none.deviations(), (std::vector<double>{0, 0}));
  EXPECT_EQ(none.count(), 0);
  none.add({});
  EXPECT_EQ(none.count(), 0);
  const std::vector<float> row{3, -4};
  none.add(row);
  EXPECT_EQ(none.means()[1], -4);
  EXPECT_EQ(none.deviations()[0], 0);
  // 0, 1, … 599: mean 299.5, variance (n² - 1) / 12, in blocks and one by one.
  std::vector<float> ramp(600);
  ColumnStatistics blocks(1), single(1);
  for (std::size_t i = 0; i < 600; ++i) {
    ramp[i] = static_cast<float>(i);
    single.add(std::span(ramp).subspan(i, 1));
  }
  blocks.add(ramp);
  for (const ColumnStatistics& s : {blocks, single}) {
    EXPECT_EQ(s.count(), 600);
    EXPECT_NEAR(s.means()[0], 299.5, 1e-9);
    EXPECT_NEAR(s.deviations()[0], std::sqrt((600.0 * 600 - 1) / 12), 1e-9);
  }
  const ColumnStatistics back = ColumnStatistics::restore(600, {blocks.means().begin(), blocks.means().end()},
                                                          {blocks.squares().begin(), blocks.squares().end()});
  EXPECT_EQ(back.deviations(), blocks.deviations());
}

TEST(StatisticsBorders, SpreadsBelowTheFloorAreOne) {
  const Schema schema = Schema::parse("[input]\nchannels = [\"root.position\"]\n").value();
  const Layout layout = Layout::compile(schema, *test::walker_skeleton(), test::walker_analysis()).value();
  const std::vector<float> rows{0.5F, 0.25F, -0.5F, -0.25F};
  ColumnStatistics statistics(2);
  statistics.add(rows);
  const BlockNormalisation n = normalise(layout, BlockKind::kInput, statistics, {.floor = 0.5});
  EXPECT_EQ(n.spreads[0], 0.5F) << "at the floor it counts";
  EXPECT_EQ(n.spreads[1], 1);
  std::vector<float> values{1, 1, 3, 3, 9};  // A cut row stays as it is.
  n.apply(values);
  EXPECT_EQ(values, (std::vector<float>{2, 1, 6, 3, 9}));
  n.undo(values);
  EXPECT_EQ(values, (std::vector<float>{1, 1, 3, 3, 9}));
}

}  // namespace
}  // namespace zoe::features
