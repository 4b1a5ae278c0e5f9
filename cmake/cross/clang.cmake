# The run time for Linux with clang 14, for processors with AVX2: one instruction set, so that the build is short.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER clang-14)
set(CMAKE_CXX_COMPILER clang++-14)
set(CMAKE_CXX_FLAGS_INIT "-march=haswell -maes")  # What Highway wants for its AVX2.
