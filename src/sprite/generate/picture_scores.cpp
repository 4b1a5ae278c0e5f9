// SPDX-License-Identifier: MIT
#include "sprite/generate/picture_scores.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace zoe::sprite {
namespace {

constexpr double kBestPsnr = 60;

// A channel over a background of 0 or 255.
double composite(Rgba picture, std::size_t pixel, std::size_t channel, double ground) {
  const double alpha = picture[4 * pixel + 3] / 255.0;
  return alpha * picture[4 * pixel + channel] + (1 - alpha) * ground;
}

double brightness(Rgba picture, std::size_t pixel, double ground) {
  return 0.299 * composite(picture, pixel, 0, ground) + 0.587 * composite(picture, pixel, 1, ground) +
         0.114 * composite(picture, pixel, 2, ground);
}

}  // namespace

double psnr_db(Rgba a, Rgba b, bool figure) {
  double sum = 0, count = 0;
  for (std::size_t i = 0; i < a.size() / 4; ++i) {
    if (figure && !is_figure(a, i) && !is_figure(b, i)) continue;
    for (const double ground : {0.0, 255.0}) {
      for (std::size_t c = 0; c < 3; ++c) {
        const double d = composite(a, i, c, ground) - composite(b, i, c, ground);
        sum += d * d;
      }
    }
    count += 6;
  }
  if (count == 0 || sum == 0) return kBestPsnr;
  return std::min(kBestPsnr, 10 * std::log10(255.0 * 255.0 * count / sum));
}

double ssim(Rgba a, Rgba b, int size) {
  constexpr int kWindow = 8, kStep = 4;
  constexpr double kC1 = 6.5025, kC2 = 58.5225;  // (0.01 · 255)², (0.03 · 255)²
  double total = 0, count = 0;
  for (const double ground : {0.0, 255.0}) {
    for (int top = 0; top + kWindow <= size; top += kStep) {
      for (int left = 0; left + kWindow <= size; left += kStep) {
        double sa = 0, sb = 0, saa = 0, sbb = 0, sab = 0;
        for (int y = top; y < top + kWindow; ++y) {
          for (int x = left; x < left + kWindow; ++x) {
            const auto i = static_cast<std::size_t>(y * size + x);
            const double va = brightness(a, i, ground), vb = brightness(b, i, ground);
            sa += va;
            sb += vb;
            saa += va * va;
            sbb += vb * vb;
            sab += va * vb;
          }
        }
        constexpr double kN = kWindow * kWindow;
        const double ma = sa / kN, mb = sb / kN, vaa = saa / kN - ma * ma, vbb = sbb / kN - mb * mb,
                     vab = sab / kN - ma * mb;
        total += (2 * ma * mb + kC1) * (2 * vab + kC2) / ((ma * ma + mb * mb + kC1) * (vaa + vbb + kC2));
        ++count;
      }
    }
  }
  return total / count;
}

double alpha_overlap(Rgba a, Rgba b) {
  double both = 0, either = 0;
  for (std::size_t i = 0; i < a.size() / 4; ++i) {
    both += is_figure(a, i) && is_figure(b, i) ? 1 : 0;
    either += is_figure(a, i) || is_figure(b, i) ? 1 : 0;
  }
  return either > 0 ? both / either : 1;
}

bool differs(Rgba a, Rgba b, std::size_t pixel) {
  if (is_figure(a, pixel) != is_figure(b, pixel)) return true;
  if (!is_figure(a, pixel)) return false;
  for (std::size_t c = 0; c < 3; ++c)
    if (std::abs(a[4 * pixel + c] - b[4 * pixel + c]) > 24) return true;
  return false;
}

}  // namespace zoe::sprite
