// SPDX-License-Identifier: MIT
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "zoe/train/ranks.h"

namespace zoe::train {
namespace {

std::atomic<int> g_signal{0};

// The others notice that one has failed, name it and exit. A hanging one does not.
constexpr unsigned kLeaveSeconds = 10;

// A port without a listener.
int free_port() {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  int port = 29500;
  if (fd >= 0 && ::bind(fd, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
      ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0) {
    port = ntohs(address.sin_port);
  }
  if (fd >= 0) ::close(fd);
  return port;
}

pid_t start(int rank, int count, int port, const std::vector<std::string>& words) {
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child != 0) return child;
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);                 // Also when the parent is killed: it saves and ends.
  if (::getppid() != parent) ::_exit(128 + SIGTERM);  // The parent died before the call.
  ::setenv("RANK", std::to_string(rank).c_str(), 1);
  ::setenv("LOCAL_RANK", std::to_string(rank).c_str(), 1);
  ::setenv("WORLD_SIZE", std::to_string(count).c_str(), 1);
  ::setenv("LOCAL_WORLD_SIZE", std::to_string(count).c_str(), 1);
  ::setenv("MASTER_ADDR", "127.0.0.1", 1);
  ::setenv("MASTER_PORT", std::to_string(port).c_str(), 1);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execv("/proc/self/exe", arguments.data());
  ::_exit(127);
}

}  // namespace

int run_local_ranks(int count, const std::vector<std::string>& words) {
  const int port = free_port();
  std::vector<pid_t> ranks;
  for (int rank = 0; rank < count; ++rank) ranks.push_back(start(rank, count, port, words));
  struct sigaction action {};
  action.sa_handler = [](int number) { g_signal = number; };
  for (const int number : {SIGTERM, SIGINT, SIGUSR1, SIGALRM}) ::sigaction(number, &action, nullptr);
  const auto tell = [&](int number) {
    for (const pid_t rank : ranks) {
      if (rank > 0) ::kill(rank, number);
    }
  };
  int exit_code = 0;
  for (int left = count; left > 0;) {
    int status = 0;
    const pid_t ended = ::waitpid(-1, &status, 0);
    if (ended < 0 && errno != EINTR) break;
    if (const int number = g_signal.exchange(0); number == SIGALRM) {
      for (int rank = 0; rank < count; ++rank) {
        if (ranks[static_cast<std::size_t>(rank)] > 0)
          fmt::print(stderr, "zoe: rank {} does not end by itself and is killed\n", rank);
      }
      tell(SIGKILL);
    } else if (number != 0) {
      tell(number);
    }
    if (ended <= 0) continue;
    for (int rank = 0; rank < count; ++rank) {
      if (ranks[static_cast<std::size_t>(rank)] != ended) continue;
      ranks[static_cast<std::size_t>(rank)] = 0;
      --left;
      if (WIFSIGNALED(status))
        fmt::print(stderr, "zoe: rank {} was ended by signal {} ({})\n", rank, WTERMSIG(status),
                   ::strsignal(WTERMSIG(status)));
      const int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
      if (code == 0 || exit_code != 0) continue;
      exit_code = code;
      ::alarm(kLeaveSeconds);
    }
  }
  return exit_code;
}

}  // namespace zoe::train
