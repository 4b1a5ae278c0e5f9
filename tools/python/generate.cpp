// SPDX-License-Identifier: MIT
// Part of Zoetrope. The Python module: motions for any body, by a trained model. As `zoe generate --skeleton`.
#include <cmath>

#include "zoe/features/action_words.h"
#include "zoe/generate/body_model.h"
#include "zoe/generate/cycle.h"
#include "zoe/generate/plant_feet.h"

#include "binding.h"
#include "metric_body.h"

namespace zoe::python {

namespace {

struct GenerateRequest {
  std::string action, text, sampler;
  double seconds = 4, guidance = 1, smooth = 1;
  std::uint64_t seed = 1;
  int steps = 0;
  bool plant_feet = true, loop = false;
};

void check(const GenerateRequest& request) {
  if (!(request.seconds >= 0.05 && request.seconds <= 1200) || request.steps < 0 || request.steps > 1000)
    throw py::value_error("seconds are 0.05 to 1200, steps 1 to 1000 (0: the model's)");
  if (!(request.guidance >= 0 && request.guidance <= 20) || !(request.smooth >= 0 && request.smooth <= 10))
    throw py::value_error("guidance is 0 to 20, smooth 0 to 10 frames");
}

std::vector<float> words_of(const GenerateRequest& request) {
  features::ReadWords words = features::read_action_words(request.action);
  if (!request.action.empty() && words.actions.empty())
    throw PythonError("no such action: " + request.action + "; generate_actions() has them");
  const features::ReadWords text = features::read_action_words(request.text);
  words.actions.insert(words.actions.end(), text.actions.begin(), text.actions.end());
  return features::action_bag(words.actions);
}

std::shared_ptr<Motion> generate_motion(const std::filesystem::path& model_path, const File& file,
                                        const GenerateRequest& request) {
  need_joints(file);
  check(request);
  generate::BodySampleOptions options;
  options.words = words_of(request);
  const generate::BodyModel model = unwrap(generate::BodyModel::load(model_path));
  const cli::MetricBody body = unwrap(cli::metric_body(file.to_asset(), file.path.string()));
  const generate::BodyLayout layout = unwrap(model.layout_for(body.skeleton, body.analysis));
  options.num_frames = std::max(1, static_cast<int>(std::lround(request.seconds * layout.layout.fps())));
  options.seed = request.seed;
  options.guidance = static_cast<float>(request.guidance);
  options.smooth_frames = static_cast<float>(request.smooth);
  options.sampler = model.sampler();
  if (!request.sampler.empty()) options.sampler.sampler = unwrap(nn::parse_sampler(request.sampler));
  if (request.steps > 0) options.sampler.steps = request.steps;
  const std::vector<float> frames = unwrap(model.sample(layout.tokens, options));
  Motion motion = model.motion_of(layout, frames, {});
  if (request.plant_feet && !body.analysis.feet.empty()) {
    if (Result<Motion> planted = generate::plant_feet(motion, body.analysis, layout, frames))
      motion = std::move(*planted);
  }
  if (request.loop)
    motion = unwrap(generate::make_cycle(motion, body.analysis, {.plant_feet = request.plant_feet})).motion;
  return std::make_shared<Motion>(cli::in_file_unit(motion, body));
}

}  // namespace

void bind_generate(py::module_& module) {
  module.def(
      "_generate",
      [](const std::filesystem::path& model, const File& body, const std::string& action, const std::string& text,
         double seconds, std::uint64_t seed, int steps, const std::string& sampler, double guidance, double smooth,
         bool plant_feet, bool loop) {
        return generate_motion(model, body,
                               {.action = action,
                                .text = text,
                                .sampler = sampler,
                                .seconds = seconds,
                                .guidance = guidance,
                                .smooth = smooth,
                                .seed = seed,
                                .steps = steps,
                                .plant_feet = plant_feet,
                                .loop = loop});
      },
      py::arg("model"), py::arg("body"), py::arg("action"), py::arg("text"), py::arg("seconds"), py::arg("seed"),
      py::arg("steps"), py::arg("sampler"), py::arg("guidance"), py::arg("smooth"), py::arg("plant_feet"),
      py::arg("loop"), py::call_guard<py::gil_scoped_release>());
  module.def(
      "generate_actions",
      [] {
        std::vector<std::string> names;
        for (const std::string_view word : features::action_vocabulary()) names.emplace_back(word);
        return names;
      },
      "Words that generate() knows as actions.");
}

}  // namespace zoe::python
