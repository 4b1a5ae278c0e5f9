// SPDX-License-Identifier: MIT
// Samples at checkpoints: their files, the command that draws them, and the page that shows them.
#include "train/sample_hook.h"

#include <gtest/gtest.h>

#include "zoe/core/file.h"
#include "zoe/train/run.h"

#include "support/data.h"

namespace zoe::train {
namespace {

std::string text_of(const std::filesystem::path& path) { return std::string(MappedFile::open(path).value().text()); }

// RFC 4648, section 10.
TEST(SampleHook, PicturesBecomeBase64) {
  const std::filesystem::path folder = zoe::test::temporary_dir("base64");
  const auto url = [&](const std::string& text) {
    EXPECT_TRUE(write_file_atomic(folder / "a.png", text));
    return picture_as_url(folder / "a.png").value();
  };
  EXPECT_EQ(url("f"), "data:image/png;base64,Zg==");
  EXPECT_EQ(url("fo"), "data:image/png;base64,Zm8=");
  EXPECT_EQ(url("foo"), "data:image/png;base64,Zm9v");
  EXPECT_EQ(url("foobar"), "data:image/png;base64,Zm9vYmFy");
  EXPECT_EQ(url(std::string("\xFF\xFE\x00", 3)), "data:image/png;base64,//4A");
  EXPECT_FALSE(picture_as_url(folder / "a.txt"));
  EXPECT_FALSE(picture_as_url(folder / "b.png"));
}

TEST(SampleHook, CommandsThatFailHangOrDrawNothingAreNamed) {
  const SampleFolder folder(zoe::test::temporary_dir("sample_commands") / "samples");
  const float values[] = {1, 2};
  ArrayView view;
  view.dtype = DType::kF32;
  view.item_bytes = 4;
  view.shape = {2};
  view.bytes = std::as_bytes(std::span(values));
  const NamedArray array{"x", view};
  ASSERT_TRUE(folder.save(7, std::span(&array, 1), {{"step", "7"}}));
  EXPECT_EQ(Safetensors::open(folder.samples_path(7)).value().metadata().at("step"), "7");
  const auto message = [&](const char* command, double timeout_s = 10) {
    const Result<void> drawn = folder.draw(7, command, timeout_s);
    return drawn ? std::string() : drawn.error().message;
  };
  EXPECT_EQ(message("false"), "train.sample_command failed (exit code 1)");
  EXPECT_EQ(message("sleep 30; true", 0.2), "train.sample_command took more than 0.2 s");
  EXPECT_EQ(message("true").rfind("train.sample_command wrote no picture", 0), 0U);
  EXPECT_TRUE(folder.pictures(5).empty());
  EXPECT_EQ(message("f() { cp \"$1\" \"$2.png\"; }; f"), "");
  ASSERT_EQ(folder.pictures(5).size(), 1U);
  EXPECT_EQ(folder.pictures(5)[0].step, 7);
}

RunRequest sampled_run(const std::string& name, const std::string& command) {
  RunRequest request;
  request.model = "gan";
  request.folder = zoe::test::temporary_dir(name) / "run";
  request.quiet = true;
  request.overrides = {"model.hidden=8",   "model.critic_hidden=8",          "model.code=3",        "train.steps=20",
                       "train.batch=8",    "train.checkpoint_every=10",      "data.toy_samples=64", "train.threads=1",
                       "data.toy_width=4", "train.sample_command=" + command};
  return request;
}

TEST(SampleHook, TheReportShowsWhatTheCommandDraws) {
  const RunRequest request =
      sampled_run("sampled", "f() { echo \"<svg><!-- $(basename $1) --></svg>\" > \"$2.svg\"; }; f");
  ASSERT_TRUE(run(request).value().warnings.empty());
  for (const char* step : {"step_00000010", "step_00000020"}) {
    const auto path = request.folder / "samples" / step;
    const Safetensors file = Safetensors::open(path.string() + ".safetensors").value();
    EXPECT_EQ(file.find("x").value().shape, (std::vector<std::size_t>{8, 1, 4}));
    EXPECT_EQ(text_of(path.string() + ".svg"), "<svg><!-- " + std::string(step) + ".safetensors --></svg>\n");
  }
  const std::string page = text_of(request.folder / "report.html");
  EXPECT_NE(page.find("data:image/svg+xml;base64,PHN2Zz48"), std::string::npos);  // "<svg><"
  EXPECT_NE(page.find("<figcaption>step 20</figcaption>"), std::string::npos);
}

// The weights do not depend on who looks, and a broken command stops nothing.
TEST(SampleHook, DrawingChangesNothingElse) {
  const RunRequest drawn = sampled_run("sampled_broken", "exit 3"), plain = sampled_run("sampled_plain", "");
  const RunSummary summary = run(drawn).value();
  ASSERT_EQ(summary.warnings.size(), 2U);
  EXPECT_EQ(summary.warnings[0].message, "step 10: train.sample_command failed (exit code 3)");
  ASSERT_TRUE(run(plain));
  const auto weights = [](const RunRequest& request) {
    const Safetensors file = Safetensors::open(request.folder / "checkpoints/step_00000020.safetensors").value();
    std::string bytes;
    for (const NamedArray& tensor : file.tensors())
      bytes.append(reinterpret_cast<const char*>(tensor.view.bytes.data()), tensor.view.bytes.size());
    return bytes;
  };
  EXPECT_EQ(weights(drawn), weights(plain));
}

}  // namespace
}  // namespace zoe::train
