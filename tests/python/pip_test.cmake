# `pip install .` from the checkout into an empty folder, and the module from there. The present build is used: a build of
# its own would take minutes.
# cmake -DPYTHON=… -DSOURCE=… -DBUILD=… -DWORK=… -P pip_test.cmake
execute_process(COMMAND ${PYTHON} -m pip --version RESULT_VARIABLE absent OUTPUT_QUIET ERROR_QUIET)
if(absent)
  message("skipped: pip is absent (Debian package python3-pip)")
  return()
endif()
file(REMOVE_RECURSE ${WORK})
set(ENV{ZOE_PYTHON_BUILD} ${BUILD})
set(ENV{ZOE_JOBS} 1)
execute_process(COMMAND ${PYTHON} -m pip install --no-index --no-deps --no-warn-script-location --target ${WORK} ${SOURCE}
  COMMAND_ERROR_IS_FATAL ANY)
set(ENV{PYTHONPATH} ${WORK})
execute_process(COMMAND ${PYTHON} -c "import zoetrope, sys; sys.exit(not zoetrope.__file__.startswith('${WORK}'))"
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${PYTHON} ${SOURCE}/examples/13_python/game_programmer.py ${SOURCE}/models/walker
  OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
if(NOT output MATCHES "arrived at")
  message(FATAL_ERROR "the installed module does not walk: ${output}")
endif()
