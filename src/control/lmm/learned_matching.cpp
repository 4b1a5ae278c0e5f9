// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "zoe/character/copy_pose.h"
#include "zoe/control/lmm.h"
#include "zoe/control/lmm_trace.h"
#include "zoe/control/step_constants.h"
#include "zoe/core/index.h"
#include "zoe/math/portable.h"

#include "control/lmm/lmm_workspace.h"

namespace zoe::control {
namespace {

using features::BlockKind;

// Extrapolates before `a` by the difference from `a` to `b`, `steps` times.
void extrapolate_back(const Pose& a, const Pose& b, int steps, Pose& out) {
  for (std::size_t j = 0; j < a.rotations.size(); ++j) {
    const auto times = static_cast<float>(steps);
    out.translations[j] = a.translations[j] - (b.translations[j] - a.translations[j]) * times;
    const Quat back = a.rotations[j] * conjugate(nearest_to(a.rotations[j], b.rotations[j]));
    Quat q = a.rotations[j];
    for (int i = 0; i < steps; ++i) q = back * q;
    out.rotations[j] = normalized(q);
  }
}

// A network's zero is not exactly zero: a standing character must not drift. Below the first speed a step becomes zero,
// above the second it is unchanged.
RootDelta without_creep(const RootDelta& step, float dt_s) {
  const float speed = portable_hypot(step.translation.x, step.translation.z) / dt_s;
  const float turn = std::abs(step.turn_rad) / dt_s;
  const float share = std::clamp((speed - kCreepNone_mps) / (kCreepAll_mps - kCreepNone_mps), 0.0F, 1.0F);
  const float turn_share = std::clamp((turn - kCreepNone_rad_s) / (kCreepAll_rad_s - kCreepNone_rad_s), share, 1.0F);
  return {step.translation * share, step.turn_rad * turn_share};
}

// Per squared distance of style vectors, whose points are about 1 apart. Costs of frames are a few units.
constexpr float kStyleCost = 1000;

class LearnedMatching final : public Controller {
 public:
  LearnedMatching(LearnedMatchingParts parts, features::Decoder decoder)
      : Controller({.skeleton = parts.body.skeleton,
                    .rate_hz = parts.layout.fps(),
                    .contact_joints = parts.body.contact_joints,
                    .legs = legs_of(parts.body),
                    .styles = parts.layout.schema().styles,
                    .actions = parts.layout.schema().actions,
                    .motion_range = parts.body.motion_range,
                    .content = parts.decompressor->fingerprint() ^ (3 * parts.stepper->fingerprint()) ^
                               (5 * parts.projector->fingerprint()),
                    .stand = parts.body.stand}),
        decoder_(std::move(decoder)),
        networks_{std::move(parts.decompressor), std::move(parts.stepper), std::move(parts.projector)},
        space_(parts.layout, parts.normalisation),
        steering_(std::move(parts.body), parts.options, parts.layout.fps()),
        points_(std::move(parts.style_points)),
        usual_style_(index_of(styles(), steering_.options().usual_style)),
        usual_action_(index_of(actions(), steering_.options().usual_action)),
        style_share_(1 - portable_exp2(-steering_.dt_s() / std::max(parts.style_half_life_s, 1e-3F))),
        usual_vector_(idx(points_.dims)) {
    request_style({}, usual_vector_);
    LmmWorkspace memory(networks_, decoder_, 1);
    LmmWorkspace::Slot& slot = memory.take();
    const std::vector<float> standing = space_.standing();
    std::copy(standing.begin(), standing.end(), slot.x.begin());
    std::copy(usual_vector_.begin(), usual_vector_.end(), slot.x.begin() + space_.num_dims());
    run(*networks_.projector, slot.projector, 1, slot.x, slot.s);
    put_style(usual_vector_, std::span(slot.s).first(slot.s.size()));
    start_ = slot.s;
    run(*networks_.decompressor, slot.decompressor, 1, slot.s, slot.y);
    start_pose_ = std::make_unique<Pose>(make_pose(*skeleton()));
    decode(slot.y, slot.frame, *start_pose_);
    start_contacts_ = slot.frame.contacts;
  }

  const char* type() const override { return "lmm"; }
  LearnedTrace trace(std::span<const Intent> intents) const;
  std::size_t model_bytes() const override {
    return networks_.decompressor->weight_bytes() + networks_.stepper->weight_bytes() +
           networks_.projector->weight_bytes();
  }

 protected:
  std::unique_ptr<ControllerState> allocate_state() const override {
    return std::make_unique<LmmState>(steering_.body(), space_, steering_.options(), start_.size(),
                                      usual_vector_.size());
  }
  std::unique_ptr<Workspace> make_workspace(int max_characters) const override {
    return std::make_unique<LmmWorkspace>(networks_, decoder_, std::max(max_characters, 1));
  }
  void start(ControllerState& base, CharacterFrame& now) const noexcept override {
    auto& state = static_cast<LmmState&>(base);
    std::copy(start_.begin(), start_.end(), state.s.begin());
    for (std::vector<float>* vector : {&state.style, &state.played})
      std::copy(usual_vector_.begin(), usual_vector_.end(), vector->begin());
    for (Pose* pose : {&state.shown, &state.shown_before}) copy(*start_pose_, *pose);
    steering_.start(state);
    std::copy(start_contacts_.begin(), start_contacts_.end(), now.contacts.begin());
    steering_.show(state, {}, now);
  }
  void step_many(std::span<const StepItem> items, Workspace* workspace, Executor* pool) const noexcept override {
    auto& memory = static_cast<LmmWorkspace&>(*workspace);
    const auto run_chunk = [&](std::size_t begin, std::size_t end) {
      LmmWorkspace::Slot& slot = memory.take();
      step_chunk(items.subspan(begin, end - begin), slot);
      LmmWorkspace::give_back(slot);
    };
    const std::size_t chunk = memory.fair_chunk(items.size(), pool);
    if (pool != nullptr) {
      pool->parallel_for(items.size(), chunk, run_chunk);
    } else {
      for (std::size_t begin = 0; begin < items.size(); begin += chunk)
        run_chunk(begin, std::min(begin + chunk, items.size()));
    }
  }

 private:
  static int index_of(std::span<const std::string> names, const std::string& name) {
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? -1 : static_cast<int>(found - names.begin());
  }
  // The vector of the intent's labels, or of the usual ones. out: [style dims].
  void request_style(const Intent& intent, std::span<float> out) const noexcept {
    std::fill(out.begin(), out.end(), 0.0F);
    const auto add = [&](std::size_t first, std::size_t count, std::span<const float> weights, int usual) {
      weights = weights.first(std::min(count, weights.size()));
      const bool any = std::any_of(weights.begin(), weights.end(), [](float weight) { return weight != 0; });
      const float one = 1;
      if (any) points_.add(first, weights, out);
      if (!any && usual >= 0) points_.add(first + idx(usual), {&one, 1}, out);
    };
    add(0, styles().size(), intent.styles, usual_style_);
    add(styles().size(), actions().size(), intent.actions, usual_action_);
  }
  // s: [state]
  void put_style(std::span<const float> style, std::span<float> s) const noexcept {
    std::copy(style.begin(), style.end(), s.begin() + space_.num_dims());
  }
  static LmmState& state_of(const StepItem& item) { return static_cast<LmmState&>(*item.state); }
  static void copy(const Pose& from, Pose& to) { copy_pose(from.view(), span_of(to)); }
  // Contacts are 0 or 1.
  void decode(std::span<const float> y, features::DecodedFrame& frame, Pose& pose) const noexcept {
    decoder_.decode(y, {}, PlanarRoot{}, frame);
    frame.pose_root = {};
    decoder_.to_pose(frame, pose);
    for (float& contact : frame.contacts) contact = contact >= 0.5F ? 1.0F : 0.0F;
  }
  void step_chunk(std::span<const StepItem> items, LmmWorkspace::Slot& slot) const noexcept;
  void search(std::span<const StepItem> items, LmmWorkspace::Slot& slot) const noexcept;

  features::Decoder decoder_;
  LmmNetworks networks_;
  FeatureSpace space_;
  Steering steering_;
  StylePoints points_;
  int usual_style_, usual_action_;   // -1: none.
  float style_share_;                // Of the distance to the requested vector, in a step.
  std::vector<float> usual_vector_;  // [style dims]
  std::vector<float> start_;         // State s of standing.
  std::unique_ptr<Pose> start_pose_;
  std::vector<float> start_contacts_;
};

void LearnedMatching::step_chunk(std::span<const StepItem> items, LmmWorkspace::Slot& slot) const noexcept {
  const std::size_t s = start_.size(), y = idx(decoder_.width()), x = idx(space_.num_dims());
  const int count = static_cast<int>(items.size());
  // 1. The next state of every character, and its pose.
  for (std::size_t i = 0; i < items.size(); ++i) {
    LmmState& state = state_of(items[i]);
    request_style(*items[i].intent, state.wanted_style);
    for (std::size_t d = 0; d < state.style.size(); ++d)
      state.style[d] += style_share_ * (state.wanted_style[d] - state.style[d]);
    put_style(state.style, state.s);
    std::copy(state.s.begin(), state.s.end(), slot.s.begin() + static_cast<std::ptrdiff_t>(i * s));
  }
  run(*networks_.stepper, slot.stepper, count, slot.s, slot.next);
  for (std::size_t i = 0; i < items.size(); ++i)
    put_style(state_of(items[i]).style, std::span(slot.next).subspan(i * s, s));
  run(*networks_.decompressor, slot.decompressor, count, slot.next, slot.y);
  // 2. Roots move, and springs lead them.
  slot.due.clear();
  for (std::size_t i = 0; i < items.size(); ++i) {
    LmmState& state = state_of(items[i]);
    const std::span<const float> made = std::span(slot.y).subspan(i * y, y);
    std::copy_n(slot.next.begin() + static_cast<std::ptrdiff_t>(i * s), s, state.s.begin());
    state.root =
        steering_.move_root(state, items[i].before->root, without_creep(decoder_.root_step(made), steering_.dt_s()),
                            space_.way_of(std::span(state.s).first(x)));
    steering_.lead(state, *items[i].intent, state.root);
    if (steering_.is_due(state, *items[i].intent)) slot.due.push_back(i);
  }
  // 3. Search for a better frame.
  if (!slot.due.empty()) search(items, slot);
  // 4. The pose with transitions and locked feet.
  for (std::size_t i = 0; i < items.size(); ++i) {
    LmmState& state = state_of(items[i]);
    std::swap(state.shown, state.shown_before);
    decode(std::span(slot.y).subspan(i * y, y), slot.frame, state.shown);
    std::copy(slot.frame.contacts.begin(), slot.frame.contacts.end(), items[i].now->contacts.begin());
    steering_.show(state, state.root, *items[i].now);
  }
}

// Characters that switch get the new frame's pose into slot.y.
void LearnedMatching::search(std::span<const StepItem> items, LmmWorkspace::Slot& slot) const noexcept {
  const std::size_t s = start_.size(), y = idx(decoder_.width()), x = idx(space_.num_dims());
  for (std::size_t d = 0; d < slot.due.size(); ++d) {
    LmmState& state = state_of(items[slot.due[d]]);
    const std::span<const float> current = std::span(state.s).first(x);
    space_.ask(current, state.root, state.ahead, state.query, state.wanted);
    const auto asked = std::span(slot.x).subspan(d * (x + state.style.size()), x + state.style.size());
    std::copy(state.query.begin(), state.query.end(), asked.begin());
    std::copy(state.wanted_style.begin(), state.wanted_style.end(), asked.begin() + static_cast<std::ptrdiff_t>(x));
    state.report.cost = match_cost(state.query, current);
    // A motion of another style ends, at any cost.
    for (std::size_t c = 0; c < state.played.size(); ++c) {
      const float apart = state.wanted_style[c] - state.played[c];
      state.report.cost += kStyleCost * apart * apart;
    }
    steering_.searched(state, *items[slot.due[d]].intent, state.root);
    ++state.report.num_searches;
  }
  run(*networks_.projector, slot.projector, static_cast<int>(slot.due.size()), slot.x, slot.next);
  std::size_t switching = 0;
  for (std::size_t d = 0; d < slot.due.size(); ++d) {
    LmmState& state = state_of(items[slot.due[d]]);
    const auto found = std::span<const float>(slot.next).subspan(d * s, s);
    state.report.found_cost = match_cost(state.query, found.first(x));
    if (!(state.report.found_cost + steering_.options().transition_cost < state.report.cost)) continue;
    std::copy(found.begin(), found.end(), state.s.begin());
    put_style(state.style, state.s);
    std::copy(state.wanted_style.begin(), state.wanted_style.end(), state.played.begin());
    std::copy(state.s.begin(), state.s.end(), slot.s.begin() + static_cast<std::ptrdiff_t>(switching * s));
    slot.due[switching++] = slot.due[d];
  }
  if (switching == 0) return;
  // The new frame and the one after it give its velocity.
  const int count = static_cast<int>(switching);
  run(*networks_.stepper, slot.stepper, count, slot.s, slot.next);
  for (std::size_t d = 0; d < switching; ++d)
    put_style(state_of(items[slot.due[d]]).style, std::span(slot.next).subspan(d * s, s));
  run(*networks_.decompressor, slot.decompressor, count, slot.s, slot.found);
  run(*networks_.decompressor, slot.decompressor, count, slot.next, slot.after);
  for (std::size_t d = 0; d < switching; ++d) {
    LmmState& state = state_of(items[slot.due[d]]);
    const auto found = std::span<const float>(slot.found).subspan(d * y, y);
    const auto after = std::span<const float>(slot.after).subspan(d * y, y);
    decode(found, slot.frame, slot.pose);
    decode(after, slot.frame, slot.pose_after);
    extrapolate_back(slot.pose, slot.pose_after, 1, state.target);
    extrapolate_back(slot.pose, slot.pose_after, 2, state.target_before);
    steering_.begin_switch(state, decoder_.root_step(after));
    std::copy(found.begin(), found.end(), slot.y.begin() + static_cast<std::ptrdiff_t>(slot.due[d] * y));
    ++state.report.num_switches;
  }
}

LearnedTrace LearnedMatching::trace(std::span<const Intent> intents) const {
  const FeatureSpace::WayColumns way = space_.way_columns();
  LearnedTrace out{.times_ahead = space_.times_ahead(),
                   .start = start_,
                   .way_position = way.position,
                   .way_direction = way.direction,
                   .way_s = way.time_s,
                   .decoded = {},
                   .steps = std::vector<LearnedStep>(intents.size())};
  for (const int joint : decoder_.joints()) out.decoded.push_back({joint, decoder_.takes_position(joint)});
  const auto base = allocate_state();
  const auto workspace = make_workspace(1);
  auto& state = static_cast<LmmState&>(*base);
  CharacterFrame before{{}, *start_pose_, start_contacts_}, now = before;
  start(state, now);
  LmmWorkspace::Slot& slot = static_cast<LmmWorkspace&>(*workspace).take();
  for (std::size_t i = 0; i < intents.size(); ++i) {
    const Intent intent = sanitised(intents[i]);
    const std::int64_t searches = state.report.num_searches, switches = state.report.num_switches;
    std::swap(before, now);
    const StepItem item{&state, &intent, &before, &now};
    step_chunk({&item, 1}, slot);
    LearnedStep& step = out.steps[i];
    step.state = state.s;
    step.output = slot.y;
    if (state.report.num_searches > searches) step.query = state.query;
    step.switched = state.report.num_switches > switches;
    step.root = now.root;
    step.contacts = now.contacts;
    step.pose = now.pose;
  }
  return out;
}

const char* problem(const nn::Network& network, std::size_t in, std::size_t out) {
  if (network.inputs().size() != 1 || network.outputs().size() != 1) return "it must have one input and one output";
  if (network.inputs()[0].shape.size() != in || network.outputs()[0].shape.size() != out)
    return "its inputs or outputs are not as wide as the layout and the other networks have it";
  return nullptr;
}

Result<std::shared_ptr<const LearnedMatching>> make_matching(LearnedMatchingParts parts) {
  ZOE_CHECK(parts.body.skeleton && parts.decompressor && parts.stepper && parts.projector,
            "learned matching needs a body and three networks");
  const auto wrong = [](const std::string& what) {
    return Error{ErrorCode::kInvalid, "learned motion matching: " + what, {}};
  };
  const features::Layout& layout = parts.layout;
  if (layout.num_joints() != parts.body.skeleton->num_joints()) return wrong("the networks are of another skeleton");
  if (layout.steps(BlockKind::kInput) != 1 || layout.steps(BlockKind::kOutput) != 1)
    return wrong("the layout must have one step");
  const auto x = idx(layout.width(BlockKind::kInput)), y = idx(layout.width(BlockKind::kOutput));
  if (parts.normalisation.means.size() != x || parts.normalisation.spreads.size() != x)
    return wrong("the normalisation is not as wide as the layout's features");
  const std::size_t labels = layout.schema().styles.size() + layout.schema().actions.size();
  if (parts.style_points.num_labels() != labels)
    return wrong("the points of styles are not those of the layout's styles and actions");
  const std::size_t s = parts.projector->outputs().empty() ? 0 : parts.projector->outputs()[0].shape.size();
  const std::size_t asked = x + idx(parts.style_points.dims);
  if (s < asked) return wrong("projector: a state is at least as wide as the features");
  if (const char* what = problem(*parts.projector, asked, s)) return wrong("projector: " + std::string(what));
  if (const char* what = problem(*parts.stepper, s, s)) return wrong("stepper: " + std::string(what));
  if (const char* what = problem(*parts.decompressor, s, y)) return wrong("decompressor: " + std::string(what));
  ZOE_TRY_ASSIGN(features::Decoder decoder, features::Decoder::create(layout, parts.body.skeleton));
  if (decoder.make_frame().contacts.size() != parts.body.contact_joints.size())
    return wrong("body and layout have different contact joints");
  return std::make_shared<const LearnedMatching>(std::move(parts), std::move(decoder));
}

}  // namespace

Result<ControllerPtr> make_learned_matching(LearnedMatchingParts parts) {
  ZOE_TRY_ASSIGN(std::shared_ptr<const LearnedMatching> made, make_matching(std::move(parts)));
  return ControllerPtr(std::move(made));
}

Result<LearnedTrace> trace_learned_steps(const LearnedMatchingParts& parts, std::span<const Intent> intents) {
  LearnedMatchingParts without_locks = parts;
  without_locks.options.lock_feet = false;
  ZOE_TRY_ASSIGN(const std::shared_ptr<const LearnedMatching> locked, make_matching(parts));
  ZOE_TRY_ASSIGN(const std::shared_ptr<const LearnedMatching> plain, make_matching(std::move(without_locks)));
  LearnedTrace out = plain->trace(intents);
  const LearnedTrace with_locks = locked->trace(intents);
  for (std::size_t i = 0; i < out.steps.size(); ++i) out.steps[i].displayed = with_locks.steps[i].pose;
  return out;
}

Result<LearnedMatchingParts> load_learned_matching(const ControllerParts& parts, Body body) {
  const auto network = [&](const char* name) -> Result<nn::NetworkPtr> {
    ZOE_TRY_ASSIGN(const Safetensors part, parts.tensors(name));
    return nn::load_fixed_network(part);
  };
  ZOE_TRY_ASSIGN(nn::NetworkPtr decompressor, network(kDecompressorFile));
  ZOE_TRY_ASSIGN(nn::NetworkPtr stepper, network(kStepperFile));
  ZOE_TRY_ASSIGN(nn::NetworkPtr projector, network(kProjectorFile));
  ZOE_TRY_ASSIGN(const Safetensors features_file, parts.tensors(kFeaturesFile));
  const std::string file = features_file.file_name();
  const auto text = decompressor->metadata().find("layout");
  if (text == decompressor->metadata().end())
    return Error{ErrorCode::kInvalid,
                 "it does not describe its features ('layout'); create it with zoe train controller --kind lmm",
                 {.file = file}};
  ZOE_TRY_ASSIGN(features::Layout layout, features::Layout::from_toml(text->second, *body.skeleton, file));
  ZOE_TRY_ASSIGN(const features::Normalisation normalisation, features::load_normalisation(features_file, layout));
  StylePoints points;
  if (const std::size_t labels = layout.schema().styles.size() + layout.schema().actions.size(); labels > 0) {
    const auto found = decompressor->metadata().find(kStylePointsKey);
    if (found == decompressor->metadata().end())
      return Error{ErrorCode::kInvalid, "it has styles or actions without their points", {.file = file}};
    ZOE_TRY_ASSIGN(points, StylePoints::parse(found->second, labels));
  }
  return LearnedMatchingParts{.body = std::move(body),
                              .layout = std::move(layout),
                              .normalisation = normalisation.block(BlockKind::kInput),
                              .decompressor = std::move(decompressor),
                              .stepper = std::move(stepper),
                              .projector = std::move(projector),
                              .options = {},
                              .style_points = std::move(points)};
}

LearnedMatchReport learned_match_report(const ControllerState& state) {
  const auto* learned = dynamic_cast<const LmmState*>(&state);
  ZOE_CHECK(learned != nullptr, "learned_match_report: not a state of learned matching");
  LearnedMatchReport report = learned->report;
  report.state = learned->s;
  return report;
}

}  // namespace zoe::control
