# find_package(ojin): the targets ojin::ojin, the shared library, and ojin::ojin_static.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
include(${CMAKE_CURRENT_LIST_DIR}/ojinTargets.cmake)
