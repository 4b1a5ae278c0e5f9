// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Contacts of feet against contact_labels.tsv, a table read off plots by eye.
#include "zoe/anatomy/foot_contacts.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "zoe/io/convert.h"

#include "support/data.h"

namespace zoe {
namespace {

constexpr int kSlack = 2;  // Frames: how exact labels are.

struct Row {
  std::string set, file, clip;
  int first = 0, last = 0;
  std::vector<std::string> joints;
  std::vector<std::pair<int, int>> contacts;
};

std::vector<Row> read_rows() {
  const char* root = std::getenv("ZOE_SOURCE_DIR");
  std::ifstream file(std::string(root ? root : ".") + "/tests/anatomy/contact_labels.tsv");
  std::vector<Row> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> cells;
    std::stringstream cell_stream(line);
    for (std::string cell; std::getline(cell_stream, cell, '\t');) cells.push_back(cell);
    Row row{cells.at(0), cells.at(1), cells.at(2), std::stoi(cells.at(3)), std::stoi(cells.at(4)), {}, {}};
    std::stringstream joints(cells.at(5)), ranges(cells.at(6));
    for (std::string word; joints >> word;) row.joints.push_back(word);
    for (std::string word; ranges >> word;) {
      row.contacts.emplace_back(std::stoi(word), std::stoi(word.substr(word.find('-') + 1)));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

struct Score {
  double hits = 0, false_hits = 0, misses = 0;       // Frames.
  std::vector<double> start_error_ms, end_error_ms;  // Found minus labelled.
  int contacts_missed = 0, contacts = 0;

  double precision() const { return hits / std::max(1.0, hits + false_hits); }
  double recall() const { return hits / std::max(1.0, hits + misses); }
  double f1() const { return 2 * hits / std::max(1.0, 2 * hits + false_hits + misses); }
  void add(const Score& other) {
    hits += other.hits, false_hits += other.false_hits, misses += other.misses;
    contacts += other.contacts, contacts_missed += other.contacts_missed;
    start_error_ms.insert(start_error_ms.end(), other.start_error_ms.begin(), other.start_error_ms.end());
    end_error_ms.insert(end_error_ms.end(), other.end_error_ms.begin(), other.end_error_ms.end());
  }
  void print(const std::string& name) const {
    const auto sizes = [](std::vector<double> v) {
      for (double& x : v) x = std::abs(x);
      return v;
    };
    std::printf(
        "%-60s precision %.3f recall %.3f F1 %.3f; start %+.0f ms (median size %.0f), end %+.0f (%.0f); %d of %d "
        "missed\n",
        name.c_str(), precision(), recall(), f1(), median(start_error_ms), median(sizes(start_error_ms)),
        median(end_error_ms), median(sizes(end_error_ms)), contacts_missed, contacts);
  }
};

Score score_of(const Row& row, const std::vector<char>& found, double fps) {
  Score score;
  std::vector<char> labelled(found.size(), 0), vague(found.size(), 0);
  const auto at = [&](std::vector<char>& v, int f) -> char& { return v[static_cast<std::size_t>(f)]; };
  const auto got = [&](int f) { return found[static_cast<std::size_t>(f)] != 0; };
  for (const auto& [begin, end] : row.contacts) {
    for (int f = begin; f <= end; ++f) at(labelled, f) = 1;
    for (int k = 0; k < kSlack; ++k) {
      for (const int f : {begin - 1 - k, begin + k, end - k, end + 1 + k}) {
        if (f >= row.first && f <= row.last) at(vague, f) = 1;
      }
    }
  }
  for (int f = row.first; f <= row.last; ++f) {
    if (at(vague, f) && got(f) != (at(labelled, f) != 0)) continue;
    if (got(f)) (at(labelled, f) ? score.hits : score.false_hits) += 1;
    if (!got(f) && at(labelled, f)) score.misses += 1;
  }
  for (const auto& [begin, end] : row.contacts) {
    ++score.contacts;
    int first = begin, last = end;
    while (first <= end && !got(first)) ++first;
    while (last >= begin && !got(last)) --last;
    if (first > end) {
      ++score.contacts_missed;
      continue;
    }
    int lead = begin;
    while (first <= begin && lead > row.first && got(lead - 1)) --lead;
    int trail = end;
    while (last >= end && trail < row.last && got(trail + 1)) ++trail;
    if (begin > row.first) score.start_error_ms.push_back(((first <= begin ? lead : first) - begin) * 1000 / fps);
    if (end < row.last) score.end_error_ms.push_back(((last >= end ? trail : last) - end) * 1000 / fps);
  }
  return score;
}

TEST(FootContacts, AsLabelledByEye) {
  ZOE_NEED_DATA(data);
  std::map<std::string, Score> by_clip, by_set;
  std::map<std::string, io::Asset> assets;
  const std::vector<Row> rows = read_rows();
  ASSERT_GE(rows.size(), 40U);
  for (const Row& row : rows) {
    if (!assets.contains(row.file)) {
      auto asset = io::read_asset(data / row.file);
      ASSERT_TRUE(asset) << asset.error().format();
      assets.emplace(row.file, std::move(*asset));
    }
    const io::Asset& asset = assets.at(row.file);
    AnalysisOptions options;
    if (asset.source.unit_known) options.stated_metres_per_unit = 1.0;
    const Skeleton& skeleton = *asset.character->skeleton;
    const SkeletonAnalysis body = analyse(skeleton, asset.clips, asset.character.get(), options);
    const auto clip = std::find_if(asset.clips.begin(), asset.clips.end(), [&](const Motion& m) {
      return row.clip == "0" || m.name.ends_with("|" + row.clip);
    });
    ASSERT_NE(clip, asset.clips.end()) << row.file << " " << row.clip;
    const Contacts contacts = find_foot_contacts(*clip, body).value();
    const std::vector<std::vector<int>> parts = foot_parts(body);
    // The labelled foot is the leg that has its tip.
    const int tip = skeleton.find(row.joints.back());
    const auto leg = std::find_if(parts.begin(), parts.end(), [&](const auto& foot) {
      return std::find(foot.begin(), foot.end(), tip) != foot.end();
    });
    ASSERT_NE(leg, parts.end()) << row.file << ": " << row.joints.back() << " is no part of a foot";
    std::vector<char> found;
    for (int f = 0; f < clip->num_frames; ++f)
      found.push_back(contacts.at(f, static_cast<int>(leg - parts.begin())) ? 1 : 0);
    const Score score = score_of(row, found, clip->fps);
    by_clip[row.set + " " + row.file + " " + row.clip].add(score);
    by_set[row.set].add(score);
  }
  for (const auto& [name, score] : by_clip) {
    score.print(name);
    EXPECT_GE(score.f1(), 0.9) << name;
  }
  for (const auto& [name, score] : by_set) score.print(name);
  EXPECT_GE(by_set["test"].f1(), 0.96);
  EXPECT_LE(by_set["test"].contacts_missed, 1);
}

// A detector that always, or never, says yes must not pass the scores above.
TEST(FootContacts, ScoresTellGoodFromBad) {
  const Row row{"", "", "", 0, 99, {}, {{20, 39}, {60, 79}}};
  std::vector<char> right(100, 0), late(100, 0);
  for (const auto& [begin, end] : row.contacts) {
    for (int f = begin; f <= end; ++f) right[static_cast<std::size_t>(f)] = 1;
    for (int f = begin + 6; f <= end; ++f) late[static_cast<std::size_t>(f)] = 1;
  }
  EXPECT_EQ(score_of(row, right, 100).f1(), 1);
  EXPECT_LT(score_of(row, std::vector<char>(100, 1), 100).f1(), 0.65);
  EXPECT_EQ(score_of(row, std::vector<char>(100, 0), 100).contacts_missed, 2);
  EXPECT_EQ(score_of(row, late, 100).start_error_ms, (std::vector<double>{60, 60}));
  EXPECT_EQ(score_of(row, late, 100).end_error_ms, (std::vector<double>{0, 0}));
}

TEST(FootContacts, BodiesWithoutFeetAreRefused) {
  const SkeletonPtr skeleton = Skeleton::create({{"a", kNoJoint, {}, JointKind::kBone}}).value();
  const auto contacts = find_foot_contacts(make_motion(skeleton, "m", 30, 5, false), analyse(*skeleton));
  ASSERT_FALSE(contacts);
  EXPECT_NE(contacts.error().message.find("feet"), std::string::npos);
}

}  // namespace
}  // namespace zoe
