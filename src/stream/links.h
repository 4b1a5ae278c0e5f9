// SPDX-License-Identifier: MIT
// Part of Zoetrope. The links by scheme, one file each.
#pragma once

#include "zoe/stream/link.h"

namespace zoe::stream {

Result<std::unique_ptr<PoseSender>> open_udp_sender(const LinkAddress& address, const LinkOptions& options);
Result<std::unique_ptr<PoseReceiver>> open_udp_receiver(const LinkAddress& address, const LinkOptions& options);
Result<std::unique_ptr<PoseSender>> open_server_sender(const LinkAddress& address, const LinkOptions& options);
Result<std::unique_ptr<PoseReceiver>> open_port_receiver(const LinkAddress& address, const LinkOptions& options);
Result<std::unique_ptr<PoseReceiver>> open_web_receiver(const LinkAddress& address, const LinkOptions& options);
Result<std::unique_ptr<PoseReceiver>> open_zmq_receiver(const LinkAddress& address);
Result<std::unique_ptr<PoseSender>> open_vmc_sender(const LinkAddress& address);
Result<std::unique_ptr<PoseReceiver>> open_vmc_receiver(const LinkAddress& address, const LinkOptions& options);

}  // namespace zoe::stream
