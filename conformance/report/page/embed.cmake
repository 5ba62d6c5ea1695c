# Turns a file of the page into a C string: cmake -DIN=FILE -DOUT=FILE.c -DNAME=IDENTIFIER -P embed.cmake
file(READ ${IN} digits HEX)
string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${digits}")
string(REPLACE "'\\x0a'," "'\\x0a',\n" bytes "${bytes}")
file(WRITE ${OUT} "#include \"conformance/report/html_page.h\"\n\nconst char ${NAME}[] = {\n${bytes}0};\n")
