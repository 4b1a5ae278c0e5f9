// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe decode`: the motion of a file of codes.
#include <fmt/format.h>

#include "zoe/generate/code_file.h"

#include "codec_run.h"
#include "film.h"
#include "verbs.h"

namespace zoe::cli {

int run_decode(const Arguments& arguments) {
  Options app;
  std::string input, output, model, data;
  app.add_option("codes", input, "File of `zoe encode`")->required()->reads();
  app.add_option("-o,--out", output, "Motion file (.bvh .glb .gltf .npz) or film (.mp4 .gif .webp .png)")
      ->required()
      ->writes();
  app.add_option("-m,--model", model, "Run folder of the codec; default: the one in the file")->reads();
  app.add_option("--data", data, "Dataset that the run was trained on, if it was moved")->reads();
  if (const auto exit = parse(app, arguments)) return *exit;
  const Result<generate::CodeFile> file = generate::read_codes(input);
  if (!file) return print_error(file.error());
  const Result<CodecRun> run = open_codec_run(model.empty() ? file->model : model, data);
  if (!run) return print_error(run.error());
  const Result<generate::MotionCodec> codec = run->codec(run->body().skeleton);
  if (!codec) return print_error(codec.error());
  if (fingerprint_text(*codec) != file->fingerprint)
    return print_error(
        Error{ErrorCode::kInvalid, "these codes are of another network than the run has", {.file = input}});
  const Result<Motion> motion = codec->decode(file->codes, {.hop_frames = file->hop_frames,
                                                            .num_frames = file->num_frames,
                                                            .first_root = file->first_root,
                                                            .name = file->name});
  if (!motion) return print_error(motion.error());
  if (is_film(output)) return write_film(*motion, {.output = output, .fps = motion->fps});
  if (const Result<void> written = write_motion(*motion, output); !written) return print_error(written.error());
  if (!quiet()) fmt::print("{}: {} frames at {:g} fps\n", output, motion->num_frames, motion->fps);
  return kDone;
}

}  // namespace zoe::cli
