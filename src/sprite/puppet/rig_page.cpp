// SPDX-License-Identifier: MIT
#include "zoe/sprite/puppet/rig_page.h"

#include <algorithm>

#include <fmt/format.h>

#include "zoe/render/picture_file.h"

#include "sprite/json_pieces.h"
#include "sprite/puppet/resize.h"

namespace zoe::sprite {
namespace {

constexpr int kLargest = 900;  // Of the drawing in the page.

std::string base64(const std::vector<std::byte>& bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k)
      bits = bits << 8 | (i + k < bytes.size() ? static_cast<std::uint32_t>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) out += i + k > bytes.size() ? '=' : kDigits[bits >> (18 - 6 * k) & 63];
  }
  return out;
}

constexpr const char* kPage = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Joints</title>
<style>body{font:14px sans-serif;background:#e8eaee;margin:16px}canvas{background:#fff;cursor:grab}
button{font:inherit;padding:4px 12px}</style></head><body>
<p>Drag joints. Then <button id="save">Save joints.json</button> and run
<code>zoe sprite puppet DRAWING --joints joints.json</code>.</p><canvas id="c"></canvas>
<script>
const rig = @RIG@, parents = @PARENTS@, scale = @SCALE@;
const canvas = document.getElementById('c'), pen = canvas.getContext('2d'), picture = new Image();
let held = null, zoom = 1;
function place(name) { const j = rig.joints[name]; return [j.x * scale * zoom, j.y * scale * zoom]; }
function draw() {
  pen.imageSmoothingEnabled = zoom < 3;
  pen.clearRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  pen.lineWidth = 2; pen.strokeStyle = '#06c';
  for (const name in rig.joints) {
    if (!(parents[name] in rig.joints)) continue;
    pen.beginPath(); pen.moveTo(...place(name)); pen.lineTo(...place(parents[name])); pen.stroke();
  }
  for (const name in rig.joints) {
    const [x, y] = place(name);
    pen.fillStyle = rig.joints[name].confidence < 0.5 ? '#d33' : '#2a2';
    pen.beginPath(); pen.arc(x, y, 5, 0, 7); pen.fill();
    if (name === held) { pen.fillStyle = '#000'; pen.fillText(name, x + 8, y - 8); }
  }
}
canvas.onpointerdown = e => {
  let near = 14;
  for (const name in rig.joints) {
    const [x, y] = place(name), d = Math.hypot(x - e.offsetX, y - e.offsetY);
    if (d < near) { near = d; held = name; }
  }
  draw();
};
canvas.onpointermove = e => {
  if (!held) return;
  const x = +(e.offsetX / scale / zoom).toFixed(1), y = +(e.offsetY / scale / zoom).toFixed(1);
  rig.joints[held] = {x, y, confidence: 1};
  draw();
};
window.onpointerup = () => { held = null; draw(); };
document.getElementById('save').onclick = () => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([JSON.stringify(rig, null, 2)], {type: 'application/json'}));
  link.download = 'joints.json';
  link.click();
};
picture.onload = () => {
  zoom = Math.max(1, Math.floor(640 / Math.max(picture.width, picture.height)));
  canvas.width = picture.width * zoom; canvas.height = picture.height * zoom;
  draw();
};
picture.src = 'data:image/png;base64,@PICTURE@';
</script></body></html>
)";

void replace(std::string& text, const std::string& key, const std::string& value) {
  const std::size_t at = text.find(key);
  if (at != std::string::npos) text.replace(at, key.size(), value);
}

}  // namespace

std::string rig_page(const render::Picture& drawing, const PuppetRig& rig, const CutOut& cut) {
  const int most = std::max(drawing.width, drawing.height);
  const double scale = most > kLargest ? static_cast<double>(kLargest) / most : 1;
  const render::Picture small = scale < 1 ? resized(drawing, std::max(1, static_cast<int>(drawing.width * scale)),
                                                    std::max(1, static_cast<int>(drawing.height * scale)))
                                          : drawing;
  std::string parents = "{";
  for (const JointName& joint : joint_names(rig.body)) {
    if (*joint.parent == '\0') continue;
    parents += fmt::format("{}{}: {}", parents.size() > 1 ? ", " : "", json_text(joint.name), json_text(joint.parent));
  }
  std::string page = kPage;
  replace(page, "@RIG@", write_rig(rig, cut));
  replace(page, "@PARENTS@", parents + "}");
  replace(page, "@SCALE@", json_number(scale));
  replace(page, "@PICTURE@", base64(render::encode_png(small, render::PngAlpha::kKeep)));
  return page;
}

}  // namespace zoe::sprite
