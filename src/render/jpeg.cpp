// SPDX-License-Identifier: MIT
#include "render/jpeg.h"

#include <csetjmp>
#include <cstdio>

#include <fmt/format.h>
#include <jpeglib.h>

#include "render/png.h"

namespace zoe::render {
namespace {

// libjpeg exits by a jump: no object with a destructor may exist between setjmp and the calls.
struct Errors {
  jpeg_error_mgr base;
  std::jmp_buf jump;
  char message[JMSG_LENGTH_MAX];
};

void on_error(j_common_ptr info) {
  auto* errors = reinterpret_cast<Errors*>(info->err);
  info->err->format_message(info, errors->message);
  std::longjmp(errors->jump, 1);
}

void on_message(j_common_ptr, int) {}

// False with errors.message set on damage; picture.width stays 0 when it is too large.
bool decode(std::span<const std::byte> bytes, Errors& errors, Picture& picture) {
  jpeg_decompress_struct info;
  info.err = jpeg_std_error(&errors.base);
  errors.base.error_exit = on_error;
  errors.base.emit_message = on_message;
  if (setjmp(errors.jump) != 0) {
    jpeg_destroy_decompress(&info);
    return false;
  }
  jpeg_create_decompress(&info);
  jpeg_mem_src(&info, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  jpeg_read_header(&info, TRUE);
  if (std::uint64_t{info.image_width} * info.image_height <= kMaxPixels) {
    info.out_color_space = JCS_EXT_RGBA;
    jpeg_start_decompress(&info);
    picture.width = static_cast<int>(info.output_width);
    picture.height = static_cast<int>(info.output_height);
    picture.rgba.resize(std::size_t{info.output_width} * info.output_height * 4);
    while (info.output_scanline < info.output_height) {
      JSAMPROW row = picture.rgba.data() + std::size_t{info.output_scanline} * info.output_width * 4;
      jpeg_read_scanlines(&info, &row, 1);
    }
    jpeg_finish_decompress(&info);
  }
  jpeg_destroy_decompress(&info);
  return true;
}

}  // namespace

Result<Picture> decode_jpeg(std::span<const std::byte> bytes, const std::string& name) {
  Picture picture;
  Errors errors;
  if (!decode(bytes, errors, picture))
    return Error{ErrorCode::kSyntax, fmt::format("damaged JPEG: {}", errors.message), {.file = name}};
  if (picture.width == 0) return Error{ErrorCode::kLimit, "a JPEG with more pixels than the limit", {.file = name}};
  return picture;
}

}  // namespace zoe::render
