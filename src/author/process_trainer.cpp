// SPDX-License-Identifier: MIT
#include <cerrno>
#include <csignal>
#include <cstring>

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "zoe/author/trainer.h"

namespace zoe::author {
namespace {

namespace fs = std::filesystem;

volatile std::sig_atomic_t g_child = 0;     // The child that receives forwarded signals.
volatile std::sig_atomic_t g_received = 0;  // The last signal.

// Forwards SIGINT, SIGTERM and SIGUSR1 to the child during the lifetime of the object.
class SignalsForwarded {
 public:
  SignalsForwarded() {
    g_received = 0;
    struct sigaction action {};
    action.sa_handler = [](int number) {
      g_received = number;
      if (g_child > 0) ::kill(g_child, number);
    };
    for (std::size_t i = 0; i < std::size(kNumbers); ++i) ::sigaction(kNumbers[i], &action, &before_[i]);
  }
  ~SignalsForwarded() {
    for (std::size_t i = 0; i < std::size(kNumbers); ++i) ::sigaction(kNumbers[i], &before_[i], nullptr);
    g_child = 0;
  }
  SignalsForwarded(const SignalsForwarded&) = delete;
  SignalsForwarded& operator=(const SignalsForwarded&) = delete;

 private:
  static constexpr int kNumbers[] = {SIGINT, SIGTERM, SIGUSR1};
  struct sigaction before_[std::size(kNumbers)];
};

std::vector<std::string> words_of(const TrainingRequest& request) {
  std::vector<std::string> words{request.model,        "--data",   request.data.string(), "-o",
                                 request.out.string(), "--device", request.device};
  if (request.quiet) words.emplace_back("--quiet");
  std::error_code error;
  if (request.resume && fs::exists(request.out / "config.toml", error)) words.emplace_back("--resume");
  if (request.allow_changes) words.emplace_back("--allow-changes");
  for (const std::string& setting : request.settings) words.insert(words.end(), {"--set", setting});
  return words;
}

// A child that ends with this process, also when this process is killed. Only calls that are safe after fork().
pid_t start(const char* program, char* const* argv) {
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child != 0) return child;
  for (const int number : {SIGINT, SIGTERM, SIGUSR1}) ::signal(number, SIG_DFL);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(128 + SIGTERM);  // The parent died before the call.
  ::execv(program, argv);
  ::_exit(127);
}

}  // namespace

fs::path trainer_beside_us() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path() / "zoe-train";
}

Result<void> ProcessTrainer::check() const {
  std::error_code error;
  if (fs::exists(program_, error)) return {};
  return Error{ErrorCode::kIo,
               "this build has no trainer, because libtorch was missing when it was built. From a checkout, `./zoe "
               "train` installs it (Debian: libtorch-dev libgloo-dev) and builds it",
               {}};
}

Result<Training> ProcessTrainer::train(const TrainingRequest& request) {
  ZOE_TRY(check());
  std::vector<std::string> words = words_of(request);
  words.insert(words.begin(), program_.string());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const SignalsForwarded forwarded;
  const pid_t child = start(program_.c_str(), argv.data());
  if (child < 0) {
    return Error{ErrorCode::kIo, fmt::format("cannot start: {}", std::strerror(errno)), {.file = program_.string()}};
  }
  g_child = child;
  if (g_received != 0) ::kill(child, g_received);  // The signal came before the child's number was known.
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  const bool done = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (g_received != 0 && !(done && request.keep_stopped))
    return Error{ErrorCode::kInvalid, "training was stopped", {.file = request.out.string()}};
  if (done) return Training{request.out / "model.safetensors", {}, {}};
  const std::string how =
      WIFEXITED(status) ? fmt::format("exit code {}", WEXITSTATUS(status)) : fmt::format("signal {}", WTERMSIG(status));
  return Error{ErrorCode::kIo, "training ended with " + how, {.file = program_.string()}};
}

}  // namespace zoe::author
