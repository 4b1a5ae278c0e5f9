// SPDX-License-Identifier: MIT
#include "train_encoder.h"

#include <fmt/format.h>

#include "zoe/author/train_encoder.h"

#include "controller/print_listener.h"

namespace zoe::cli {

int run_train_encoder(const Arguments& arguments) {
  Options app;
  author::TrainEncoder job;
  std::vector<std::string> data;
  std::string output;
  app.add_option("--data", data, "Folders of motion files; words of file and folder names are labels")
      ->required()
      ->reads();
  app.add_option("-o,--out", output, "Run folder")->required()->type_name("RUN")->writes_folder();
  app.add_option("--code", job.code, "Width of the code")->between(2, 512)->capture_default_str();
  app.add_option("--held-out", job.held_out, "Fraction of the files that are not used")
      ->between(0.0, 0.9)
      ->capture_default_str();
  app.add_option("--set", job.settings, "A setting of the trainer, e.g. train.steps=4000; may be repeated")
      ->type_name("KEY=VALUE")
      ->one_value_each();
  app.add_option("--device", job.device, "auto, cpu or cuda")->one_of({"auto", "cpu", "cuda"});
  app.add_option("--licence", job.licence, "Licence of the motions, stored with the encoder");
  if (const auto exit = parse(app, arguments)) return *exit;
  job.data.assign(data.begin(), data.end());
  job.folder = output;
  author::ProcessTrainer trainer(author::trainer_beside_us());
  job.trainer = &trainer;
  const Result<author::TrainedEncoder> made = job.run(print_listener());
  if (!made) return print_error(made.error());
  if (!quiet()) fmt::print("{}: a window of motion to a code of {} numbers\n", made->file.string(), made->width);
  return kDone;
}

}  // namespace zoe::cli
