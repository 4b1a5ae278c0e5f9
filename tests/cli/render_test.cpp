// SPDX-License-Identifier: MIT
// `zoe render` as people use it: what it writes, and what it says when it cannot.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "cli/run_zoe.h"
#include "support/data.h"

namespace zoe::test {
namespace {

namespace fs = std::filesystem;

// A clip of our own, made once.
const fs::path& demo_clip() {
  static const fs::path path = [] {
    const fs::path folder = temporary_dir("render_clip");
    run_zoe({"demo", "formats", "--out", folder});
    return folder / "walk.glb";
  }();
  return path;
}

bool has_gl() {
  static const bool found = [] {
    const ZoeRun run = run_zoe(
        {"render", demo_clip(), "-o", temporary_dir("render_probe") / "a.png", "--size", "32x32", "--quality", "low"});
    return run.exit_code == 0 && run.err.find("software rasteriser") == std::string::npos;
  }();
  return found;
}

#define ZOE_NEED_GL() \
  if (!has_gl()) GTEST_SKIP() << "no OpenGL here"

bool has_ffmpeg() { return std::system("command -v ffmpeg ffprobe >/dev/null 2>&1") == 0; }

// Frames that ffprobe counts by decoding them; -1 when the film does not play.
int count_frames(const fs::path& film) {
  const std::string command =
      "ffprobe -v error -count_frames -select_streams v:0 -show_entries stream=nb_read_frames -of csv=p=0 " +
      film.string();
  std::FILE* pipe = popen(command.c_str(), "r");
  int count = -1;
  if (std::fscanf(pipe, "%d", &count) != 1) count = -1;
  return pclose(pipe) == 0 ? count : -1;
}

// What ffprobe finds by decoding every frame of a film: "width,height,frames,seconds".
std::string probe(const fs::path& film) {
  const std::string command =
      "ffprobe -v error -count_frames -select_streams v:0 -show_entries "
      "stream=width,height,nb_read_frames:format=duration -of csv=p=0:nk=1 " +
      film.string();
  std::FILE* pipe = popen(command.c_str(), "r");
  std::string text;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += c == '\n' ? ',' : static_cast<char>(c);
  return pclose(pipe) == 0 ? text : "";
}

// Canvas, frames and milliseconds of an animated WebP, read from its RIFF chunks (ffprobe 5 cannot).
struct WebpFilm {
  int width = 0, height = 0, num_frames = 0, duration_ms = 0;
};
WebpFilm read_webp(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  const auto number = [&](std::size_t at, int size) {
    int value = 0;
    for (int i = size - 1; i >= 0; --i)
      value = value << 8 | static_cast<std::uint8_t>(bytes.at(at + static_cast<std::size_t>(i)));
    return value;
  };
  WebpFilm film;
  if (bytes.substr(0, 4) != "RIFF" || bytes.substr(8, 4) != "WEBP" ||
      number(4, 4) + 8 != static_cast<int>(bytes.size()))
    return film;
  for (std::size_t at = 12; at + 8 <= bytes.size();) {
    const std::string name = bytes.substr(at, 4);
    if (name == "VP8X") {
      film.width = number(at + 12, 3) + 1;
      film.height = number(at + 15, 3) + 1;
    } else if (name == "ANMF") {
      ++film.num_frames;
      film.duration_ms += number(at + 20, 3);
    }
    at += 8 + static_cast<std::size_t>(number(at + 4, 4) + 1) / 2 * 2;
  }
  return film;
}

// Sets a variable for the programs started while it lives.
class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  ~Environment() { before_.empty() ? unsetenv(name_) : setenv(name_, before_.c_str(), 1); }

 private:
  const char* name_;
  std::string before_;
};

TEST(Render, FilmHasItsFramesAndIsTheSameTwice) {
  ZOE_NEED_GL();
  if (!has_ffmpeg()) GTEST_SKIP() << "no ffmpeg here";
  const fs::path folder = temporary_dir("render_film");
  for (const char* name : {"a.mp4", "b.mp4"}) {
    const ZoeRun run = run_zoe({"render", demo_clip(), "-o", folder / name, "--size", "97x55", "--seconds", "0.5",
                                "--fps", "20", "--quality", "low", "-q"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
  }
  EXPECT_EQ(count_frames(folder / "a.mp4"), 10);
  std::ifstream a(folder / "a.mp4", std::ios::binary), b(folder / "b.mp4", std::ios::binary);
  const std::string first(std::istreambuf_iterator<char>(a), {}), second(std::istreambuf_iterator<char>(b), {});
  EXPECT_GT(first.size(), 1000U);
  EXPECT_TRUE(first == second);
}

// Decoded back: as many frames as asked for, of the size and for the time asked for.
TEST(Render, GifAndWebpAreWholeFilms) {
  ZOE_NEED_GL();
  if (!has_ffmpeg()) GTEST_SKIP() << "no ffmpeg here";
  const fs::path folder = temporary_dir("render_whole");
  for (const char* name : {"a.gif", "a.webp", "a.mp4"}) {
    const ZoeRun run = run_zoe({"render", demo_clip(), "-o", folder / name, "--size", "98x56", "--seconds", "0.6",
                                "--fps", "20", "--quality", "low", "-q"});
    ASSERT_EQ(run.exit_code, 0) << name << run.err;
  }
  EXPECT_EQ(probe(folder / "a.gif").substr(0, 15), "98,56,12,0.6000");
  EXPECT_EQ(probe(folder / "a.mp4").substr(0, 15), "98,56,12,0.6000");
  const WebpFilm webp = read_webp(folder / "a.webp");
  EXPECT_EQ(webp.width, 98);
  EXPECT_EQ(webp.height, 56);
  EXPECT_EQ(webp.num_frames, 12);
  EXPECT_NEAR(webp.duration_ms, 600, 12);
}

// ffmpeg may be missing, or die while it is fed: one line each, that says so.
TEST(Render, SaysWhatBecameOfFfmpeg) {
  ZOE_NEED_GL();
  const fs::path folder = temporary_dir("render_ffmpeg"), programs = folder / "bin";
  fs::create_directories(programs);
  const auto film_with = [&](const char* script) {
    if (script != nullptr) {
      std::ofstream(programs / "ffmpeg") << script;
      fs::permissions(programs / "ffmpeg", fs::perms::owner_all);
    }
    const Environment path("PATH", programs.string());
    return run_zoe({"render", demo_clip(), "-o", folder / "a.mp4", "--size", "640x360", "--seconds", "1", "--quality",
                    "low", "-q"});
  };
  const auto expect_line = [](const ZoeRun& run, const char* text) {
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_NE(run.err.find(text), std::string::npos) << run.err;
    EXPECT_NE(run.err.find("a.mp4"), std::string::npos) << run.err;
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
  };
  expect_line(film_with(nullptr), "apt-get install ffmpeg");
  expect_line(film_with("#!/bin/sh\n/usr/bin/head -c 1000000 >/dev/null\necho no more ink >&2\nexit 3\n"),
              "no more ink");
  expect_line(film_with("#!/bin/sh\n/usr/bin/head -c 1000000 >/dev/null\nexit 0\n"), "stopped reading");
}

TEST(Render, FolderSheetAndComparison) {
  ZOE_NEED_GL();
  const fs::path folder = temporary_dir("render_kinds");
  ASSERT_EQ(run_zoe({"render", demo_clip(), "-o", folder / "frames", "--size", "64x48", "--seconds", "0.1", "--style",
                     "skeleton", "--quality", "low"})
                .exit_code,
            0);
  EXPECT_TRUE(fs::exists(folder / "frames/frame_00002.png"));
  EXPECT_FALSE(fs::exists(folder / "frames/frame_00003.png"));
  const ZoeRun sheet = run_zoe({"render", demo_clip(), demo_clip(), "-o", folder / "sheet.png", "--style", "sheet",
                                "--poses", "3", "--size", "120x80", "--quality", "low"});
  EXPECT_EQ(sheet.exit_code, 0) << sheet.err;
  EXPECT_NE(sheet.out.find("6 pictures"), std::string::npos) << sheet.out;
  EXPECT_GT(fs::file_size(folder / "sheet.png"), 1000U);
  // Side by side, with a title each.
  for (const char* words : {"--no-labels", "-q"}) {
    const ZoeRun both =
        run_zoe({"render", demo_clip(), demo_clip(), "-o", folder / (std::string("both") + words + ".png"), "--size",
                 "160x80", "--quality", "low", words});
    EXPECT_EQ(both.exit_code, 0) << both.err;
  }
  EXPECT_GT(fs::file_size(folder / "both-q.png"), fs::file_size(folder / "both--no-labels.png"));
}

// Without OpenGL: films in styles, the same bytes twice, and each style another picture.
TEST(Render, SoftwareAndStylesGiveTheSameBytesTwice) {
  const fs::path folder = temporary_dir("render_software");
  const auto bytes = [](const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  std::vector<std::string> all;
  for (const char* style : {"studio", "skeleton,toon", "toon", "ink", "watercolour", "sheet,ink"}) {
    std::string made[2];
    for (int run = 0; run < 2; ++run) {
      const fs::path out = folder / (std::string(style) + std::to_string(run) + ".png");
      const ZoeRun drawn =
          run_zoe({"render", demo_clip(), "-o", out, "--size", "96x64", "--software", "--style", style});
      ASSERT_EQ(drawn.exit_code, 0) << drawn.err;
      made[run] = bytes(out);
    }
    EXPECT_GT(made[0].size(), 500U);
    EXPECT_TRUE(made[0] == made[1]) << style;
    EXPECT_EQ(std::count(all.begin(), all.end(), made[0]), 0) << style;
    all.push_back(made[0]);
  }
  EXPECT_EQ(run_zoe({"render", demo_clip(), "-o", folder / "a.png", "--style", "toon,ink"}).exit_code, 2);
  EXPECT_EQ(run_zoe({"render", demo_clip(), "-o", folder / "a.png", "--software", "--shaders", folder}).exit_code, 2);
  EXPECT_FALSE(fs::exists(folder / "a.png"));
}

TEST(Render, SaysWhatItCannotDo) {
  const fs::path folder = temporary_dir("render_errors");
  const auto expect = [&](std::vector<std::string> words, int code, const char* text) {
    words.insert(words.begin(), "render");
    const ZoeRun run = run_zoe(words);
    EXPECT_EQ(run.exit_code, code) << run.err;
    EXPECT_NE(run.err.find(text), std::string::npos) << run.err;
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
  };
  expect({demo_clip(), "-o", folder / "a.avi"}, 2, ".mp4");
  expect({demo_clip(), "-o", folder / "a.png", "--size", "0x5"}, 2, "WIDTHxHEIGHT");
  expect({demo_clip(), "-o", folder / "a.png", "--camera", "sideways"}, 2, "YAW,PITCH");
  expect({demo_clip(), "-o", folder / "a.mp4", "--style", "sheet"}, 2, "one picture");
  ZOE_NEED_GL();
  expect({"no_such.glb", "-o", folder / "a.png"}, 1, "no_such.glb");
  expect({demo_clip(), "-o", "/proc/no/a.png", "--size", "32x32"}, 1, "/proc/no");
  expect({demo_clip(), "-o", folder / "a.png", "--shaders", "/no/shaders"}, 1, "/no/shaders");
  std::ofstream(folder / "empty.bvh")
      << "HIERARCHY\nROOT Hips\n{\n OFFSET 0 0 0\n CHANNELS 3 Xrotation Yrotation Zrotation\n End Site\n {\n  OFFSET 0 "
         "1 0\n }\n}\nMOTION\nFrames: 0\nFrame Time: 0.03\n";
  expect({folder / "empty.bvh", "-o", folder / "a.png", "--size", "32x32"}, 0, "no clip with frames");
}

// Mesa can be told to be old, and EGL to find no driver.
TEST(Render, SaysWhyThereIsNoOpenGl) {
  ZOE_NEED_GL();
  const fs::path picture = temporary_dir("render_no_gl") / "a.png";
  {
    const Environment old("MESA_GL_VERSION_OVERRIDE", "3.3");
    const ZoeRun run = run_zoe({"render", demo_clip(), "-o", picture, "--size", "64x48"});
    EXPECT_EQ(run.exit_code, 0);  // Drawn without OpenGL, and said so.
    EXPECT_NE(run.err.find("software rasteriser"), std::string::npos) << run.err;
    EXPECT_NE(run.err.find("OpenGL 4.5 is needed"), std::string::npos) << run.err;
    EXPECT_TRUE(fs::exists(picture));
  }
  {
    const Environment none("__EGL_VENDOR_LIBRARY_FILENAMES", "/nonexistent");
    const ZoeRun run = run_zoe({"render", demo_clip(), "-o", picture, "--shaders", picture.parent_path()});
    EXPECT_EQ(run.exit_code, 3);  // Shaders cannot do without.
    EXPECT_NE(run.err.find("no OpenGL here"), std::string::npos) << run.err;
    EXPECT_NE(run.err.find("apt-get install"), std::string::npos) << run.err;
    EXPECT_EQ(run_zoe({"demo", "formats"}).exit_code, 0);
  }
}

TEST(Render, AFilmOnAFullDiskIsALine) {
  ZOE_NEED_GL();
  if (!has_ffmpeg()) GTEST_SKIP() << "no ffmpeg here";
  const fs::path folder = temporary_dir("render_full");
  fs::create_symlink("/dev/full", folder / "a.gif");
  const ZoeRun run = run_zoe(
      {"render", demo_clip(), "-o", folder / "a.gif", "--size", "64x48", "--seconds", "0.5", "--quality", "low", "-q"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_NE(run.err.find("no space left"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("a.gif"), std::string::npos) << run.err;
}

TEST(Render, AnInterruptedFilmPlays) {
  ZOE_NEED_GL();
  if (!has_ffmpeg()) GTEST_SKIP() << "no ffmpeg here";
  const fs::path film = temporary_dir("render_cut") / "cut.mp4";
  // An hour of film would take long; it is interrupted as soon as ffmpeg has begun to write.
  const ZoeRun run =
      run_zoe({"render", demo_clip(), "-o", film, "--size", "64x48", "--seconds", "3600", "--quality", "low"},
              [&](int process) {
                // It is written under another name until it is complete.
                for (int i = 0; i < 1200 && fs::is_empty(film.parent_path()); ++i) usleep(50000);
                usleep(300000);
                kill(process, SIGINT);
              });
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_NE(run.out.find("interrupted"), std::string::npos) << run.out << run.err;
  EXPECT_GE(count_frames(film), 1);
}

void expect_demo_files(const fs::path& folder, int frames) {
  for (const char* name : {"demo.glb", "sheet.png", "eight.csv", "metrics.md"}) {
    std::error_code none;
    EXPECT_GT(fs::file_size(folder / name, none), 400U) << name;
  }
  if (has_ffmpeg()) {
    EXPECT_EQ(count_frames(folder / "demo.mp4"), frames);
  }
  std::ifstream table(folder / "metrics.md");
  const std::string text{std::istreambuf_iterator<char>(table), {}};
  EXPECT_NE(text.find("path_error_cm"), std::string::npos) << text;
}

TEST(Demo, FastWalksWithTheWeightsThatShip) {
  ZOE_NEED_GL();
  const fs::path folder = temporary_dir("demo_fast");
  const ZoeRun run = run_zoe({"demo", "--fast", "--seconds", "1", "--no-window", "-o", folder});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  expect_demo_files(folder, 25);
  EXPECT_NE(run.out.find("zoe play"), std::string::npos) << run.out;
  EXPECT_FALSE(fs::exists(folder / "walker"));
}

TEST(Demo, TrainsAWalkerAndNeverOverOne) {
  ZOE_NEED_GL();
  if (!fs::exists(fs::path(ZOE_BINARY).parent_path() / "zoe-train")) GTEST_SKIP() << "no trainer here";
  const fs::path folder = temporary_dir("demo_walk");
  fs::create_directories(folder / "walker");
  std::ofstream(folder / "walker" / "mine") << "kept";
  const ZoeRun run = run_zoe({"demo", "--steps", "20", "--seconds", "1", "--no-window", "-o", folder});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  expect_demo_files(folder, 25);
  EXPECT_TRUE(fs::exists(folder / "walker" / "mine"));
  for (const char* name : {"controller.toml", "report.html", "sheet.png"}) {
    EXPECT_TRUE(fs::exists(folder / "walker-2" / name)) << name;
  }
  if (has_ffmpeg()) {
    EXPECT_NEAR(count_frames(folder / "walker-2" / "film.mp4"), 250, 2);  // Ten seconds.
  }
}

}  // namespace
}  // namespace zoe::test
