# Builds for other machines (cmake/cross): the run time alone, with fmt and Highway as headers. Their folder is not /usr/include,
# where the headers of this machine's C library lie too.
set(zoe_cross_headers ${PROJECT_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${zoe_cross_headers})
foreach(name fmt hwy)
  if(EXISTS /usr/include/${name} AND NOT EXISTS ${zoe_cross_headers}/${name})
    file(CREATE_LINK /usr/include/${name} ${zoe_cross_headers}/${name} SYMBOLIC)
  endif()
endforeach()
add_library(fmt::fmt INTERFACE IMPORTED GLOBAL)
target_include_directories(fmt::fmt SYSTEM INTERFACE ${zoe_cross_headers})
target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY)
if(ZOE_CROSS_HIGHWAY)
  add_library(hwy::hwy INTERFACE IMPORTED GLOBAL)
  target_include_directories(hwy::hwy SYSTEM INTERFACE ${zoe_cross_headers})
  target_compile_definitions(hwy::hwy INTERFACE HWY_COMPILE_ONLY_STATIC)  # One path: no run-time dispatch to link.
endif()
