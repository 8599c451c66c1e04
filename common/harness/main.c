/* main.c: main() of every benchmark program. */
#include "program.h"

int main(int argc, char **argv)
{
    return program_main(&program, argc, argv);
}
