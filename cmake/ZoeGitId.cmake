# Script: writes OUTPUT with the commit of SOURCE, only when it changed, to avoid needless builds.
execute_process(COMMAND git -C ${SOURCE} describe --always --exclude=* --abbrev=12 --dirty=+ OUTPUT_VARIABLE id ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE
  RESULT_VARIABLE failed)
if(failed)
  set(id unknown)
endif()
set(text "#define ZOE_GIT_ID \"${id}\"\n")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} before)
endif()
if(NOT text STREQUAL "${before}")
  file(WRITE ${OUTPUT} "${text}")
endif()
