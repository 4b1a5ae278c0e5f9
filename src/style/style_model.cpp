// SPDX-License-Identifier: MIT
#include "zoe/style/style_model.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "zoe/core/index.h"
#include "zoe/core/lines.h"
#include "zoe/core/random.h"
#include "zoe/core/suggest.h"
#include "zoe/store/safetensors.h"

namespace zoe::style {
namespace {

namespace fs = std::filesystem;
constexpr const char* kStyleFile = "styles.safetensors";
constexpr const char* kVersionKey = "zoe.style";
constexpr std::size_t kMaxStyles = 4096, kMaxPoses = 256;

Error wrong_model(const fs::path& file, const std::string& what) {
  return {ErrorCode::kInvalid, what + "; train the model again, or copy it again", {.file = file.string()}};
}

bool has_port(std::span<const nn::Port> ports, std::size_t index, const char* name) {
  return index < ports.size() && ports[index].name == name;
}

Result<std::vector<float>> matrix(const Safetensors& file, const std::string& name, std::size_t rows,
                                  std::size_t columns) {
  ZOE_TRY_ASSIGN(const ArrayView view, file.find(name));
  if (view.shape != std::vector<std::size_t>{rows, columns})
    return wrong_model(file.file_name(), fmt::format("'{}' must have {} x {} numbers", name, rows, columns));
  ZOE_TRY_ASSIGN(std::vector<float> values, to_floats(view));
  for (const float value : values)
    if (!std::isfinite(value)) return wrong_model(file.file_name(), fmt::format("'{}' is not finite", name));
  return values;
}

}  // namespace

Result<StyleModelPtr> StyleModel::load(const fs::path& folder) {
  auto model = std::make_shared<StyleModel>();
  const fs::path step_file = folder / "step.safetensors", encoder_file = folder / "encoder.safetensors";
  if (!fs::exists(folder / kStyleFile))
    return Error{ErrorCode::kIo,
                 "this is no model of styles: it has no styles.safetensors (`zoe train style` writes one)",
                 {.file = folder.string()}};
  ZOE_TRY_ASSIGN(model->step_, nn::load_fixed_network(step_file));
  ZOE_TRY_ASSIGN(model->encoder_, nn::load_fixed_network(encoder_file));
  const auto in = model->step_->inputs(), out = model->step_->outputs();
  const bool named = has_port(in, 0, "x") && has_port(in, 1, "z") && has_port(in, 2, "past") && has_port(in, 3, "h") &&
                     has_port(out, 0, "y") && has_port(out, 1, "past") && has_port(out, 2, "h");
  if (!named || in.size() != out.size() + 1 || in.size() > 5)
    return wrong_model(step_file, "its inputs are not those of a model of styles");
  for (std::size_t i = 2; i < in.size(); ++i)
    if (in[i].shape.steps != 1 || in[i].shape.width != out[i - 1].shape.width || out[i - 1].shape.steps != 1)
      return wrong_model(step_file, "its states differ in size");
  if (in[0].shape.width != kNumColumns || out[0].shape.width != kNumColumns || in[0].shape.steps != 1 ||
      in[1].shape.steps != 1 || out[0].shape.steps != 1)
    return wrong_model(step_file,
                       fmt::format("it has {} columns; rows of style have {}", in[0].shape.width, kNumColumns));
  model->code_width_ = in[1].shape.width;
  const auto window = model->encoder_->inputs(), code = model->encoder_->outputs();
  if (!has_port(window, 0, "x") || window.size() != 1 || window[0].shape.width != kNumColumns ||
      !has_port(code, 0, "mean") || code.size() != 2 || code[0].shape.width != model->code_width_ ||
      code[1].shape.width != model->code_width_ || code[0].shape.steps != 1 || code[1].shape.steps != 1)
    return wrong_model(encoder_file, "it does not fit step.safetensors");
  model->window_ = window[0].shape.steps;

  ZOE_TRY_ASSIGN(const Safetensors file, Safetensors::open(folder / kStyleFile));
  if (!file.metadata().contains(kChecksumKey) || !matches_its_checksum(file))
    return wrong_model(folder / kStyleFile, "its checksum is missing or wrong");
  const auto word = [&](const char* key) {
    const auto found = file.metadata().find(key);
    return found == file.metadata().end() ? std::string() : found->second;
  };
  if (word(kVersionKey) != "1") return wrong_model(folder / kStyleFile, "it has another version than 1");
  model->licence_ = word("licence");
  const std::vector<std::string> names = lines_of(word("styles"));
  if (names.empty() || names.size() > kMaxStyles) return wrong_model(folder / kStyleFile, "it names no styles");
  const std::size_t width = idx(model->code_width_);
  ZOE_TRY_ASSIGN(const std::vector<float> means, matrix(file, "means", names.size(), width));
  ZOE_TRY_ASSIGN(const std::vector<float> deviations, matrix(file, "deviations", names.size(), width));
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto part = [&](const std::vector<float>& all) {
      return StyleCode(all.begin() + static_cast<std::ptrdiff_t>(i * width),
                       all.begin() + static_cast<std::ptrdiff_t>((i + 1) * width));
    };
    model->styles_.push_back({names[i], part(means), part(deviations)});
  }
  const std::vector<std::string> poses = lines_of(word("poses"));
  if (poses.size() > kMaxPoses) return wrong_model(folder / kStyleFile, "it has too many poses");
  for (std::size_t i = 0; i < poses.size(); ++i) {
    KnownPose pose;
    const auto read = std::from_chars(poses[i].data(), poses[i].data() + poses[i].size(), pose.topology, 16);
    ZOE_TRY_ASSIGN(const ArrayView view, file.find(fmt::format("pose_{}", i)));
    if (read.ec != std::errc() || view.shape.size() != 2 || view.shape[1] != 4 || view.shape[0] < 2)
      return wrong_model(folder / kStyleFile, fmt::format("pose_{} is damaged", i));
    ZOE_TRY_ASSIGN(const std::vector<float> values, matrix(file, fmt::format("pose_{}", i), view.shape[0], 4));
    pose.forward = {values[0], values[1], values[2]};  // The first row; then the joints.
    for (std::size_t j = 4; j < values.size(); j += 4)
      pose.rotations.push_back(normalized(Quat{values[j], values[j + 1], values[j + 2], values[j + 3]}));
    model->poses_.push_back(std::move(pose));
  }
  return StyleModelPtr(std::move(model));
}

Result<void> StyleModel::write_styles(const fs::path& folder, std::span<const NamedStyle> styles,
                                      std::span<const KnownPose> poses, const std::string& licence) {
  ZOE_CHECK(!styles.empty(), "a model has styles");
  std::vector<float> means, deviations;
  std::string names, topologies;
  for (const NamedStyle& style : styles) {
    names += style.name + "\n";
    means.insert(means.end(), style.mean.begin(), style.mean.end());
    deviations.insert(deviations.end(), style.deviation.begin(), style.deviation.end());
  }
  const std::vector<std::size_t> shape{styles.size(), styles[0].mean.size()};
  std::vector<NamedArray> arrays{{"means", view_of(means, shape)}, {"deviations", view_of(deviations, shape)}};
  std::vector<std::vector<float>> kept(poses.size());
  for (std::size_t i = 0; i < poses.size(); ++i) {
    topologies += fmt::format("{:016x}\n", poses[i].topology);
    kept[i] = {poses[i].forward.x, poses[i].forward.y, poses[i].forward.z, 0};
    for (const Quat q : poses[i].rotations) kept[i].insert(kept[i].end(), {q.x, q.y, q.z, q.w});
    arrays.push_back({fmt::format("pose_{}", i), view_of(kept[i], {poses[i].rotations.size() + 1, 4})});
  }
  Metadata words{{kVersionKey, "1"}, {"styles", names}, {"poses", topologies}, {"licence", licence}};
  words[kChecksumKey] = content_checksum(arrays, words);
  return write_safetensors(folder / kStyleFile, arrays, words);
}

bool StyleModel::has_style(const std::string& name) const {
  return std::ranges::any_of(styles_, [&](const NamedStyle& style) { return style.name == name; });
}

StyleCode StyleModel::neutral() const {
  for (const char* name : {"normal", "neutral"})
    for (const NamedStyle& style : styles_)
      if (style.name == name) return style.mean;
  StyleCode sum(idx(code_width_), 0.0F);
  for (const NamedStyle& style : styles_)
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += style.mean[i] / static_cast<float>(styles_.size());
  return sum;
}

Result<StyleCode> StyleModel::parse(const std::string& text) const {
  StyleCode sum(idx(code_width_), 0.0F);
  float weights = 0;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find('+', begin), text.size());
    std::string term = text.substr(begin, end - begin);
    std::erase(term, ' ');
    float weight = 1;
    if (const std::size_t star = term.find('*'); star != std::string::npos) {
      const auto read = std::from_chars(term.data(), term.data() + star, weight);
      if (read.ec != std::errc() || read.ptr != term.data() + star || !std::isfinite(weight))
        return Error{ErrorCode::kUsage, "'" + term + "' begins with no number: write 0.6*proud+0.4*tired"};
      term.erase(0, star + 1);
    }
    const auto found = std::ranges::find_if(styles_, [&](const NamedStyle& style) { return style.name == term; });
    if (found == styles_.end()) {
      std::vector<std::string> names;
      std::string all;
      for (const NamedStyle& style : styles_) {
        names.push_back(style.name);
        all += (all.empty() ? "" : ", ") + style.name;
      }
      return Error{ErrorCode::kUsage,
                   "there is no style '" + term + "'" + did_you_mean(term, names) + "; the model has: " + all};
    }
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += weight * found->mean[i];
    weights += weight;
    begin = end + 1;
  }
  if (std::abs(weights) < 1e-3F) return Error{ErrorCode::kUsage, "the weights of '" + text + "' add up to 0"};
  for (float& value : sum) value /= weights;  // Weights that do not add up to 1 mean their ratios.
  return sum;
}

std::vector<float> StyleModel::encode_windows(std::span<const float> rows) const {
  const std::size_t count = rows.size() / kNumColumns, window = idx(window_);
  ZOE_CHECK(count > 0, "a clip has rows");
  nn::NetworkState state = nn::make_state(*encoder_, 1);
  std::vector<float> in(window * kNumColumns), mean(idx(code_width_)), log_variance(mean.size()), codes;
  const std::size_t last = count > window ? count - window : 0;
  for (std::size_t first = 0;; first = std::min(first + window / 2, last)) {
    for (std::size_t i = 0; i < window; ++i)
      std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(std::min(first + i, count - 1) * kNumColumns), kNumColumns,
                  in.begin() + static_cast<std::ptrdiff_t>(i * kNumColumns));
    const std::span<const float> inputs[] = {in};
    const std::span<float> outputs[] = {mean, log_variance};
    ZOE_CHECK((nn::NetworkJob{.network = encoder_.get(), .state = &state, .inputs = inputs, .outputs = outputs}.run()),
              "the encoder's ports were checked");
    codes.insert(codes.end(), mean.begin(), mean.end());
    if (first >= last) return codes;
  }
}

StyleCode StyleModel::encode(std::span<const float> rows) const {
  const std::vector<float> codes = encode_windows(rows);
  StyleCode mean(idx(code_width_), 0.0F);
  for (std::size_t i = 0; i < codes.size(); ++i)
    mean[i % mean.size()] += codes[i] * static_cast<float>(mean.size()) / static_cast<float>(codes.size());
  return mean;
}

bool StyleModel::knows(const Skeleton& skeleton) const {
  return std::ranges::any_of(poses_, [&](const KnownPose& pose) { return pose.topology == skeleton.topology_hash(); });
}

Result<RoleBody> StyleModel::body_of(const SkeletonPtr& skeleton, SkeletonAnalysis analysis, Pose reference) const {
  for (const KnownPose& pose : poses_) {
    if (pose.topology != skeleton->topology_hash() || pose.rotations.size() != idx(skeleton->num_joints())) continue;
    reference.rotations = pose.rotations;
    analysis.forward = pose.forward;
    break;
  }
  return RoleBody::create(skeleton, analysis, reference);
}

StyleCode between(const StyleCode& from, const StyleCode& to, float strength) {
  StyleCode out = from;
  for (std::size_t i = 0; i < out.size(); ++i) out[i] += strength * (to[i] - from[i]);
  return out;
}

StyleCode varied(const NamedStyle& style, std::uint64_t seed) {
  StyleCode out = style.mean;
  if (seed == 0) return out;
  Random random(seed);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] += style.deviation[i] * static_cast<float>(random.normal());
  return out;
}

std::vector<float> every(const StyleClip& clip, int first) {
  std::vector<float> rows;
  for (int f = first; f < clip.num_frames; f += clip.stride) {
    const std::span<const float> row = clip.row(f);
    rows.insert(rows.end(), row.begin(), row.end());
  }
  return rows;
}

}  // namespace zoe::style
