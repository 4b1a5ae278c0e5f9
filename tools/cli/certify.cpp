// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe certify`: judges the clips and rigs of a file or a folder.
#include <atomic>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "zoe/core/progress.h"
#include "zoe/core/thread_pool.h"
#include "zoe/io/convert.h"

#include "certify/controller_clips.h"
#include "certify/judged_file.h"
#include "certify/self_test.h"
#include "verbs.h"

namespace zoe::cli {
namespace fs = std::filesystem;
namespace {

Result<std::vector<fs::path>> files_of(const std::vector<std::string>& words) {
  std::vector<fs::path> files;
  for (const std::string& word : words) {
    if (!fs::is_directory(word) || is_controller(word)) {
      files.emplace_back(word);
      continue;
    }
    ZOE_TRY_ASSIGN(const std::vector<fs::path> found, io::list_assets(word));
    if (found.empty()) return Error{ErrorCode::kUsage, "no supported file in this folder", {.file = word}};
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

template <class T, class Work>
std::vector<Result<T>> for_all(const std::vector<fs::path>& files, const Work& work) {
  std::vector<Result<T>> results(files.size(), Error{});
  Progress progress("certify", files.size(),
                    ProgressOptions{.mode = quiet() || files.size() == 1 ? ProgressMode::kSilent : ProgressMode::kAuto,
                                    .unit = "files"});
  ThreadPool::shared().parallel_for(files.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      results[i] = work(files[i]);
      progress.advance();
    }
  });
  progress.finish();
  return results;
}

int run_self_test(const std::vector<fs::path>& files, const CertifyRequest& request, std::uint64_t seed, bool json) {
  const auto results =
      for_all<std::vector<SelfTestRow>>(files, [&](const fs::path& file) { return self_test(file, request, seed); });
  std::vector<SelfTestRow> rows;
  int code = kDone;
  for (const auto& result : results) {
    if (!result) {
      code = print_error(result.error());
      continue;
    }
    rows.insert(rows.end(), result->begin(), result->end());
  }
  if (json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const SelfTestRow& row : rows) list.push_back(to_json(row));
    fmt::print("{}\n", list.dump(1));
  } else {
    print_table(rows);
  }
  return code;
}

}  // namespace

int run_certify(const Arguments& arguments) {
  Options app;
  std::vector<std::string> words;
  CertifyRequest request;
  bool json = false, uneven = false, no_round_trip = false, with_self_test = false;
  std::uint64_t seed = 1;
  app.add_option("files", words, "Files, folders of files, or controllers (run folders, .zoe) to judge")
      ->required()
      ->reads();
  app.add_option("--against", request.against, "The motion that the file was retargeted or generated from")->reads();
  app.add_flag("--loop", request.options.loop, "The clips repeat: their seams are judged");
  app.add_option("--ground", request.options.ground_height_m, "Height of the ground")
      ->between(-1000.0, 1000.0, "m")
      ->capture_default_str();
  app.add_flag("--uneven", uneven, "The ground is not flat: heights are not judged");
  app.add_option("--tolerance", request.options.tolerance, "Multiplies all limits")
      ->between(0.01, 100.0)
      ->capture_default_str();
  app.add_option("--overrides", request.overrides, "TOML corrections to the analysis of the body")->reads();
  app.add_flag("--no-round-trip", no_round_trip, "Do not write and read the clips again");
  app.add_flag("--self-test", with_self_test, "Damage the clips in all known ways, and print what is found");
  app.add_option("--seed", seed, "Of --self-test")->at_least_zero()->capture_default_str();
  app.add_flag("--json", json, "Print findings and measures as one object");
  if (const auto exit = parse(app, arguments)) return *exit;

  request.options.ground_is_flat = !uneven;
  request.round_trip = !no_round_trip;
  const Result<std::vector<fs::path>> files = files_of(words);
  if (!files) return print_error(files.error());
  if (with_self_test) return run_self_test(*files, request, seed, json);

  const auto results = for_all<JudgedFile>(*files, [&](const fs::path& file) { return judge_file(file, request); });
  int code = kDone, findings = 0, clean = 0;
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!results[i]) {
      code = print_error(results[i].error());
      list.push_back({{"file", (*files)[i].string()}, {"error", results[i].error().message}});
      continue;
    }
    print_warnings(results[i]->warnings);
    findings += results[i]->num_findings();
    clean += results[i]->num_findings() == 0 ? 1 : 0;
    list.push_back(to_json(*results[i]));
    if (!json) print_judged(*results[i], quiet());
  }
  if (json) {
    fmt::print("{}\n",
               nlohmann::ordered_json{{"num_findings", findings}, {"num_clean_files", clean}, {"files", list}}.dump(2));
  } else if (!quiet() && results.size() > 1) {
    fmt::print("{} of {} files clean, {} findings\n", clean, results.size(), findings);
  }
  return code != kDone ? code : findings > 0 ? kFailed : kDone;
}

}  // namespace zoe::cli
