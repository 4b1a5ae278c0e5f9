// SPDX-License-Identifier: MIT
// The trainer as a process: shell scripts stand for zoe-train.
#include <csignal>
#include <thread>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

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
                                            "\nwhile true; do sleep 0.05; done"));
  std::thread stopper([&] {
    for (int i = 0; i < 60000 && !fs::exists(ready); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    ::kill(::getpid(), SIGTERM);
  });
  const auto stopped = trainer.train({.model = "mann", .out = folder});
  stopper.join();
  ASSERT_FALSE(stopped);
  EXPECT_TRUE(test::contains(stopped.error(), "stopped"));
  EXPECT_TRUE(fs::exists(saved)) << "it had the time to save";
}

TEST(ProcessTrainer, AStoppedTrainingCountsWhereThatIsRequested) {
  const fs::path folder = zoe::test::temporary_dir("trainer_kept");
  const auto train = [&](const std::string& end) {
    const fs::path ready = folder / "ready";
    fs::remove(ready);
    ProcessTrainer trainer(
        script(folder, "trap '" + end + "' TERM\ntouch " + ready.string() + "\nwhile true; do sleep 0.05; done"));
    std::thread stopper([&] {
      for (int i = 0; i < 60000 && !fs::exists(ready); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
      ::kill(::getpid(), SIGTERM);
    });
    auto result = trainer.train({.model = "style", .out = folder, .keep_stopped = true});
    stopper.join();
    return result;
  };
  const auto kept = train("exit 0");
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->model_file, folder / "model.safetensors");
  EXPECT_FALSE(train("exit 1"));  // It has not saved.
}

TEST(ProcessTrainer, ResumesOnlyWhatIsThere) {
  const fs::path folder = zoe::test::temporary_dir("trainer_resume");
  const fs::path out = folder / "words.txt";
  ProcessTrainer trainer(script(folder, "echo \"$@\" > " + out.string()));
  const TrainingRequest request{.model = "mann", .out = folder / "network", .resume = true, .allow_changes = true};
  ASSERT_TRUE(trainer.train(request));
  EXPECT_EQ(MappedFile::open(out)->text().find("--resume"), std::string::npos);
  ASSERT_TRUE(write_file_atomic(folder / "network" / "config.toml", std::string_view("")));
  ASSERT_TRUE(trainer.train(request));
  EXPECT_NE(MappedFile::open(out)->text().find("--resume --allow-changes"), std::string::npos);
}

// The script writes its number and waits. Its parent is killed: it ends as well.
TEST(ProcessTrainer, AKilledParentLeavesNoTrainer) {
  const fs::path folder = zoe::test::temporary_dir("trainer_orphan");
  const fs::path ready = folder / "ready";
  const fs::path program = script(folder, "echo $$ > " + ready.string() + ".tmp; mv " + ready.string() + ".tmp " +
                                              ready.string() + "\nwhile true; do sleep 0.05; done");
  const pid_t parent = ::fork();
  if (parent == 0) {
    (void)ProcessTrainer(program).train({.model = "mann", .out = folder});
    ::_exit(0);
  }
  for (int i = 0; i < 60000 && !fs::exists(ready); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  ASSERT_TRUE(fs::exists(ready));
  const pid_t trainer = std::stoi(std::string(MappedFile::open(ready)->text()));
  ::kill(parent, SIGKILL);
  ::waitpid(parent, nullptr, 0);
  bool ended = false;
  for (int i = 0; i < 60000 && !ended; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    ended = ::kill(trainer, 0) != 0;
    // Without an init process that collects it, the ended process stays as a zombie.
    std::ifstream stat("/proc/" + std::to_string(trainer) + "/stat");
    std::string word, state;
    stat >> word >> word >> state;
    ended = ended || state == "Z";
  }
  EXPECT_TRUE(ended);
  if (!ended) ::kill(trainer, SIGKILL);
}

}  // namespace
}  // namespace zoe::author
