// SPDX-License-Identifier: MIT
#include "io/fbx_bench.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "zoe/core/file.h"
#include "zoe/io/fbx.h"

#include "io/assimp_peer.h"
#include "io/fbx/document.h"

namespace zoe::bench {
namespace {

namespace fs = std::filesystem;

// Characters and clips of four exporters: 10 files, 12.4 MB, binary 7400 to 7700. The published figures of other
// readers are for this set.
std::vector<fs::path> find_files(const fs::path& data, std::initializer_list<const char*> folders) {
  std::vector<fs::path> files;
  for (const char* folder : folders) {
    std::error_code absent;
    for (const auto& entry : fs::recursive_directory_iterator(data / folder, absent))
      if (entry.path().extension() == ".fbx") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// ASCII files that both readers accept, so that both do all of the work.
std::vector<fs::path> find_ascii_files(const fs::path& data) {
  std::vector<fs::path> files = find_files(data, {"conformance/fbx"});
  std::erase_if(files, [](const fs::path& path) {
    const auto file = MappedFile::open(path);
    if (!file || file->text().starts_with("Kaydara FBX Binary")) return true;
    if (!io::read_fbx(file->bytes(), "bench.fbx")) return true;
    return !assimp_name().empty() && !assimp_read(file->bytes(), "fbx");
  });
  return files;
}

void read_tree(std::span<const std::byte> bytes) { keep(io::fbx::Document::parse(bytes, {}, nullptr)); }

// Reads every array in the element type of the file, into reused memory.
void read_tree_and_arrays(std::span<const std::byte> bytes) {
  const auto document = io::fbx::Document::parse(bytes, {}, nullptr);
  if (!document) return;
  std::vector<double> reals;
  std::vector<float> floats;
  std::vector<std::int64_t> longs;
  std::vector<std::int32_t> integers;
  document->walk(document->root(), [&](const io::fbx::Node& node) {
    const io::fbx::PropertyValues properties(*document, node);
    if (properties.empty() || properties[0].type != io::fbx::PropertyType::kArray) return;
    switch (properties[0].element) {
      case 'd':
        keep(document->read_array_into(node, reals));
        break;
      case 'f':
        keep(document->read_array_into(node, floats));
        break;
      case 'l':
        keep(document->read_array_into(node, longs));
        break;
      default:
        keep(document->read_array_into(node, integers));
        break;
    }
  });
}

void bench_set(const Options& options, const std::string& name, const std::vector<fs::path>& files,
               std::vector<Row>& rows) {
  if (files.empty()) return;
  std::vector<MappedFile> mapped;  // Mapped beforehand, as for the other formats: only the readers are measured.
  double num_bytes = 0;
  for (const fs::path& path : files) {
    if (auto file = MappedFile::open(path)) mapped.push_back(std::move(file).value());
    num_bytes += static_cast<double>(fs::file_size(path));
  }
  const auto for_each_file = [&](const auto& read_one) {
    for (const MappedFile& file : mapped) read_one(file.bytes());
  };
  const auto read = [](std::span<const std::byte> bytes) { keep(io::read_fbx(bytes, "bench.fbx")); };
  const auto read_with_peer = [](std::span<const std::byte> bytes) { keep(assimp_read(bytes, "fbx")); };
  std::vector<std::function<void()>> readers{[&] { for_each_file(read); }, [&] { for_each_file(read_tree); },
                                             [&] { for_each_file(read_tree_and_arrays); }};
  const bool with_peer = !assimp_name().empty();
  if (with_peer) readers.push_back([&] { for_each_file(read_with_peer); });
  const std::vector<double> seconds = seconds_per_call(options, readers);
  const auto row = [&](const std::string& what, double ours_s) -> Row& {
    return rows.emplace_back(Row{.name = "fbx/" + what + name,
                                 .unit = "MB/s",
                                 .ours = num_bytes / ours_s * 1e-6,
                                 .limit = copy_bandwidth_bytes_per_s() * 1e-6,
                                 .limit_name = "copy bandwidth"});
  };
  Row& whole = row("read ", seconds[0]);
  if (with_peer) {
    whole.peer = num_bytes / seconds[3] * 1e-6;
    whole.peer_name = assimp_name();
  }
  row("records only ", seconds[1]);
  row("records and arrays ", seconds[2]);
}

}  // namespace

void bench_fbx(const Options& options, std::vector<Row>& rows) {
  if (!options.data_dir) return;
  bench_set(options, "10 characters and clips", find_files(*options.data_dir, {"characters", "biped/ozz_pab"}), rows);
  bench_set(options, "2 quadrupeds", find_files(*options.data_dir, {"quadruped"}), rows);
  const std::vector<fs::path> ascii = find_ascii_files(*options.data_dir);
  bench_set(options, fmt::format("{} small ASCII files", ascii.size()), ascii, rows);
}

}  // namespace zoe::bench
