// SPDX-License-Identifier: MIT
#include "zoe/render/film_writer.h"

#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "zoe/core/output_file.h"
#include "zoe/render/picture_file.h"

extern char** environ;

namespace zoe::render {
namespace {

class FolderWriter final : public FilmWriter {
 public:
  FolderWriter(std::filesystem::path folder, bool alpha) : folder_(std::move(folder)), alpha_(alpha) {}
  // A film that failed leaves no pictures behind.
  ~FolderWriter() override {
    std::error_code ignored;
    for (int i = 0; !finished_ && i < next_; ++i) std::filesystem::remove(name(i), ignored);
  }
  Result<void> add(const Picture& picture) override {
    return write_png(name(next_++), picture, alpha_ ? PngAlpha::kKeep : PngAlpha::kDrop);
  }
  Result<void> finish() override {
    finished_ = true;
    return {};
  }

 private:
  std::filesystem::path name(int index) const { return folder_ / fmt::format("frame_{:05}.png", index); }

  std::filesystem::path folder_;
  bool alpha_, finished_ = false;
  int next_ = 0;
};

// `path`: its extension selects the format. `written`: where ffmpeg writes, under any name.
std::vector<std::string> ffmpeg_words(const std::filesystem::path& path, const std::filesystem::path& written,
                                      const FilmOptions& options) {
  std::vector<std::string> words{"ffmpeg",    "-hide_banner",
                                 "-loglevel", "error",
                                 "-xerror",   "-y",
                                 "-f",        "rawvideo",
                                 "-pix_fmt",  "rgba",
                                 "-s",        fmt::format("{}x{}", options.width, options.height),
                                 "-r",        fmt::format("{}", options.fps),
                                 "-i",        "pipe:0"};
  const auto add = [&](std::initializer_list<const char*> more) {
    words.insert(words.end(), more.begin(), more.end());
  };
  const std::string extension = path.extension().string();
  if (extension == ".gif") {
    add({"-filter_complex", "split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse=dither=bayer:bayer_scale=4",
         "-loop", "0"});
  } else if (extension == ".webp") {
    add({"-c:v", "libwebp_anim", "-quality", "85", "-compression_level", "4", "-loop", "0"});
    add({"-pix_fmt", options.alpha ? "yuva420p" : "yuv420p"});
  } else {
    // Players require even sizes. The index is at the front so that films start at once in a browser.
    add({"-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-c:v", "libx264", "-preset", "veryfast", "-crf", "18", "-pix_fmt",
         "yuv420p", "-movflags", "+faststart"});
  }
  // The same pictures give the same bytes.
  add({"-map_metadata", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact"});
  add({"-f", extension == ".gif" ? "gif" : extension == ".webp" ? "webp" : "mp4"});
  words.push_back("file:" + written.string());  // No name is an option or an address.
  return words;
}

class FfmpegWriter final : public FilmWriter {
 public:
  FfmpegWriter(std::filesystem::path path, StagedFile staged) : path_(std::move(path)), staged_(std::move(staged)) {}
  ~FfmpegWriter() override {
    if (process_ > 0) (void)stop();
    if (complaints_ >= 0) close(complaints_);
  }

  Result<void> start(const FilmOptions& options) {
    // A socket, because writing to one whose reader died need not raise a signal.
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
      return failure(fmt::format("cannot make a socket: {}", std::strerror(errno)));
    complaints_ = memfd_create("ffmpeg", MFD_CLOEXEC);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, complaints_, 2);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    // A separate process group: Ctrl-C is for us, ffmpeg shall finish the file.
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    std::vector<std::string> words = ffmpeg_words(path_, staged_.path(), options);
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    const int failed = posix_spawnp(&process_, "ffmpeg", &actions, &attributes, pointers.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    close(ends[1]);
    socket_ = ends[0];
    if (failed == 0) return {};
    process_ = -1;
    close(socket_);
    if (failed == ENOENT) {
      return Error{ErrorCode::kIo,
                   "films need the ffmpeg program: apt-get install ffmpeg (or write a folder of "
                   "PNG files: -o FOLDER)",
                   {.file = path_.string()}};
    }
    return failure(fmt::format("cannot start ffmpeg: {}", std::strerror(failed)));
  }

  Result<void> add(const Picture& picture) override {
    if (process_ <= 0) return failure("the film has ended");
    const std::uint8_t* at = picture.rgba.data();
    for (std::size_t left = picture.rgba.size(); left > 0;) {
      const ssize_t sent = send(socket_, at, left, MSG_NOSIGNAL);
      if (sent < 0 && errno == EINTR) continue;
      if (sent <= 0) {
        Result<void> ended = stop();
        return ended ? failure("ffmpeg stopped reading") : ended;
      }
      at += sent;
      left -= static_cast<std::size_t>(sent);
    }
    return {};
  }

  Result<void> finish() override {
    if (process_ <= 0) return {};
    ZOE_TRY(stop());
    return staged_.commit();
  }

 private:
  // Lets ffmpeg write its last bytes and end.
  Result<void> stop() {
    if (process_ <= 0) return {};
    close(socket_);
    int status = 0;
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
    return failure(last_complaint());
  }

  Error failure(const std::string& why) const {
    return {ErrorCode::kIo, fmt::format("the film could not be written: {}", why), {.file = path_.string()}};
  }

  std::string last_complaint() const {
    char text[2048] = {};
    const off_t size = lseek(complaints_, 0, SEEK_END);
    if (size > 0) {
      const off_t begin = std::max<off_t>(0, size - static_cast<off_t>(sizeof text) + 1);
      if (pread(complaints_, text, sizeof text - 1, begin) < 0) text[0] = 0;
    }
    std::string all = text;
    // People can fix a full disk; ffmpeg reports it somewhere among its lines.
    if (all.find("No space left on device") != std::string::npos)
      return "no space left on the device: free some, or choose another folder";
    while (!all.empty() && all.back() == '\n') all.pop_back();
    const std::size_t line = all.rfind('\n');
    return all.empty() ? "ffmpeg failed without a word"
                       : "ffmpeg says: " + (line == std::string::npos ? all : all.substr(line + 1));
  }

  std::filesystem::path path_;
  StagedFile staged_;
  pid_t process_ = -1;
  int socket_ = -1, complaints_ = -1;
};

// Passes pictures to another writer on a separate thread, so that encoding and drawing run in parallel.
class QueuedWriter final : public FilmWriter {
 public:
  explicit QueuedWriter(std::unique_ptr<FilmWriter> writer) : writer_(std::move(writer)), thread_([this] { work(); }) {}
  ~QueuedWriter() override { stop(); }

  Result<void> add(const Picture& picture) override {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return num_waiting_ < kSlots || !outcome_; });
    if (!outcome_) return outcome_;
    if (ended_) return Error{ErrorCode::kIo, "the film has ended"};
    Picture& slot = slots_[(first_ + num_waiting_) % kSlots];
    lock.unlock();  // The thread does not access a slot before it is counted.
    slot.width = picture.width;
    slot.height = picture.height;
    slot.rgba.assign(picture.rgba.begin(), picture.rgba.end());
    lock.lock();
    ++num_waiting_;
    changed_.notify_all();
    return {};
  }

  Result<void> finish() override {
    stop();
    return outcome_ ? writer_->finish() : outcome_;
  }

 private:
  static constexpr std::size_t kSlots = 3;

  void stop() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
      changed_.notify_all();
    }
    if (thread_.joinable()) thread_.join();
  }

  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return num_waiting_ > 0 || ended_; });
      if (num_waiting_ == 0) return;
      const Picture& picture = slots_[first_];
      lock.unlock();
      Result<void> added = writer_->add(picture);
      lock.lock();
      first_ = (first_ + 1) % kSlots;
      --num_waiting_;
      if (!added) outcome_ = std::move(added);
      changed_.notify_all();
      if (!outcome_) return;
    }
  }

  std::unique_ptr<FilmWriter> writer_;
  Picture slots_[kSlots];
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t first_ = 0, num_waiting_ = 0;
  bool ended_ = false;
  Result<void> outcome_;  // Error of the first picture that could not be written.
  std::thread thread_;    // Last, because it uses all of the above.
};

}  // namespace

bool is_film(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".mp4" || extension == ".gif" || extension == ".webp";
}

Result<std::unique_ptr<FilmWriter>> FilmWriter::open(const std::filesystem::path& path, const FilmOptions& options) {
  std::unique_ptr<FilmWriter> inner;
  if (is_film(path)) {
    ZOE_TRY_ASSIGN(StagedFile staged, StagedFile::create(path));
    auto film = std::make_unique<FfmpegWriter>(path, std::move(staged));
    ZOE_TRY(film->start(options));
    inner = std::move(film);
  } else {
    std::error_code failed;
    std::filesystem::create_directories(path, failed);
    if (failed)
      return Error{
          ErrorCode::kIo, fmt::format("cannot create the folder: {}", failed.message()), {.file = path.string()}};
    inner = std::make_unique<FolderWriter>(path, options.alpha);
  }
  return std::unique_ptr<FilmWriter>(std::make_unique<QueuedWriter>(std::move(inner)));
}

}  // namespace zoe::render
