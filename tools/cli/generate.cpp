// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe generate`: motion from the words of a learned vocabulary, sampled by a prior or
// put together by hand.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "zoe/generate/code_file.h"
#include "zoe/generate/code_prior.h"
#include "zoe/nn/graph_file.h"

#include "codec_run.h"
#include "film.h"
#include "generate_body.h"
#include "verbs.h"

namespace zoe::cli {
namespace {

using generate::MotionCodec;

struct GenerateRequest {
  std::string model, prior, data, output, combine, codes;
  double seconds = 10, temperature = 1;
  std::uint64_t seed = 1;
  int overlap = -1;
};

Result<int> parse_number(std::string_view text, int limit, const std::string& word) {
  int value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0 || value >= limit)
    return Error{ErrorCode::kUsage, fmt::format("--combine {}: '{}' is no number from 0 to {}", word, text, limit - 1)};
  return value;
}

// "12.7.300.4", the code numbers of one window; or FILE.codes, or FILE.codes:FIRST-LAST, windows of an encoded motion.
Result<std::vector<float>> read_word(const std::string& word, const MotionCodec& codec) {
  std::vector<float> codes;
  if (word.find_first_not_of("0123456789.") == std::string::npos) {
    std::size_t from = 0;
    while (from <= word.size()) {
      const std::size_t dot = std::min(word.find('.', from), word.size());
      ZOE_TRY_ASSIGN(const int code,
                     parse_number(std::string_view(word).substr(from, dot - from), codec.num_codes(), word));
      codes.push_back(static_cast<float>(code));
      from = dot + 1;
    }
    if (codes.size() != static_cast<std::size_t>(codec.numbers()))
      return Error{ErrorCode::kUsage,
                   fmt::format("--combine {}: a window has {} numbers, with dots between them", word, codec.numbers())};
    return codes;
  }
  std::string path = word;
  std::size_t first = 0, last = SIZE_MAX;
  const std::size_t colon = word.rfind(':');
  if (colon != std::string::npos && !std::filesystem::exists(word)) {
    path = word.substr(0, colon);
    const std::string range = word.substr(colon + 1);
    const std::size_t dash = std::min(range.find('-'), range.size());
    ZOE_TRY_ASSIGN(const int begin, parse_number(std::string_view(range).substr(0, dash), 1 << 30, word));
    first = last = static_cast<std::size_t>(begin);
    if (dash < range.size()) {
      ZOE_TRY_ASSIGN(const int end, parse_number(std::string_view(range).substr(dash + 1), 1 << 30, word));
      last = static_cast<std::size_t>(end);
    }
  }
  ZOE_TRY_ASSIGN(const generate::CodeFile file, generate::read_codes(path));
  if (file.fingerprint != fingerprint_text(codec))
    return Error{ErrorCode::kInvalid, "these codes are of another network than the run has", {.file = path}};
  const auto numbers = static_cast<std::size_t>(codec.numbers());
  const std::size_t windows = file.codes.size() / numbers;
  last = std::min(last, windows - 1);
  if (first > last)
    return Error{ErrorCode::kUsage, fmt::format("--combine {}: the file has windows 0 to {}", word, windows - 1)};
  codes.assign(file.codes.begin() + static_cast<std::ptrdiff_t>(first * numbers),
               file.codes.begin() + static_cast<std::ptrdiff_t>((last + 1) * numbers));
  return codes;
}

Result<std::vector<float>> choose_codes(const GenerateRequest& request, const MotionCodec& codec, int num_windows) {
  if (!request.combine.empty()) {
    std::vector<float> codes;
    for (const std::string& word : split_list(request.combine)) {
      ZOE_TRY_ASSIGN(const std::vector<float> part, read_word(word, codec));
      codes.insert(codes.end(), part.begin(), part.end());
    }
    return codes;
  }
  const std::filesystem::path path = std::filesystem::path(request.prior) / "model.safetensors";
  ZOE_TRY_ASSIGN(const nn::Graph graph, nn::read_graph(path));
  Result<generate::CodePrior> prior = generate::CodePrior::create(graph);
  if (!prior) return Error{ErrorCode::kInvalid, prior.error().message, {.file = path.string()}};
  if (prior->groups() != codec.numbers() || prior->num_codes() != codec.num_codes())
    return Error{ErrorCode::kUsage,
                 fmt::format("the prior is for {} numbers of {} codes, the vocabulary has {} of {}", prior->groups(),
                             prior->num_codes(), codec.numbers(), codec.num_codes()),
                 {.file = path.string()}};
  return prior->sample({.num_windows = num_windows, .temperature = request.temperature, .seed = request.seed});
}

Result<Motion> make_motion_of(const GenerateRequest& request) {
  ZOE_TRY_ASSIGN(const CodecRun run, open_codec_run(request.model, request.data));
  ZOE_TRY_ASSIGN(const MotionCodec codec, run.codec(run.body().skeleton));
  if (codec.num_codes() == 0)
    return Error{ErrorCode::kUsage, "words come from a run of the model vq", {.file = request.model}};
  const int overlap = request.overlap >= 0 ? request.overlap : codec.window_frames() / 4;
  if (overlap >= codec.window_frames())
    return Error{ErrorCode::kUsage,
                 fmt::format("--overlap must be below the window's {} frames", codec.window_frames())};
  const int hop = codec.window_frames() - overlap;
  const int frames = std::max(1, static_cast<int>(std::lround(request.seconds * codec.fps())));
  ZOE_TRY_ASSIGN(const std::vector<float> codes, choose_codes(request, codec, codec.num_windows(frames, hop)));
  const generate::DecodeOptions options{
      .hop_frames = hop, .num_frames = request.combine.empty() ? frames : 0, .name = "generated"};
  ZOE_TRY_ASSIGN(Motion motion, codec.decode(codes, options));
  if (!request.codes.empty()) {
    generate::CodeFile file{.name = "generated", .model = request.model, .fingerprint = fingerprint_text(codec)};
    file.fps = codec.fps(), file.num_frames = motion.num_frames, file.hop_frames = hop;
    file.numbers = codec.numbers(), file.num_codes = codec.num_codes();
    file.bits = generate::bits_for(codec.num_codes()), file.codes = codes;
    ZOE_TRY(generate::write_codes(request.codes, file));
  }
  return motion;
}

}  // namespace

int run_generate(const Arguments& arguments) {
  // Words of a vocabulary where one of their options is given; else a skeleton.
  const auto is_given = [&](std::string_view option) {
    return std::any_of(arguments.words.begin(), arguments.words.end(), [&](const std::string& word) {
      return word == option || word.starts_with(std::string(option) + "=");
    });
  };
  const bool has_words = is_given("--prior") || is_given("--combine");
  if (is_given("--model") && !is_given("--skeleton") && !has_words && !is_given("--help")) {
    print_error("give a --skeleton to animate, a --prior that samples words, or words to --combine");
    return kWrongUsage;
  }
  if (is_given("--skeleton") || !has_words) return run_generate_body(arguments);
  Options app;
  GenerateRequest request;
  app.add_option("-m,--model", request.model, "Run folder of a vq trained on motions: the vocabulary")
      ->required()
      ->reads();
  Option* prior = app.add_option("--prior", request.prior, "Run folder of a vq_prior: samples words")->reads();
  app.add_option("--combine", request.combine,
                 "Words instead: code numbers 12.7.300.4 of a window, or FILE.codes[:FIRST-LAST], comma-separated")
      ->excludes(prior);
  app.add_option("-o,--out", request.output, "Motion file (.bvh .glb .gltf .npz) or film (.mp4 .gif .webp .png)")
      ->required()
      ->writes();
  app.add_option("--codes", request.codes, "Also write the words: .codes")->writes();
  app.add_option("--seconds", request.seconds, "Length of a sampled motion")
      ->between(0.1, 3600, "s")
      ->capture_default_str();
  app.add_option("--seed", request.seed, "Of the sampling")->at_least_zero()->capture_default_str();
  app.add_option("--temperature", request.temperature, "Below 1: likelier words; 0: the likeliest")
      ->between(0, 100, "")
      ->capture_default_str();
  app.add_option("--overlap", request.overlap, "Frames in which windows are blended; default: a quarter of the window")
      ->between(0, 100000, "frames");
  app.add_option("--data", request.data, "Dataset that the run was trained on, if it was moved")->reads();
  if (const auto exit = parse(app, arguments)) return *exit;
  const Result<Motion> motion = make_motion_of(request);
  if (!motion) return print_error(motion.error());
  if (is_film(request.output)) return write_film(*motion, {.output = request.output, .fps = motion->fps});
  if (const Result<void> written = write_motion(*motion, request.output); !written) return print_error(written.error());
  if (!quiet()) fmt::print("{}: {} frames at {:g} fps\n", request.output, motion->num_frames, motion->fps);
  return kDone;
}

}  // namespace zoe::cli
