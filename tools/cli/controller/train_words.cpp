// SPDX-License-Identifier: MIT
#include "controller/train_words.h"

#include "controller/print_listener.h"
#include "draw_tour.h"

namespace zoe::cli {

std::optional<int> parse_train_controller(const Arguments& arguments, author::TrainController& job) {
  Options app;
  std::string type = "mann", output, up = "y", body, names, terrain = "none";
  std::vector<std::string> data;
  bool no_mirror = false, no_film = false;
  for (const author::Type& known : author::types()) names += (names.empty() ? "" : ", ") + std::string(known.name());
  app.add_option("--type,--kind", type, "Which: " + names)->capture_default_str();
  app.add_option("--data", data, "Folders of motion files, or a dataset of the same type")->required()->reads();
  app.add_option("-o,--out", output, "Run folder")->required()->type_name("RUN")->writes_folder();
  app.add_option("--set", job.settings, "A setting of the trainer, e.g. train.steps=4000; may be repeated")
      ->type_name("KEY=VALUE")
      ->one_value_each();
  app.add_option("--device", job.device, "auto, cpu or cuda")->one_of({"auto", "cpu", "cuda"});
  app.add_option("--body", body, "File of the body that moves; else the data's of median height")
      ->type_name("FILE")
      ->reads();
  app.add_option("--actions", job.labels.actions,
                 "Actions it can be asked for: words by commas, auto (found in the motion), or none")
      ->type_name("LIST")
      ->capture_default_str();
  app.add_option("--styles", job.labels.styles, "Styles it can be asked for: words by commas, or none")
      ->type_name("LIST")
      ->capture_default_str();
  app.add_option("--terrain", terrain,
                 "Uneven ground: none, heights (36 beside the path), grid (encoded cells), or blind (to compare)")
      ->capture_default_str();
  app.add_option("--terrain-patches", job.terrain_patches, "Grounds fitted to each clip that has none of its own")
      ->between(1, 64)
      ->capture_default_str();
  app.add_flag("--own-bodies", job.own_bodies, "Leave every clip on its own body, in its own position");
  app.add_flag("--no-mirror", no_mirror, "Train without mirrored copies");
  app.add_flag("--resume", job.resume, "Continue an unfinished run of this folder; start where there is none");
  app.add_flag("--allow-changes", job.allow_changes, "Resume also on other data or settings");
  app.add_flag("--no-film", no_film, "Write neither film nor contact sheet");
  app.add_option("--up", up, "Up axis of BVH files: y or z")->one_of({"y", "z"});
  app.add_option("--licence", job.licence, "Licence of the motions, stored with the model");
  if (const auto exit = parse(app, arguments)) return exit;
  const Result<const author::Type*> found = author::find_type(type);
  if (!found) return print_error(found.error());
  job.type = *found;
  const Result<author::GroundSight> sight = author::parse_ground_sight(terrain);
  if (!sight) return print_error(sight.error());
  job.terrain = *sight;
  job.data.assign(data.begin(), data.end());
  job.folder = output;
  job.body = body;
  job.bvh_up = up[0];
  job.mirror = !no_mirror;
  if (!no_film) job.draw = draw_tour;
  return std::nullopt;
}

int train_controller(author::TrainController& job, author::Trainer& trainer) {
  job.trainer = &trainer;
  const Result<author::TrainedController> made = job.run(print_listener());
  return made ? static_cast<int>(kDone) : print_error(made.error());
}

}  // namespace zoe::cli
