// SPDX-License-Identifier: MIT
#include "dataset/report.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "zoe/report/page.h"

namespace zoe::dataset {
namespace {

constexpr std::size_t kMaxRows = 500, kMaxBars = 20, kMaxGroups = 12;

double minutes_of(const ClipRecord& clip, std::span<const features::Layout> layouts) {
  return clip.num_rows / layouts[static_cast<std::size_t>(clip.group)].fps() / 60;
}

struct Sum {
  int clips = 0, mirrored = 0;
  double minutes = 0;
  std::set<std::string> actors, bodies;

  void add(const ClipRecord& clip, double clip_minutes) {
    ++clips;
    mirrored += clip.mirrored ? 1 : 0;
    minutes += clip_minutes;
    actors.insert(clip.actor);
    bodies.insert(clip.body);
  }
};

std::vector<Bar> largest(const std::map<std::string, double>& values) {
  std::vector<Bar> bars;
  for (const auto& [name, value] : values) bars.push_back({name, value});
  std::stable_sort(bars.begin(), bars.end(), [](const Bar& a, const Bar& b) { return a.value > b.value; });
  if (bars.size() > kMaxBars) {
    Bar rest{fmt::format("{} others", bars.size() - kMaxBars + 1), 0};
    for (std::size_t i = kMaxBars - 1; i < bars.size(); ++i) rest.value += bars[i].value;
    bars.resize(kMaxBars - 1);
    bars.push_back(rest);
  }
  return bars;
}

std::string clip_name(const std::string& source, const std::string& name, int clip_index, int part) {
  std::string out = source;
  if (clip_index > 0 || (!name.empty() && source.find(name) == std::string::npos))
    out += fmt::format(", clip {}", name);
  if (part > 0) out += fmt::format(", piece {}", part);
  return out;
}

std::string split_table(const Manifest& manifest, int group, std::span<const features::Layout> layouts) {
  std::array<Sum, kNumSplits> sums;
  Sum all;
  for (const ClipRecord& clip : manifest.clips) {
    if (clip.group != group) continue;
    sums[static_cast<std::size_t>(clip.split)].add(clip, minutes_of(clip, layouts));
    all.add(clip, minutes_of(clip, layouts));
  }
  std::vector<std::vector<std::string>> rows;
  const auto row = [&](const char* name, const Sum& sum) {
    rows.push_back({name, fmt::to_string(sum.clips), fmt::to_string(sum.mirrored), fmt::format("{:.1f}", sum.minutes),
                    fmt::format("{:.1f} %", all.minutes > 0 ? 100 * sum.minutes / all.minutes : 0),
                    fmt::to_string(sum.actors.size()), fmt::to_string(sum.bodies.size())});
  };
  for (std::size_t i = 0; i < kNumSplits; ++i) row(to_string(static_cast<Split>(i)), sums[i]);
  row("all", all);
  return html_table(
      std::vector<std::string>{"split", "clips", "of them mirrored", "minutes", "share", "actors", "bodies"}, rows,
      " nnnnnn");
}

// Seconds per bin, so that all but the longest clips fit into 30 bins.
double length_bin(const Manifest& manifest, int group, std::span<const features::Layout> layouts) {
  std::vector<double> seconds;
  for (const ClipRecord& clip : manifest.clips)
    if (clip.group == group) seconds.push_back(60 * minutes_of(clip, layouts));
  if (seconds.empty()) return 1;
  const auto nearly_all = seconds.begin() + static_cast<std::ptrdiff_t>((seconds.size() - 1) * 95 / 100);
  std::nth_element(seconds.begin(), nearly_all, seconds.end());
  for (const double bin : {0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0})
    if (30 * bin >= 1.2 * *nearly_all) return bin;
  return 60;
}

std::string plots(const Manifest& manifest, int group, std::span<const features::Layout> layouts) {
  Histogram speeds{
      .title = "Speed of the root", .unit = "m/s", .y_title = "minutes", .bin = kSpeedBin, .last_is_open = true};
  const double fps = layouts[static_cast<std::size_t>(group)].fps();
  for (const std::int64_t count : manifest.groups[static_cast<std::size_t>(group)].speeds)
    speeds.values.push_back(static_cast<double>(count) / fps / 60);
  Histogram contacts{.title = "Feet on the ground, of a clip",
                     .unit = "share of frames and feet",
                     .y_title = "clips",
                     .values = std::vector<double>(20),
                     .bin = 0.05};
  Histogram lengths{.title = "Length of a clip",
                    .unit = "s",
                    .y_title = "clips",
                    .values = std::vector<double>(31),
                    .bin = 1,
                    .last_is_open = true};
  lengths.bin = length_bin(manifest, group, layouts);
  std::map<std::string, double> actors, labels;
  bool has_feet = false;
  for (const ClipRecord& clip : manifest.clips) {
    if (clip.group != group) continue;
    const double minutes = minutes_of(clip, layouts);
    actors[clip.actor] += minutes;
    for (std::size_t i = 0; i < clip.labels.size(); ++i)
      labels[clip.labels[i]] += minutes * static_cast<double>(clip.label_shares[i]);
    lengths.values[static_cast<std::size_t>(std::min(60 * minutes / lengths.bin, 30.0))] += 1;
    has_feet = has_feet || clip.contact_ratio >= 0;
    if (clip.contact_ratio >= 0)
      contacts.values[static_cast<std::size_t>(std::min(clip.contact_ratio * 20, 19.0F))] += 1;
  }
  std::string out = "<div class=plots>\n" + svg_histogram(speeds) +
                    (has_feet ? svg_histogram(contacts) : svg_note(contacts.title, "no feet")) +
                    svg_histogram(lengths) + svg_bars("Minutes of each actor", "", largest(actors));
  if (!labels.empty()) out += svg_bars("Minutes of each label", "", largest(labels));
  return out + "</div>\n";
}

// Indices of groups, the most rows first.
std::vector<std::size_t> by_size(const Manifest& manifest) {
  std::vector<std::size_t> order;
  for (std::size_t g = 0; g < manifest.groups.size(); ++g) order.push_back(g);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return manifest.groups[a].num_rows > manifest.groups[b].num_rows;
  });
  return order;
}

// For several skeletons: the type and the amount of each.
std::string skeleton_table(const Manifest& manifest, std::span<const features::Layout> layouts) {
  std::vector<Sum> sums(manifest.groups.size());
  for (const ClipRecord& clip : manifest.clips)
    sums[static_cast<std::size_t>(clip.group)].add(clip, minutes_of(clip, layouts));
  std::vector<std::vector<std::string>> rows;
  for (const std::size_t g : by_size(manifest)) {
    const Skeleton& skeleton = *manifest.head.groups[g].skeleton;
    std::string joints;
    for (int j = 0; j < std::min(skeleton.num_joints(), 4); ++j) joints += skeleton.name(j) + ", ";
    rows.push_back({manifest.head.groups[g].name, fmt::to_string(sums[g].clips), fmt::format("{:.1f}", sums[g].minutes),
                    fmt::to_string(sums[g].bodies.size()), joints + "…"});
  }
  return fmt::format(
             "<h2>Skeletons ({})</h2>\n<p>Clips of one group have the same joints and can "
             "be in one batch; a model learns one group. Retarget the clips to bring them "
             "together.</p>\n",
             rows.size()) +
         html_table(std::vector<std::string>{"group", "clips", "minutes", "bodies", "first joints"}, rows, " nnn");
}

std::string repaired_table(const Manifest& manifest) {
  std::vector<std::vector<std::string>> rows;
  std::size_t count = 0;
  for (const ClipRecord& clip : manifest.clips) {
    if (clip.mirrored) continue;
    for (const Note& note : clip.repairs)
      if (++count <= kMaxRows)
        rows.push_back({clip_name(clip.source, clip.name, clip.clip_index, clip.part), note.code, note.text});
  }
  std::string out = fmt::format("<h2>Repaired ({})</h2>\n", count);
  if (count == 0) return out + "<p>Nothing had to be.</p>\n";
  out += html_table(std::vector<std::string>{"clip", "reason", "what was done"}, rows);
  if (count > kMaxRows) out += fmt::format("<p class=note>{} more are in dataset.json.</p>\n", count - kMaxRows);
  return out;
}

std::string left_out_tables(const Manifest& manifest) {
  std::string out = fmt::format("<h2>Left out ({})</h2>\n", manifest.left_out.size());
  if (manifest.left_out.empty()) return out + "<p>Nothing.</p>\n";
  std::map<std::string, int> reasons;
  std::vector<std::vector<std::string>> counts, rows;
  for (const LeftOut& item : manifest.left_out) {
    ++reasons[item.reason.code];
    if (rows.size() < kMaxRows)
      rows.push_back(
          {clip_name(item.source, item.name, item.clip_index, item.part), item.reason.code, item.reason.text});
  }
  for (const auto& [code, number] : reasons) counts.push_back({code, fmt::to_string(number)});
  out += html_table(std::vector<std::string>{"reason", "clips or files"}, counts, " n");
  out += html_table(std::vector<std::string>{"clip or file", "reason", "why"}, rows);
  if (manifest.left_out.size() > rows.size())
    out += fmt::format("<p class=note>{} more are in dataset.json.</p>\n", manifest.left_out.size() - rows.size());
  return out;
}

}  // namespace

std::string format_report(const Manifest& manifest, std::span<const features::Layout> layouts) {
  double minutes = 0, mirrored = 0, bytes = 0;
  for (const ClipRecord& clip : manifest.clips) {
    minutes += minutes_of(clip, layouts);
    mirrored += clip.mirrored ? minutes_of(clip, layouts) : 0;
    bytes += 4.0 * clip.num_rows * layouts[static_cast<std::size_t>(clip.group)].frame_width();
  }
  std::string out = page_head("Dataset");
  out += fmt::format(
      "<h1>Dataset: {} clips, {:.1f} minutes</h1>\n<p>{:.1f} minutes as captured, "
      "{:.1f} mirrored; {:.1f} MB of rows. Licence: {}.</p>\n",
      manifest.clips.size(), minutes, minutes - mirrored, mirrored, bytes * 1e-6,
      manifest.head.licence.empty() ? "unknown" : escape_html(manifest.head.licence));
  if (manifest.shard.count > 1)
    out += fmt::format("<p>Part {} of {}, counted from 0.</p>\n", manifest.shard.index, manifest.shard.count);
  if (manifest.groups.size() > 1) out += skeleton_table(manifest, layouts);
  std::size_t shown = 0;
  for (const std::size_t g : by_size(manifest)) {
    if (++shown > kMaxGroups) {
      out +=
          fmt::format("<p class=note>{} more groups are in dataset.json.</p>\n", manifest.groups.size() - kMaxGroups);
      break;
    }
    const features::Layout& layout = layouts[g];
    out += fmt::format(
        "<h2>{}</h2>\n<p>Schema {}, {:g} rows a second of {} numbers; input {} × {}, output {} × "
        "{}. Skeleton {}.</p>\n",
        escape_html(manifest.head.groups[g].name), escape_html(layout.schema().name), layout.fps(),
        layout.frame_width(), layout.steps(features::BlockKind::kInput), layout.width(features::BlockKind::kInput),
        layout.steps(features::BlockKind::kOutput), layout.width(features::BlockKind::kOutput),
        manifest.head.groups[g].id);
    out += split_table(manifest, static_cast<int>(g), layouts) + plots(manifest, static_cast<int>(g), layouts);
  }
  return out + repaired_table(manifest) + left_out_tables(manifest) + "</body></html>\n";
}

}  // namespace zoe::dataset
