// SPDX-License-Identifier: MIT
// Part of Zoetrope. libzmq, opened at run time: programs that stream nothing do not load it.
#pragma once

#ifdef ZOE_HAS_ZMQ

#include <zmq.h>

#include "zoe/core/result.h"

namespace zoe::stream {

struct ZmqLibrary {
  decltype(&::zmq_ctx_new) ctx_new = nullptr;
  decltype(&::zmq_ctx_term) ctx_term = nullptr;
  decltype(&::zmq_socket) socket = nullptr;
  decltype(&::zmq_close) close = nullptr;
  decltype(&::zmq_setsockopt) setsockopt = nullptr;
  decltype(&::zmq_getsockopt) getsockopt = nullptr;
  decltype(&::zmq_bind) bind = nullptr;
  decltype(&::zmq_connect) connect = nullptr;
  decltype(&::zmq_send) send = nullptr;
  decltype(&::zmq_recv) recv = nullptr;
  decltype(&::zmq_poll) poll = nullptr;
  decltype(&::zmq_errno) error_number = nullptr;
  decltype(&::zmq_strerror) strerror = nullptr;

  // Never unloaded. Fails with the package's name where it is missing.
  static Result<const ZmqLibrary*> get();
};

}  // namespace zoe::stream

#endif
