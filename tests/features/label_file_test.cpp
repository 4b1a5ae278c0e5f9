// SPDX-License-Identifier: MIT
#include "zoe/features/label_file.h"

#include <gtest/gtest.h>

namespace zoe::features {
namespace {

const LabelWords kWords{.styles = {"tired", "proud"}, .actions = {"walk", "jump"}, .others = {"hit"}};

Motion clip_of(int num_frames, double fps) {
  return make_motion(Skeleton::create({{"Hips", kNoJoint, {}}}).value(), "clip", fps, num_frames, false);
}
Result<std::vector<LabelSpan>> parse(std::string_view text, const LabelWords& words = kWords) {
  return parse_labels(text, "walk.labels.csv", words, 2, 60);
}

TEST(LabelFile, ReadsLinesWithHeadingCommentsAndQuotes) {
  const auto spans = parse("start_s,end_s,label\r\n# by hand\r\n0, 1.5, walk\r\n\r\n0.5,2,tired\r\n1.5,2,\"jump\"\r\n");
  ASSERT_TRUE(spans) << spans.error().format();
  ASSERT_EQ(spans->size(), 3U);
  EXPECT_EQ((*spans)[0].label, "walk");
  EXPECT_EQ((*spans)[1].start_s, 0.5);
  EXPECT_EQ((*spans)[2].label, "jump");
  EXPECT_EQ((*spans)[2].line, 6);
  EXPECT_TRUE(parse("")->empty());
}

TEST(LabelFile, ErrorsNameTheLineAndWhatIsWrong) {
  const auto wrong = [](std::string_view text, int line, const char* why) {
    const auto spans = parse(text);
    ASSERT_FALSE(spans) << text;
    EXPECT_EQ(spans.error().where.line, line) << text;
    EXPECT_EQ(spans.error().where.file, "walk.labels.csv");
    EXPECT_NE(spans.error().message.find(why), std::string::npos) << spans.error().message;
  };
  wrong("0,1,walk\n0.9,2,jump\n", 2, "overlaps 'walk' of line 1");
  wrong("0,1,hit\n0.5,2,hit\n", 2, "the same label");
  wrong("0,1,walk\n1,2.5,jump\n", 2, "from 0 to 2 s");
  wrong("-0.1,1,walk\n", 1, "from 0 to 2 s");
  wrong("a,b,c\n\n0,1,wlak\n", 3, "did you mean 'walk'");
  wrong("1,2,walk\n0,1,jump\n", 2, "sort lines");
  wrong("1,1,walk\n", 1, "not after its start");
  wrong("0,1\n", 1, "start_s,end_s,label");
  wrong("0,nan,walk\n", 1, "'nan' is no time");
  wrong("0,1,walk\n1,x,jump\n", 2, "'x' is no time");
  wrong("0,1,\n", 1, "label is missing");
}

TEST(LabelFile, AnyWordCountsWhereNoneIsNamed) {
  EXPECT_TRUE(parse("0,1,juggle\n0.5,2,sing\n", {}));
  EXPECT_FALSE(parse("0,1,juggle\n0.5,2,juggle\n", {}));
}

// 1.5 s at 60 fps is frame 90: the first that jumps. A label to the clip's end holds its last frame.
TEST(LabelFrames, EachFrameHasTheLabelOfItsTime) {
  const Motion clip = clip_of(121, 60);
  const LabelFrames labels(*parse("0,1.5,walk\n1.5,2,jump\n"), clip, 0);
  const auto tracks = labels.tracks();
  ASSERT_EQ(labels.names(), (std::vector<std::string>{"walk", "jump"}));
  for (std::size_t f = 0; f < 121; ++f) {
    EXPECT_EQ(tracks[0].frames[f], f < 90 ? 1 : 0) << f;
    EXPECT_EQ(tracks[1].frames[f], f < 90 ? 0 : 1) << f;
  }
  EXPECT_FLOAT_EQ(labels.share(0), 90 / 121.0F);
}

TEST(LabelFrames, PiecesKeepTheClipsTimes) {
  const Motion piece = clip_of(31, 60);  // 1.25 to 1.75 s.
  const LabelFrames labels(*parse("0,1.5,walk\n1.5,1.6,jump\n"), piece, 1.25);
  const auto tracks = labels.tracks();
  ASSERT_EQ(tracks.size(), 2U);
  for (std::size_t f = 0; f < 31; ++f) {
    EXPECT_EQ(tracks[0].frames[f], f < 15 ? 1 : 0) << f;
    EXPECT_EQ(tracks[1].frames[f], f >= 15 && f < 21 ? 1 : 0) << f;
  }
  EXPECT_TRUE(LabelFrames(*parse("0,1,walk\n"), piece, 1.25).names().empty());
}

TEST(LabelFrames, MirroredSidesChangePlaces) {
  EXPECT_EQ(mirrored_label("turn_left"), "turn_right");
  EXPECT_EQ(mirrored_label("Right kick 2"), "Left kick 2");
  EXPECT_EQ(mirrored_label("bright"), "bright");
  EXPECT_EQ(mirrored_label(mirrored_label("left-to-right")), "left-to-right");
  const LabelFrames labels(*parse("0,1,step_left\n", {}), clip_of(121, 60), 0, true);
  EXPECT_EQ(labels.names(), (std::vector<std::string>{"step_right"}));
}

}  // namespace
}  // namespace zoe::features
