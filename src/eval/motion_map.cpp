// SPDX-License-Identifier: MIT
#include "zoe/eval/motion_map.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "zoe/core/file.h"
#include "zoe/core/index.h"
#include "zoe/core/suggest.h"
#include "zoe/core/thread_pool.h"
#include "zoe/eval/embedding.h"
#include "zoe/report/page.h"
#include "zoe/report/scatter.h"

namespace zoe::eval {
namespace {

constexpr std::size_t kMostGroups = 24;
constexpr std::array<const char*, 3> kWays{"folder", "label", "family"};

std::string group_name(const DescribedClip& clip, const std::string& by) {
  if (by == "family") return to_string(clip.family);
  const std::string& name = by == "folder" ? clip.folder : clip.label;
  return name.empty() ? "none" : name;
}

// Windows of each group, the largest first.
std::vector<std::pair<std::string, std::size_t>> count_groups(std::span<const DescribedClip> clips,
                                                              const std::string& by) {
  std::map<std::string, std::size_t> counts;
  for (const DescribedClip& clip : clips) counts[group_name(clip, by)] += clip.versions[0].size();
  std::vector<std::pair<std::string, std::size_t>> out(counts.begin(), counts.end());
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  return out;
}

std::string choose_way(std::span<const DescribedClip> clips) {
  for (const char* by : kWays) {
    const std::size_t count = count_groups(clips, by).size();
    if (count >= 2 && count <= kMostGroups) return by;
  }
  return "label";
}

double agreement_of(const std::vector<float>& codes, int width, const std::vector<MapPoint>& points) {
  const std::size_t n = points.size(), columns = idx(width);
  std::vector<std::uint8_t> same(n, 0);
  ThreadPool::shared().parallel_for(n, 32, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      float best = 1e30F;
      for (std::size_t j = 0; j < n; ++j) {
        if (points[j].clip == points[i].clip) continue;
        float distance = 0;
        for (std::size_t c = 0; c < columns; ++c) {
          const float d = codes[i * columns + c] - codes[j * columns + c];
          distance += d * d;
        }
        if (distance >= best) continue;
        best = distance;
        same[i] = points[j].group == points[i].group ? 1 : 0;
      }
    }
  });
  return static_cast<double>(std::count(same.begin(), same.end(), 1)) /
         static_cast<double>(std::max<std::size_t>(n, 1));
}

// By the groups; by the labels where the groups tell little: few of them, or one that has most points.
std::vector<MapCluster> name_clusters(const std::vector<Vec2>& places, const MotionMap& map,
                                      std::span<const DescribedClip> clips) {
  std::vector<std::string> names = map.groups;
  std::vector<int> name_of;
  std::vector<std::size_t> counts(map.groups.size(), 0);
  for (const MapPoint& point : map.points) ++counts[idx(point.group)];
  const bool by_labels =
      map.groups.size() <= 3 || 2 * *std::max_element(counts.begin(), counts.end()) > map.points.size();
  std::map<std::string, int> index;
  if (by_labels) names.clear();
  for (const MapPoint& point : map.points) {
    const std::string label = group_name(clips[idx(point.clip)], "label");
    if (by_labels && index.emplace(label, static_cast<int>(names.size())).second) names.push_back(label);
    name_of.push_back(by_labels ? index[label] : point.group);
  }
  return find_clusters(places, name_of, names);
}

}  // namespace

Result<MotionMap> make_motion_map(std::span<const DescribedClip> clips, const MotionEncoder& encoder,
                                  const MapOptions& options) {
  const std::vector<std::string> known{"auto", "folder", "label", "family"};
  if (std::find(known.begin(), known.end(), options.by) == known.end())
    return Error{ErrorCode::kUsage,
                 fmt::format("a map cannot be coloured by '{}'{}", options.by, did_you_mean(options.by, known)),
                 {}};
  MotionMap out;
  out.by = options.by == "auto" ? choose_way(clips) : options.by;
  std::map<std::string, int> index;
  for (const auto& [name, count] : count_groups(clips, out.by)) {
    if (out.groups.size() < kMostGroups) out.groups.push_back(name);
    index[name] = static_cast<int>(out.groups.size()) - 1;
    if (index.size() > kMostGroups) out.groups.back() = "other";
  }

  const CodeSet all = encode_clips(clips, &encoder);
  out.num_windows = all.size();
  if (all.size() < 4) return Error{ErrorCode::kInvalid, "a map needs at least 4 windows of motion", {}};
  const std::size_t count = std::min(all.size(), options.max_points), width = idx(all.width);
  std::vector<std::size_t> first;
  for (std::size_t i = 0, rows = 0; i < clips.size(); rows += clips[i++].versions[0].size()) first.push_back(rows);
  std::vector<float> codes;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t row = i * all.size() / count, clip = idx(all.clips[row]);
    codes.insert(codes.end(), all.codes.begin() + static_cast<std::ptrdiff_t>(row * width),
                 all.codes.begin() + static_cast<std::ptrdiff_t>((row + 1) * width));
    MapPoint point;
    point.clip = all.clips[row];
    point.start_s = clips[clip].versions[0].start_s[row - first[clip]];
    point.group = index[group_name(clips[clip], out.by)];
    out.points.push_back(point);
  }
  std::vector<int> clip_of;
  for (const MapPoint& point : out.points) clip_of.push_back(point.clip);
  EmbeddingOptions embedding;
  embedding.seed = options.seed;
  embedding.clips = clip_of;
  const std::vector<Vec2> places = embed_neighbours(codes, all.width, embedding);
  const std::vector<Vec2> plane = principal_plane(codes, all.width);
  for (std::size_t i = 0; i < count; ++i) out.points[i].place = places[i];
  if (count > 20) {
    std::vector<float> some;
    std::vector<Vec2> some_places, some_plane;
    const std::size_t kept = std::min<std::size_t>(count, 1000);
    for (std::size_t i = 0; i < kept; ++i) {
      const std::size_t row = i * count / kept;
      some.insert(some.end(), codes.begin() + static_cast<std::ptrdiff_t>(row * width),
                  codes.begin() + static_cast<std::ptrdiff_t>((row + 1) * width));
      some_places.push_back(places[row]);
      some_plane.push_back(plane[row]);
    }
    out.trust = trustworthiness(some, all.width, some_places);
    out.plane_trust = trustworthiness(some, all.width, some_plane);
  }
  out.group_agreement = agreement_of(codes, all.width, out.points);
  out.clusters = name_clusters(places, out, clips);
  return out;
}

Result<void> write_motion_map(const std::filesystem::path& file, const MotionMap& map,
                              std::span<const DescribedClip> clips, const std::string& title) {
  Scatter scatter;
  scatter.groups = map.groups;
  for (const MapPoint& point : map.points) {
    const DescribedClip& clip = clips[idx(point.clip)];
    scatter.points.push_back(
        {point.place.x, point.place.y, point.group,
         fmt::format("{}\n{:.1f} to {:.1f} s · {} · {}", clip.source, point.start_s,
                     point.start_s + clip.versions[0].seconds, clip.label, to_string(clip.family))});
  }
  for (const MapCluster& cluster : map.clusters)
    scatter.names.push_back({cluster.place.x, cluster.place.y, cluster.name});
  if (file.extension() == ".svg") return write_file_atomic(file, svg_scatter(scatter));
  std::string page = page_head(title);
  page += fmt::format(
      "<h1>{}</h1>\n<p>{} of {} windows of {} clips, coloured by {}. Near points are like motions; "
      "distances between regions mean little. Click a name to see its points alone.</p>\n",
      escape_html(title), map.points.size(), map.num_windows, clips.size(), map.by);
  page += html_scatter(scatter);
  page += fmt::format(
      "<p>Neighbours kept (trustworthiness): {:.3f}, on the principal plane {:.3f}. The nearest window of "
      "another clip has the same {} for {:.0f} % of the points.</p>\n",
      map.trust, map.plane_trust, map.by, 100 * map.group_agreement);
  std::vector<std::vector<std::string>> rows;
  for (const MapCluster& cluster : map.clusters) rows.push_back({cluster.name, std::to_string(cluster.num_points)});
  page += html_table(std::vector<std::string>{"region", "windows"}, rows, " n");
  return write_file_atomic(file, page + "</body></html>\n");
}

}  // namespace zoe::eval
