// SPDX-License-Identifier: MIT
// Bytes of a peer of ZeroMQ. The first byte chooses the side and the division.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "zoe/core/check.h"
#include "zoe/core/file.h"

#include "stream/zmtp.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const bool is_publisher = (data[0] & 1) != 0;
  const std::size_t step = 1 + (data[0] >> 1);
  std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  zoe::stream::ZmtpReader reader(4096);
  while (!text.empty()) {
    reader.feed(zoe::as_bytes(text.substr(0, step)));
    text.remove_prefix(step < text.size() ? step : text.size());
    for (;;) {
      const auto item = reader.next(is_publisher);
      if (!item) return 0;
      if (!*item) break;
      ZOE_CHECK((*item)->bytes.size() <= 4096, "a message is longer than the limit");
      if ((*item)->type == zoe::stream::ZmtpReader::Type::kPing)
        ZOE_CHECK(zoe::stream::zmtp_pong((*item)->bytes).size() < 32, "a pong is longer than its ping");
    }
  }
  return 0;
}
