# The run time for browsers: Debian's emscripten; its programs run in node.
include(/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake)
set(CMAKE_CXX_FLAGS_INIT "-msimd128 -fno-exceptions -include ${CMAKE_CURRENT_LIST_DIR}/wasm_library.h")
