// SPDX-License-Identifier: MIT
#include "dataset/record_json.h"

#include <stdexcept>

namespace zoe::dataset {
namespace {

Json to_json(const std::vector<Note>& notes) {
  Json out = Json::array();
  for (const Note& note : notes) out.push_back({{"code", note.code}, {"text", note.text}});
  return out;
}
Note note_from_json(const Json& json) { return {json.at("code"), json.at("text")}; }

Json to_json(Vec3 v) { return Json::array({v.x, v.y, v.z}); }
Vec3 vec3_from_json(const Json& json) { return {json.at(0), json.at(1), json.at(2)}; }

JointKind kind_from(const std::string& word) {
  for (const JointKind kind : {JointKind::kBone, JointKind::kEndSite, JointKind::kNode})
    if (word == to_string(kind)) return kind;
  throw std::invalid_argument("there is no joint type " + word);
}

}  // namespace

Json to_json(const ClipRecord& clip, const DatasetHead& head) {
  Json out{{"source", clip.source},
           {"name", clip.name},
           {"clip_index", clip.clip_index},
           {"part", clip.part},
           {"mirrored", clip.mirrored},
           {"group", head.groups[static_cast<std::size_t>(clip.group)].id},
           {"split", to_string(clip.split)},
           {"actor", clip.actor},
           {"labels", clip.labels},
           {"label_shares", clip.label_shares},
           {"label_rows", clip.label_rows},
           {"file", clip.file},
           {"first_row", clip.first_row},
           {"num_rows", clip.num_rows},
           {"source_fps", clip.source_fps},
           {"source_frames", clip.source_frames},
           {"metres_per_unit", clip.metres_per_unit},
           {"mean_speed_m_s", clip.mean_speed_m_s},
           {"contact_ratio", clip.contact_ratio},
           {"body", clip.body},
           {"content", clip.content},
           {"key", clip.key}};
  out["repairs"] = to_json(clip.repairs);
  return out;
}

ClipRecord clip_from_json(const Json& json, const DatasetHead& head) {
  ClipRecord clip;
  json.at("source").get_to(clip.source);
  json.at("name").get_to(clip.name);
  json.at("clip_index").get_to(clip.clip_index);
  json.at("part").get_to(clip.part);
  json.at("mirrored").get_to(clip.mirrored);
  const std::string group = json.at("group");
  clip.group = -1;
  for (std::size_t i = 0; i < head.groups.size(); ++i)
    if (head.groups[i].id == group) clip.group = static_cast<int>(i);
  if (clip.group < 0) throw std::invalid_argument("a clip belongs to group " + group + ", which does not exist");
  const auto split = parse_split(json.at("split").get<std::string>());
  if (!split) throw std::invalid_argument(split.error().message);
  clip.split = *split;
  json.at("actor").get_to(clip.actor);
  json.at("labels").get_to(clip.labels);
  clip.label_shares.assign(clip.labels.size(), 1.0F);  // Older datasets had labels of whole clips.
  if (const auto shares = json.find("label_shares"); shares != json.end()) shares->get_to(clip.label_shares);
  if (clip.label_shares.size() != clip.labels.size()) throw std::invalid_argument("label_shares does not fit labels");
  clip.label_rows.resize(clip.labels.size());
  if (const auto rows = json.find("label_rows"); rows != json.end()) rows->get_to(clip.label_rows);
  if (clip.label_rows.size() != clip.labels.size()) throw std::invalid_argument("label_rows does not fit labels");
  json.at("file").get_to(clip.file);
  json.at("first_row").get_to(clip.first_row);
  json.at("num_rows").get_to(clip.num_rows);
  for (const std::vector<int>& rows : clip.label_rows) {
    int before = 0;
    for (const int row : rows) {
      if (row < before || row > clip.num_rows)
        throw std::invalid_argument("label_rows are not rows of their clip, rising");
      before = row;
    }
    if (rows.size() % 2 != 0) throw std::invalid_argument("label_rows come in pairs");
  }
  json.at("source_fps").get_to(clip.source_fps);
  json.at("source_frames").get_to(clip.source_frames);
  json.at("metres_per_unit").get_to(clip.metres_per_unit);
  json.at("mean_speed_m_s").get_to(clip.mean_speed_m_s);
  json.at("contact_ratio").get_to(clip.contact_ratio);
  json.at("body").get_to(clip.body);
  json.at("content").get_to(clip.content);
  json.at("key").get_to(clip.key);
  for (const Json& note : json.at("repairs")) clip.repairs.push_back(note_from_json(note));
  return clip;
}

Json to_json(const LeftOut& left_out) {
  return {{"source", left_out.source}, {"name", left_out.name},        {"clip_index", left_out.clip_index},
          {"part", left_out.part},     {"code", left_out.reason.code}, {"text", left_out.reason.text},
          {"key", left_out.key}};
}

LeftOut left_out_from_json(const Json& json) {
  return {json.at("source"), json.at("name"), json.at("clip_index"),
          json.at("part"),   json.at("key"),  note_from_json(json)};
}

Json to_json(const Skeleton& skeleton) {
  Json out = Json::array();
  for (const JointDesc& joint : skeleton.joints()) {
    const Quat q = joint.rest_local.rotation;
    out.push_back({{"name", joint.name},
                   {"parent", joint.parent},
                   {"kind", to_string(joint.kind)},
                   {"translation", to_json(joint.rest_local.translation)},
                   {"rotation", {q.x, q.y, q.z, q.w}},
                   {"scale", to_json(joint.rest_local.scale)}});
  }
  return out;
}

Result<SkeletonPtr> skeleton_from_json(const Json& json) {
  std::vector<JointDesc> joints;
  for (const Json& item : json) {
    const Json& q = item.at("rotation");
    joints.push_back({item.at("name"),
                      item.at("parent"),
                      {vec3_from_json(item.at("translation")), Quat{q.at(0), q.at(1), q.at(2), q.at(3)},
                       vec3_from_json(item.at("scale"))},
                      kind_from(item.at("kind"))});
  }
  return Skeleton::create(std::move(joints));
}

}  // namespace zoe::dataset
