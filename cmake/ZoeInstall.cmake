# `cmake --install`: headers and libraries (zoe_module), plus what find_package(zoe COMPONENTS core motion …) needs.
include(CMakePackageConfigHelpers)

get_property(zoe_modules GLOBAL PROPERTY ZOE_MODULES)
get_property(zoe_module_lines GLOBAL PROPERTY ZOE_MODULE_LINES)

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/zoeConfig.cmake.in ${PROJECT_BINARY_DIR}/zoeConfig.cmake
  INSTALL_DESTINATION lib/cmake/zoe)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/zoeConfigVersion.cmake COMPATIBILITY SameMinorVersion)

install(EXPORT zoe-targets NAMESPACE zoe:: DESTINATION lib/cmake/zoe)
install(FILES ${PROJECT_BINARY_DIR}/zoeConfig.cmake ${PROJECT_BINARY_DIR}/zoeConfigVersion.cmake DESTINATION lib/cmake/zoe)
