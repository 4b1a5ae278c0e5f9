# The run time for 64-bit ARM Linux: Debian's g++-aarch64-linux-gnu; programs run in qemu-aarch64 (qemu-user).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)  # The emulator needs no ARM libraries then.
# As Highway compiles its NEON functions. Nothing here uses these instructions, so processors without them run it too.
set(CMAKE_CXX_FLAGS_INIT -march=armv8-a+crypto)
