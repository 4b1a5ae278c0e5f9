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

}  // namespace

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
                               std::span<const float> own) {
  ChangeStream stream(model, clip.stride);
  std::vector<float> out(clip.rows.size());
  for (int f = 0; f < clip.num_frames; ++f)
    stream.step(clip.row(f), z, own, std::span(out).subspan(idx(f) * kNumColumns, kNumColumns));
  return out;
}

std::vector<float> stylize_rows(const StyleModel& model, const StyleClip& clip, std::span<const float> z) {
  RowStream stream(model, clip.stride);
  std::vector<float> out(clip.rows.size());
  for (int f = 0; f < clip.num_frames; ++f)
    stream.step(clip.row(f), z, std::span(out).subspan(idx(f) * kNumColumns, kNumColumns));
  return out;
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
    return options.own != nullptr ? change_rows(model, clip, z, *options.own) : stylize_rows(model, clip, z);
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
