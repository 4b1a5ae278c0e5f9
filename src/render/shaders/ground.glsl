// The ground's colour at a position: a grid whose lines keep their width on the screen and fade before they shimmer.
float grid_line(vec2 place, float cell, float width_m) {
  vec2 at = place / cell;
  vec2 pixel = max(fwidth(at), 1e-6);
  vec2 width = vec2(width_m / cell);
  vec2 drawn = max(width, pixel);  // Never thinner than a pixel. Thinner lines are fainter by the same factor.
  vec2 to_line = abs(fract(at - 0.5) - 0.5);
  vec2 line = smoothstep(drawn * 0.5 + pixel * 0.75, drawn * 0.5 - pixel * 0.75, to_line) * clamp(width / drawn, 0.0, 1.0);
  line *= clamp(1.5 - 2.0 * pixel, 0.0, 1.0);
  return max(line.x, line.y);
}

vec3 ground_albedo(vec2 place) {
  vec3 color = frame.ground_color.rgb;
  if (frame.grid_color.w > 0.0) {
    float coarse = grid_line(place, frame.grid_color.w, 0.018 * frame.grid_color.w);
    float fine = grid_line(place, frame.grid_color.w * 0.25, 0.008 * frame.grid_color.w) * 0.3;
    color = mix(color, frame.grid_color.rgb, max(coarse, fine));
  }
  return color;
}
