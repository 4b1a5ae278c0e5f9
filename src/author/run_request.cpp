// SPDX-License-Identifier: MIT
#include "author/run_request.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "zoe/core/file.h"
#include "zoe/core/hash.h"
#include "zoe/dataset/read_clip_files.h"

namespace zoe::author {
namespace {

namespace fs = std::filesystem;

Result<std::string> identity_of(const fs::path& file) {
  ZOE_TRY_ASSIGN(const MappedFile mapped, MappedFile::open(file));
  return fmt::format("{} bytes, {}", mapped.bytes().size(), hash_bytes(mapped.bytes()).hex());
}

}  // namespace

Result<std::vector<RunFact>> facts_of(const RunRequest& job) {
  std::vector<RunFact> facts{{"type", job.type}};
  std::error_code error;
  if (const fs::path dataset = job.data[0] / "dataset.json"; fs::exists(dataset, error)) {
    ZOE_TRY_ASSIGN(std::string identity, identity_of(dataset));
    facts.push_back({"dataset", std::move(identity)});
  } else {
    ZOE_TRY_ASSIGN(const dataset::InputIdentity found, dataset::identify_inputs(job.data));
    facts.push_back({"data", fmt::format("{} files, {} bytes, {}", found.num_files, found.bytes, found.content.hex())});
  }
  std::string body = "of the data";
  if (!job.body.empty()) {
    ZOE_TRY_ASSIGN(body, identity_of(job.body));
  }
  facts.push_back({"body", body});
  facts.push_back({"settings", fmt::format("{}", fmt::join(job.settings, " "))});
  facts.push_back({"actions", job.actions});
  facts.push_back({"styles", job.styles});
  facts.push_back({"bodies", job.own_bodies ? "each clip its own" : "one"});
  facts.push_back({"mirrored", job.mirror ? "yes" : "no"});
  facts.push_back({"up", std::string(1, job.bvh_up)});
  facts.push_back({"licence", job.licence});
  return facts;
}

std::string difference(const std::vector<RunFact>& before, const std::vector<RunFact>& now) {
  std::string text;
  const auto find = [](const std::vector<RunFact>& facts, const std::string& name) {
    return std::find_if(facts.begin(), facts.end(), [&](const RunFact& fact) { return fact.name == name; });
  };
  const auto add = [&](const std::string& name, const std::string& was, const std::string& is) {
    text += fmt::format("{}{} was '{}', is '{}'", text.empty() ? "" : "; ", name, was, is);
  };
  for (const RunFact& fact : now) {
    const auto old = find(before, fact.name);
    if (old == before.end())
      add(fact.name, "not there", fact.value);
    else if (old->value != fact.value)
      add(fact.name, old->value, fact.value);
  }
  for (const RunFact& fact : before) {
    if (find(now, fact.name) == now.end()) add(fact.name, fact.value, "not there");
  }
  return text;
}

}  // namespace zoe::author
