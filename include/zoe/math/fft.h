// SPDX-License-Identifier: MIT
// Part of Zoetrope. Fourier transform of signals whose length is a power of two.
#pragma once

#include <complex>
#include <span>

namespace zoe {

// In place: X[k] = Σ x[n] exp(-2πi kn/N). The size must be a power of two (checked).
void fft(std::span<std::complex<double>> values);
// Inverse of fft, with its factor 1/N.
void inverse_fft(std::span<std::complex<double>> values);

}  // namespace zoe
