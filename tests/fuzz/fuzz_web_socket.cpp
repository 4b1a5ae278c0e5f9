// SPDX-License-Identifier: MIT
// Bytes of a WebSocket client or server: the HTTP head, then frames. The first byte chooses the side and the division.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "zoe/core/check.h"
#include "zoe/core/file.h"

#include "stream/web_socket.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const bool is_server = (data[0] & 1) != 0;
  const std::size_t step = 1 + (data[0] >> 1);
  std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (const std::size_t end = text.find("\r\n\r\n"); end != std::string_view::npos) {
    const std::string_view head = text.substr(0, end + 4);
    if (is_server) {
      const auto request = zoe::stream::read_web_request(head);
      if (request) ZOE_CHECK(!zoe::stream::web_answer(*request).empty(), "no answer");
      if (request) (void)zoe::stream::is_local_origin(request->origin);
    } else {
      (void)zoe::stream::check_web_answer(head, "dGhlIHNhbXBsZSBub25jZQ==").has_value();
    }
    text.remove_prefix(end + 4);
  }
  zoe::stream::WebFrameReader reader(is_server, 4096);
  while (!text.empty()) {
    reader.feed(zoe::as_bytes(text.substr(0, step)));
    text.remove_prefix(step < text.size() ? step : text.size());
    for (;;) {
      const auto message = reader.next();
      if (!message) return 0;
      if (!*message) break;
      ZOE_CHECK((*message)->bytes.size() <= 4096, "a message is longer than the limit");
    }
  }
  return 0;
}
