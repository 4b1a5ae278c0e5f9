// The material of one draw. Locations 8 and up belong to it.
layout(location = 8) uniform vec4 base_color;
layout(location = 9) uniform vec4 material_numbers;  // Metallic, roughness, alpha cut-off, normal scale.
layout(location = 10) uniform vec4 emissive_color;   // w: occlusion strength.
layout(location = 11) uniform ivec4 has_texture;     // Metallic-roughness, normal, occlusion, emissive.
layout(location = 12) uniform int has_base_texture;
#ifdef TEXTURED
layout(binding = 8) uniform sampler2D base_texture;
layout(binding = 9) uniform sampler2D metallic_roughness_texture;
layout(binding = 10) uniform sampler2D normal_texture;
layout(binding = 11) uniform sampler2D occlusion_texture;
layout(binding = 12) uniform sampler2D emissive_texture;
#endif
