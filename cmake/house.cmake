# What every target of the house is built with, and how a test is declared.
#
#   house_library(NAME SOURCES a.c b.c [LINK libs…] [PRIVATE_LINK libs…])
#   house_program(NAME SOURCES main.c [LINK libs…])
#   house_pages(NAME)                                man page and completions of a program, which is
#                                                   installed with them
#   house_test(NAME SOURCES test_x.c [LINK libs…])   a Check program, run by ctest as NAME; label unit
#   house_script_test(NAME SCRIPT [args…])          a Python script, run by ctest as NAME; label wire
#   house_suite_test(NAME SCRIPT [args…])           one that puts clients through the suite; label suite
#   house_fuzzer(NAME SOURCES fuzz_x.c [LINK libs…]) built in the fuzz preset only; see ci/README.md. Everywhere
#                                                   ctest gives the same harness fixtures/fuzz/NAME.txt, as replay_NAME
#   house_loops(FILES…)                             sources of a target of this folder with loops over every byte or
#                                                   sample of long messages: a fuzzer watches no comparison there
#   house_families(LAYER)                           the folders that families have in this layer, by
#                                                   codec/families.def: descends into them, writes LAYER/families.inc
#                                                   and sets HOUSE_FAMILIES to their names
#
# Headers are named from the top of the tree ("codec/wire/reader.h"); each library passes that on.

set(HOUSE_SANITIZE "" CACHE STRING "Sanitizers for the whole build, as -fsanitize= takes them")
option(HOUSE_FUZZ "Build the libFuzzer harnesses" OFF)
set(HOUSE_UNIT_TEST_SECONDS 120 CACHE STRING "When ctest ends a unit test that hangs; more in an unoptimised build that counts lines")

# A directory whose functions take what their type says, needed or not, sets HOUSE_HOOKS. The option stands behind -Wextra,
# which clang would take for the last word.
define_property(TARGET PROPERTY HOUSE_HOOKS INITIALIZE_FROM_VARIABLE HOUSE_HOOKS)
add_library(house_options INTERFACE)
target_compile_options(house_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wvla -Wmissing-prototypes -Wcast-qual
  -Wformat=2 -Wswitch-enum -Werror -fno-common $<$<BOOL:$<TARGET_PROPERTY:HOUSE_HOOKS>>:-Wno-unused-parameter>)
target_compile_definitions(house_options INTERFACE _POSIX_C_SOURCE=200809L)
if(HOUSE_SANITIZE)
  add_compile_options(-fsanitize=${HOUSE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${HOUSE_SANITIZE})
endif()
if(HOUSE_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# It would take most of the fuzzer's time, and tell it nothing that the branches do not.
function(house_loops)
  if(HOUSE_FUZZ)
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS -fno-sanitize-coverage=trace-cmp)
  endif()
endfunction()

function(house_families layer)
  set(registry ${PROJECT_SOURCE_DIR}/codec/families.def)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${registry})
  file(STRINGS ${registry} rows REGEX "^FAMILY\\(")
  set(here "")
  set(lines "")
  foreach(row IN LISTS rows)
    string(REGEX REPLACE "^FAMILY\\(([a-z0-9_]+),.*" "\\1" name "${row}")
    if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/CMakeLists.txt)
      add_subdirectory(${name})
      list(APPEND here ${name})
      string(APPEND lines "${row}\n")
    endif()
  endforeach()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/${layer}/families.inc CONTENT "${lines}" @ONLY)
  set(HOUSE_FAMILIES ${here} PARENT_SCOPE)
endfunction()

function(house_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK;PRIVATE_LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)
  target_link_libraries(${name} PUBLIC ${ARG_LINK} PRIVATE house_options ${ARG_PRIVATE_LINK})
endfunction()

function(house_program name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE house_options ${ARG_LINK})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
endfunction()

# Man page and completions of a program, which prints them from its tables of options; NAME.more.1 beside it is
# what the man page says beyond those.
function(house_pages name)
  set(folder ${PROJECT_BINARY_DIR}/pages)
  file(MAKE_DIRECTORY ${folder})
  set(files ${folder}/${name}.1 ${folder}/${name} ${folder}/_${name} ${folder}/${name}.fish)
  add_custom_command(OUTPUT ${files}
    COMMAND ${name} --man > ${folder}/${name}.1
    COMMAND ${CMAKE_COMMAND} -E cat ${CMAKE_CURRENT_SOURCE_DIR}/${name}.more.1 >> ${folder}/${name}.1
    COMMAND ${name} --completion bash > ${folder}/${name}
    COMMAND ${name} --completion zsh > ${folder}/_${name}
    COMMAND ${name} --completion fish > ${folder}/${name}.fish
    DEPENDS ${name} ${name}.more.1 VERBATIM)
  add_custom_target(${name}_pages ALL DEPENDS ${files})
  # Libraries that stand beside the program come before the system's, also for what those load in turn: an rpath, not a
  # runpath. Where there are none, the system's are found.
  house_from_bin(libraries ${HOUSE_LIBRARY_FOLDER})
  if(NOT IS_ABSOLUTE ${libraries})
    set(libraries "$ORIGIN/${libraries}")
  endif()
  set_target_properties(${name} PROPERTIES BUILD_WITH_INSTALL_RPATH TRUE INSTALL_RPATH "${libraries}")
  # A build id would depend on the folder of the sources, of which else nothing is left in a stripped program.
  target_link_options(${name} PRIVATE -Wl,--disable-new-dtags -Wl,--build-id=none)
  install(TARGETS ${name} DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(FILES ${folder}/${name}.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${folder}/${name} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${folder}/_${name} DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${folder}/${name}.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endfunction()

function(house_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE house_options PkgConfig::CHECK ${ARG_LINK})
  target_compile_definitions(${name} PRIVATE FIXTURES_DIR="${PROJECT_SOURCE_DIR}/fixtures"
    SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS unit TIMEOUT ${HOUSE_UNIT_TEST_SECONDS}
    ENVIRONMENT "CK_FORK=no;BIN_DIR=${PROJECT_BINARY_DIR}/bin")
  house_order(${name})
endfunction()

# About how long the longer tests take: ctest, which knows nothing of a fresh build, begins with the longest.
file(STRINGS ${PROJECT_SOURCE_DIR}/ci/test_seconds house_seconds REGEX "^[^#]")
foreach(line IN LISTS house_seconds)
  string(REPLACE " " ";" line ${line})
  list(GET line 0 name)
  list(GET line 1 house_seconds_${name})
endforeach()

function(house_order name)
  if(DEFINED house_seconds_${name})
    set_tests_properties(${name} PROPERTIES COST ${house_seconds_${name}})
  endif()
endfunction()

# Debian's own Python, since it is the one that has Debian's websockets and jsonschema. Only the tests run it, so
# building does not ask for it. A client is started for case after case: what it imports is compiled once for all.
function(house_script_test name script)
  add_test(NAME ${name} COMMAND /usr/bin/python3 -B ${CMAKE_CURRENT_SOURCE_DIR}/${script} ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS wire TIMEOUT 600
    ENVIRONMENT "BIN_DIR=${PROJECT_BINARY_DIR}/bin;SOURCE_DIR=${PROJECT_SOURCE_DIR};PYTHONPYCACHEPREFIX=${PROJECT_BINARY_DIR}/pycache;PYTHONDONTWRITEBYTECODE=")
  house_order(${name})
endfunction()

# A suite takes minutes: more where the machine has other work.
function(house_suite_test name script)
  house_script_test(${name} ${script} ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS suite TIMEOUT 1800)
endfunction()

# One that installs what ci/package makes of this build, which the test package_made leaves in PACKAGE_DIR.
function(house_package_test name script)
  house_suite_test(${name} ${script} ${ARGN})
  set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED package
    ENVIRONMENT_MODIFICATION "PACKAGE_DIR=set:${PROJECT_BINARY_DIR}/package")
endfunction()

function(house_fuzzer name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(replay_${name} ${ARG_SOURCES} ${PROJECT_SOURCE_DIR}/codec/tests/replay_corpus.c)
  target_link_libraries(replay_${name} PRIVATE house_options ${ARG_LINK})
  set_target_properties(replay_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  add_test(NAME replay_${name} COMMAND replay_${name} ${PROJECT_SOURCE_DIR}/fixtures/fuzz/${name}.txt)
  set_tests_properties(replay_${name} PROPERTIES LABELS unit TIMEOUT ${HOUSE_UNIT_TEST_SECONDS})
  if(NOT HOUSE_FUZZ)
    return()
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE house_options ${ARG_LINK})
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz)
endfunction()
