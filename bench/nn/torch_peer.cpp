// SPDX-License-Identifier: MIT
#include "nn/torch_peer.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "zoe/nn/graph_file.h"

namespace zoe::bench {
namespace {

namespace fs = std::filesystem;

Error gone() { return {ErrorCode::kUnsupported, "zoe-train ended before it answered"}; }

}  // namespace

struct TorchPeer::Process {
  pid_t id = -1;
  std::FILE *to = nullptr, *from = nullptr;
  std::string version;

  ~Process() {
    if (to != nullptr) std::fclose(to);  // The process ends when its input ends.
    if (from != nullptr) std::fclose(from);
    if (id > 0) ::waitpid(id, nullptr, 0);
  }

  Result<void> start(const fs::path& program) {
    int down[2], up[2];
    if (::pipe2(down, O_CLOEXEC) != 0 || ::pipe2(up, O_CLOEXEC) != 0)
      return Error{ErrorCode::kIo, std::strerror(errno)};
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, down[0], STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, up[1], STDOUT_FILENO);
    std::string name = program.string(), word = "--serve-graphs";
    char* const words[] = {name.data(), word.data(), nullptr};
    const int failed = ::posix_spawn(&id, name.c_str(), &actions, nullptr, words, environ);
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(down[0]);
    ::close(up[1]);
    to = ::fdopen(down[1], "w");
    from = ::fdopen(up[0], "r");
    if (failed != 0) return Error{ErrorCode::kIo, name + ": " + std::strerror(failed)};
    return {};
  }

  Result<std::string> line() {
    std::string text;
    for (int c = std::fgetc(from); c != '\n'; c = std::fgetc(from)) {
      if (c == EOF) return gone();
      text.push_back(static_cast<char>(c));
    }
    return text;
  }
};

TorchPeer::TorchPeer(std::unique_ptr<Process> process) : process_(std::move(process)) {}
TorchPeer::TorchPeer(TorchPeer&&) noexcept = default;
TorchPeer& TorchPeer::operator=(TorchPeer&&) noexcept = default;
TorchPeer::~TorchPeer() = default;

std::string TorchPeer::version() const { return process_->version; }

Result<TorchPeer> TorchPeer::start() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path() / "zoe-train";
  if (!fs::exists(program)) return Error{ErrorCode::kUnsupported, "this build has no zoe-train (Debian: libtorch-dev)"};
  ::signal(SIGPIPE, SIG_IGN);  // A peer that dies causes an error below and does not end this process.
  auto process = std::make_unique<Process>();
  ZOE_TRY(process->start(program));
  return TorchPeer(std::move(process));
}

Result<void> TorchPeer::open(const nn::Graph& graph, int batch, std::span<const float> inputs,
                             std::span<float> outputs) {
  const fs::path file = fs::temp_directory_path() / ("zoe_bench_" + std::to_string(::getpid()) + ".safetensors");
  ZOE_TRY(nn::write_graph(file, graph));
  std::fprintf(process_->to, "open %d %zu %s\n", batch, inputs.size_bytes(), file.c_str());
  std::fwrite(inputs.data(), sizeof(float), inputs.size(), process_->to);
  std::fflush(process_->to);
  const Result<std::string> answer = process_->line();
  std::error_code ignored;
  fs::remove(file, ignored);
  if (!answer) return answer.error();
  if (!answer->starts_with("ok ")) return Error{ErrorCode::kUnsupported, *answer};
  process_->version = answer->substr(3);
  if (std::fread(outputs.data(), sizeof(float), outputs.size(), process_->from) != outputs.size()) return gone();
  return {};
}

double TorchPeer::seconds_of(long calls) {
  std::fprintf(process_->to, "time %ld\n", calls);
  std::fflush(process_->to);
  const Result<std::string> answer = process_->line();
  return answer ? 1e-9 * std::atof(answer->c_str()) : std::numeric_limits<double>::infinity();
}

}  // namespace zoe::bench
