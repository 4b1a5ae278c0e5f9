# `cmake --install`: headers and libraries (zoe_module), the files for find_package(zoe COMPONENTS core motion …), and
# zoe-MODULE.pc for pkg-config. `cpack` makes Debian packages of the same.
include(CMakePackageConfigHelpers)

get_property(zoe_modules GLOBAL PROPERTY ZOE_MODULES)

# For each module: the modules and the packages it links. A target's package is the part before "::".
set(zoe_module_lines)
foreach(module IN LISTS zoe_modules)
  get_target_property(packages zoe_${module} LINK_LIBRARIES)
  set(uses ${packages})
  list(FILTER packages INCLUDE REGEX "^[A-Za-z0-9_]+::")
  list(TRANSFORM packages REPLACE "::.*" "")
  list(REMOVE_DUPLICATES packages)
  list(FILTER uses INCLUDE REGEX "^zoe_")
  list(TRANSFORM uses REPLACE "^zoe_" "")
  string(APPEND zoe_module_lines "set(zoe_uses_${module} \"${uses}\")\nset(zoe_packages_${module} \"${packages}\")\n")
endforeach()

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/zoeConfig.cmake.in ${PROJECT_BINARY_DIR}/zoeConfig.cmake
  INSTALL_DESTINATION lib/cmake/zoe)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/zoeConfigVersion.cmake COMPATIBILITY SameMinorVersion)

install(EXPORT zoe-targets NAMESPACE zoe:: DESTINATION lib/cmake/zoe COMPONENT dev)
install(FILES ${PROJECT_BINARY_DIR}/zoeConfig.cmake ${PROJECT_BINARY_DIR}/zoeConfigVersion.cmake
  DESTINATION lib/cmake/zoe COMPONENT dev)
include(${CMAKE_CURRENT_LIST_DIR}/ZoePkgConfig.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/ZoeDebian.cmake)
