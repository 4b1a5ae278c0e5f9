// SPDX-License-Identifier: MIT
#include "author/run_folder.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include "zoe/core/file.h"

#include "author/run_record.h"

namespace zoe::author {
namespace {

namespace fs = std::filesystem;

// In a folder whose place was taken by a newer run: what is left of the older one.
constexpr const char* kReplaced = ".replaced";

// Names in the run folders of all types. Others belong to the user.
constexpr const char* kRunNames[] = {"controller.toml",
                                     "body.safetensors",
                                     "model.safetensors",
                                     "database.safetensors",
                                     "decompressor.safetensors",
                                     "stepper.safetensors",
                                     "projector.safetensors",
                                     "features.safetensors",
                                     "dataset",
                                     "network",
                                     "decompressor",
                                     "stepper",
                                     "projector",
                                     "pae",
                                     "tracks",
                                     "metrics.json",
                                     "metrics.md",
                                     "report.html",
                                     "film.mp4",
                                     "sheet.png",
                                     kRecordFile,
                                     kReplaced};

bool is_run_name(const fs::path& name) {
  return std::find(std::begin(kRunNames), std::end(kRunNames), name.string()) != std::end(kRunNames);
}

Error refused(const fs::path& file, std::string message) {
  return {ErrorCode::kUsage, std::move(message), {.file = file.string()}};
}
Error failed(const fs::path& file, const std::string& what, int number) {
  return {ErrorCode::kIo, fmt::format("{}: {}", what, std::strerror(number)), {.file = file.string()}};
}

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}
bool is_run(const fs::path& folder) { return is_there(folder / "controller.toml") || is_there(folder / kRecordFile); }

std::vector<fs::path> names_in(const fs::path& folder) {
  std::vector<fs::path> names;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    names.push_back(at->path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

bool has_checkpoints(const fs::path& run) {
  for (const fs::path& name : names_in(run)) {
    for (const fs::path& file : names_in(run / name / "checkpoints")) {
      if (file.string().starts_with("step_")) return true;
    }
  }
  return false;
}

Result<void> rename_path(const fs::path& from, const fs::path& to) {
  if (::rename(from.c_str(), to.c_str()) == 0) return {};
  return failed(to, "cannot rename " + from.string(), errno);
}

// Half-written files of a killed process: NAME.tmp.NUMBER…, as write_file_atomic() and others name them.
void remove_half_written(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> found;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    const std::size_t mark = name.find(".tmp.");
    if (mark != std::string::npos && name.find_first_not_of("0123456789.", mark + 5) == std::string::npos)
      found.push_back(at->path());
  }
  for (const fs::path& path : found) fs::remove(path, error);
}

// Removes a run whose place was taken. Files of the user move to the new one.
Result<void> clear_replaced(const fs::path& old, const fs::path& folder) {
  for (const fs::path& name : names_in(old)) {
    if (!is_run_name(name) && !is_there(folder / name)) ZOE_TRY(rename_path(old / name, folder / name));
  }
  std::error_code error;
  fs::remove_all(old, error);
  if (error) return failed(old, "cannot remove the replaced run", error.value());
  return {};
}

// Both names exist at every moment, so a program that loads RUN finds the old run or the new one.
Result<void> exchange(const fs::path& a, const fs::path& b) {
  if (::renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0) return {};
  if (errno != ENOSYS && errno != EINVAL) return failed(b, "cannot replace", errno);
  // File systems without an exchange.
  const fs::path between = b.string() + ".replaced";
  ZOE_TRY(rename_path(b, between));
  ZOE_TRY(rename_path(a, b));
  return rename_path(between, a);
}

// Networks that the closed loop chose from. They stay until the run is complete: a run that is continued chooses again.
Result<void> remove_candidates(const fs::path& run) {
  std::error_code error;
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(run, error))
    if (entry.is_directory(error) && entry.path().filename() == "candidates") found.push_back(entry.path());
  for (const fs::path& folder : found) {
    fs::remove_all(folder, error);
    if (error) return failed(folder, "cannot remove", error.value());
  }
  return {};
}

Result<void> check_place(const RunFolder::Options& options, const fs::path& folder, bool half_replaced) {
  struct stat own {};
  struct stat above {};
  const fs::path parent = folder.has_parent_path() ? folder.parent_path() : fs::path(".");
  std::error_code error;
  fs::create_directories(parent, error);
  if (error) return failed(parent, "cannot create the folder", error.value());
  if (::stat(folder.c_str(), &own) != 0) return {};
  if (!S_ISDIR(own.st_mode)) return refused(folder, "is a file; name a folder for the run");
  if (::stat(parent.c_str(), &above) == 0 && own.st_dev != above.st_dev)
    return refused(folder, "is a mounted disk, which cannot be replaced as a whole: name a folder below it");
  if (!is_run(folder) && !half_replaced) {
    for (const fs::path& name : names_in(folder)) {
      if (is_run_name(name))
        return refused(folder, fmt::format("is no finished run, but has a '{}': name another folder", name.string()));
    }
  }
  for (const fs::path& input : options.inputs) {
    const fs::path below = fs::weakly_canonical(input, error).lexically_relative(fs::weakly_canonical(folder, error));
    if (!below.empty() && *below.begin() != ".." && is_run_name(*below.begin()))
      return refused(input,
                     fmt::format("is part of the run in {}, which is replaced: name another -o", folder.string()));
  }
  return {};
}

}  // namespace

RunFolder::RunFolder(fs::path folder, fs::path aside, LockFile lock, std::vector<RunFact> facts)
    : folder_(std::move(folder)), aside_(std::move(aside)), lock_(std::move(lock)), facts_(std::move(facts)) {}

Result<RunFolder> RunFolder::open(const Options& options, std::vector<RunFact> facts) {
  fs::path folder = options.folder.lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();
  std::error_code error;
  // "." and "..", and links: the folder itself.
  if (folder.filename() == "." || folder.filename() == ".." || fs::is_symlink(folder, error))
    folder = fs::weakly_canonical(folder, error);
  const fs::path aside = folder.string() + ".unfinished";
  const Result<RunRecord> before = read_run_record(aside);
  ZOE_TRY(check_place(options, folder, before && before->complete));
  ZOE_TRY_ASSIGN(LockFile lock, LockFile::take(folder.string() + ".lock", folder));
  RunFolder run(folder, aside, std::move(lock), std::move(facts));
  ZOE_TRY(run.start(options));
  return run;
}

Result<void> RunFolder::start(const Options& options) {
  // A process was killed during the replacement: complete it.
  if (const fs::path between = folder_.string() + ".replaced"; is_there(between)) {
    if (!is_there(folder_)) ZOE_TRY(rename_path(aside_, folder_));
    ZOE_TRY(rename_path(between, aside_));
  }
  if (is_there(aside_ / kReplaced)) ZOE_TRY(clear_replaced(aside_, folder_));
  remove_half_written(aside_);
  const Result<RunRecord> unfinished = read_run_record(aside_);
  if (unfinished && unfinished->complete) ZOE_TRY(replace());

  const auto check_facts = [&](const RunRecord& record, const fs::path& where) -> Result<void> {
    const std::string changes = difference(record.facts, facts_);
    if (changes.empty() || options.allow_changes) return {};
    return refused(where, fmt::format("the run here is of another request: {}; --allow-changes continues nevertheless, "
                                      "another -o starts a new one",
                                      changes));
  };
  if (options.resume && unfinished && !unfinished->complete) {
    ZOE_TRY(check_facts(*unfinished, aside_));
    if (difference(unfinished->facts, facts_).empty()) fit_settings_ = unfinished->fit_settings;
    return write_record(false);
  }
  if (options.resume && is_run(folder_)) {
    const Result<RunRecord> finished = read_run_record(folder_);
    if (!finished && !options.allow_changes)
      return refused(folder_,
                     "the run here has no readable record of its request, so it cannot be resumed: "
                     "--allow-changes replaces it, another -o starts a new one");
    if (finished) {
      ZOE_TRY(check_facts(*finished, folder_));
      if (finished->complete && difference(finished->facts, facts_).empty()) {
        complete_ = true;
        return {};
      }
    }
  }
  if (!options.resume && has_checkpoints(aside_)) {
    return refused(aside_,
                   "is an unfinished run with checkpoints: --resume continues it; to start again, remove that "
                   "folder first");
  }
  std::error_code error;
  fs::remove_all(aside_, error);
  if (!error) fs::create_directories(aside_, error);
  if (error) return failed(aside_, "cannot create the run folder", error.value());
  return write_record(false);
}

Result<void> RunFolder::write_record(bool complete) const {
  return write_run_record(aside_, {facts_, fit_settings_, complete});
}

Result<void> RunFolder::dataset_is_done(const std::vector<std::string>& fit_settings) {
  fit_settings_ = fit_settings;
  return write_record(false);
}

Result<void> RunFolder::publish() {
  ZOE_TRY(write_record(true));
  ZOE_TRY(replace());
  complete_ = true;
  return {};
}

// Works on what is on disk alone, so that a later process can repeat it.
Result<void> RunFolder::replace() {
  ZOE_TRY(remove_candidates(aside_));
  if (!is_there(folder_)) {
    ZOE_TRY(rename_path(aside_, folder_));
  } else if (is_there(folder_ / "controller.toml") && is_there(aside_ / "controller.toml")) {
    ZOE_TRY(write_file_atomic(folder_ / kReplaced, std::string_view()));
    ZOE_TRY(exchange(aside_, folder_));
    ZOE_TRY(clear_replaced(aside_, folder_));
  } else {
    // The user's folder gets the parts one by one: the controller last, then the record.
    std::error_code error;
    for (const bool last : {false, true}) {
      for (const fs::path& name : names_in(aside_)) {
        const bool is_last = name == "controller.toml" || name == kRecordFile;
        if (is_last != last) continue;
        fs::remove_all(folder_ / name, error);
        ZOE_TRY(rename_path(aside_ / name, folder_ / name));
      }
    }
    fs::remove(aside_, error);
  }
  return sync_folder(fs::absolute(folder_).parent_path());
}

bool RunFolder::abandon() noexcept {
  try {
    if (complete_) return false;
    if (fit_settings_ || has_checkpoints(aside_)) return true;
    std::error_code error;
    fs::remove_all(aside_, error);
  } catch (const std::exception&) {
    // Out of memory: the folder stays.
  }
  return false;
}

}  // namespace zoe::author
