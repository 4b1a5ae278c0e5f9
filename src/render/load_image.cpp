// SPDX-License-Identifier: MIT
#include "render/load_image.h"

#include "zoe/render/picture_file.h"

namespace zoe::render {

Result<Picture> load_image(const Image& image, const std::filesystem::path& folder) {
  if (!image.bytes.empty()) return decode_picture(image.bytes, image.name.empty() ? "embedded image" : image.name);
  if (image.path.empty())
    return Error{ErrorCode::kInvalid, "the image has neither bytes nor a path", {.file = image.name}};
  return read_picture(folder / image.path);
}

}  // namespace zoe::render
