# What the programs read at run time, and what is installed beside them. codec/program/data_path.h says where it is.
#
#   house_data(NAME FOLDER [PATTERN…])   the files of FOLDER, or those that match, as NAME in HOUSE_DATA_FOLDER; the
#                                        tree of the build has a link to the whole folder

function(house_data_link name folder)
  cmake_path(GET name PARENT_PATH parent)
  file(MAKE_DIRECTORY ${HOUSE_BUILD_DATA_FOLDER}/${parent})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${folder} ${HOUSE_BUILD_DATA_FOLDER}/${name} SYMBOLIC)
endfunction()

function(house_data name folder)
  house_data_link(${name} ${folder})
  set(matching "")
  if(ARGN)
    set(matching FILES_MATCHING)
    foreach(pattern IN LISTS ARGN)
      list(APPEND matching PATTERN ${pattern})
    endforeach()
  endif()
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder}/ DESTINATION ${HOUSE_DATA_FOLDER}/${name} ${matching})
endfunction()

house_data(cases conformance/cases *.session)
house_data(server-cases conformance/server-cases *.session)
house_data(suites conformance/suites [0-9]* *.session)
# What cases and clients speak; the rest of that folder is of the tests.
house_data(speech fixtures/speech
  answer-?.wav farewell.wav follow-up*.wav hello-1s*.wav hello-3s*.wav question-?.wav story-40s.wav
  story-40s-24k.wav)
house_data(video fixtures/video *.jpg)
house_data(fixtures/vectors fixtures/vectors *.json)
house_data_link(schemas conformance)
foreach(schema done observation plan report)
  install(FILES ${PROJECT_SOURCE_DIR}/conformance/${schema}.schema.json DESTINATION ${HOUSE_DATA_FOLDER}/schemas)
endforeach()

# The pages, and what they name: who has only a package reads them, too.
foreach(page README.md CHANGELOG.md LICENSE server/SCRIPTS.md server/CONTROL.md conformance/ADAPTERS.md conformance/FUZZING.md conformance/SCRIPTS.md
    conformance/server-cases/README.md conformance/done.schema.json conformance/observation.schema.json conformance/plan.schema.json
    conformance/report.schema.json codec/mutate/library/ojin_mutate.h
    docs/break-things.md docs/develop-offline.md docs/fuzz.md docs/judge-a-server.md docs/test-my-client.md
    fixtures/pictures/persona.jpg fixtures/pictures/report.png
    packages/c/README.md packages/c/ojin_mock.h packages/c/ojin_codec.h packages/c/ojin_codec_duplex.h packages/c/ojin_codec_interview.h
    packages/c/example/example.c packages/c/example/client.c packages/c/example/client.h packages/c/example/messages.c packages/node/README.md packages/python/README.md)
  cmake_path(GET page PARENT_PATH parent)
  install(FILES ${PROJECT_SOURCE_DIR}/${page} DESTINATION ${HOUSE_DOC_FOLDER}/${parent})
endforeach()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/ci/examples DESTINATION ${HOUSE_DOC_FOLDER}/ci USE_SOURCE_PERMISSIONS
  PATTERN *.tar.gz EXCLUDE PATTERN node_modules EXCLUDE)
# Ready-made clients, and the examples of the packages.
foreach(folder conformance/clients packages/node/examples packages/python/examples)
  cmake_path(GET folder PARENT_PATH parent)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder} DESTINATION ${HOUSE_DOC_FOLDER}/${parent}
    PATTERN node_modules EXCLUDE PATTERN __pycache__ EXCLUDE PATTERN CMakeLists.txt EXCLUDE)
endforeach()
install(PROGRAMS ${PROJECT_SOURCE_DIR}/conformance/provoke-mock DESTINATION ${HOUSE_DOC_FOLDER}/conformance)
