# Where things are installed. Distributions choose with CMAKE_INSTALL_BINDIR, LIBDIR, DATADIR, MANDIR and DOCDIR (GNUInstallDirs);
# each may be absolute. The programs are told the way from their own folder, so a prefix may be moved as a whole.
#
#   house_from_bin(OUT FOLDER)   the way to FOLDER, one of those below, from the folder of the programs: "../share/ojin-tools";
#                                FOLDER itself where one of the two is absolute
include(GNUInstallDirs)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME tools) # the programs and what belongs to them
set(HOUSE_DATA_FOLDER ${CMAKE_INSTALL_DATADIR}/ojin-tools)
set(HOUSE_LIBRARY_FOLDER ${CMAKE_INSTALL_LIBDIR}/ojin-tools) # what a bundle brings
if("$CACHE{CMAKE_INSTALL_DOCDIR}" STREQUAL "")
  set(CMAKE_INSTALL_DOCDIR ${CMAKE_INSTALL_DATAROOTDIR}/doc/ojin-tools)
endif()
set(HOUSE_DOC_FOLDER ${CMAKE_INSTALL_DOCDIR})
set(HOUSE_BUILD_DATA_FOLDER ${PROJECT_BINARY_DIR}/share/ojin-tools) # that of the tree of the build, whose programs are in bin

function(house_from_bin out folder)
  if(IS_ABSOLUTE "${folder}")
    set(way ${folder})
  elseif(IS_ABSOLUTE "${CMAKE_INSTALL_BINDIR}")
    set(way ${CMAKE_INSTALL_PREFIX}/${folder})
  else()
    file(RELATIVE_PATH way /${CMAKE_INSTALL_BINDIR} /${folder})
  endif()
  set(${out} ${way} PARENT_SCOPE)
endfunction()
