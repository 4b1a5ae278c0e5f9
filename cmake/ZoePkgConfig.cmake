# Writes zoe-MODULE.pc for each module. Its paths are relative to itself, so that an installation can be moved. The
# archives are static, so a program that links one links all that it uses.
set(zoe_pkg_fmt::fmt fmt)
set(zoe_pkg_hwy::hwy libhwy)
set(zoe_pkg_ZLIB::ZLIB zlib)
set(zoe_pkg_PNG::PNG libpng)
set(zoe_pkg_JPEG::JPEG libjpeg)
set(zoe_pkg_epoxy epoxy)

foreach(module IN LISTS zoe_modules)
  get_target_property(links zoe_${module} LINK_LIBRARIES)
  set(requires "")
  set(libs "-L\${libdir} -lzoe_${module}")
  foreach(link IN LISTS links)
    if(link MATCHES "^zoe_(.*)$")
      list(APPEND requires zoe-${CMAKE_MATCH_1})
    elseif(DEFINED zoe_pkg_${link})
      list(APPEND requires ${zoe_pkg_${link}})
    elseif(link STREQUAL "Threads::Threads")
      string(APPEND libs " -pthread")
    elseif(link MATCHES "^[a-z]+$")  # A library without a .pc of its own: deflate, draco.
      string(APPEND libs " -l${link}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES requires)
  list(JOIN requires ", " requires)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/pkgconfig/zoe-${module}.pc @ONLY CONTENT "prefix=\${pcfiledir}/../..
libdir=\${prefix}/lib
includedir=\${prefix}/include

Name: zoe-${module}
Description: Zoetrope, module ${module}
Version: ${PROJECT_VERSION}
Requires: ${requires}
Libs: ${libs}
Cflags: -I\${includedir}
")
  install(FILES ${PROJECT_BINARY_DIR}/pkgconfig/zoe-${module}.pc DESTINATION lib/pkgconfig COMPONENT dev)
endforeach()
