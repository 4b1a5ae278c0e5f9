// SPDX-License-Identifier: MIT
#include "zoe/style/stylize.h"

#include <algorithm>
#include <cmath>

#include "zoe/anatomy/foot_contacts.h"
#include "zoe/core/index.h"
#include "zoe/motion/edit.h"

namespace zoe::style {
namespace {

constexpr double kChangeHalfLife_s = 0.1;

void add_correction(const RowCorrection& correction, std::span<const float> state, std::span<float> row) noexcept {
  for (std::size_t c = 0; c < kNumColumns; ++c) row[c] += correction.offset[c];
  if (correction.weights.empty()) return;
  for (std::size_t i = 0; i < state.size(); ++i) {
    const float* weights = correction.weights.data() + i * kNumColumns;
    for (std::size_t c = 0; c < kNumColumns; ++c) row[c] += state[i] * weights[c];
  }
}

}  // namespace

RowCorrection scaled(const RowCorrection& correction, float strength) {
  RowCorrection out = correction;
  for (float& value : out.offset) value *= strength;
  for (float& value : out.weights) value *= strength;
  return out;
}

RowStream::RowStream(const StyleModel& model, int stride)
    : network_(&model.step()), state_(nn::make_state(model.step(), 1)), memories_(idx(stride)) {
  const auto inputs = network_->inputs();
  for (Memory& memory : memories_) {
    memory.past.assign(idx(inputs[2].shape.width), 0);
    memory.past_next = memory.past;
    for (std::size_t i = 3; i < inputs.size(); ++i) memory.cells.emplace_back(idx(inputs[i].shape.width), 0.0F);
    memory.cells_next = memory.cells;
  }
}

void RowStream::reset() noexcept {
  for (Memory& memory : memories_) {
    std::fill(memory.past.begin(), memory.past.end(), 0.0F);
    for (std::vector<float>& cell : memory.cells) std::fill(cell.begin(), cell.end(), 0.0F);
  }
  next_ = 0;
}

void RowStream::step(std::span<const float> row, std::span<const float> z, std::span<float> out) noexcept {
  Memory& memory = memories_[next_];
  next_ = (next_ + 1) % memories_.size();
  const bool two = memory.cells.size() > 1;
  const std::span<const float> inputs[] = {row, z, memory.past, memory.cells[0],
                                           two ? std::span<const float>(memory.cells[1]) : std::span<const float>()};
  const std::span<float> outputs[] = {out, memory.past_next, memory.cells_next[0],
                                      two ? std::span<float>(memory.cells_next[1]) : std::span<float>()};
  const std::size_t ports = network_->inputs().size();
  const bool ran = nn::NetworkJob{.network = network_,
                                  .state = &state_,
                                  .inputs = std::span(inputs).first(ports),
                                  .outputs = std::span(outputs).first(ports - 1)}
                       .run();
  ZOE_CHECK(ran, "the step's ports were checked");
  std::swap(memory.past, memory.past_next);
  std::swap(memory.cells, memory.cells_next);
  if (correction_ != nullptr && !correction_->offset.empty()) add_correction(*correction_, memory.cells[0], out);
}

void RowStream::set_correction(const RowCorrection* correction) {
  ZOE_CHECK(correction == nullptr || correction->weights.empty() ||
                correction->weights.size() == memories_[0].cells[0].size() * kNumColumns,
            "a correction of this model");
  correction_ = correction;
}

std::span<const float> RowStream::last_state() const {
  return memories_[(next_ + memories_.size() - 1) % memories_.size()].cells[0];
}

RowBatch::RowBatch(const StyleModel& model, int max_streams)
    : network_(&model.step()), state_(nn::make_state(model.step(), max_streams)) {
  for (const nn::Port& port : network_->inputs()) inputs_.emplace_back(idx(port.shape.width) * idx(max_streams));
  for (const nn::Port& port : network_->outputs()) outputs_.emplace_back(idx(port.shape.width) * idx(max_streams));
}

void RowBatch::step(std::span<const Item> items) noexcept {
  const std::size_t count = items.size(), ports = inputs_.size();
  if (count == 0) return;
  ZOE_CHECK(count <= idx(state_.max_batch()), "more streams than the batch has room for");
  const auto put = [](std::vector<float>& to, std::size_t i, std::span<const float> from) {
    std::copy(from.begin(), from.end(), to.begin() + static_cast<std::ptrdiff_t>(i * from.size()));
  };
  for (std::size_t i = 0; i < count; ++i) {
    const RowStream::Memory& memory = items[i].stream->memories_[items[i].stream->next_];
    put(inputs_[0], i, items[i].row);
    put(inputs_[1], i, items[i].z);
    put(inputs_[2], i, memory.past);
    for (std::size_t k = 3; k < ports; ++k) put(inputs_[k], i, memory.cells[k - 3]);
  }
  constexpr std::size_t kMostPorts = 5;
  std::array<std::span<const float>, kMostPorts> in;
  std::array<std::span<float>, kMostPorts> out;
  for (std::size_t k = 0; k < ports; ++k)
    in[k] = std::span(inputs_[k]).first(count * idx(network_->inputs()[k].shape.width));
  for (std::size_t k = 0; k + 1 < ports; ++k)
    out[k] = std::span(outputs_[k]).first(count * idx(network_->outputs()[k].shape.width));
  const bool ran = nn::NetworkJob{.network = network_,
                                  .state = &state_,
                                  .batch = static_cast<int>(count),
                                  .inputs = std::span(in).first(ports),
                                  .outputs = std::span(out).first(ports - 1)}
                       .run();
  ZOE_CHECK(ran, "the step's ports were checked");
  const auto take = [&](std::size_t port, std::size_t i, std::span<float> to) {
    std::copy_n(outputs_[port].begin() + static_cast<std::ptrdiff_t>(i * to.size()), to.size(), to.begin());
  };
  for (std::size_t i = 0; i < count; ++i) {
    RowStream& stream = *items[i].stream;
    RowStream::Memory& memory = stream.memories_[stream.next_];
    stream.next_ = (stream.next_ + 1) % stream.memories_.size();
    take(0, i, items[i].out);
    take(1, i, memory.past);
    for (std::size_t k = 2; k + 1 < ports; ++k) take(k, i, memory.cells[k - 2]);
    if (stream.correction_ != nullptr && !stream.correction_->offset.empty())
      add_correction(*stream.correction_, memory.cells[0], items[i].out);
  }
}

ChangeStream::ChangeStream(const StyleModel& model, int stride)
    : styled_(model, stride),
      plain_(model, stride),
      plain_row_(kNumColumns, 0.0F),
      rate_(static_cast<float>(1 - std::exp2(-1 / (kRowsPerSecond * stride * kChangeHalfLife_s)))) {}

void ChangeStream::reset() noexcept {
  styled_.reset();
  plain_.reset();
  started_ = false;
}

void ChangeStream::step(std::span<const float> row, std::span<const float> z, std::span<const float> own,
                        std::span<float> out) noexcept {
  styled_.step(row, z, out);
  plain_.step(row, own, plain_row_);
  apply(row, out);
}

void ChangeStream::apply(std::span<const float> row, std::span<float> out) noexcept {
  for (int role = 0; role < kNumRoles; ++role) {
    const Quat now = normalized(rotation_of(out, role) * conjugate(rotation_of(plain_row_, role)));
    Quat& change = change_[idx(role)];
    change = started_ ? slerp(change, nearest_to(change, now), rate_) : now;
    put_rotation(out, role, normalized(change * rotation_of(row, role)));
  }
  for (std::size_t i = 0; i < shift_.size(); ++i) {
    const float now = out[kHeight + i] - plain_row_[kHeight + i];
    shift_[i] = started_ ? shift_[i] + rate_ * (now - shift_[i]) : now;
    out[kHeight + i] = row[kHeight + i] + shift_[i];
  }
  started_ = true;
}

std::vector<float> change_rows(const StyleModel& model, const StyleClip& clip, std::span<const float> z,
                               std::span<const float> own, const RowCorrection* correction) {
  ChangeStream stream(model, clip.stride);
  stream.set_correction(correction);
  std::vector<float> out(clip.rows.size());
  for (int f = 0; f < clip.num_frames; ++f)
    stream.step(clip.row(f), z, own, std::span(out).subspan(idx(f) * kNumColumns, kNumColumns));
  return out;
}

std::vector<float> stylize_rows(const StyleModel& model, const StyleClip& clip, std::span<const float> z,
                                const RowCorrection* correction) {
  RowStream stream(model, clip.stride);
  stream.set_correction(correction);
  std::vector<float> out(clip.rows.size());
  for (int f = 0; f < clip.num_frames; ++f)
    stream.step(clip.row(f), z, std::span(out).subspan(idx(f) * kNumColumns, kNumColumns));
  return out;
}

double content_kept(const StyleClip& clip, std::span<const float> made, std::span<const Vec3> offsets) {
  constexpr double kSteps = 0.1, kGesture = 0.15, kLeastSize = 1.0 / 3;  // Leg lengths; of the clip's size.
  const auto frames = idx(clip.num_frames);
  ZOE_CHECK(made.size() == frames * kNumColumns, "rows of the clip");
  constexpr std::array<int, 4> kLimbs{kLeftToes, kRightToes, kLeftShoulder + 3, kRightShoulder + 3};
  // Sums of both paths of each limb, up and along: values, squares and products.
  struct Sums {
    std::array<double, 2> a{}, b{};
    double aa = 0, bb = 0, ab = 0;
  };
  std::array<Sums, kLimbs.size()> sums;
  std::array<Vec3, kNumRoles> before, after;
  for (std::size_t f = 0; f < frames; ++f) {
    role_positions(clip.row(static_cast<int>(f)), offsets, before);
    role_positions(made.subspan(f * kNumColumns, kNumColumns), offsets, after);
    for (std::size_t l = 0; l < kLimbs.size(); ++l) {
      const Vec3 p = before[idx(kLimbs[l])], q = after[idx(kLimbs[l])];
      Sums& sum = sums[l];
      sum.a[0] += p.y, sum.a[1] += p.z, sum.b[0] += q.y, sum.b[1] += q.z;
      sum.aa += p.y * p.y + p.z * p.z, sum.bb += q.y * q.y + q.z * q.z, sum.ab += p.y * q.y + p.z * q.z;
    }
  }
  const auto n = static_cast<double>(frames);
  double kept = 1;
  bool steps = false;
  for (std::size_t l = 0; l < kLimbs.size(); ++l) {
    const Sums& sum = sums[l];
    const bool hand = l >= 2;
    const double aa = sum.aa / n - (sum.a[0] * sum.a[0] + sum.a[1] * sum.a[1]) / (n * n);
    const double bb = sum.bb / n - (sum.b[0] * sum.b[0] + sum.b[1] * sum.b[1]) / (n * n);
    const double ab = sum.ab / n - (sum.a[0] * sum.b[0] + sum.a[1] * sum.b[1]) / (n * n);
    const double size = std::sqrt(std::max(aa, 0.0)), made_size = std::sqrt(std::max(bb, 0.0));
    if (!hand && size > kSteps) steps = true;
    if (size < (hand ? kGesture : kSteps) || (hand && steps)) continue;
    kept = std::min(kept, made_size < kLeastSize * size ? 0.0 : ab / std::max(size * made_size, 1e-9));
  }
  return kept;
}

Result<Motion> motion_of_rows(std::span<const float> rows, const StyleClip& clip, const Motion& source,
                              const RoleBody& body, const SkeletonAnalysis& analysis, const StylizeOptions& options,
                              CleanFeetReport* report) {
  Motion made = decode_clip(rows, clip, body, source, options.heading_half_life_s);
  if (!options.lock_feet) return made;
  Result<Contacts> contacts = find_foot_contacts(source, analysis);
  if (!contacts) return made;  // Without feet there is nothing to hold.
  return clean_feet(made, analysis, {.contacts = std::move(*contacts)}, report);
}

namespace {

// change(clip) gives the rows of a clip of a rate near a multiple of 30.
template <class Change>
Result<Motion> with_changed_rows(const Motion& motion, const RoleBody& body, const SkeletonAnalysis& analysis,
                                 const StylizeOptions& options, CleanFeetReport* report, const Change& change) {
  constexpr double kNear = 3;  // Rows a second that the network is trained on, more or less.
  const int stride = stride_of(motion.fps);
  if (std::abs(motion.fps / stride - kRowsPerSecond) > kNear) {
    ZOE_TRY_ASSIGN(const Motion other, resample(motion, kRowsPerSecond * stride));
    ZOE_TRY_ASSIGN(const Motion made, with_changed_rows(other, body, analysis, options, report, change));
    ZOE_TRY_ASSIGN(Motion back, resample(made, motion.fps));
    back.name = motion.name;
    return back;
  }
  ZOE_TRY_ASSIGN(const StyleClip clip, encode_clip(motion, body, analysis));
  return motion_of_rows(change(clip), clip, motion, body, analysis, options, report);
}

}  // namespace

Result<Motion> stylize_motion(const StyleModel& model, const Motion& motion, const RoleBody& body,
                              const SkeletonAnalysis& analysis, std::span<const float> z, const StylizeOptions& options,
                              CleanFeetReport* report) {
  ZOE_CHECK(z.size() == idx(model.code_width()), "a code of this model");
  return with_changed_rows(motion, body, analysis, options, report, [&](const StyleClip& clip) {
    return options.own != nullptr ? change_rows(model, clip, z, *options.own, options.correction)
                                  : stylize_rows(model, clip, z, options.correction);
  });
}

Result<Motion> perform_motion(const ProceduralStyle& style, const Motion& motion, const RoleBody& body,
                              const SkeletonAnalysis& analysis, const Random& random, const StylizeOptions& options,
                              CleanFeetReport* report) {
  return with_changed_rows(motion, body, analysis, options, report, [&](const StyleClip& clip) {
    std::vector<float> out = clip.rows;
    for (int first = 0; first < clip.stride; ++first) {  // One performer: the same numbers in each stream of 30.
      const std::vector<float> made = perform(every(clip, first), body.offsets, style, random);
      for (std::size_t f = 0; f < made.size() / kNumColumns; ++f)
        std::copy_n(made.begin() + static_cast<std::ptrdiff_t>(f * kNumColumns), kNumColumns,
                    out.begin() + static_cast<std::ptrdiff_t>((f * idx(clip.stride) + idx(first)) * kNumColumns));
    }
    return out;
  });
}

}  // namespace zoe::style
