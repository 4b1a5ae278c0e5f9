// SPDX-License-Identifier: MIT
#include "zoe/style/style_layer.h"

#include <algorithm>
#include <cmath>

#include "zoe/character/copy_pose.h"
#include "zoe/core/index.h"

namespace zoe::style {
namespace {

constexpr double kCodeHalfLife_s = 0.1;

}  // namespace

StyleLayer::StyleLayer(StyleModelPtr model, RoleBody body, std::span<const Leg> legs, double rate_hz, bool as_change)
    : model_(std::move(model)),
      body_(std::move(body)),
      legs_(legs.begin(), legs.end()),
      stream_(*model_, stride_of(rate_hz)),
      change_(as_change ? std::make_unique<ChangeStream>(*model_, stride_of(rate_hz)) : nullptr),
      neutral_(model_->neutral()),
      before_(idx(stride_of(rate_hz))),
      row_(kNumColumns, 0.0F),
      styled_(kNumColumns, 0.0F),
      code_(model_->neutral()),
      target_(code_),
      leg_contacts_(legs.size(), 0.0F),
      source_(make_pose(*body_.skeleton)),
      out_(source_),
      lock_(make_foot_lock_state(legs.size())),
      rate_hz_(rate_hz) {
  anatomy::compute_model_pose(*body_.skeleton, source_.view(), scratch_);
}

void StyleLayer::set_style(std::span<const float> code) {
  ZOE_CHECK(code.size() == target_.size(), "a code of this model");
  std::copy(code.begin(), code.end(), target_.begin());
  if (!started_) code_ = target_;
}

void StyleLayer::reset() noexcept {
  stream_.reset();
  if (change_) change_->reset();
  num_seen_ = 0;
  started_ = false;
  lock_.started = false;
  std::copy(target_.begin(), target_.end(), code_.begin());
}

PoseView StyleLayer::run(const PoseView& pose, std::span<const float> contacts, double dt_s) noexcept {
  (void)contacts;  // The network predicts those of its own feet.
  copy_pose(pose, span_of(source_));
  read_role_pose(body_, pose, started_ ? now_.heading_rad : 0, scratch_, now_);
  started_ = true;
  // Speeds are over the time of a row of 30 a second: over `stride` calls.
  const std::size_t stride = before_.size(), have = std::min(num_seen_, stride);
  const RolePose& then = have == 0 ? now_ : before_[(next_ + stride - have) % stride];
  const float floor = ground_m_ + body_.toe_height;
  write_row(body_, then, now_, floor, std::max<double>(1, static_cast<double>(have)) / rate_hz_, row_);
  before_[next_] = now_;
  next_ = (next_ + 1) % stride;
  ++num_seen_;

  const auto rate = static_cast<float>(1 - std::exp2(-dt_s / kCodeHalfLife_s));
  for (std::size_t i = 0; i < code_.size(); ++i) code_[i] += rate * (target_[i] - code_[i]);
  if (change_)
    change_->step(row_, code_, neutral_, styled_);
  else
    stream_.step(row_, code_, styled_);
  // The controller decides where the character is and looks. The style decides how high the hips are.
  Placement place{now_.hips, now_.heading_rad};
  place.hips.y = floor + styled_[kHeight] * body_.leg_length;
  write_pose(body_, styled_, place, scratch_, source_, out_);

  for (std::size_t leg = 0; leg < legs_.size(); ++leg) {
    const bool left = legs_[leg].ankle == body_.joints[kLeftUpperLeg + 2];
    leg_contacts_[leg] = std::clamp(styled_[idx(kContacts + (left ? 0 : 1))], 0.0F, 1.0F);
  }
  if (!legs_.empty())
    FootLockJob{.skeleton = body_.skeleton.get(),
                .legs = legs_,
                .ankle_contacts = leg_contacts_,
                .ball_contacts = leg_contacts_,
                .dt_s = static_cast<float>(dt_s),
                .pose = ik_pose(out_),
                .state = &lock_}
        .run();
  return out_.view();
}

}  // namespace zoe::style
