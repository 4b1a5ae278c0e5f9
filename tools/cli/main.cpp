// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. The table of verbs, and the selection of one.
#include <exception>
#include <system_error>

#include <fmt/format.h>

#include "zoe/core/suggest.h"
#include "zoe/core/version.h"

#include "bench_options.h"
#include "controller/play_options.h"
#include "correspond.h"
#include "physics.h"
#include "verb.h"
#include "verbs.h"
#include "view_options.h"

namespace zoe::cli {
namespace {

constexpr Verb kVerbs[] = {
    {"demo", "Train a character and steer it, without data or display", "zoe demo --fast --out demo", run_demo},
    {"doctor", "Print what this machine has, what is missing and the remedy", "zoe doctor", run_doctor},
    {"info", "Print what a file contains: joints, clips, meshes, units, warnings", "zoe info walk.bvh --joints",
     run_info},
    {"certify", "Judge clips and rigs: sliding feet, flips, jitter, jumps, bad weights, …", "zoe certify clips --json",
     run_certify},
    {"fix", "Repair clips: feet, floor, flips, jumps, loops, root motion, rest pose", "zoe fix walk.bvh -o fixed.glb",
     run_fix},
    {"convert", "Convert one file, or a folder of files, to another format",
     "zoe convert walk.bvh walk.glb --scale 0.01", run_convert},
    {"retarget", "Play a motion on another body; joint names may differ",
     "zoe retarget walk.bvh --to fox.glb -o fox_walk.glb", run_retarget},
    {"stylize", "Give the motions of a person another style; timing and contacts stay",
     "zoe stylize walk.bvh --style elderly -o old_walk.bvh", run_stylize},
    {"synth", "Generate synthetic bodies and their motions", "zoe synth -o made --count 20 --family biped,quadruped",
     run_synth},
    {"features", "Print or write a model's inputs and outputs for a motion",
     "zoe features walk.bvh --schema locomotion -o features.npz", run_features},
    {"dataset", "Build training data from folders of motion files", "zoe dataset build clips -o walk_data --mirror",
     run_dataset},
    {"train", "Train a model on a dataset, or on toy data", "zoe train mlp --data toy -o run --set train.steps=500",
     run_train},
    {"eval", "Measure trained controllers beside their training mocap", "zoe eval controller run --seeds 5 --json",
     run_eval},
    {kPlayVerb.name, kPlayVerb.summary, kPlayVerb.example, run_play},
    {"stream", "Send a clip or a controller as pose packets, or record what comes",
     "zoe stream walk.bvh --to udp://127.0.0.1:7070", run_stream},
    {"blender", "Write clips as a scene of Blender", "zoe blender walk.bvh -o walk.blend", run_blender_scene},
    {"generate", "Generate motion for any skeleton, or from the words of a learned vocabulary",
     "zoe generate --skeleton fox.glb --action walk -o made.glb", run_generate},
    {"edit", "Fill gaps of a motion, loop it, lengthen it, move it to a path; the rest stays",
     "zoe edit walk.bvh --in-between 20:45 -o filled.bvh", run_edit},
    {"correspond", "Find the joints of one body that do what those of another do",
     "zoe correspond person.glb fox.glb --json", run_correspond},
    {"encode", "A motion as the numbers of a learned codec, beside curve compression",
     "zoe encode walk.bvh --model vq_run -o walk.codes", run_encode},
    {"decode", "The motion of a file of codes", "zoe decode walk.codes -o walk.glb", run_decode},
    {"physics", "Build simulated bodies for any rig, and let them follow clips",
     "zoe physics track walk.bvh --assist 200 -o simulated.bvh", run_physics},
    {"soak", "Run crowds of controllers on random everything and look for failures",
     "zoe soak models/walker models/dog --minutes 5", run_soak},
    {"export", "Write a network for other engines, or in fewer bits", "zoe export walker.safetensors walker.onnx",
     run_export},
    {kViewVerb.name, kViewVerb.summary, kViewVerb.example, run_view},
    {"render", "Draw clips as films, pictures or sheets, without a display",
     "zoe render walk.glb -o walk.mp4 --ghost 3", run_render},
    {"sprite", "Draw characters as sprite sheets for 2D games",
     "zoe sprite make --character knight.glb --action walk --directions 8 -o knight", run_sprite},
    {kBenchVerb.name, kBenchVerb.summary, kBenchVerb.example, run_bench},
};

void print_help() {
  fmt::print("zoe {}: files and motion capture in, animated characters out.\n\n", ZOE_VERSION_STRING);
  fmt::print("Usage: zoe VERB [OPTIONS]\n\nVerbs, in the order of the flow:\n");
  for (const Verb& verb : kVerbs) fmt::print("  {:<10} {}\n", verb.name, verb.summary);
  fmt::print(
      "\nFor every verb:\n  -h, --help     Its options and an example\n  -q, --quiet    Print results and errors "
      "only\n  --trace FILE   Write a Chrome trace of the time spent\n  --no-overwrite Refuse to replace existing "
      "files\n  "
      "--version      Print the version\n\nAn existing output is replaced once the new one is complete; an input never "
      "is.\n\nExit "
      "codes: 0 done, 1 failed, 2 wrong usage, 3 bad input data.\n");
}

int run_verb(const std::string& name, std::vector<std::string> words) {
  for (const Verb& verb : kVerbs) {
    if (name == verb.name) return verb.run({verb, std::move(words)});
  }
  std::vector<std::string> names;
  for (const Verb& verb : kVerbs) names.emplace_back(verb.name);
  print_error(fmt::format("there is no verb '{}'{} (see `zoe --help`)", name, did_you_mean(name, names)));
  return kWrongUsage;
}

int run(const std::vector<std::string>& words) {
  // Flags before the verb belong to it as well: `zoe --quiet info a.bvh`.
  std::vector<std::string> leading;
  std::size_t next = 0;
  for (; next < words.size() && words[next].starts_with('-'); ++next) {
    const std::string& word = words[next];
    if (word == "-h" || word == "--help") return print_help(), kDone;
    if (word == "--version") return fmt::print("zoe {}\n", ZOE_VERSION_STRING), kDone;
    if (word == "-q" || word == "--quiet" || word == "--no-overwrite") {
      leading.push_back(word);
    } else if (word == "--trace" && next + 1 < words.size()) {
      leading.push_back(word);
      leading.push_back(words[++next]);
    } else {
      const std::vector<std::string> known{"--help", "--version", "--quiet", "--trace FILE", "--no-overwrite"};
      print_error(
          fmt::format("there is no option '{}' before the verb{} (see `zoe --help`)", word, did_you_mean(word, known)));
      return kWrongUsage;
    }
  }
  if (next == words.size()) return print_help(), kWrongUsage;
  if (words[next] == "help") {
    if (next + 1 == words.size()) return print_help(), kDone;
    return run_verb(words[next + 1], {"--help"});
  }
  leading.insert(leading.end(), words.begin() + static_cast<long>(next) + 1, words.end());
  return run_verb(words[next], std::move(leading));
}

}  // namespace

std::span<const Verb> verbs() { return kVerbs; }

}  // namespace zoe::cli

int main(int argc, char** argv) {
  try {
    return zoe::cli::finish(zoe::cli::run({argv + 1, argv + argc}));
  } catch (const std::system_error& error) {  // fmt throws where printing fails.
    zoe::cli::print_error("standard output: cannot write: " + error.code().message());
    return zoe::cli::kFailed;
  } catch (const std::exception& error) {  // Out of memory at worst: all other errors are a Result.
    zoe::cli::print_error(error.what());
    return zoe::cli::kFailed;
  }
}
