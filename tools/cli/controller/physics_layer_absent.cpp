// SPDX-License-Identifier: MIT
#include "controller/physics_layer.h"

namespace zoe::cli {

Result<std::unique_ptr<PhysicsLayer>> make_physics_layer(const control::Controller&, const PhysicsRequest&) {
  return Error{ErrorCode::kUnsupported,
               "--physics: this zoe was built without physics: apt-get install libmujoco-dev, then build with "
               "ZOE_PHYSICS=ON",
               {}};
}

}  // namespace zoe::cli
