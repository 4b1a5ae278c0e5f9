# cmake -DOUTPUT=batch.cpp -DMODULE=core -P join_tests.cmake -- a_test.cpp b_test.cpp …
#   Writes the test files one after the other into OUTPUT, so that their headers are compiled once. A test file is
#   wholly in an anonymous namespace. Here it gets the file's name, so that equal names of two files do not clash.
set(joined "")
set(is_source OFF)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE ${last})
  set(argument "${CMAKE_ARGV${i}}")
  if(is_source)
    get_filename_component(stem "${argument}" NAME_WE)
    file(READ "${argument}" text)
    string(REPLACE "\nnamespace {\n" "\nnamespace in_${stem} {\n" text "${text}")
    string(APPEND joined "#line 1 \"${argument}\"\n${text}")
  elseif(argument STREQUAL "--")
    set(is_source ON)
  endif()
endforeach()
# Some files of a module's namespace see only zoe::test as `test`, others also the module's. Here all see both.
if(joined MATCHES "namespace zoe::${MODULE} {")
  set(joined "namespace zoe::test {}\nnamespace zoe::${MODULE}::test {\nusing namespace zoe::test;\n}\n${joined}")
endif()
file(WRITE "${OUTPUT}" "${joined}")
