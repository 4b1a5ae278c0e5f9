# Helpers every module registers itself through, so that flags, exports and the layer table hold in one place.

# zoe_module(NAME core SOURCES a.cpp DEPS math PRIVATE_DEPS fmt::fmt)
#   Static library zoe_<name>, alias zoe::<name>. DEPS are zoe modules (public); PRIVATE_DEPS any targets.
function(zoe_module)
  cmake_parse_arguments(M "" "NAME" "SOURCES;DEPS;PUBLIC_DEPS;PRIVATE_DEPS" ${ARGN})
  set(target zoe_${M_NAME})
  add_library(${target} STATIC ${M_SOURCES})
  add_library(zoe::${M_NAME} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${M_NAME} POSITION_INDEPENDENT_CODE ON)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>
    PRIVATE ${PROJECT_SOURCE_DIR}/src)
  foreach(dep IN LISTS M_DEPS)
    target_link_libraries(${target} PUBLIC zoe_${dep})
  endforeach()
  target_link_libraries(${target} PUBLIC ${M_PUBLIC_DEPS} PRIVATE $<BUILD_INTERFACE:zoe_flags> ${M_PRIVATE_DEPS})
  set_property(GLOBAL APPEND PROPERTY ZOE_MODULES ${M_NAME})
  install(TARGETS ${target} EXPORT zoe-targets ARCHIVE DESTINATION lib)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/zoe/${M_NAME} DESTINATION include/zoe)
endfunction()

# zoe_tests(NAME core SOURCES result_test.cpp … DEPS zoe::core)
#   One GoogleTest binary a module; every TEST becomes one ctest entry "<module>.<Suite>.<Test>".
function(zoe_tests)
  if(NOT ZOE_TESTS)
    return()
  endif()
  cmake_parse_arguments(T "" "NAME;TIMEOUT" "SOURCES;DEPS" ${ARGN})
  if(NOT T_TIMEOUT)
    set(T_TIMEOUT 300)
  endif()
  add_executable(test_${T_NAME} ${T_SOURCES})
  target_link_libraries(test_${T_NAME} PRIVATE ${T_DEPS} zoe_test_support zoe_flags)
  target_include_directories(test_${T_NAME} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
  set_target_properties(test_${T_NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  gtest_discover_tests(test_${T_NAME} TEST_PREFIX "${T_NAME}." DISCOVERY_TIMEOUT 60
    PROPERTIES TIMEOUT ${T_TIMEOUT} ENVIRONMENT "ZOE_SOURCE_DIR=${PROJECT_SOURCE_DIR}")
endfunction()

# zoe_fuzzer(NAME fuzz_bvh SOURCES fuzz_bvh.cpp DEPS zoe::io)
#   libFuzzer target; exists only in the `fuzz` preset (clang).
function(zoe_fuzzer)
  if(NOT ZOE_FUZZ)
    return()
  endif()
  cmake_parse_arguments(F "" "NAME" "SOURCES;DEPS" ${ARGN})
  add_executable(${F_NAME} ${F_SOURCES})
  target_link_libraries(${F_NAME} PRIVATE ${F_DEPS} zoe_flags)
  target_include_directories(${F_NAME} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_options(${F_NAME} PRIVATE -fsanitize=fuzzer)
  set_target_properties(${F_NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz)
endfunction()
