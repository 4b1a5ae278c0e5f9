// The G-buffer of a shader that writes it.
#include "gbuffer.glsl"
layout(location = 0) out vec4 out_color;
layout(location = 1) out uint out_normal;
layout(location = 2) out uint out_id;
layout(location = 3) out vec4 out_emissive;
