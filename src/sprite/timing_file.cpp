// SPDX-License-Identifier: MIT
#include "zoe/sprite/timing_file.h"

#include <fmt/format.h>

#include "zoe/core/file.h"
#include "zoe/store/config.h"

namespace zoe::sprite {
namespace {

const char* word_of(Pace pace) {
  return pace == Pace::kArcade ? "arcade" : pace == Pace::kSnappy ? "snappy" : "smooth";
}

struct FeelKey {
  const char* name;
  float Feel::*value;
  const char* meaning;
};
constexpr FeelKey kFeelKeys[] = {
    {".smear", &Feel::smear, "fast limbs are drawn out along their path, 0 to 2; below 0: by the pace"},
    {".squash", &Feel::squash, "stretch where the body is fast, squash where it lands, 0 to 2; below 0: by the pace"},
    {".follow", &Feel::follow, "hair, ears, tails and capes swing after the body, 0 to 2; below 0: by the pace"},
    {".impact", &Feel::impact, "from 0.5: a drawing in two tones at each hit, 0 to 2; below 0: by the pace"},
};

ConfigSchema schema_of(const std::vector<NamedTiming>& timings) {
  ConfigSchema schema;
  for (const auto& [clip, timing] : timings) {
    schema.add(clip + ".pace", std::string(word_of(timing.pace)), "smooth, arcade or snappy");
    schema.add(clip + ".fps", timing.fps, "smooth: drawings per second, 1 to 60");
    schema.add(clip + ".drawings", timing.num_drawings, "number of drawings; 0: by the pace");
    schema.add(clip + ".on", timing.on, "shortest exposure in 24ths of a second, 1 to 24; 0: by the pace");
    schema.add(clip + ".hold", timing.hold, "how much longer still poses are held, 0 to 4; below 0: by the pace");
    schema.add(clip + ".pins_s", timing.pins_s, "moments that are always drawn, seconds");
    for (const FeelKey& key : kFeelKeys)
      schema.add(clip + key.name, static_cast<double>(timing.feel.*key.value), key.meaning);
  }
  return schema;
}

Result<Timing> timing_in(const Config& config, const std::string& clip, const std::string& file) {
  const auto wrong = [&](const char* key, const std::string& reason) {
    return Error{ErrorCode::kInvalid, fmt::format("{}.{}: {}", clip, key, reason), {.file = file}};
  };
  Timing timing;
  const auto pace = pace_from(config.get<std::string>(clip + ".pace"));
  if (!pace) return wrong("pace", "smooth, arcade or snappy is expected");
  timing.pace = *pace;
  timing.fps = config.get<double>(clip + ".fps");
  if (!(timing.fps >= 1 && timing.fps <= 60)) return wrong("fps", "1 to 60 are possible");
  const std::int64_t drawings = config.get<std::int64_t>(clip + ".drawings");
  if (drawings < 0 || drawings > 1000) return wrong("drawings", "0 to 1000 are possible");
  timing.num_drawings = static_cast<int>(drawings);
  const std::int64_t on = config.get<std::int64_t>(clip + ".on");
  if (on < 0 || on > 24) return wrong("on", "0 to 24 are possible");
  timing.on = static_cast<int>(on);
  timing.hold = config.get<double>(clip + ".hold");
  if (!(timing.hold <= 4)) return wrong("hold", "at most 4 is possible");
  timing.pins_s = config.get<std::vector<double>>(clip + ".pins_s");
  if (timing.pins_s.size() > 100) return wrong("pins_s", "at most 100 moments are possible");
  for (const FeelKey& key : kFeelKeys) {
    const double value = config.get<double>(clip + key.name);
    if (!(value <= 2)) return wrong(key.name + 1, "at most 2 is possible");
    timing.feel.*key.value = static_cast<float>(value);
  }
  return timing;
}

}  // namespace

Result<void> parse_timings(std::string_view toml, const std::string& name, std::vector<NamedTiming>& timings) {
  Config config(schema_of(timings));
  ZOE_TRY(config.load_text(toml, name));
  std::vector<NamedTiming> read = timings;
  for (NamedTiming& entry : read) {
    ZOE_TRY_ASSIGN(entry.timing, timing_in(config, entry.clip, name));
  }
  timings = std::move(read);
  return {};
}

Result<void> read_timings(const std::filesystem::path& path, std::vector<NamedTiming>& timings) {
  ZOE_TRY_ASSIGN(const MappedFile file, MappedFile::open(path));
  return parse_timings(file.text(), path.string(), timings);
}

std::string write_timings(const std::vector<NamedTiming>& timings) { return Config(schema_of(timings)).to_toml(); }

}  // namespace zoe::sprite
