// SPDX-License-Identifier: MIT
#include "zoe/style/style_layer.h"

#include <algorithm>
#include <cmath>

#include "zoe/character/copy_pose.h"
#include "zoe/core/index.h"
#include "zoe/core/thread_pool.h"

namespace zoe::style {
namespace {

constexpr double kCodeHalfLife_s = 0.1;

}  // namespace

std::vector<Leg> legs_of(const RoleBody& body) {
  std::vector<Leg> legs;
  for (const int thigh : {kLeftUpperLeg, kRightUpperLeg}) {
    const auto joint = [&](int role) { return body.joints[idx(role)]; };
    Leg leg;
    leg.hip = joint(thigh), leg.knee = joint(thigh + 1), leg.ankle = joint(thigh + 2), leg.ball = joint(thigh + 3);
    leg.knee_axis = rotate(conjugate(body.t_pose[idx(thigh + 1)]), Vec3{1, 0, 0});  // A knee bends about +X there.
    leg.ball_height_m = body.toe_height;
    leg.ankle_height_m = body.toe_height + std::max(0.0F, -body.offsets[idx(thigh + 3)].y * body.leg_length);
    legs.push_back(leg);
  }
  return legs;
}

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

void StyleLayer::set_correction(const RowCorrection* correction) {
  stream_.set_correction(correction);
  if (change_) change_->set_correction(correction);
}

PoseView StyleLayer::run(const PoseView& pose, std::span<const float> contacts, double dt_s) noexcept {
  (void)contacts;  // The network predicts those of its own feet.
  begin(pose, dt_s);
  if (change_)
    change_->step(row_, code_, neutral_, styled_);
  else
    stream_.step(row_, code_, styled_);
  return finish(dt_s);
}

void StyleLayer::begin(const PoseView& pose, double dt_s) noexcept {
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
}

PoseView StyleLayer::finish(double dt_s) noexcept {
  const float floor = ground_m_ + body_.toe_height;
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

StyleCrowd::StyleCrowd(StyleModelPtr model, std::size_t max_layers, int batch)
    : model_(std::move(model)), batch_(idx(batch)) {
  ZOE_CHECK(batch > 0, "a batch has room for a layer");
  for (std::size_t i = 0; i < max_layers; i += batch_)
    parts_.push_back({RowBatch(*model_, batch), std::vector<RowBatch::Item>(batch_)});
}

void StyleCrowd::run(std::span<StyleLayer> layers, std::span<const PoseView> poses, double dt_s) {
  ZOE_CHECK(layers.size() == poses.size() && layers.size() <= parts_.size() * batch_, "a pose for each layer");
  const std::size_t count = (layers.size() + batch_ - 1) / batch_;
  ThreadPool::shared().parallel_for(count, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t p = begin; p < end; ++p) {
      const std::size_t first = p * batch_, size = std::min(batch_, layers.size() - first);
      const std::span<StyleLayer> own = layers.subspan(first, size);
      const std::span<RowBatch::Item> items(parts_[p].items);
      for (std::size_t i = 0; i < size; ++i) {
        StyleLayer& layer = own[i];
        layer.begin(poses[first + i], dt_s);
        items[i] = {layer.change_ ? &layer.change_->styled() : &layer.stream_, layer.row_, layer.code_, layer.styled_};
      }
      parts_[p].rows.step(items.first(size));
      std::size_t changes = 0;
      for (StyleLayer& layer : own)
        if (layer.change_)
          items[changes++] = {&layer.change_->plain(), layer.row_, layer.neutral_, layer.change_->plain_row()};
      parts_[p].rows.step(items.first(changes));
      for (StyleLayer& layer : own) {
        if (layer.change_) layer.change_->apply(layer.row_, layer.styled_);
        layer.finish(dt_s);
      }
    }
  });
}

}  // namespace zoe::style
