// SPDX-License-Identifier: MIT
#include "train/event_file.h"

#include <cerrno>
#include <chrono>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "zoe/core/file.h"

#include "train/crc32c.h"

namespace zoe::train {
namespace {

double now_s() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

template <typename T>
void append_bytes(std::string& out, T value) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  out.append(bytes, sizeof(T));
}

void append_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<char>(value | 0x80));
  out.push_back(static_cast<char>(value));
}

// Field number and wire type (0 varint, 1 eight bytes, 2 length and bytes, 5 four bytes).
void append_key(std::string& out, unsigned field, unsigned wire) { append_varint(out, field << 3 | wire); }

void append_text(std::string& out, unsigned field, std::string_view text) {
  append_key(out, field, 2);
  append_varint(out, text.size());
  out += text;
}

std::string event_at(std::int64_t step) {
  std::string event;
  append_key(event, 1, 1);
  append_bytes(event, now_s());
  append_key(event, 2, 0);
  append_varint(event, static_cast<std::uint64_t>(step));
  return event;
}

std::uint32_t masked_crc(std::string_view bytes) {
  const std::uint32_t crc = crc32c(as_bytes(bytes));
  return (crc >> 15 | crc << 17) + 0xA282EAD8U;
}

}  // namespace

Result<EventFile> EventFile::create(const std::filesystem::path& folder) {
  char host[64] = "host";
  ::gethostname(host, sizeof(host) - 1);
  const std::filesystem::path path =
      folder / fmt::format("events.out.tfevents.{:010d}.{}.{}", static_cast<std::int64_t>(now_s()), host, ::getpid());
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (fd < 0)
    return Error{ErrorCode::kIo, fmt::format("cannot write: {}", std::strerror(errno)), {.file = path.string()}};
  EventFile file(fd, path);
  std::string event = event_at(0);
  append_text(event, 3, "brain.Event:2");
  ZOE_TRY(file.append(event));
  return file;
}

EventFile& EventFile::operator=(EventFile&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(path_, other.path_);
  return *this;
}

EventFile::~EventFile() {
  if (fd_ >= 0) ::close(fd_);
}

Result<void> EventFile::add(std::int64_t step, const Scalars& scalars) {
  std::string summary;
  for (const auto& [name, number] : scalars) {
    std::string value;
    append_text(value, 1, name);
    append_key(value, 2, 5);
    append_bytes(value, static_cast<float>(number));
    append_text(summary, 1, value);
  }
  std::string event = event_at(step);
  append_text(event, 5, summary);
  return append(event);
}

Result<void> EventFile::append(const std::string& event) {
  std::string record;
  append_bytes(record, static_cast<std::uint64_t>(event.size()));
  append_bytes(record, masked_crc(record));
  record += event;
  append_bytes(record, masked_crc(event));
  // One write: a reader that follows the file gets whole records.
  if (::write(fd_, record.data(), record.size()) == static_cast<ssize_t>(record.size())) return {};
  return Error{ErrorCode::kIo, fmt::format("cannot write: {}", std::strerror(errno)), {.file = path_.string()}};
}

}  // namespace zoe::train
