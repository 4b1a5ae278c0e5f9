// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe doctor`: the capabilities of this machine, and remedies for missing ones.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "doctor/finding.h"
#include "verbs.h"

namespace zoe::cli {
namespace {

const char* to_string(Health health) {
  switch (health) {
    case Health::kOk:
      return "ok";
    case Health::kMissing:
      return "missing";
    case Health::kPoor:
      return "poor";
  }
  return "";
}

void print_json(const Findings& findings) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Finding& finding : findings) {
    list.push_back({{"name", finding.name},
                    {"state", to_string(finding.health)},
                    {"value", finding.value},
                    {"remedy", finding.remedy}});
  }
  fmt::print("{}\n", list.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

void print_table(const Findings& findings) {
  for (const Finding& finding : findings) {
    fmt::print("{:<8} {:<17} {}\n", to_string(finding.health), finding.name, finding.value);
    if (!finding.remedy.empty()) fmt::print("{:<26} remedy: {}\n", "", finding.remedy);
  }
}

}  // namespace

int run_doctor(const Arguments& arguments) {
  bool json = false;
  Options app;
  app.add_flag("--json", json, "Print a list of {name, state, value, remedy}");
  if (const auto exit = parse(app, arguments)) return *exit;

  Findings findings;
  probe_cpu(findings);
  probe_libraries(findings);
  probe_graphics(findings);
  probe_programs(findings);
  json ? print_json(findings) : print_table(findings);
  return kDone;
}

}  // namespace zoe::cli
