// From radiance to what a screen shows. The curve is Narkowicz' fit (2015) of the film-like ACES response.
vec3 tone_map(vec3 radiance) {
  vec3 x = radiance * frame.sun_color.w * 0.62;
  vec3 y = clamp(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
  return mix(12.92 * y, 1.055 * pow(max(y, 1e-6), vec3(1.0 / 2.4)) - 0.055, step(0.0031308, y));
}
