# Writes the commit that the tree SOURCE is at into OUT, a C file: "3f7e31fe", "3f7e31fe-dirty" where tracked files are
# changed, "unknown" where the tree is not the top of a git repository. A file that would stay as it is is left alone.
set(commit unknown)
find_program(GIT git)
if(GIT)
  execute_process(COMMAND ${GIT} -C ${SOURCE} rev-parse --show-prefix --short=8 HEAD
    OUTPUT_VARIABLE said RESULT_VARIABLE failed ERROR_QUIET)
  # An empty prefix: SOURCE is the top, and not a folder of somebody else's repository.
  if(failed EQUAL 0 AND said MATCHES "^\n([0-9a-f]+)\n$")
    set(commit ${CMAKE_MATCH_1})
    execute_process(COMMAND ${GIT} -C ${SOURCE} diff --quiet HEAD -- RESULT_VARIABLE changed ERROR_QUIET)
    if(NOT changed EQUAL 0)
      string(APPEND commit -dirty)
    endif()
  endif()
endif()
file(CONFIGURE OUTPUT ${OUT} CONTENT "/* Made by the build. */
#include \"codec/program/version.h\"

const char PROGRAM_COMMIT[] = \"${commit}\";
" @ONLY)
