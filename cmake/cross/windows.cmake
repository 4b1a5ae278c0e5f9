# The run time for 64-bit Windows: Debian's g++-mingw-w64-x86-64-posix; programs run in wine64.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR AMD64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
set(CMAKE_CXX_FLAGS_INIT "-msse4.2 -maes -mpclmul")  # What Highway's SSE4 wants: processors of 2011 and later.
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
