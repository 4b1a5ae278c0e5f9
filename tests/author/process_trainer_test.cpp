// SPDX-License-Identifier: MIT
// The trainer as a process: shell scripts stand for zoe-train.
#include <csignal>
#include <thread>

#include <gtest/gtest.h>

#include "zoe/author/trainer.h"
#include "zoe/core/file.h"

#include "author/walks.h"

namespace zoe::author {
namespace {

namespace fs = std::filesystem;

fs::path script(const fs::path& folder, const std::string& body) {
  const fs::path path = folder / "zoe-train";
  std::ofstream(path) << "#!/bin/sh\n" << body << "\n";
  fs::permissions(path, fs::perms::owner_all);
  return path;
}

TEST(ProcessTrainer, SaysHowToGetAProgramThatIsNotThere) {
  ProcessTrainer trainer("/nowhere/zoe-train");
  ASSERT_FALSE(trainer.check());
  EXPECT_TRUE(test::contains(trainer.check().error(), "libtorch"));
  EXPECT_TRUE(test::contains(trainer.train({.model = "mann"}).error(), "./zoe train"));
  EXPECT_EQ(trainer_beside_us().filename(), "zoe-train");
}

TEST(ProcessTrainer, GivesTheWordsOfZoeTrain) {
  const fs::path folder = zoe::test::temporary_dir("trainer_words");
  const fs::path out = folder / "words.txt";
  ProcessTrainer trainer(script(folder, "for word in \"$@\"; do echo \"$word\" >> " + out.string() + "; done"));
  ASSERT_TRUE(trainer.check());
  const Training done = trainer
                            .train({.model = "mann",
                                    .data = "data set",
                                    .out = folder / "network",
                                    .device = "cpu",
                                    .settings = {"model.hidden=8", "train.steps=2"},
                                    .quiet = true})
                            .value();
  EXPECT_EQ(done.model_file, folder / "network" / "model.safetensors");
  const MappedFile words = MappedFile::open(out).value();
  EXPECT_EQ(words.text(), "mann\n--data\ndata set\n-o\n" + (folder / "network").string() +
                              "\n--device\ncpu\n--quiet\n--set\nmodel.hidden=8\n--set\ntrain.steps=2\n");
}

TEST(ProcessTrainer, AFailureIsAnErrorThatSaysHow) {
  const fs::path folder = zoe::test::temporary_dir("trainer_fails");
  const auto failed = ProcessTrainer(script(folder, "exit 3")).train({.model = "mann", .out = folder});
  ASSERT_FALSE(failed);
  EXPECT_TRUE(test::contains(failed.error(), "exit code 3"));
  const auto killed = ProcessTrainer(script(folder, "kill -9 $$")).train({.model = "mann", .out = folder});
  ASSERT_FALSE(killed);
  EXPECT_TRUE(test::contains(killed.error(), "signal 9"));
}

TEST(ProcessTrainer, ASignalIsHandedOnAndTrainingFails) {
  const fs::path folder = zoe::test::temporary_dir("trainer_signal");
  const fs::path ready = folder / "ready", saved = folder / "saved";
  ProcessTrainer trainer(script(folder, "trap 'touch " + saved.string() + "; exit 0' TERM\ntouch " + ready.string() +
                                            "\nfor i in 1 2 3 4 5 6 7 8 9 10; do sleep 1; done"));
  std::thread stopper([&] {
    for (int i = 0; i < 1000 && !fs::exists(ready); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    ::kill(::getpid(), SIGTERM);
  });
  const auto stopped = trainer.train({.model = "mann", .out = folder});
  stopper.join();
  ASSERT_FALSE(stopped);
  EXPECT_TRUE(test::contains(stopped.error(), "stopped"));
  EXPECT_TRUE(fs::exists(saved)) << "it had the time to save";
}

}  // namespace
}  // namespace zoe::author
