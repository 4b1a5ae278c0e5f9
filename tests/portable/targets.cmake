# The run time for other machines, built in folders of its own and run in emulators. Each test skips, with the package
# that it needs, where a compiler is missing. The hashes of this build's program are what the others must get.
set(work ${PROJECT_BINARY_DIR}/portable)
set(run_portable /usr/bin/python3 ${CMAKE_CURRENT_SOURCE_DIR}/run.py)
# Clang compiles the sanitizer build anyway: its program must get the hashes of gcc's. A clang build of its own would
# take four minutes of CPU time (run.py clang).
if(ZOE_SANITIZE)
  if(ZOE_SANITIZE MATCHES "address" AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    add_test(NAME portable.clang COMMAND ${run_portable} best $<TARGET_FILE:portable>
      ${PROJECT_SOURCE_DIR}/build/release/portable)
    set_tests_properties(portable.clang PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT ${ZOE_HANG_S})
  else()
    set_target_properties(portable PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
  return()
endif()
file(MAKE_DIRECTORY ${work})
add_test(NAME portable.native COMMAND ${run_portable} native $<TARGET_FILE:portable> ${work})
set_tests_properties(portable.native PROPERTIES FIXTURES_SETUP portable_hashes LABELS once TIMEOUT ${ZOE_HANG_S})
foreach(target arm64 windows wasm)
  add_test(NAME portable.${target} COMMAND ${run_portable} ${target} ${PROJECT_SOURCE_DIR} ${work})
  set_tests_properties(portable.${target} PROPERTIES FIXTURES_REQUIRED portable_hashes SKIP_RETURN_CODE 77 LABELS once
    PROCESSORS 2 TIMEOUT ${ZOE_HANG_S})
  list(APPEND portable_tests portable.${target})
endforeach()
if(TARGET zoe)
  # The walker's page, and the same program, in Chromium.
  add_test(NAME portable.chromium COMMAND ${PROJECT_SOURCE_DIR}/tests/portable/run_page.sh $<TARGET_FILE:zoe> ${work})
  set_tests_properties(portable.chromium PROPERTIES DEPENDS portable.wasm FIXTURES_REQUIRED portable_hashes SKIP_RETURN_CODE 77
    LABELS once TIMEOUT ${ZOE_HANG_S})
  list(APPEND portable_tests portable.chromium)
endif()
add_test(NAME portable.table COMMAND ${run_portable} table ${work})
set_tests_properties(portable.table PROPERTIES DEPENDS "${portable_tests}" FIXTURES_REQUIRED portable_hashes LABELS once)
