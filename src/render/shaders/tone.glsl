// From radiance to screen values. The curve is Narkowicz' fit (2015) of the film-like ACES response.
vec3 tone_map(vec3 radiance) {
  vec3 x = radiance * frame.sun_color.w * 0.62;
  vec3 y = clamp(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
  // sRGB's curve by square roots instead of a power, within 1/400 (Taylor 2012): three times cheaper in software.
  vec3 r1 = sqrt(y), r2 = sqrt(r1), r3 = sqrt(r2);
  return clamp(0.662002687 * r1 + 0.684122060 * r2 - 0.323583601 * r3 - 0.0225411470 * y, 0.0, 1.0);
}
