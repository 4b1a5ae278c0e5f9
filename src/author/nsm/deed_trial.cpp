// SPDX-License-Identifier: MIT
#include "author/nsm/deed_trial.h"

#include <algorithm>

#include <fmt/format.h>

#include "zoe/core/file.h"
#include "zoe/core/thread_pool.h"
#include "zoe/eval/deeds.h"
#include "zoe/eval/goals.h"

#include "author/fits.h"
#include "author/nsm/deed_signals.h"

namespace zoe::author {
namespace {

constexpr std::uint64_t kFirstSeed = 7001;  // Evaluations begin at 1, 5001, 20001 and above.
constexpr int kTasks = 32;                  // Of each deed.
constexpr float kAllowedDepth_m = 0.02F;
constexpr double kTouchingWeight = 0.5;

}  // namespace

double DeedsDone::cost() const { return 4 - sit - carry - open - avoid + kTouchingWeight * touching; }

Trial deed_trial(const control::DeedFacts& facts) {
  Trial trial;
  trial.about = fmt::format(
      "{} tasks of each deed from task {} on, which no evaluation has. Percent of tasks. The least cost is used.",
      kTasks, kFirstSeed);
  trial.columns = {"sit", "carry", "open", "avoid", "capsules over 2 cm inside"};
  trial.run = [facts](const control::Controller& controller) -> Result<Trial::Found> {
    using control::Deed;
    DeedsDone done;
    int touching = 0;
    const auto measure = [&](Deed deed) {
      const eval::DeedReport report = eval::measure_deeds(
          controller, facts, deed, {.num_tasks = kTasks, .seed = kFirstSeed, .pool = &ThreadPool::shared()});
      for (const eval::DeedResult& one : report.results) touching += one.inside_thin_m > kAllowedDepth_m ? 1 : 0;
      return report.reached_share();
    };
    // A deed that the data lacks costs as much in each network.
    if (facts.seat_height[1] > 0) done.sit = measure(Deed::kSit);
    if (facts.box_width[1] > 0) done.carry = measure(Deed::kCarry);
    if (facts.door_width[1] > 0) done.open = measure(Deed::kOpen);
    done.avoid =
        eval::measure_goals(controller, {.num_tasks = kTasks, .seed = kFirstSeed, .pool = &ThreadPool::shared()})
            .reached_share();
    done.touching = touching / (3.0 * kTasks);
    const auto cell = [](double share) { return fmt::format("{:.0f}", 100 * share); };
    return Trial::Found{{cell(done.sit), cell(done.carry), cell(done.open), cell(done.avoid), cell(done.touching)},
                        done.cost()};
  };
  return trial;
}

Result<void> fit_nsm(const FitContext& context) {
  // A dataset of another run has them beside it. Without facts the controller runs, and draws no tasks.
  auto text = MappedFile::open(context.run / kDeedFactsFile);
  if (!text) text = MappedFile::open(context.data_folder.parent_path() / kDeedFactsFile);
  if (!text) return fit_network(context);
  const std::string facts_text(text->text());
  ZOE_TRY_ASSIGN(const control::DeedFacts facts, control::DeedFacts::parse(facts_text));
  return fit_best_network(context, deed_trial(facts), {{control::kDeedFactsKey, facts_text}});
}

}  // namespace zoe::author
