// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe physics build`: the simulated body of a rig as MuJoCo's XML, or its
// shapes as a mesh to look at.
#include <fmt/format.h>

#include "zoe/core/file.h"
#include "zoe/io/write.h"
#include "zoe/physics/body_mesh.h"

#include "physics/body_file.h"

namespace zoe::cli {
namespace {

Result<void> write_body(const BodyFile& body, const std::string& output) {
  if (output.ends_with(".xml")) return write_file_atomic(output, physics::to_mjcf(body.plan));
  const io::Asset& asset = *body.clip.asset;
  const CharacterPtr shapes = physics::make_body_mesh(body.plan, body.clip.motion.skeleton);
  std::vector<Motion> clips = asset.clips;
  for (Motion& clip : clips) clip.num_morph_weights = 0, clip.morph_weights.clear();  // Of the file's own mesh.
  ZOE_TRY_ASSIGN(const Warnings warnings, io::write_asset(output, {shapes, std::move(clips), asset.source, {}}));
  print_warnings(warnings);
  return {};
}

}  // namespace

int run_physics_build(const Arguments& arguments) {
  Options app;
  std::string file, output;
  app.add_option("file", file, "Rig or clip to build a body for")->required()->reads();
  app.add_option("-o,--out", output,
                 "MuJoCo's XML (.xml), or the shapes with the file's clips, for `zoe view` (.glb .fbx)")
      ->required()
      ->writes();
  if (const auto exit = parse(app, arguments)) return *exit;
  constexpr const char* kFormats[] = {".xml", ".glb", ".gltf", ".fbx"};
  if (const Result<void> fits = check_output_file(output, kFormats); !fits) return print_error(fits.error());
  Warnings warnings;
  const Result<BodyFile> body = load_body_file(file, {}, warnings);
  if (!body) return print_error(body.error());
  // A body that the engine refuses is not written.
  const auto model = physics::BodyModel::create(body->plan, body->clip.motion.skeleton);
  if (!model) return print_error(Error{model.error().code, model.error().message, {.file = file}});
  if (const Result<void> written = write_body(*body, output); !written) return print_error(written.error());
  if (quiet()) return kDone;
  const physics::BodyPlan& plan = body->plan;
  int from_skin = 0;
  for (const physics::Bone& bone : plan.bones) from_skin += bone.shape.from_skin ? 1 : 0;
  fmt::print(
      "{}: {}, {} bones ({} fitted to the skin), {} degrees of freedom, {:.3g} kg, {:.2f} m, {} pairs without "
      "contact\n",
      output, to_string(body->analysis.family), plan.bones.size(), from_skin, (*model)->num_dofs(), plan.mass_kg,
      plan.height_m, plan.no_contact.size());
  for (std::size_t b = 0; b < plan.bones.size(); ++b) {
    const physics::Bone& bone = plan.bones[b];
    fmt::print("  {:<24} {:<6} {:<8} {:7.2f} kg", plan.names[b], to_string(bone.role),
               bone.shape.is_box ? "box" : "capsule", bone.mass_kg);
    if (b > 0)
      fmt::print("  limit {:3.0f} deg, servo {:.3g} N m/rad", bone.limit_rad * 57.29577951, bone.stiffness_nm_rad);
    fmt::print("\n");
  }
  return kDone;
}

}  // namespace zoe::cli
