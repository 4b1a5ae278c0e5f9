// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Order and timing of footfalls against what was read by eye
// (gait_labels.tsv); and, over all dog clips, feet that step as often as the others.
#include "zoe/anatomy/gait.h"

#include <cmath>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "zoe/anatomy/foot_contacts.h"
#include "zoe/anatomy/segments.h"
#include "zoe/io/read.h"

#include "support/data.h"

namespace zoe {
namespace {

struct Row {
  std::string file, gaits;
  int first = 0, last = 0;
  std::vector<std::vector<double>>
      touchdowns;  // Left hind, left front, right hind, right front; of two legs left, right.
};

std::vector<Row> read_rows() {
  const char* source = std::getenv("ZOE_SOURCE_DIR");
  std::ifstream file(std::string(source ? source : ".") + "/tests/anatomy/gait_labels.tsv");
  std::vector<Row> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream columns(line);
    Row& row = rows.emplace_back();
    columns >> row.file >> row.first >> row.last >> row.gaits;
    std::string column;
    std::getline(columns, column, '\t');
    while (std::getline(columns, column, '\t')) {
      std::istringstream numbers(column);
      row.touchdowns.emplace_back(std::istream_iterator<double>(numbers), std::istream_iterator<double>());
    }
  }
  return rows;
}

double apart(double a, double b) { return std::abs(std::remainder(a - b, 1.0)); }

// Frames a cycle: of the foot that was seen most often.
double cycle_frames(const Row& row) {
  double best = 0;
  std::size_t most = 1;
  for (const auto& t : row.touchdowns) {
    if (t.size() <= most) continue;
    most = t.size();
    best = (t.back() - t.front()) / static_cast<double>(t.size() - 1);
  }
  return best;
}

// Mean lag of one foot's touchdowns behind the nearest of the first one's, in cycles.
double labelled_lag(const Row& row, std::size_t foot) {
  const double cycle = cycle_frames(row);
  double sine = 0, cosine = 0;
  for (const double t : row.touchdowns[foot]) {
    double nearest = 1e9;
    for (const double lead : row.touchdowns[0]) nearest = std::abs(t - lead) < std::abs(nearest) ? t - lead : nearest;
    sine += std::sin(2 * M_PI * nearest / cycle);
    cosine += std::cos(2 * M_PI * nearest / cycle);
  }
  const double lag = std::atan2(sine, cosine) / (2 * M_PI);
  return lag < 0 ? lag + 1 : lag;
}

struct Clip {
  io::Asset asset;
  SkeletonAnalysis body;
  explicit Clip(const std::filesystem::path& path) : asset(io::read_asset(path).value()) {
    body = analyse(*asset.character->skeleton, asset.clips, asset.character.get());
  }
  const Motion& motion() const { return asset.clips.at(0); }
  std::size_t column(const std::string& name) const {
    for (std::size_t i = 0; i < body.feet.size(); ++i) {
      if (asset.character->skeleton->name(body.feet[i]).starts_with(name)) return i;
    }
    ADD_FAILURE() << name;
    return 0;
  }
};

TEST(Gait, FootfallsAreAsReadByEye) {
  ZOE_NEED_DATA(data);
  const std::vector<Row> rows = read_rows();
  ASSERT_GE(rows.size(), 10U);
  double worst = 0, sum = 0, count = 0;
  for (const Row& row : rows) {
    const Clip clip(data / row.file);
    const Gait gait = find_gait(clip.motion(), clip.body, row.first, row.last).value();
    const bool dog = row.touchdowns.size() == 4;
    const std::vector<std::string> names =
        dog ? std::vector<std::string>{"LeftFoot", "LeftHand", "RightFoot", "RightHand"}
            : std::vector<std::string>{"LeftFoot", "RightFoot"};
    ASSERT_EQ(row.touchdowns.size(), names.size()) << row.file;
    ASSERT_EQ(gait.feet.size(), names.size()) << row.file;
    std::printf("%-48s %-7s %.2f Hz (sure %.2f):", row.file.c_str(), to_string(gait.kind), gait.frequency_hz,
                gait.confidence);
    std::vector<double> found, labelled;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const FootTiming& foot = gait.feet[clip.column(names[i])];
      found.push_back(foot.lag);
      labelled.push_back(labelled_lag(row, i));
      std::printf("  %s %.2f (eye %.2f) duty %.2f", names[i].c_str(), foot.lag, labelled[i], foot.duty);
      // Labels are touchdowns, lags are of mid-stance: feet that stand for different times differ
      // by half of that.
      const double half_duties = (foot.duty - gait.feet[clip.column(names[0])].duty) / 2;
      const double error = apart(foot.lag - half_duties, labelled[i]);
      worst = std::max(worst, error);
      sum += error;
      ++count;
      EXPECT_LT(error, 0.15) << row.file << " " << names[i];
      EXPECT_GT(foot.confidence, 0.4) << row.file;
    }
    std::printf("\n");
    EXPECT_NE(("|" + row.gaits + "|").find("|" + std::string(to_string(gait.kind)) + "|"), std::string::npos)
        << row.file << ": " << to_string(gait.kind) << " for " << row.gaits;
    // Of two touchdowns alone no pace can be read.
    if (row.touchdowns.back().size() > 2) {
      EXPECT_NEAR(gait.frequency_hz, clip.motion().fps / cycle_frames(row), 0.08 * gait.frequency_hz) << row.file;
    }
    // The order of feet that come down clearly one after the other.
    for (std::size_t a = 0; a < found.size(); ++a) {
      for (std::size_t b = 0; b < found.size(); ++b) {
        const double gap = std::remainder(labelled[b] - labelled[a], 1.0);
        if (gap < 0.12 || gap > 0.38) continue;
        const double after = found[b] - found[a] - std::floor(found[b] - found[a]);
        EXPECT_LT(after, 0.55) << row.file << " " << names[a] << " before " << names[b];
      }
    }
  }
  std::printf("lags: mean error %.3f, worst %.3f of a cycle\n", sum / count, worst);
  EXPECT_LT(sum / count, 0.04);
}

// In a steady gait every foot comes down once a cycle: one that flickers, or is missed, counts
// another number of steps.
TEST(Gait, AllPawsStepAsOften) {
  ZOE_NEED_DATA(data);
  int segments_seen = 0, steps = 0, uneven = 0;
  for (const auto& entry : std::filesystem::directory_iterator(data / "quadruped/dog_mann_bvh")) {
    if (entry.path().extension() != ".bvh") continue;
    const Clip clip(entry.path());
    const Contacts contacts = find_foot_contacts(clip.motion(), clip.body).value();
    const std::vector<ActionSegment> segments = segment_actions(clip.motion(), clip.body).value();
    for (const ActionSegment& segment : segments) {
      const bool travels = segment.action == Action::kWalk || segment.action == Action::kRun;
      if (!travels || segment.last_frame - segment.first_frame < 90) continue;
      int least = 1 << 20, most = 0;
      std::string all;
      for (int foot = 0; foot < contacts.num_joints; ++foot) {
        int downs = 0;
        for (int f = segment.first_frame + 1; f <= segment.last_frame; ++f)
          downs += contacts.at(f, foot) && !contacts.at(f - 1, foot);
        least = std::min(least, downs);
        most = std::max(most, downs);
        steps += downs;
        all += " " + std::to_string(downs);
      }
      ++segments_seen;
      if (most - least <= 1 + most / 10) continue;
      ++uneven;
      std::printf("uneven: %s %s %d-%d:%s\n", entry.path().filename().c_str(), to_string(segment.action),
                  segment.first_frame, segment.last_frame, all.c_str());
    }
  }
  std::printf("%d segments, %d steps, %d segments uneven\n", segments_seen, steps, uneven);
  EXPECT_GE(segments_seen, 15);
  EXPECT_LE(uneven, segments_seen / 7);
}

TEST(Gait, StandingHasNone) {
  ZOE_NEED_DATA(data);
  const Clip clip(data / "quadruped/dog_mann_bvh/D1_003_KAN01_001.bvh");
  EXPECT_EQ(find_gait(clip.motion(), clip.body)->kind, GaitKind::kNone);
  EXPECT_FALSE(find_gait(clip.motion(), clip.body, 5, 2000));
  EXPECT_FALSE(find_gait(clip.motion(), clip.body, -1, 5));
}

}  // namespace
}  // namespace zoe
