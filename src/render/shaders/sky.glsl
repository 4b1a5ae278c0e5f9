// The background. Below eye level the horizon continues, so that the fading ground blends into it.
vec3 sky(vec3 direction) {
  float up = clamp(direction.y, 0.0, 1.0);
  return mix(frame.horizon_color.rgb, frame.zenith_color.rgb, 1.0 - exp(-2.2 * up));
}
