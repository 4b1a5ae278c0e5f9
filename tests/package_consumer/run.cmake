# Installs the build into a folder of its own, then configures, builds and runs the consumer against it.
# cmake -DBUILD=… -DSOURCE=… -DWORK=… -DCOMPILER=… -DWITH_IO=… -P run.cmake
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(status)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
run(${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK}/build -G Ninja -DCMAKE_BUILD_TYPE=Release
  -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_PREFIX_PATH=${WORK}/prefix -DWITH_IO=${WITH_IO})
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/runtime)
message("${output}")
if(WITH_IO)
  run(${WORK}/build/tool)
  message("${output}")
endif()
